"""Writing through a list of indices: pairs, and indices that occur twice."""

# %% assign
import torch

source = torch.arange(10.0).view(5, 2)
target = torch.zeros(5, 2)
rows = [0, 3, 4]
target[rows] = source[rows]
print(target)

# %% order
target[[0, 1]] = target[[1, 0]]  # swaps two rows
print(target[:2])

# %% swap-fails
pair = torch.tensor([[1, 2], [3, 4]])
pair[0], pair[1] = pair[1], pair[0]
print(pair)

# %% swap-explained
pair = torch.tensor([[1, 2], [3, 4]])
first, second = pair[1], pair[0]  # two views
pair[0] = first  # changes `second` as well
print(second)

# %% swap-columns
pair = torch.tensor([[1, 2], [3, 4]])
pair[:, [0, 1]] = pair[:, [1, 0]]
print("swapped:", pair.tolist())
print("flip:   ", pair.flip(1).tolist())  # a new tensor

# %% grid
board = torch.zeros(3, 3)
rows, columns = torch.tensor([0, 1, 2]), torch.tensor([2, 0, 1])
board[rows, columns] = torch.tensor([1.0, 2.0, 3.0])  # one element per pair
print(board)

# %% block
board[[[0], [2]], [0, 1]] = 7  # (2, 1) and (2,) broadcast to (2, 2)
print(board)

# %% wrong-count raises="RuntimeError"
target[[0, 1]] = torch.ones(3, 2)

# %% out-of-range raises="IndexError"
target[[0, 7]] = 1

# %% right-count
target[[0, 1]] = torch.ones(2, 2)  # one row per index
target[[3, 4]] = torch.tensor([5.0, 6.0])  # one row for both
print(target)

# %% duplicates
votes = torch.tensor([1, 1, 2])  # class 1 twice
counts = torch.zeros(3)
counts[votes] += 1
print(counts)

# %% unrolled
counts = torch.zeros(3)
read = counts[votes]  # copy: [0, 0, 0]
counts[votes] = read + 1  # writes 1 to slot 1, twice
print(counts)

# %% accumulate
counts = torch.zeros(3)
counts.index_put_((votes,), torch.ones(3), accumulate=True)
print("index_put_:", counts)

counts = torch.zeros(3).index_add_(0, votes, torch.ones(3))
print("index_add_:", counts)

print("bincount:  ", torch.bincount(votes, minlength=3))  # for plain counting

# %% one-number-per-row hidden=true
square, numbers = torch.zeros(3, 3), torch.tensor([1.0, 2.0, 3.0])
square[[0, 1, 2]] = numbers
assert torch.equal(square, numbers.expand(3, 3))  # whole into each row
square[[0, 1, 2]] = numbers[:, None]
assert torch.equal(square, numbers[:, None].expand(3, 3))

# %% values-indexed hidden=true
mask, values, filled = torch.tensor([False, True, False, True]), torch.arange(4.0), torch.zeros(4)
try:
    filled[mask] = values
except RuntimeError as error:
    assert "shape mismatch: value tensor of shape [4]" in str(error), error
else:
    raise AssertionError
filled[mask] = values[mask]
assert filled.tolist() == [0, 1, 0, 3]

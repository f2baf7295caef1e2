"""Writing through a slice, and the two errors it gives."""

# %% assign
import torch

scores = torch.zeros(5, 2)
scores[-2:] = torch.tensor([[1.0, 2.0], [3.0, 4.0]])  # (2, 2)
print(scores)

# %% broadcast
scores[::2] = 9  # rows 0, 2, 4
scores[:, 1] = torch.arange(5.0)  # (5,) into column 1
print(scores)

# %% keeps-memory
address = scores.data_ptr()
scores[:] = 0  # writes into the tensor
print("same memory:", scores.data_ptr() == address)

scores = torch.zeros(5, 2)  # rebinds the name to a new tensor
print("same memory:", scores.data_ptr() == address)

# %% keeps-dtype
counts = torch.zeros(3, dtype=torch.int64)
counts[1:] = torch.tensor([1.9, -1.9])
print(counts)

# %% wrong-size raises="RuntimeError"
scores[-2:] = torch.ones(3, 2)

# %% nothing-written hidden=true
assert not scores.any()

# %% flip
row = torch.arange(4)
backwards = row.flip(0)
print(backwards, "shares memory:", backwards.data_ptr() == row.data_ptr())

# %% right-size
scores[-2:] = torch.ones(2, 2)  # as many rows as the slice
scores[:2] = torch.tensor([5.0, 6.0])  # one row for both
print(scores)

# %% from-a-list raises="TypeError"
scores[0] = [1.0, 2.0]

# %% from-a-tensor
scores[0] = torch.tensor([1.0, 2.0])
print(scores[0])

# %% overlap hidden=true
table = torch.arange(8.0).view(2, 4)
wanted = torch.tensor([[0.0, 0.0, 1.0, 2.0], [4.0, 4.0, 5.0, 6.0]])
copied, direct = table.clone(), table.clone()
copied[:, 1:] = copied[:, :-1].clone()
direct[:, 1:] = direct[:, :-1]  # runs, and is wrong
assert torch.equal(copied, wanted) and not torch.equal(direct, wanted)
try:
    scores[1:] = scores[:-1]
except RuntimeError as error:
    assert "single memory location" in str(error)
else:
    raise AssertionError("overlapping rows are fine now")
scores[:2] = torch.stack([torch.ones(2), torch.zeros(2)])

# %% as-long-but-flat hidden=true
square, numbers = torch.zeros(6, 3), torch.arange(6.0)
square[3:6] = numbers[3:6]  # one number a row was meant: runs, and each row gets all three
assert square[3:].tolist() == 3 * [[3, 4, 5]]
square[3:6] = numbers[3:6, None]
assert square[3:].tolist() == [3 * [3], 3 * [4], 3 * [5]]

# %% one-number-a-row hidden=true
table, numbers = torch.zeros(6, 2), torch.arange(3.0)
try:
    table[3:6] = numbers
except RuntimeError as error:
    assert "must match the existing size" in str(error)
else:
    raise AssertionError("three numbers into two columns")
table[3:6] = numbers[:, None]
assert table[3:].tolist() == [[0.0] * 2, [1.0] * 2, [2.0] * 2]

"""index_select keeps the dimension, take flattens, t[list] reads as it works."""

# %% columns
import torch

t = torch.arange(12).view(3, 4)
print("brackets:", t[:, [3, 0, 3]], sep="\n")
print("index_select:", t.index_select(1, torch.tensor([3, 0, 3])), sep="\n")


# %% dim-is-a-variable
def pick(tensor, dim, index):
    return tensor.index_select(dim, torch.tensor(index, device=tensor.device))


print("row:   ", pick(t, 0, [2]).tolist())
print("column:", pick(t, 1, [2]).tolist())

# %% take
print("take:  ", t.take(torch.tensor([[0, 5], [11, -1]])).tolist())
print("argmax:", t.argmax(), "taken:", t.take(t.argmax()))

# %% keeps-or-drops
print("t[1]    ", t[1])
print("t[[1]]  ", t[[1]])
print("t[1:2]  ", t[1:2])

# %% pairs
print("pairs:", t[[0, 2], [1, 3]])  # elements (0, 1) and (2, 3)
print("block:", t[[0, 2]][:, [1, 3]].tolist())  # rows 0 and 2, columns 1 and 3

# %% list raises="TypeError"
t.index_select(1, [3, 0])

# %% matrix raises="IndexError"
t.index_select(1, torch.tensor([[3, 0]]))

# %% accepted
print("index_select:", t.index_select(1, torch.tensor([3, 0]))[0])
print("brackets:    ", t[:, [-1, 0]][0])
print("2-D index:   ", t[:, [[3, 0], [1, 1]]][0].tolist())

# %% select-narrow
print("select(1, -1):  ", t.select(1, -1))  # t[:, -1]
print("narrow(1, 1, 2):", t.narrow(1, 1, 2).tolist())  # t[:, 1:3]
own = t.clone()  # the rest of the page keeps its t
own.select(1, 0).zero_()
own.narrow(1, 1, 2).add_(100)
print(own)

# %% narrow-past-the-end raises="RuntimeError"
t.narrow(1, 3, 4)

# %% slice-past-the-end
print(tuple(t[:, 3:7].shape), tuple(t.narrow(1, 3, min(4, t.shape[1] - 3)).shape))

# %% copies hidden=true
for picked in (t[:, [0]], t.index_select(1, torch.tensor([0])), t.take(torch.tensor([0]))):
    assert picked.untyped_storage().data_ptr() != t.untyped_storage().data_ptr()
assert torch.equal(t[:, [-1]], t[:, [3]])
try:
    t.index_select(0, torch.tensor([-1]))
except (IndexError, RuntimeError):  # the message depends on the kernel
    pass
else:
    raise AssertionError("a negative index was accepted")

# %% counter-cases hidden=true
for shape, dim in (((4, 6), 0), ((4, 6), 1), ((2, 3, 5), 2), ((3, 4, 2), 1)):
    table = torch.randn(shape)
    chosen = torch.tensor([2, 0, 2]) % shape[dim]
    by_index = table.movedim(dim, 0)[chosen].movedim(0, dim)
    selected = table.index_select(dim, chosen)
    assert torch.equal(selected, by_index)
    assert selected.untyped_storage().data_ptr() != table.untyped_storage().data_ptr()
    assert torch.equal(table.take(chosen), table.flatten()[chosen])

# %% nested-list hidden=true
pairs = [[2, 0], [1, 1]]
assert torch.equal(t[pairs, ...], t[torch.tensor(pairs)])  # t[pairs] can mean t[[2, 0], [1, 1]]
assert torch.equal(t[[torch.tensor(2), torch.tensor(0)], ...], t[[2, 0]])

# %% each-row hidden=true
labels = torch.tensor([3, 0])
assert t[:2].gather(1, labels[:, None])[:, 0].tolist() == [t[0, 3].item(), t[1, 0].item()]
assert t[:2].index_select(1, labels).shape == (2, 2)
numbers = torch.arange(10)
assert torch.equal(numbers.narrow(0, 3, 8 - 3), numbers[3:8])  # from 3 to 8

"""Where are the nonzero elements: nonzero(), where(), and the squeeze trap."""

# %% setup
import torch

matrix = torch.tensor([[0, 5, 0], [7, 0, 9]])  # (2, 3), three hits
vector = torch.tensor([0, 1, 0, 1])  # (4,), two hits

# %% shape
print(matrix.nonzero().shape, matrix.nonzero().tolist())
print(vector.nonzero().shape, vector.nonzero().tolist())

# %% where
print(torch.where(matrix > 0))
print(torch.nonzero(matrix, as_tuple=True))

# %% use-the-tuple
rows, columns = torch.where(matrix > 0)
print("rows, columns:", matrix[rows, columns])
print("tuple:        ", matrix[torch.where(matrix > 0)])
print("mask:         ", matrix[matrix > 0])

# %% rows-are-not-a-tuple raises="IndexError"
matrix[matrix.nonzero()]

# %% tuple-as-index
print(matrix[matrix.nonzero(as_tuple=True)])

# %% squeeze
for values in ([0, 1, 0, 1], [0, 1, 0], [0, 0, 0]):
    vector = torch.tensor(values)
    hits = vector.nonzero()
    (index,) = vector.nonzero(as_tuple=True)
    print(values, tuple(hits.shape))
    print("  squeeze() ", hits.squeeze())
    print("  squeeze(1)", hits.squeeze(1))
    print("  as_tuple  ", index)

# %% breaks raises="TypeError"
vector = torch.tensor([0, 1, 0])
for position in vector.nonzero().squeeze():
    print(position)

# %% static
vector = torch.tensor([0, 1, 0, 1])
print(torch.nonzero_static(vector, size=3).tolist())
print(torch.nonzero_static(vector, size=1).tolist())

# %% one-d hidden=true
for values in ([0, 1, 0, 1], [0, 1, 0], [0, 0, 0]):
    assert torch.tensor(values).nonzero().flatten().ndim == 1
assert matrix[matrix.nonzero(as_tuple=True)].tolist() == [5, 7, 9]

# %% first-hit hidden=true
assert (matrix == 7).nonzero()[0].tolist() == [1, 0]
assert torch.tensor([0, 5, 5]).nonzero()[0].item() == 1

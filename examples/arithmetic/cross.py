"""The cross product: torch.linalg.cross, and the dim that torch.cross guesses."""

# %% product
import torch

right = torch.tensor([[1.0, 0.0, 0.0], [0.0, 2.0, 0.0]])  # (vectors, 3)
front = torch.tensor([[0.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
up = torch.linalg.cross(right, front)
print(up)
print("perpendicular:", (up * right).sum(dim=-1), (up * front).sum(dim=-1))

# %% triangle
corners = torch.tensor(  # (triangles, 3 corners, 3)
    [
        [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 3.0, 0.0]],
        [[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]],
    ]
)
first, second, third = corners.unbind(dim=1)  # each (triangles, 3)
normal = torch.linalg.cross(second - first, third - first)
length = normal.norm(dim=-1, keepdim=True)
print("areas:  ", (length[:, 0] / 2).tolist())
print("normals:", (normal / length).tolist())

# %% default warns="UserWarning"
a = torch.arange(9.0).view(3, 3)  # three vectors
b = torch.eye(3).flip(0)
print(torch.cross(a, b))

# %% with-dim
print("dim=0: ", torch.cross(a, b, dim=0).tolist())
print("dim=-1:", torch.cross(a, b, dim=-1).tolist())
print("linalg:", torch.linalg.cross(a, b).tolist())

# %% two-components raises="RuntimeError"
plane = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
other = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
torch.linalg.cross(plane, other)

# %% two-components-cure
print(plane[:, 0] * other[:, 1] - plane[:, 1] * other[:, 0])
padded = [torch.nn.functional.pad(v, (0, 1)) for v in (plane, other)]  # z = 0
print(torch.linalg.cross(*padded)[:, 2])

# %% one-axis raises="RuntimeError"
axis = torch.tensor([0.0, 0.0, 1.0])
torch.linalg.cross(a, axis)

# %% one-axis-cure
print(torch.linalg.cross(a, axis[None]))

# %% counter-cases hidden=true
import numpy as np

torch.manual_seed(0)
for shape in ((3,), (5, 3), (3, 3), (2, 4, 3), (0, 3)):
    for dtype in (torch.float32, torch.float64, torch.int64):
        p, q = (torch.randint(-5, 6, shape).to(dtype) for _ in range(2))
        ours = torch.linalg.cross(p, q)
        assert np.array_equal(ours.numpy(), np.cross(p.numpy(), q.numpy()))
        assert torch.equal(ours, -torch.linalg.cross(q, p))
        assert (ours * p).sum() == 0 == (ours * q).sum()
p, q = torch.randn(3, 7, dtype=torch.float64), torch.randn(3, 7, dtype=torch.float64)
torch.testing.assert_close(torch.linalg.cross(p, q, dim=0), torch.linalg.cross(p.T, q.T).T)
for shape, right in {(5, 3): True, (2, 4, 3): True, (3, 3): False, (5, 3, 3): False, (3, 5, 3): False}.items():
    p, q = torch.randn(shape), torch.randn(shape)
    assert torch.equal(torch.cross(p, q), torch.linalg.cross(p, q)) == right, shape


# %% columns hidden=true
import warnings

for count in (3, 7):
    p, q = torch.randn(3, count), torch.randn(3, count)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        before = torch.cross(p, q)  # right for columns, whatever their number
    assert torch.equal(before, torch.cross(p, q, dim=0))
    assert torch.equal(before, torch.linalg.cross(p.T, q.T).T)
p, q = torch.randn(3, 3), torch.randn(3, 3)
assert not torch.equal(torch.linalg.cross(p, q), torch.linalg.cross(p, q, dim=0))
p, q = torch.randn(2, 3, 5), torch.randn(2, 3, 5)  # a batch of matrices
assert torch.equal(torch.cross(p, q, dim=-2), torch.linalg.cross(p.mT, q.mT).mT)

# %% axis-per-group hidden=true
groups, axes = torch.randn(4, 4, 3), torch.randn(4, 3)
each = torch.stack([torch.linalg.cross(group, one[None]) for group, one in zip(groups, axes)])
torch.testing.assert_close(torch.linalg.cross(groups, axes[:, None]), each)
assert not torch.allclose(torch.linalg.cross(groups, axes[None]), each)  # no error, other pairs

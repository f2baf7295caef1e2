"""From pdist's vector to a symmetric matrix; cdist does it in one call."""

# %% fill
import torch

points = torch.tensor([[0.0, 0.0], [1.0, 1.0], [3.0, 2.0]])  # (3, 2)
n = len(points)
distances = torch.pdist(points)
print("pdist:", distances)

i, j = torch.triu_indices(n, n, offset=1)
matrix = distances.new_zeros(n, n)
matrix[i, j] = distances
print(matrix)

# %% mirror
matrix = matrix + matrix.T
print(matrix)

# %% cdist
print(torch.cdist(points, points))
print("the same matrix:", torch.allclose(torch.cdist(points, points), matrix))

# %% no-offset raises="RuntimeError"
i, j = torch.triu_indices(n, n)
matrix[i, j] = distances

# %% heat-map fold=true
import matplotlib.pyplot as plt

torch.manual_seed(0)
centers = torch.tensor([[0.0, 0.0], [4.0, 0.0], [0.0, 6.0]])
cloud = centers.repeat_interleave(3, dim=0) + 0.6 * torch.randn(9, 2)  # three groups of three

fig, (left, right) = plt.subplots(1, 2, figsize=(6.0, 2.6))
for k, group in enumerate(cloud.split(3)):
    left.plot(*group.T, "o", color=f"C{k}")
    left.text(*(group.mean(dim=0) + torch.tensor([1.0, 0.0])), f"{3 * k}–{3 * k + 2}", va="center")
left.set(aspect="equal", xticks=[], yticks=[], xlim=(-1.5, 6.5), title="cloud")
mesh = right.pcolormesh(torch.cdist(cloud, cloud), cmap=plt.get_cmap("viridis", 8), linewidth=0, clip_on=False)
right.set(aspect="equal", title="cdist(cloud, cloud)", xticks=(0, 3, 6, 9), yticks=(0, 3, 6, 9))
right.invert_yaxis()
fig.colorbar(mesh, ax=right)

# %% triu-of-a-vector raises="RuntimeError"
torch.triu(distances)

# %% triu-masks
full = torch.cdist(points, points)
print(torch.triu(full, diagonal=1))
i, j = torch.triu_indices(n, n, offset=1)
print("full[i, j]:", full[i, j])

# %% zero-or-missing
twins = points[[0, 0, 2]]  # rows 0 and 1 are the same point
upper = torch.cdist(twins, twins).triu(diagonal=1)
print("upper[upper > 0]:", upper[upper > 0])
print("pdist:           ", torch.pdist(twins))

# %% batched
batch = torch.stack([points, 2 * points])  # (batch, points, coordinates)
upper = torch.cdist(batch, batch).triu(diagonal=1)
print(upper + upper.mT)

# %% other-dtype hidden=true
i, j = torch.triu_indices(n, n, offset=1)
exact = torch.pdist(points.double())
matrix = exact.new_zeros(n, n)  # zeros(n, n) would be float32, and raise
matrix[i, j] = exact
assert torch.equal(full[torch.ones(n, n, dtype=torch.bool).triu(1)], full[i, j])

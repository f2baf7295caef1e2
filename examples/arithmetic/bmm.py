"""torch.bmm multiplies two batches of matrices and broadcasts nothing."""

# %% pairs
import torch

torch.manual_seed(0)
queries = torch.randn(5, 2, 3)  # (batch, n, k)
keys = torch.randn(5, 3, 4)  # (batch, k, m)

scores = torch.bmm(queries, keys)
print(scores.shape)
print(torch.allclose(scores[4], queries[4] @ keys[4]))

# %% batch-of-one raises="RuntimeError"
weight = torch.randn(3, 4)
torch.bmm(queries, weight.unsqueeze(0))  # (1, 3, 4)

# %% plain-matrix raises="RuntimeError"
torch.bmm(queries, weight)  # (3, 4)

# %% matmul-takes-both
shared = queries @ weight
print(shared.shape)
print(torch.allclose(shared, queries @ weight.unsqueeze(0)))

# %% expand
print(torch.allclose(torch.bmm(queries, weight.expand(5, -1, -1)), shared))

# %% caught-by-bmm raises="RuntimeError"
rotations = torch.randn(4, 4, 4)
points = torch.randn(4, 4)  # meant: four vectors
torch.bmm(rotations, points)

# %% missed-by-matmul
print((rotations @ points).shape)
print(torch.bmm(rotations, points.unsqueeze(-1)).shape)

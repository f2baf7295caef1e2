"""torch.bmm multiplies two batches of matrices and broadcasts nothing."""

# %% pairs
import torch

queries = torch.arange(30.0).reshape(5, 2, 3)  # (batch, n, k)
keys = torch.arange(60.0).reshape(5, 3, 4)  # (batch, k, m)

scores = torch.bmm(queries, keys)  # or: queries.bmm(keys)
print("shape:", scores.shape)
print("scores[0]:", scores[0], sep="\n")
print("by hand:", queries[0] @ keys[0], sep="\n")

# %% batch-of-one raises="RuntimeError"
weight = torch.ones(3, 4)
torch.bmm(queries, weight.unsqueeze(0))  # (1, 3, 4)

# %% plain-matrix raises="RuntimeError"
torch.bmm(queries, weight)  # (3, 4)

# %% matmul-takes-both
shared = queries @ weight
print("shape:", shared.shape)
print("shared[4]:", shared[4], sep="\n")
print("by hand:", queries[4] @ weight, sep="\n")

# %% expand
print(torch.bmm(queries, weight.expand(5, -1, -1))[4])

# %% caught-by-bmm raises="RuntimeError"
rotations = torch.eye(4).expand(4, 4, 4)
points = torch.arange(16.0).reshape(4, 4)  # meant: four vectors
torch.bmm(rotations, points)

# %% missed-by-matmul
print("@:  ", (rotations @ points).shape)
print("bmm:", torch.bmm(rotations, points.unsqueeze(-1)).shape)

# %% counter-cases hidden=true
for left, right in (((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((1, 2, 3), (5, 3, 4)), ((1, 5, 2, 3), (1, 5, 3, 4))):
    try:
        torch.bmm(torch.ones(left), torch.ones(right))
    except RuntimeError:
        continue
    raise AssertionError(f"bmm took {left} and {right}")

# %% inner-sizes hidden=true
for multiply in (torch.bmm, torch.matmul):
    try:
        multiply(queries, keys.mT)
    except RuntimeError as error:
        assert "to be: [5, 3] but got: [5, 4]" in str(error)
    else:
        raise AssertionError("multiplied matrices that do not fit")
    assert multiply(queries, keys.mT.mT).shape == (5, 2, 4)

# %% hidden-state hidden=true
hidden, outputs = torch.ones(1, 5, 3), torch.ones(5, 7, 3)  # of an RNN, batch_first=True
assert (hidden @ outputs.mT).shape == (5, 5, 7)  # each sample with all
assert torch.bmm(hidden.transpose(0, 1), outputs.mT).shape == (5, 1, 7)

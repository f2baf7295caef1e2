"""linalg.solve instead of the inverse, and the other decompositions in one table."""

# %% solve
import torch

matrix = torch.tensor([[2.0, 1.0], [1.0, 2.0]])
target = torch.tensor([7.0, 8.0])
x = torch.linalg.solve(matrix, target)
print(x)
print(matrix @ x)

# %% accuracy
i = torch.arange(10, dtype=torch.float64)
hilbert = 1 / (i[:, None] + i + 1)  # nearly singular
right = hilbert.sum(dim=1)
for name, found in (
    ("solve", torch.linalg.solve(hilbert, right)),
    ("inv @", torch.linalg.inv(hilbert) @ right),
):
    residual = (hilbert @ found - right).abs().max()
    print(name, "residual below 1e-12:", bool(residual < 1e-12))

# %% singular raises="_LinAlgError"
singular = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
torch.linalg.solve(singular, target)

# %% error-name hidden=true
assert torch.linalg.LinAlgError is torch._C._LinAlgError

# %% lstsq
least = torch.linalg.lstsq(singular, target.unsqueeze(1)).solution
print(least.squeeze(1).round(decimals=2))
print((torch.linalg.pinv(singular) @ target).round(decimals=2))

# %% batch
matrices = torch.stack([matrix, 2 * matrix, 4 * matrix])  # (3, 2, 2)
targets = torch.stack([target, target, target])  # (3, 2)
print(torch.linalg.solve(matrices, targets.unsqueeze(-1)).squeeze(-1))

# %% not-positive raises="_LinAlgError"
torch.linalg.cholesky(torch.tensor([[1.0, 2.0], [2.0, 1.0]]))

# %% table
torch.manual_seed(0)
tall = torch.randn(5, 3)
gram = tall.T @ tall + torch.eye(3)  # symmetric, positive definite

factor = torch.linalg.cholesky(gram)
values, vectors = torch.linalg.eigh(gram)
u, s, vh = torch.linalg.svd(tall, full_matrices=False)
q, r = torch.linalg.qr(tall)
rebuilt = {
    "cholesky": (factor @ factor.mT, gram),
    "eigh": (vectors @ values.diag() @ vectors.mT, gram),
    "svd": (u @ s.diag() @ vh, tall),
    "qr": (q @ r, tall),
}
for name, (product, original) in rebuilt.items():
    print(f"{name:9}", torch.allclose(product, original, atol=1e-5))

# %% cholesky-solve
column = torch.ones(3, 1)
solution = torch.cholesky_solve(column, factor)
print("solves it:", torch.allclose(gram @ solution, column, atol=1e-5))

# %% integers raises="RuntimeError"
torch.linalg.solve(torch.tensor([[2, 1], [1, 2]]), torch.tensor([7, 8]))

# %% lu hidden=true
lu, pivots = torch.linalg.lu_factor(matrix)
assert torch.allclose(torch.linalg.lu_solve(lu, pivots, target.unsqueeze(1)).squeeze(1), x)

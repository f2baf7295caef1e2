"""linalg.solve instead of the inverse, and which decomposition is for what."""

# %% solve
import torch

matrix = torch.tensor([[2.0, 1.0], [1.0, 2.0]])
target = torch.tensor([7.0, 8.0])
x = torch.linalg.solve(matrix, target)
print("x:         ", x)
print("matrix @ x:", matrix @ x)

# %% accuracy
i = torch.arange(10, dtype=torch.float64)
hilbert = 1 / (i[:, None] + i + 1)  # nearly singular
right = hilbert.sum(dim=1)
by_solve = torch.linalg.solve(hilbert, right)
by_inverse = torch.linalg.inv(hilbert) @ right
for name, found in {"solve": by_solve, "inv @": by_inverse}.items():
    residual = (hilbert @ found - right).abs().max()
    print(name, "residual below 1e-12:", bool(residual < 1e-12))

# %% singular raises="_LinAlgError"
singular = torch.tensor([[1.0, 2.0], [2.0, 4.0]])
torch.linalg.solve(singular, target)

# %% lstsq
least = torch.linalg.lstsq(singular, target.unsqueeze(1), driver="gelsd").solution
print("lstsq:", least.squeeze(1).round(decimals=2))
print("pinv: ", (torch.linalg.pinv(singular) @ target).round(decimals=2))

# %% tiny-multiple
nudged = singular.double() + 1e-6 * torch.eye(2)
first, second = torch.linalg.solve(nudged, target.double())
print(f"{first:.1e} {second:.1e}")

# %% regression
height = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64)
design = torch.stack([height, torch.ones_like(height)], dim=1)  # (samples, 2)
fit = torch.linalg.lstsq(design, (2 * height + 1)[:, None], driver="gelsd").solution
print("slope, intercept:", fit.squeeze(1).float().round(decimals=2))

# %% batch
matrices = torch.stack([matrix, 2 * matrix, 4 * matrix])  # (3, 2, 2)
targets = torch.stack([target, target, target])  # (3, 2)
print(torch.linalg.solve(matrices, targets.unsqueeze(-1)).squeeze(-1))

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
    same = torch.allclose(product, original, atol=1e-5)
    print(f"{name:9} gives the matrix back:", same)

# %% others
log_size = torch.linalg.slogdet(matrix).logabsdet
print(f"det: {torch.linalg.det(matrix):.1f}, log: {log_size:.2f}")
print("rank:", torch.linalg.matrix_rank(singular))
turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]])  # not symmetric
print("eigenvalues:", torch.linalg.eigvals(turn).imag.sort().values, "times i")

# %% cholesky-solve
solution = torch.cholesky_solve(torch.ones(3, 1), factor)
print("solves it:", torch.allclose(gram @ solution, torch.ones(3, 1), atol=1e-5))

# %% not-positive raises="_LinAlgError"
torch.linalg.cholesky(torch.tensor([[1.0, 2.0], [2.0, 1.0]]))

# %% jitter
samples = 100 * torch.randn(4, 10)  # fewer samples than dimensions
covariance = torch.cov(samples.T)  # (10, 10), rank 3
jitter = 1e-4 * covariance.diagonal().mean()
factor = torch.linalg.cholesky(covariance + jitter * torch.eye(10))
change = (factor @ factor.T - covariance).abs().max() / covariance.abs().max()
print(f"changed by less than a thousandth: {change < 1e-3}")

# %% no-exception
print("info:", torch.linalg.cholesky_ex(matrix - 2 * torch.eye(2)).info)

# %% integers raises="RuntimeError"
torch.linalg.solve(torch.tensor([[2, 1], [1, 2]]), torch.tensor([7, 8]))

# %% converted
print(torch.linalg.solve(matrix.int().double(), target.int().double()))

# %% nan-svd raises="_LinAlgError"
torch.linalg.svd(singular * torch.nan)

# %% nan-found
print("finite:", (singular * torch.nan).isfinite().all().item())

# %% nan-eigh varies=true
print(torch.linalg.eigvalsh(matrix * torch.nan), torch.linalg.svdvals(matrix / 0))

# %% error-name hidden=true
assert torch.linalg.LinAlgError is torch._C._LinAlgError

# %% lu hidden=true
lu, pivots = torch.linalg.lu_factor(matrix)
assert torch.allclose(torch.linalg.lu_solve(lu, pivots, target.unsqueeze(1)).squeeze(1), x)

# %% jitter-fits hidden=true
assert torch.equal(1000 * singular + 1e-6 * torch.eye(2), 1000 * singular)  # rounded away
for dtype, share in ((torch.float32, 1e-4), (torch.float64, 1e-10)):
    for size, scale in ((10, 1.0), (100, 1e-3), (100, 1e4)):
        samples = scale * torch.randn(5, size, dtype=dtype)
        covariance = torch.cov(samples.T)
        jitter = share * covariance.diagonal().mean()
        torch.linalg.cholesky(covariance + jitter * torch.eye(size, dtype=dtype))

# %% nan-elsewhere hidden=true
for function in (torch.linalg.pinv, torch.linalg.matrix_rank, lambda a: torch.linalg.matrix_norm(a, 2)):
    try:
        function(singular * torch.nan)
    except torch.linalg.LinAlgError as error:
        assert "linalg.svd" in str(error), error
    else:
        raise AssertionError("no error for NaN")

# %% lower-triangle hidden=true
lopsided = torch.tensor([[2.0, 9.0], [1.0, 2.0]])
assert torch.linalg.cholesky(lopsided).equal(torch.linalg.cholesky(matrix))
assert torch.linalg.eigvalsh(lopsided).equal(torch.linalg.eigvalsh(matrix))
for dtype in (torch.float16, torch.bfloat16):
    try:
        torch.linalg.solve(matrix.to(dtype), target.to(dtype))
    except NotImplementedError:
        continue
    raise AssertionError(dtype)

# %% jitter-batch hidden=true
samples = torch.randn(2, 5, 10) * torch.tensor([1.0, 1e3])[:, None, None]
covariances = torch.stack([torch.cov(each.T) for each in samples])  # (2, 10, 10), rank 4
assert covariances.diagonal().shape == (10, 2)  # of the first two dimensions
diagonals = covariances.diagonal(dim1=-2, dim2=-1)
torch.linalg.cholesky(covariances + 1e-4 * diagonals.mean(-1)[:, None, None] * torch.eye(10))

# %% no-error-when-singular hidden=true
torch.manual_seed(0)
for size in (10, 100):
    for dtype in (torch.float32, torch.float64):
        dependent = torch.randn(size, size, dtype=dtype)
        dependent[:, 0] = dependent[:, 1] + dependent[:, 2]
        assert torch.linalg.solve(dependent, torch.ones(size, dtype=dtype)).abs().max() > 1e5
        assert torch.linalg.inv(dependent).abs().max() > 1e5
        assert torch.linalg.matrix_rank(dependent) == size - 1
        assert torch.linalg.cond(dependent) > 0.1 / torch.finfo(dtype).eps

# %% years hidden=true
for dtype in (torch.float32, torch.float64):
    year = torch.linspace(2000, 2100, 101, dtype=dtype)
    value = (2 * (year - 2000) + 1)[:, None]
    for inputs, fits in ((year, dtype == torch.float64), (year - year.mean(), True)):
        design = torch.stack([inputs, torch.ones_like(inputs)], dim=1)
        slope = torch.linalg.lstsq(design, value).solution[0].item()
        assert abs(slope - 2) < 1e-3 if fits else abs(slope) < 0.1, (dtype, slope)

# %% gelsd hidden=true
torch.manual_seed(0)
for dtype in (torch.float32, torch.float64):
    diagonal = torch.eye(5, dtype=dtype)
    diagonal[0] = 0
    constant = torch.randn(20, 3, dtype=dtype)
    constant[:, 0] = 0
    for deficient in (diagonal, constant):
        ones = torch.ones(len(deficient), 1, dtype=dtype)
        shortest = torch.linalg.pinv(deficient) @ ones
        for _ in range(10):
            found = torch.linalg.lstsq(deficient, ones, driver="gelsd").solution
            torch.testing.assert_close(found, shortest, atol=1e-4, rtol=0)

# %% other-scales hidden=true
large, small = torch.randn(2, 10_000, dtype=torch.float64) * torch.tensor([[50.0], [0.01]])
for dtype in (torch.float32, torch.float64):
    design = torch.stack([large, small, torch.ones_like(large)], dim=1).to(dtype)
    value = (0.1 * large + 20 * small + 3)[:, None].to(dtype)
    weight = torch.linalg.lstsq(design, value, driver="gelsd").solution[1].item()
    assert abs(weight - 20) < 1e-3 if dtype == torch.float64 else abs(weight) < 1, weight

# %% seconds-of-a-year hidden=true
second = torch.linspace(1.7e9, 1.7e9 + 31_536_000, 100_000, dtype=torch.float64)
value = (2 * (second - second[0]) / 86_400 + 1)[:, None]
for inputs, fits in ((second, False), ((second - second.mean()) / second.std(), True)):
    design = torch.stack([inputs, torch.ones_like(inputs)], dim=1)
    found = torch.linalg.lstsq(design, value, driver="gelsd").solution
    assert ((design @ found - value).abs().max() < 1e-6) == fits

# %% variances-far-apart hidden=true
torch.manual_seed(0)
samples = torch.randn(500, 2) * torch.tensor([1e4, 1.0])
covariance = torch.cov(torch.cat([samples, samples[:, :1]], dim=1).T)  # a column stands twice
assert torch.linalg.cholesky_ex(covariance).info > 0
away = torch.tensor([[0.0], [10.0], [0.0]])  # ten standard deviations of the second
drowned = covariance + 1e-4 * covariance.diagonal().mean() * torch.eye(3)
for matrix, right in ((drowned, False), (covariance + 1e-4 * covariance.diagonal().diag_embed(), True)):
    distance = (away * torch.cholesky_solve(away, torch.linalg.cholesky(matrix))).sum().sqrt()
    assert (9 < distance < 11) == right, distance
several = covariances[:1].repeat(12, 1, 1)  # as many as rows or more: diag() would be added to each row
nudged = several + 1e-4 * several.diagonal(dim1=-2, dim2=-1).diag_embed()
assert torch.equal(nudged[11], covariances[0] + 1e-4 * covariances[0].diagonal().diag())

# %% pinv-in-float64 hidden=true
rows = [[0.1, 1000.0], [0.3, 3000.0]]  # singular, but not once 0.1 and 0.3 are float32
disagree = torch.tensor([1000.0, 3100.0], dtype=torch.float64)
for built, fits in ((torch.tensor(rows).double(), False), (torch.tensor(rows, dtype=torch.float64), True)):
    assert ((torch.linalg.pinv(built) @ disagree).abs().max() < 2) == fits

# %% batch-of-vectors hidden=true
several = torch.tensor([[[2.0, 0.0], [0.0, 4.0]], [[1.0, 1.0], [0.0, 1.0]]])
sides = torch.tensor([[2.0, 4.0], [3.0, 1.0]])  # as many vectors as rows: @ takes them for one matrix
inverse, solved = torch.linalg.pinv(several), torch.linalg.solve(several, sides)
assert torch.allclose((inverse @ sides[..., None])[..., 0], solved, atol=1e-5)
assert not torch.allclose((inverse @ sides).diagonal(), solved, atol=1e-5) and (inverse @ sides).shape == (2, 2, 2)

"""svd and eigh: input that is not finite, and gradients that are NaN."""

# %% svd-nan raises="_LinAlgError"
import torch

matrix = torch.eye(3)
matrix[0, 1] = float("nan")
torch.linalg.svd(matrix)

# %% find
print("finite:", bool(matrix.isfinite().all()))
print("not finite at:", (~matrix.isfinite()).nonzero().tolist())

# %% eigh-nan raises="_LinAlgError" varies=true
torch.linalg.eigh(torch.full((3, 3), float("nan")))

# %% eig-nan raises="RuntimeError"
torch.linalg.eig(matrix)

# %% eigvals-checked
for name, candidate in {"identity": torch.eye(2), "with NaN": matrix}.items():
    if candidate.isfinite().all():
        print(name, torch.linalg.eigvals(candidate).real)
    else:
        print(name, "is left out")


# %% nan-gradient
def gradient(function, matrix):
    matrix = matrix.clone().requires_grad_()
    function(matrix).backward()
    return matrix.grad


def vector(matrix):
    return torch.linalg.eigh(matrix).eigenvectors[1, 1]


def values(matrix):
    return torch.linalg.eigh(matrix).eigenvalues.square().sum()


def rank_one(matrix):
    u, s, vh = torch.linalg.svd(matrix)
    return (s[0] * u[:, :1] @ vh[:1]).sum()


def singular_values(matrix):
    return torch.linalg.svdvals(matrix).sum()


twice = torch.diag(torch.tensor([2.0, 2.0, 1.0], dtype=torch.float64))
for function in (vector, values, rank_one, singular_values):
    found = gradient(function, twice)
    print(f"{function.__name__:15} gradient has NaN: {bool(found.isnan().any())}")

# %% gap
for gap in (1.0, 1e-2, 1e-4, 0.0):
    close = torch.diag(torch.tensor([2.0, 2.0 + gap, 1.0], dtype=torch.float64))
    largest = gradient(vector, close).abs().max()
    print(f"distance {gap:<6} largest entry of the gradient {largest:.1f}")

# %% separate
weight = torch.arange(9.0, dtype=torch.float64).reshape(3, 3)


def whitened(matrix):  # matrix ** -0.5
    values, vectors = torch.linalg.eigh(matrix)
    return (weight * (vectors * values.rsqrt() @ vectors.mT)).sum()


apart = 1e-5 * torch.diag(torch.arange(3.0, dtype=torch.float64))
print("NaN:", bool(gradient(whitened, twice).isnan().any()), end="  ")
print("apart:", bool(gradient(whitened, twice + apart).isnan().any()))

# %% eig-everywhere hidden=true
for place in ((0, 1), (2, 2)):  # eigvals is not to be tried: it can end the process
    for value in (torch.nan, torch.inf):
        wrong = torch.eye(3)
        wrong[place] = value
        try:
            torch.linalg.eig(wrong)
        except RuntimeError as error:
            assert "should not contain infs or NaNs" in str(error)
        else:
            raise AssertionError(place, value)

# %% one-triangle hidden=true
assert torch.linalg.eigh(matrix).eigenvalues.isfinite().all()  # the NaN is in the upper one

# %% true-gradient hidden=true
differences = torch.zeros(3, 3, dtype=torch.float64)
for i in range(3):
    for j in range(3):
        step = torch.zeros(3, 3, dtype=torch.float64)
        step[i, j] += 0.5e-6
        step[j, i] += 0.5e-6
        differences[i, j] = (whitened(twice + step) - whitened(twice - step)) / 2e-6
assert torch.allclose(gradient(whitened, twice + apart), differences, rtol=1e-3, atol=1e-3)
same_for_all = 1e-5 * torch.eye(3, dtype=torch.float64)
assert gradient(whitened, twice + same_for_all).isnan().any()
assert not torch.allclose(gradient(vector, twice + apart), gradient(vector, twice - apart))

# %% rounding hidden=true
axis = torch.tensor([[1.0], [2.0], [3.0]], dtype=torch.float64)
mirror = torch.eye(3, dtype=torch.float64) - axis @ axis.T / 7
turned = mirror @ twice @ mirror.T  # equal eigenvalues but for rounding
assert not torch.allclose(gradient(whitened, turned), gradient(whitened, turned + apart), rtol=0.1)


def first_part(matrix):
    u, s, vh = torch.linalg.svd(matrix, full_matrices=False)
    return (s[0] * u[:, :1] @ vh[:1]).sum()


for smallest, nan in ((1.0, False), (0.0, True)):  # (3, 2): divides by the values, too
    tall = torch.tensor([[3.0, 0.0], [0.0, smallest], [0.0, 0.0]], dtype=torch.float64)
    assert bool(gradient(first_part, tall).isnan().any()) == nan


# %% cholesky hidden=true
def by_cholesky(matrix):
    return (weight * torch.linalg.inv(torch.linalg.cholesky(matrix))).sum()


def nuclear(matrix):
    return torch.linalg.matrix_norm(matrix, "nuc")


white = torch.linalg.inv(torch.linalg.cholesky(turned))
assert torch.allclose(white @ turned @ white.mT, torch.eye(3, dtype=torch.float64))
for function in (by_cholesky, nuclear, torch.logdet, lambda matrix: torch.linalg.matrix_exp(matrix).sum()):
    for matrix in (twice, 3 * torch.eye(3, dtype=torch.float64)):
        assert gradient(function, matrix).isfinite().all()

# %% singular-covariance hidden=true
torch.manual_seed(0)
few = torch.cov(torch.randn(20, 8, dtype=torch.float64))  # of 20 dimensions, from 8 samples
ridge = 1e-5 * torch.eye(20, dtype=torch.float64)


def white_by_cholesky(matrix):
    return torch.linalg.inv(torch.linalg.cholesky(matrix)).sum()


try:
    white_by_cholesky(few - ridge)  # rounding may leave it positive definite by a hair
except torch.linalg.LinAlgError as error:
    assert "not positive-definite" in str(error)
else:
    raise AssertionError
assert gradient(white_by_cholesky, few + ridge).isfinite().all()

# %% complex-phase hidden=true
complex_matrix = torch.randn(3, 3, dtype=torch.complex128)
try:
    gradient(lambda matrix: torch.linalg.eigh(matrix).eigenvectors[1, 1].real, complex_matrix)
except RuntimeError as error:
    assert "specified up to multiplication by" in str(error)
else:
    raise AssertionError

# %% small-next-to-what hidden=true
tiny = 1e-6 * twice  # its gradient is 1e9 times that of twice
wanted = gradient(whitened, twice + apart)
assert not torch.allclose(1e-9 * gradient(whitened, tiny + apart), wanted, rtol=0.1)
assert torch.allclose(1e-9 * gradient(whitened, tiny + 1e-6 * apart), wanted, rtol=1e-3)

# %% not-finite-on-gpu needs="cuda"
for value in (float("nan"), float("inf")):
    broken = torch.eye(3, device="cuda")
    broken[0, 1] = value
    print(f"{value}  svd:", torch.linalg.svd(broken).S.tolist())
for size in (3, 600):
    broken = torch.full((size, size), float("nan"), device="cuda")
    try:
        values = torch.linalg.eigh(broken).eigenvalues
        print(f"{size}  eigh: NaN", values.isnan().any())
    except RuntimeError as error:
        print(f"{size}  eigh:", str(error).split(" because")[0])

# %% singular-and-silent hidden=true
outcomes = set()
for seed in range(100):
    torch.manual_seed(seed)
    samples = torch.randn(5, 6, dtype=torch.float64)  # fewer than dimensions
    for small in (0, 1e-5):
        covariance = torch.cov(samples.mT) + small * torch.eye(6, dtype=torch.float64)
        try:
            inverse = torch.linalg.inv(torch.linalg.cholesky(covariance))
        except torch.linalg.LinAlgError:
            assert small == 0
            outcomes.add("raises")
            continue
        spread = torch.linalg.eigvalsh(torch.cov((samples @ inverse.mT).mT))
        assert spread[:2].abs().max() < 0.1  # white in 4 directions at most
        if small == 0:
            outcomes.add("noise" if inverse.abs().max() > 1e6 else "fine")
        else:
            assert inverse.abs().max() < 1e3 and (spread[2:] - 1).abs().max() < 0.1
assert outcomes == {"raises", "noise"}, outcomes

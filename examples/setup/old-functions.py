"""Functions of old code: those that are gone, those that warn, those that still run, each with today's form."""

# %% symeig raises="RuntimeError"
import torch

covariance = torch.tensor([[2.0, 1.0], [1.0, 2.0]])
values, vectors = torch.symeig(covariance, eigenvectors=True)

# %% eigh
values, vectors = torch.linalg.eigh(covariance)
print(values)

# %% lstsq raises="RuntimeError"
design = torch.tensor([[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]])
target = torch.tensor([[1.0], [3.0], [5.0]])
solution, qr = torch.lstsq(target, design)

# %% lstsq-today
solution = torch.linalg.lstsq(design, target).solution  # the matrix comes first
print(solution.squeeze(1))

# %% default-tensor-type warns="UserWarning"
torch.set_default_tensor_type(torch.DoubleTensor)

# %% default-dtype
torch.set_default_dtype(torch.float64)
print(torch.ones(1).dtype)
torch.set_default_dtype(torch.float32)

# %% still-runs
from torch.autograd import Variable
from torch.nn import functional as F

x = Variable(torch.tensor([0.5]), requires_grad=True)
print(type(x))
print(torch.equal(F.tanh(x), torch.tanh(x)))
print(torch.equal(F.sigmoid(x), torch.sigmoid(x)))

# %% solve raises="RuntimeError"
right = torch.tensor([[1.0], [2.0]])
solution, lu = torch.solve(right, covariance)

# %% eig raises="RuntimeError"
values, vectors = torch.eig(covariance, eigenvectors=True)

# %% solve-and-eig
print(torch.linalg.solve(covariance, right).squeeze(1))  # the matrix comes first
values, vectors = torch.linalg.eig(covariance)
print(values.dtype)  # complex: torch.eig gave pairs of real numbers
print(values.real.sort().values)

# %% old-and-new
import warnings

matrix = torch.tensor([[4.0, 1.0], [1.0, 3.0]])
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    pairs = {
        "qr": (torch.qr(matrix)[0], torch.linalg.qr(matrix).Q),
        "svd": (torch.svd(matrix)[2], torch.linalg.svd(matrix).Vh.mH),  # V, not Vh
        "cholesky": (torch.cholesky(matrix), torch.linalg.cholesky(matrix)),
        "triangular_solve": (
            torch.triangular_solve(right, matrix)[0],
            torch.linalg.solve_triangular(matrix, right, upper=True),
        ),
        "chain_matmul": (
            torch.chain_matmul(matrix, matrix),
            torch.linalg.multi_dot((matrix, matrix)),
        ),
        "lu": (torch.lu(matrix)[0], torch.linalg.lu_factor(matrix).LU),
        "ger": (torch.ger(matrix[0], matrix[1]), torch.outer(matrix[0], matrix[1])),
    }
for name, (old, new) in pairs.items():
    warned = any(str(one.message).startswith(f"torch.{name} is") for one in told)
    print(f"{name:17} equal: {torch.equal(old, new)}   warns: {warned}")

# %% rfft raises="AttributeError"
signal = torch.tensor([1.0, 2.0, 3.0, 4.0])
spectrum = torch.rfft(signal, 1)

# %% fft-today
spectrum = torch.fft.rfft(signal)
print(spectrum)
print(torch.view_as_real(spectrum).shape)  # pairs, as rfft gave them

# %% names raises="TypeError"
images = torch.zeros(2, 3, names=("N", "C"))

# %% no-names
images = torch.zeros(2, 3)  # (N, C)
print(images.sum(dim=1).shape)

# %% same-triangle hidden=true
assert torch.equal(torch.linalg.eigvalsh(covariance, UPLO="U"), torch.linalg.eigvalsh(covariance))

# %% old-argument-order hidden=true
for seed in range(3):
    torch.manual_seed(seed)
    square, vector = torch.randn(4, 4), torch.randn(4, 2)
    found = torch.linalg.solve(square, vector)
    assert torch.allclose(square @ found, vector, atol=1e-4)
    eigen = torch.linalg.eig(square)
    assert eigen.eigenvalues.is_complex()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # shown above
        old_lu, old_pivots = torch.lu(square)
    new_lu, new_pivots = torch.linalg.lu_factor(square)
    assert torch.equal(old_lu, new_lu) and torch.equal(old_pivots, new_pivots)

# %% gone-warned-silent hidden=true
for gone in (torch.symeig, torch.eig, torch.matrix_rank):
    try:
        gone(covariance)
    except RuntimeError as error:
        assert "removed" in str(error)
    else:
        raise AssertionError(gone)
for gone in (torch.lstsq, torch.solve):
    try:
        gone(covariance, covariance)
    except RuntimeError as error:
        assert "deprecated" in str(error)
    else:
        raise AssertionError(gone)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    torch.svd(covariance)
assert torch.linalg.eig(covariance).eigenvalues.is_complex()
assert torch.allclose(covariance @ torch.linalg.solve(covariance, covariance), covariance)
for gone in ("rfft", "irfft", "ifft"):
    assert not hasattr(torch, gone), gone
try:
    torch.fft(signal, 1)
except TypeError as error:
    assert "'module' object is not callable" in str(error)
pairs = torch.stack((signal, torch.zeros(4)), dim=-1)  # as the old fft took them
assert torch.allclose(torch.fft.fft(torch.view_as_complex(pairs))[:3], torch.fft.rfft(signal))
for gone in ("names", "rename", "refine_names", "align_to"):
    assert not hasattr(signal, gone), gone
wide = torch.randn(3, 2, dtype=torch.complex64)
assert torch.allclose(torch.svd(wide)[2], torch.linalg.svd(wide, full_matrices=False).Vh.mH, atol=1e-5)

# %% both-sides hidden=true
odd = torch.randn(4, 5)
assert torch.fft.rfft2(odd).shape == (4, 3) and torch.fft.fft2(odd).shape == odd.shape
assert torch.fft.irfft(torch.fft.rfft(odd)).shape == (4, 4)
assert torch.allclose(torch.fft.irfft(torch.fft.rfft(odd), n=5), odd, atol=1e-5)

# %% full-spectrum hidden=true
assert torch.fft.irfft2(torch.fft.fft2(odd)).shape == (4, 8)  # not the inverse
assert torch.allclose(torch.fft.ifft2(torch.fft.fft2(odd)).real, odd, atol=1e-5)
as_pairs = torch.view_as_real(torch.fft.rfft(odd))
assert torch.fft.irfft(as_pairs).shape == (4, 3, 2)  # no error
assert torch.allclose(torch.fft.irfft(torch.view_as_complex(as_pairs), n=5), odd, atol=1e-5)

# %% singular-lu hidden=true
singular = torch.ones(3, 3)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # shown above
    old_lu = torch.lu(singular)[0]
assert torch.equal(old_lu, torch.linalg.lu_factor_ex(singular).LU)
try:
    torch.linalg.lu_factor(singular)
except RuntimeError as error:
    assert "is zero" in str(error), error
else:
    raise AssertionError

# %% old-fft-call hidden=true
as_pairs = torch.stack((signal, torch.zeros(4)), dim=-1)  # what torch.fft(x, 1) took
assert torch.allclose(torch.fft.fft(torch.view_as_complex(as_pairs)), torch.fft.fft(signal))
assert torch.fft.fft(as_pairs, 1).shape == (4, 1)  # no error: the 1 is a length now
assert torch.fft.fft(as_pairs).shape == (4, 2)  # nor here: the pairs themselves are transformed
assert torch.allclose(torch.fft.rfft(signal, norm="ortho"), torch.fft.rfft(signal) / 2)

"""Functions of old code: those that are gone, those that warn, those that still run, each with today's form."""

# %% symeig raises="RuntimeError"
import torch

covariance = torch.tensor([[2.0, 1.0], [1.0, 2.0]])
values, vectors = torch.symeig(covariance, eigenvectors=True)

# %% eigh
values, vectors = torch.linalg.eigh(covariance)
print(values)

# %% same-triangle hidden=true
assert torch.equal(torch.linalg.eigvalsh(covariance, UPLO="U"), torch.linalg.eigvalsh(covariance))

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

# %% gone-warned-silent hidden=true
import warnings

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

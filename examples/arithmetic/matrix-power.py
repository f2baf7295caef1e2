"""Matrix power, matrix exponential and matrix square root."""

# %% power
import torch

step = torch.tensor([[1.0, 1.0], [1.0, 0.0]])
print("matrix_power:", torch.linalg.matrix_power(step, 10).tolist())
print("step ** 10:  ", (step**10).tolist())
print("power -1:    ", torch.linalg.matrix_power(step, -1).tolist())

# %% half raises="TypeError"
torch.linalg.matrix_power(step, 0.5)

# %% square-root
symmetric = torch.tensor([[2.0, 1.0], [1.0, 3.0]])


def symmetric_power(matrix, exponent):
    """Of a symmetric matrix whose eigenvalues are positive."""
    values, vectors = torch.linalg.eigh(matrix)
    return (vectors * values[..., None, :] ** exponent) @ vectors.mH


root = symmetric_power(symmetric, 0.5)
print(root, (root @ root).round(decimals=4), sep="\n")

# %% whiten
torch.manual_seed(0)
samples = torch.randn(1000, 2) @ torch.tensor([[2.0, 1.0], [0.0, 0.5]])
samples = samples - samples.mean(dim=0)
white = samples @ symmetric_power(samples.T.cov(), -0.5)
print(white.T.cov().round(decimals=3).abs())

# %% not-a-number
equal = torch.eye(2, requires_grad=True)  # the eigenvalues are equal
symmetric_power(equal, 0.5).sum().backward()
print(equal.grad)


# %% newton-schulz
def square_root(matrix, steps=15):
    identity = torch.eye(matrix.shape[-1], dtype=matrix.dtype, device=matrix.device)
    size = torch.linalg.matrix_norm(matrix, keepdim=True)
    root, inverse = matrix / size, identity
    for _ in range(steps):
        change = (3 * identity - inverse @ root) / 2
        root, inverse = root @ change, change @ inverse
    return root * size.sqrt()


equal.grad = None
square_root(equal).sum().backward()
print(equal.grad)
print("as by eigh:", torch.allclose(square_root(symmetric), root, atol=1e-4))

# %% exponential
turn = torch.tensor([[0.0, -1.0], [1.0, 0.0]])
angle = torch.tensor(0.5, requires_grad=True)
rotation = torch.linalg.matrix_exp(angle * turn)
print(rotation.detach())
print(f"cos {angle.cos():.4f}, sin {angle.sin():.4f}")
print("exp of each element:", (angle * turn).exp().detach())
(slope,) = torch.autograd.grad(rotation[0, 0], angle)
print("gradient of cos:", slope)

# %% counter-cases hidden=true
torch.manual_seed(0)
for dtype in (torch.float64, torch.complex128):
    for shape in ((1, 1), (3, 3), (2, 4, 4)):
        factor = torch.randn(shape, dtype=dtype)
        positive = factor @ factor.mH + torch.eye(shape[-1], dtype=dtype)
        half = symmetric_power(positive, 0.5)
        torch.testing.assert_close(half @ half, positive)
        torch.testing.assert_close(symmetric_power(positive, -1), torch.linalg.inv(positive))
        torch.testing.assert_close(symmetric_power(positive, 3), torch.linalg.matrix_power(positive, 3))
        torch.testing.assert_close(square_root(positive, 40), half, rtol=1e-6, atol=1e-6)
assert symmetric_power(torch.diag(torch.tensor([1.0, -1e-6])), 0.5).isnan().any()
integers = step.long()
assert torch.linalg.matrix_power(integers, 10)[0, 0] == 89
try:
    torch.linalg.matrix_power(integers, -1)
except RuntimeError:
    pass
else:
    raise AssertionError("an inverse of integers")
p, q = torch.eye(2), torch.tensor([[0.0, 1.0], [0.0, 0.0]])
r = turn
same = torch.linalg.matrix_exp(q + r).allclose(torch.linalg.matrix_exp(q) @ torch.linalg.matrix_exp(r))
assert not same  # they do not commute
small_and_large = torch.stack([1e-6 * symmetric, 1e3 * torch.eye(2)])  # each by its own norm
torch.testing.assert_close(square_root(small_and_large), symmetric_power(small_and_large, 0.5), rtol=1e-3, atol=1e-6)
p = torch.tensor([[0, 0], [0, 2j * torch.pi]], dtype=torch.complex128)
q = torch.tensor([[0, 1], [0, 2j * torch.pi]], dtype=torch.complex128)
assert not torch.allclose(p @ q, q @ p)  # a chance: they do not commute, and the product is right
torch.testing.assert_close(torch.linalg.matrix_exp(p + q), torch.linalg.matrix_exp(p) @ torch.linalg.matrix_exp(q))
near = torch.diag(torch.tensor([1.0, 1 + 1e-7])).requires_grad_()
symmetric_power(near, 0.5).sum().backward()
assert (near.grad - 0.5).abs().max() > 0.1  # finite, and wrong
for low in (torch.float16, torch.bfloat16):
    try:
        torch.linalg.matrix_power(symmetric.to(low), -1)
    except RuntimeError:
        continue
    raise AssertionError("an inverse in half precision")

# %% half-precision-exponential hidden=true
for low in (torch.float16, torch.bfloat16):
    for size in (0.1, 0.5):
        small = (size * turn).to(low)
        exact = torch.linalg.matrix_exp(small.float())
        assert (exact[0, 0] - torch.tensor(size).cos()).abs() < 1e-3
        if torch.__version__ >= "2.13":  # others may refuse, or mend it
            wrong = torch.linalg.matrix_exp(small).float()
            assert not torch.allclose(wrong, exact, atol=0.1)

# %% other-scales hidden=true
torch.manual_seed(0)
for scale in (1e-4, 1.0, 255.0):
    data = scale * torch.randn(500, 3)
    values, vectors = torch.linalg.eigh((data - data.mean(dim=0)).T.cov())
    bounded = values.clamp(min=1e-6 * values.amax(-1, keepdim=True))
    white = (data - data.mean(dim=0)) @ ((vectors * bounded**-0.5) @ vectors.mH)
    torch.testing.assert_close(white.T.cov(), torch.eye(3), rtol=1e-3, atol=1e-3)
    if scale == 1e-4:
        assert (values < 1e-6).all()  # a fixed bound would be all that is left
first, second = torch.randn(2, 64, 8, dtype=torch.float64)
product = first.T.cov() @ second.T.cov()  # not symmetric
half = square_root(product, 40)
torch.testing.assert_close(half @ half, product)
wrong = symmetric_power(product, 0.5)
assert not torch.allclose(wrong @ wrong, product, rtol=1e-3)
with torch.autocast("cpu", torch.bfloat16):
    assert not torch.allclose(symmetric_power(symmetric, 0.5).float(), root, rtol=1e-4)
    assert not torch.allclose(square_root(symmetric).float(), root, rtol=1e-4)

# %% root-of-a-singular-matrix hidden=true
torch.manual_seed(0)
finite = 0
for _ in range(20):
    few = torch.randn(5, 8)  # fewer samples than features: eigenvalues of 0
    singular = few.T.cov().requires_grad_()
    values, vectors = torch.linalg.eigh(singular)
    ((vectors * values.clamp(min=0) ** 0.5) @ vectors.mH).trace().backward()
    finite += singular.grad.isfinite().all().item()
assert finite > 10  # though the root has no finite derivative there

# %% newton-schulz-of-a-singular-matrix hidden=true
torch.manual_seed(0)
covariance = torch.randn(50, 64).T.cov()  # fewer samples than features
half = square_root(covariance)
torch.testing.assert_close(half @ half, covariance, rtol=0, atol=1e-3)
half = square_root(covariance, 40)
assert not torch.allclose(half @ half, covariance, rtol=0, atol=1e-3)  # diverged

# %% whole-number hidden=true
for whole in (2.0, torch.tensor(2.0)):
    try:
        torch.linalg.matrix_power(step, whole)
    except TypeError:
        assert torch.equal(torch.linalg.matrix_power(step, int(whole)), step @ step)
    else:
        raise AssertionError("a float is a power")

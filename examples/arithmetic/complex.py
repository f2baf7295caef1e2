"""Complex tensors: making them, real and imaginary parts, gradients."""

# %% make
import torch

z = torch.tensor([3 + 4j, 1 - 2j])
print("from numbers:", z, z.dtype)
real, imaginary = torch.tensor([3.0, 1.0]), torch.tensor([4.0, -2.0])
print("two parts:   ", torch.complex(real, imaginary))
quarter = torch.polar(torch.tensor([2.0]), torch.tensor([torch.pi / 4]))
print("length, angle:", quarter)

# %% parts
print("real, imag: ", z.real, z.imag)
print("abs:        ", z.abs())
print("angle:      ", z.angle())
print("conjugate:  ", z.conj().resolve_conj())
print("z * conj(z):", z * z.conj())

# %% view-as-real
wave = z.clone()
pairs = torch.view_as_real(wave)  # (2, 2), float32
pairs[0, 1] = 0
wave.real[1] = 7
print("pairs:", pairs.tolist())
print("wave: ", wave)
print("back: ", torch.view_as_complex(pairs))

# %% view-as-complex-error raises="RuntimeError"
torch.view_as_complex(torch.zeros(2, 4))

# %% view-as-complex
flat = torch.tensor([[1.0, 2.0, 3.0, 4.0]])  # real and imaginary in turn
print(torch.view_as_complex(flat.unflatten(-1, (-1, 2))))

# %% compare-error raises="NotImplementedError"
z > 0

# %% compare
print("by length:", z.abs() > 3)
print("sorted:   ", z[z.abs().argsort()])

# %% discarded warns="UserWarning"
print(torch.tensor([3 + 4j]).float())

# %% taken
print("real:", z.real, "abs:", z.abs())

# %% matmul-error raises="RuntimeError"
weight = torch.eye(2)
weight @ z

# %% matmul
print("converted:", weight.to(z.dtype) @ z)
print("times:    ", torch.ones(2) * z)

# %% gradient
w = torch.tensor([3 + 4j], requires_grad=True)
loss = (w * w.conj()).real.sum()  # the squared length
loss.backward()
print("gradient:", w.grad)
with torch.no_grad():
    print("after a step:", w - 0.25 * w.grad)

# %% gradient-parts
a, b = torch.tensor(3.0, requires_grad=True), torch.tensor(4.0, requires_grad=True)
(a * a + b * b).backward()
print("real:", a.grad, "imaginary:", b.grad)

# %% loss-error raises="RuntimeError"
(w * w).sum().backward()

# %% loss
w.grad = None
w.abs().square().sum().backward()
print(w.grad)

# %% adjoint
matrix = torch.tensor([[1 + 1j, 2 + 3j], [4 - 1j, 5 - 2j]])
print("mT:", matrix.mT.tolist())
print("mH:", matrix.mH.tolist())

# %% numpy-error raises="RuntimeError"
z.conj().numpy()

# %% numpy
print(z.conj().resolve_conj().numpy())

# %% counter-cases hidden=true
wanted = torch.zeros(2, dtype=torch.complex64)
difference = (z - wanted).abs().square().mean()
for call, part in (
    (lambda: torch.nn.functional.mse_loss(z, wanted), "not implemented for 'ComplexFloat'"),
    (lambda: torch.nn.Linear(2, 3)(z), "mat1 and mat2 must have the same dtype"),
    (lambda: weight @ torch.stack((z, z)), "expected m1 and m2 to have the same dtype"),
):
    try:
        call()
    except RuntimeError as error:
        assert part in str(error), error
    else:
        raise AssertionError(part)
assert abs(difference.item() - 15) < 1e-4
torch.manual_seed(0)
layer = torch.nn.Linear(2, 3, dtype=torch.complex64)
assert layer(z).dtype == torch.complex64
assert (z.conj().numpy(force=True) == z.conj().resolve_conj().numpy()).all()
point = torch.randn(5, dtype=torch.complex128, requires_grad=True)
for loss in (lambda p: p.abs().sum(), lambda p: (p**3).real.sum(), lambda p: (p.exp() - 1j).abs().square().sum()):
    before = loss(point)
    (gradient,) = torch.autograd.grad(before, point)
    assert loss(point - 1e-4 * gradient) < before  # downhill

# %% conjugate-as-real hidden=true
try:
    torch.view_as_real(z.conj())
except RuntimeError as error:
    assert "unresolved conjugated" in str(error)
else:
    raise AssertionError

# %% refused hidden=true
rows, whole = torch.zeros(2, 7), torch.ones(2).long()
for call, part in (
    (lambda: torch.view_as_complex(rows.t()), "last dimension with stride 1"),
    (lambda: torch.complex(whole, whole), "Half, Float or Double"),
    (lambda: torch.complex(whole.bfloat16(), whole.bfloat16()), "Half, Float or Double"),
    (lambda: z.relu(), "complex"),
    (lambda: torch.nn.BatchNorm1d(2, dtype=z.dtype)(torch.stack((z, z))), "ComplexFloat"),
):
    try:
        call()
    except RuntimeError as error:
        assert part in str(error), error
    else:
        raise AssertionError(part)
assert torch.view_as_complex(rows.t().contiguous()).shape == (7,)
assert torch.equal(torch.complex(z.real.relu(), z.imag.relu()), torch.tensor([3 + 4j, 1 + 0j]))

# %% complex-buffers hidden=true
import warnings

rotary = torch.nn.Module()
rotary.register_buffer("turns", torch.polar(torch.ones(3), torch.arange(3.0)))
assert rotary.bfloat16().turns.is_complex() and rotary.half().turns.is_complex()
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    assert not rotary.to(torch.bfloat16).turns.is_complex()

# %% cancelled hidden=true
errors = torch.tensor([1, 1j])
assert errors.square().sum().abs() == 0 and errors.abs().square().sum() == 2
assert (10 * errors[1:]).square().sum().real == -100
conjugated = z.conj()
assert (conjugated.resolve_conj().numpy() == conjugated.numpy(force=True)).all()
assert (conjugated.resolve_conj().numpy() != z.numpy()).any()

"""vector_norm, normalize and matrix_norm."""

# %% orders
import torch
import torch.nn.functional as F

v = torch.tensor([3.0, -4.0, 0.0])
for order in (2, 1, float("inf"), 0):
    print(f"ord={order!s:4}", torch.linalg.vector_norm(v, ord=order))

# %% picture fold=true
import matplotlib.pyplot as plt

axis = torch.linspace(-1.5, 1.5, 61)
grid = torch.stack(torch.meshgrid(axis, axis, indexing="xy"))  # (2, 61, 61)

figure, axes = plt.subplots(1, 3, figsize=(5.8, 2.3), layout="constrained")
for k, (ax, order) in enumerate(zip(axes, (1, 2, float("inf")))):
    norm = torch.linalg.vector_norm(grid, ord=order, dim=0)
    ax.contour(axis, axis, norm, levels=[0.5, 1.0], colors=f"C{k}", linewidths=(1, 2.5))
    ax.set_title(f"ord={order}", fontsize=10)
    ax.set(aspect="equal", xticks=(-1, 0, 1), yticks=(-1, 0, 1))

# %% rows
x = torch.tensor([[3.0, 4.0], [0.0, 2.0], [0.0, 0.0]])
print("rows:        ", torch.linalg.vector_norm(x, dim=1))
print("all elements:", torch.linalg.vector_norm(x))

# %% normalize
print("length 1:", F.normalize(x, dim=1), sep="\n")
print("sum 1:", F.normalize(x, p=1, dim=1), sep="\n")
by_hand = x / torch.linalg.vector_norm(x, dim=1, keepdim=True)
print("by hand:", by_hand, sep="\n")

# %% normalize-1d raises="IndexError"
F.normalize(v)

# %% normalize-1d-fixed
print(F.normalize(v, dim=0))

# %% matrix
a = torch.tensor([[3.0, 0.0], [0.0, 4.0]])
print(f"vector_norm(a, 2)     {torch.linalg.vector_norm(a, 2):.2f}")
print(f"matrix_norm(a)        {torch.linalg.matrix_norm(a):.2f}")  # Frobenius
print(f"matrix_norm(a, ord=2) {torch.linalg.matrix_norm(a, ord=2):.2f}")  # spectral
print(f"linalg.norm(a, 2)     {torch.linalg.norm(a, 2):.2f}")

# %% integers raises="RuntimeError"
torch.linalg.vector_norm(torch.tensor([3, 4]))

# %% integers-converted
print(torch.linalg.vector_norm(torch.tensor([3, 4]).float()))

# %% gradient-at-zero asks=true
zero = torch.zeros(2, requires_grad=True)
print("vector_norm", *torch.autograd.grad(torch.linalg.vector_norm(zero), zero))
print("by hand    ", *torch.autograd.grad(zero.pow(2).sum().sqrt(), zero))

# %% dtype-does-not-help hidden=true raises="RuntimeError"
torch.linalg.vector_norm(torch.tensor([3, 4]), dtype=torch.float32)

# %% deprecated hidden=true
assert "torch.norm is deprecated" in torch.norm.__doc__
assert torch.isclose(torch.norm(a, 2), torch.tensor(5.0))  # of all elements, unlike linalg.norm

# %% counter-cases hidden=true
assert torch.norm(a, 2) == torch.linalg.vector_norm(a, 2) == 5  # the old one flattens
try:
    torch.linalg.vector_norm(torch.tensor([3, 4]), dtype=torch.float32)
except RuntimeError as error:
    assert "Expected a floating point or complex tensor" in str(error)
else:
    raise AssertionError("dtype= converts integers now")
for rows in (torch.randn(50, 7), torch.zeros(3, 4), 1e-30 * torch.ones(2, 3), 1e15 * torch.randn(4, 5)):
    lengths = torch.linalg.vector_norm(F.normalize(rows, dim=1), dim=1)
    long_enough = torch.linalg.vector_norm(rows, dim=1) > 1e-12  # eps
    torch.testing.assert_close(lengths[long_enough], torch.ones(long_enough.sum()))
    assert lengths.isfinite().all()

# %% eps-in-half hidden=true
nothing = torch.zeros(1, 2, dtype=torch.float16)
assert F.normalize(nothing, dim=1).isnan().all() and not F.normalize(nothing.float(), dim=1).any()

# %% normalize-at-zero hidden=true
for eps, small in ((1e-12, False), (1.0, True)):
    none = torch.zeros(1, 2, requires_grad=True)
    F.normalize(none, dim=1, eps=eps).sum().backward()
    assert bool(none.grad.abs().max() < 2) == small and (small or none.grad.abs().max() > 1e11)
time_first = F.normalize(torch.ones(2, 4, 3))  # along the 4, not the features
assert torch.allclose(time_first, torch.full((2, 4, 3), 0.5))

# %% differences-of-bytes hidden=true
a, b = torch.tensor([[10, 3], [13, 7]], dtype=torch.uint8)
assert (a.long() - b.long()).float().norm() == 5 and (a - b).float().norm() > 300
loud, low = torch.tensor([[30_000], [-30_000]], dtype=torch.int16)  # samples of sound
assert (loud.long() - low.long()).float().norm() == 60_000 and (loud - low).float().norm() < 6_000
for dtype in (torch.int8, torch.int32):
    top, bottom = torch.tensor([[torch.iinfo(dtype).max], [torch.iinfo(dtype).min]], dtype=dtype)
    assert (top - bottom).float().norm() == 1  # around the corner
    assert (top.long() - bottom.long()).float().norm() > 200

# %% time-stamps hidden=true
for early in (1_700_000_000, 1_700_000_000_000_000_000):  # seconds, nanoseconds
    late, early = torch.tensor([early + 5]), torch.tensor([early])
    assert (late.float() - early.float()).norm() == 0
    assert (late.long() - early.long()).float().norm() == 5
assert (late.double() - early.double()).norm() == 0

"""The angle between two vectors: acos fails at 1, atan2 does not."""

# %% above-one
import torch

torch.manual_seed(0)
vectors = torch.randn(1000, 3)
units = vectors / vectors.norm(dim=1, keepdim=True)
cosines = (units * units).sum(dim=1)  # of each vector with itself
print("some above 1:", bool((cosines > 1).any()))
print("some NaN:    ", bool(torch.acos(cosines).isnan().any()))
print("just above 1:", torch.acos(torch.tensor(1.0000001)))

# %% gradient
for value in (0.5, 1.0):
    cosine = torch.tensor(value, requires_grad=True)
    plain = torch.autograd.grad(torch.acos(cosine), cosine)[0]
    clamped = torch.autograd.grad(torch.acos(cosine.clamp(-1, 1)), cosine)[0]
    print(f"at {value}: gradient {plain:.2f}, clamped to [-1, 1]: {clamped:.2f}")


# %% atan2
def angle(a, b):
    """Angles between the rows of a and b, from 0 to pi."""
    a = torch.nn.functional.normalize(a, dim=-1)
    b = torch.nn.functional.normalize(b, dim=-1)
    return 2 * torch.atan2((a - b).norm(dim=-1), (a + b).norm(dim=-1))


a = torch.tensor([[2.0, 0.0, 0.0]])
b = torch.tensor([[0.0, 3.0, 0.0], [5.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
print(angle(a, b).rad2deg())

# %% finite-gradients
for other in ([2.0, 0.0, 0.0], [0.0, 1.0, 0.0]):
    a = torch.tensor([[1.0, 0.0, 0.0]], requires_grad=True)
    angle(a, torch.tensor([other])).sum().backward()
    print(other, "finite:", bool(a.grad.isfinite().all()))

# %% small-angles
for small in (1e-1, 1e-2, 1e-4):
    start, turned = torch.tensor([1.0, 0.0]), torch.tensor(small)
    near = torch.stack([turned.cos(), turned.sin()])
    by_acos, by_atan2 = (start @ near).acos(), angle(start, near)
    print(f"{small:.4f}: acos {by_acos:.4f}, atan2 {by_atan2:.4f}")

# %% counter-cases hidden=true
for features in (2, 3, 50):
    left, right = torch.randn(2, 200, features, dtype=torch.float64)
    cosine = torch.nn.functional.cosine_similarity(left, right)
    torch.testing.assert_close(angle(left, right), cosine.acos(), atol=1e-6, rtol=1e-6)
for pair in (torch.randn(2, 100, 3), torch.randn(1, 100, 3).expand(2, 100, 3) * torch.tensor([[[1.0]], [[-2.0]]])):
    left = pair[0].clone().requires_grad_()
    values = angle(left, pair[1])
    values.sum().backward()
    assert values.isfinite().all() and left.grad.isfinite().all()
just_below = torch.nextafter(torch.tensor(1.0), torch.tensor(0.0)).requires_grad_()
assert torch.autograd.grad(just_below.clamp(-1, 1).acos(), just_below)[0] < -2000
zeros = torch.zeros(3, requires_grad=True)
angle(zeros, torch.ones(3)).backward()
assert zeros.grad.abs().max() > 1e6  # so the page says: leave it out

# %% lengths hidden=true
for length, right in ((1e-10, True), (1e18, True), (1e-13, False), (1e30, False)):
    found = angle(torch.tensor([length, 0.0]), torch.tensor([length, length]))
    assert torch.allclose(found, torch.tensor(torch.pi / 4)) == right, length

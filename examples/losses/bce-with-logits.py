"""BCEWithLogitsLoss: sigmoid and loss in one, without overflow."""

# %% formula
import torch
import torch.nn.functional as F

logits = torch.tensor([2.0, -1.0, 0.5])
target = torch.tensor([1.0, 0.0, 0.0])
loss = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
print("with logits: ", loss)
loss = F.binary_cross_entropy(logits.sigmoid(), target, reduction="none")
print("sigmoid, BCE:", loss)

tail = torch.log1p(torch.exp(-logits.abs()))
print("by hand:     ", logits.clamp(min=0) - logits * target + tail)

# %% extreme
losses = {
    "BCE": lambda z, y: F.binary_cross_entropy(z.sigmoid(), y),
    "BCEWithLogits": F.binary_cross_entropy_with_logits,
}
for name, loss in losses.items():
    logit = torch.tensor([200.0], requires_grad=True)
    value = loss(logit, torch.zeros(1))
    (gradient,) = torch.autograd.grad(value, logit)
    print(f"{name:14} loss {value.item()}  gradient {gradient.item()}")

# %% saturates
zero = torch.zeros(1)
for z in (10.0, 16.0, 17.0):
    z = torch.tensor([z])
    gap = 1 - z.sigmoid().item()
    row = [f"{name} {loss(z, zero).item():.4f}" for name, loss in losses.items()]
    print(f"logit {z.item():.0f}  1 - p {gap:.1e} ", "  ".join(row))

# %% picture fold=true
import matplotlib.pyplot as plt

z = torch.linspace(-5, 22, 217, requires_grad=True)
figure, (values, slopes) = plt.subplots(1, 2, figsize=(6.4, 2.8))
for style, (name, loss) in zip(("-", "--"), list(losses.items())[::-1]):
    curve = torch.stack([loss(v[None], zero) for v in z])
    (slope,) = torch.autograd.grad(curve.sum(), z)
    values.plot(z.detach(), curve.detach(), style, label=name)
    slopes.plot(z.detach(), slope, style)
values.set(xlabel="logit", title="loss, target 0")
slopes.set(xlabel="logit", title="gradient")
values.legend()

# %% pos-weight
w = torch.tensor(3.0)
loss = F.binary_cross_entropy_with_logits(logits, target, pos_weight=w)
print("pos_weight:", loss)

p = logits.sigmoid()
weighted = -(w * target * p.log() + (1 - target) * (1 - p).log())
print("by hand:   ", weighted.mean())

# %% target-size raises="ValueError"
column = logits[:, None]  # (3, 1), as nn.Linear(…, 1) returns it
F.binary_cross_entropy_with_logits(column, target)

# %% target-size-right
print("squeezed:  ", F.binary_cross_entropy_with_logits(column.squeeze(1), target))
print("unsqueezed:", F.binary_cross_entropy_with_logits(column, target[:, None]))

# %% sigmoid-derivative hidden=true
z = torch.tensor([17.0], requires_grad=True)
(slope,) = torch.autograd.grad(z.sigmoid(), z)
assert slope.item() == 0

# %% left-out-and-weighted hidden=true
bce = F.binary_cross_entropy_with_logits
padded, unknown = torch.tensor([2.0, -1e4]), torch.tensor([1.0, -1.0])
assert bce(padded, unknown) < -1000  # a finite logit does not leave the element out
for mask in (unknown >= 0, unknown > 1):  # the second leaves nothing: 0, not NaN
    left = bce(padded, unknown, reduction="none")[mask].sum() / mask.sum().clamp(min=1)
    assert torch.equal(left, bce(padded[mask], unknown[mask]) if mask.any() else torch.tensor(0.0))
share, factor = torch.tensor([0.1]), torch.tensor(9.0)
best = (share.logit() + factor.log()).requires_grad_()  # not the logit of the share
bce(best, share, pos_weight=factor).backward()
assert best.grad.abs() < 1e-6
try:
    bce(logits, target.long())
except RuntimeError:
    pass
else:
    raise AssertionError

# %% very-negative hidden=true
for z, expected in ((-26.0, -1.0), (-27.5, -1.0), (-40.0, 0.0), (-88.5, 0.0), (-100.0, 0.0)):
    logit = torch.tensor([z], requires_grad=True)
    value = losses["BCE"](logit, torch.ones(1))
    value.backward()
    assert abs(logit.grad - expected) < 1e-3 and abs(value - min(-z, 100)) < 0.01
assert losses["BCE"](torch.tensor([-89.0]), torch.ones(1)) == 100

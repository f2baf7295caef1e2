"""BCELoss takes probabilities, float targets and equal shapes."""

# %% formula
import torch
from torch import nn

logits = torch.tensor([2.0, -1.0, 0.5])
p = logits.sigmoid()  # probabilities
target = torch.tensor([1.0, 0.0, 0.0])

by_hand = -(target * p.log() + (1 - target) * (1 - p).log())
print("p:      ", p)
print("by hand:", by_hand)
print("BCELoss:", nn.BCELoss(reduction="none")(p, target))
print("means:  ", by_hand.mean(), nn.BCELoss()(p, target))

# %% why-not-mse
logit = torch.tensor([10.0], requires_grad=True)  # sure of 1, target 0
for criterion in (nn.BCELoss(), nn.MSELoss()):
    value = criterion(logit.sigmoid(), torch.zeros(1))
    (gradient,) = torch.autograd.grad(value, logit)
    name = type(criterion).__name__
    print(f"{name:8} loss {value.item():.4f}  gradient {gradient.item():.4f}")

# %% picture fold=true
import matplotlib.pyplot as plt

z = torch.linspace(-6, 6, 49, requires_grad=True)
figure, (values, slopes) = plt.subplots(1, 2, figsize=(6.0, 2.6))
for name, criterion in (("BCELoss", nn.BCELoss), ("MSELoss", nn.MSELoss)):
    curve = criterion(reduction="none")(z.sigmoid(), torch.zeros_like(z))
    (slope,) = torch.autograd.grad(curve.sum(), z)
    values.plot(z.detach(), curve.detach(), label=name)
    slopes.plot(z.detach(), slope)
values.set(xlabel="logit", title="loss, target 0")
slopes.set(xlabel="logit", title="gradient")
values.legend()

# %% weight
weight = torch.tensor([1.0, 1.0, 4.0])
print("BCELoss(weight)   ", nn.BCELoss(weight=weight)(p, target))
total = (weight * by_hand).sum()
print("sum / N           ", total / 3)
print("sum / weight.sum()", total / weight.sum())

# %% soft-target asks=true
soft = torch.tensor([0.9])
print("p = 0.9:", nn.BCELoss()(torch.tensor([0.9]), soft))
print("p = 1.0:", nn.BCELoss()(torch.tensor([1.0]), soft))

# %% raw-logits raises="RuntimeError"
nn.BCELoss()(logits, target)

# %% silent-logits
lucky = torch.tensor([0.9, 0.2, 0.6])  # logits, by chance in 0..1
print("wrong:", nn.BCELoss()(lucky, target))
print("right:", nn.BCELoss()(lucky.sigmoid(), target))

# %% integer-target raises="RuntimeError"
nn.BCELoss()(p, torch.tensor([1, 0, 0]))

# %% shape raises="ValueError"
nn.BCELoss()(p, target[:, None])

# %% half hidden=true
assert torch.tensor(9.0, dtype=torch.float16).sigmoid() == 1 and torch.tensor(9.0).sigmoid() < 1

# %% autocast needs="cuda" raises="RuntimeError" says="torch.nn.functional.binary_cross_entropy and torch.nn.BCELoss are unsafe to autocast." origin="aten/src/ATen/autocast_mode.cpp"
with torch.autocast("cuda"):
    nn.BCELoss()(p.cuda(), target.cuda())

# %% remedies hidden=true
with_logits = nn.BCEWithLogitsLoss()(logits, target)
assert torch.allclose(with_logits, by_hand.mean())
assert torch.equal(nn.BCELoss()(p, torch.tensor([1, 0, 0]).float()), nn.BCELoss()(p, target))
assert torch.equal(nn.BCELoss()(p, target[:, None].squeeze(1)), nn.BCELoss()(p, target))
with torch.autocast("cpu", dtype=torch.bfloat16):
    assert nn.BCEWithLogitsLoss()(logits, target).isfinite()

# %% thresholds hidden=true
assert torch.tensor(0.3) < 0.5 and torch.tensor(0.3).sigmoid() > 0.5  # logits > 0, not > 0.5
one = torch.rand(1, 1)  # the column of a batch of one
assert torch.equal(nn.BCELoss()(one.squeeze(1), torch.ones(1)), -one.log().mean())

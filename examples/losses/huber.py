"""Huber and smooth L1: squared near 0, linear for outliers."""

# %% table
import torch
import torch.nn.functional as F

errors = torch.tensor([0.1, 0.5, 1.0, 3.0, 10.0], requires_grad=True)
zero = torch.zeros(5)
each = {"reduction": "none"}
losses = {
    "l1_loss": F.l1_loss(errors, zero, **each),
    "mse_loss": F.mse_loss(errors, zero, **each),
    "huber_loss(delta=1)": F.huber_loss(errors, zero, delta=1.0, **each),
    "smooth_l1_loss(beta=1)": F.smooth_l1_loss(errors, zero, beta=1.0, **each),
}
for name, loss in losses.items():
    print(f"{name:23}", [f"{value:.3f}" for value in loss.tolist()])

# %% gradients
for name, loss in losses.items():
    (gradient,) = torch.autograd.grad(loss.sum(), errors, retain_graph=True)
    print(f"{name:23}", [f"{value:.1f}" for value in gradient.tolist()])

# %% modules
from torch import nn

for loss in (nn.L1Loss(), nn.SmoothL1Loss(beta=1.0), nn.HuberLoss(delta=1.0)):
    print(type(loss).__name__, f"{loss(errors, zero).item():.3f}")

# %% picture fold=true
import matplotlib.pyplot as plt

e = (torch.arange(-80, 81) / 20).requires_grad_()
curves = {
    "mse_loss": lambda e: F.mse_loss(e, torch.zeros_like(e), reduction="none"),
    "l1_loss": lambda e: F.l1_loss(e, torch.zeros_like(e), reduction="none"),
    "smooth_l1_loss(beta=1)": lambda e: F.smooth_l1_loss(e, torch.zeros_like(e), reduction="none"),
    "huber_loss(delta=2)": lambda e: F.huber_loss(e, torch.zeros_like(e), reduction="none", delta=2.0),
}
fig, (values, slopes) = plt.subplots(1, 2, figsize=(6.2, 3.4))
for name, curve in curves.items():
    loss = curve(e)
    (slope,) = torch.autograd.grad(loss.sum(), e)
    values.plot(e.detach(), loss.detach(), label=name)
    slopes.plot(e.detach(), slope)
values.set(xlabel="error", title="loss", ylim=(0, 8))
slopes.set(xlabel="error", title="gradient", ylim=(-4, 4))
fig.legend(loc="outside lower center", ncols=2)
fig.set_layout_engine("constrained")

# %% scale
for width in (0.5, 2.0):
    huber = F.huber_loss(errors, zero, reduction="none", delta=width)
    smooth = F.smooth_l1_loss(errors, zero, reduction="none", beta=width)
    print(f"width {width}: huber / smooth_l1 =", (huber / smooth).detach())

# %% beta-zero
for code, loss in {
    "smooth_l1_loss(beta=0)": F.smooth_l1_loss(errors, zero, beta=0.0),
    "l1_loss": F.l1_loss(errors, zero),
}.items():
    print(f"{code:22} {loss:.2f}")

# %% delta-zero raises="RuntimeError"
F.huber_loss(errors, zero, delta=0.0)

# %% outlier
x = torch.linspace(0, 1, 20)
y = 2 * x + 1
y[-1] = 40.0  # one broken measurement


def fit(loss_fn):
    line = torch.zeros(2, requires_grad=True)  # slope, intercept
    optimizer = torch.optim.Adam([line], lr=0.1)
    for _ in range(500):
        optimizer.zero_grad()
        loss_fn(line[0] * x + line[1], y).backward()
        optimizer.step()
    return line.detach()


for loss_fn in (F.mse_loss, F.huber_loss, F.l1_loss):
    slope, intercept = fit(loss_fn).tolist()
    print(f"{loss_fn.__name__:11} slope {slope:.1f}  intercept {intercept:.1f}")

# %% remedies hidden=true
assert F.huber_loss(errors, zero, delta=0.1).isfinite()
near = F.huber_loss(errors, zero, delta=1e-4) / 1e-4  # for a small delta, nearly l1
torch.testing.assert_close(near, F.l1_loss(errors, zero), atol=1e-3, rtol=0)

# %% slopes-of-outliers hidden=true
for width in (0.1, 1.0, 5.0):
    far = torch.tensor([100.0, 1000.0], requires_grad=True)
    for loss_fn, option, slope in ((F.huber_loss, "delta", width), (F.smooth_l1_loss, "beta", 1.0)):
        loss = loss_fn(far, torch.zeros(2), reduction="sum", **{option: width})
        (gradient,) = torch.autograd.grad(loss, far)
        torch.testing.assert_close(gradient, torch.full((2,), slope))

# %% delta-in-the-unit hidden=true
y = y / 100  # targets between 0 and 1
small = torch.linspace(-1, 1, 9)
torch.testing.assert_close(F.huber_loss(small, torch.zeros(9)), F.mse_loss(small, torch.zeros(9)) / 2)
default, narrow = fit(F.huber_loss), fit(lambda *pair: F.huber_loss(*pair, delta=0.01))
assert default[0] > 0.1 and abs(narrow[0] - 0.02) < 0.01 and abs(narrow[1] - 0.01) < 0.01

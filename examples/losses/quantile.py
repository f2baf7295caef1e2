"""Predict an interval: quantile (pinball) loss, and GaussianNLLLoss."""

# %% pinball
import torch
import torch.nn.functional as F
from torch import nn


def quantile_loss(prediction, target, q):
    """q times what is missing, or (1 - q) times what is too much."""
    error = target - prediction
    return torch.maximum(q * error, (q - 1) * error).mean()


target = torch.tensor([0.0])
for prediction in (-1.0, 1.0):
    loss = quantile_loss(torch.tensor([prediction]), target, q=0.9)
    print(f"prediction {prediction:4}: loss {loss:.1f}")

# %% data
torch.manual_seed(0)
x = torch.rand(2000, 1, dtype=torch.float64) * 2
spread = 0.2 + x  # the noise grows with x
y = 3 * x + spread * torch.randn(2000, 1, dtype=torch.float64)
quantiles = torch.tensor([0.1, 0.5, 0.9], dtype=torch.float64)


def fit(net, loss_of, steps=1000):
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    for _ in range(steps):
        optimizer.zero_grad()
        loss_of(net(x)).backward()
        optimizer.step()
    return net(x).detach()


# %% three
torch.manual_seed(0)
net = nn.Linear(1, 3).double()  # one output for each quantile
lines = fit(net, lambda out: quantile_loss(out, y, quantiles))
for q, line in zip(quantiles.tolist(), lines.unbind(dim=1)):
    below = (y.squeeze(1) < line).double().mean()
    print(f"q {q}: {below:.2f} of the targets below")

# %% crossing
far = torch.tensor([[-2.0]], dtype=torch.float64)
print("at x = -2:", [round(value, 1) for value in net(far)[0].tolist()])
print("sorted:   ", [round(v, 1) for v in net(far)[0].sort().values.tolist()])

# %% gaussian
torch.manual_seed(0)
loss_fn = nn.GaussianNLLLoss()


def gaussian(out):
    mean, raw = out.chunk(2, dim=1)
    return loss_fn(mean, y, F.softplus(raw) ** 2)  # a variance is positive


mean, raw = fit(nn.Linear(1, 2).double(), gaussian).chunk(2, dim=1)
std = F.softplus(raw)
inside = ((y - mean).abs() < 1.2816 * std).double().mean()  # 10 % to 90 %
print(f"inside the interval of 80 %: {inside:.2f}")
for name, rows in {"x < 0.5": x < 0.5, "x > 1.5": x > 1.5}.items():
    print(f"{name}: std {std[rows].mean():.1f}, true {spread[rows].mean():.1f}")

# %% formula
mean, value = torch.tensor([1.0]), torch.tensor([3.0])
var = torch.tensor([4.0])
print("GaussianNLLLoss:          ", f"{loss_fn(mean, value, var):.4f}")
print("(log var + error²/var) / 2:", f"{((var.log() + 4 / var) / 2).item():.4f}")
normal = torch.distributions.Normal(mean, var.sqrt())
full = nn.GaussianNLLLoss(full=True)(mean, value, var)
print(f"full=True: {full:.4f}  -log_prob: {-normal.log_prob(value).item():.4f}")

# %% negative raises="ValueError"
loss_fn(mean, value, torch.tensor([-0.5]))

# %% positive
print(loss_fn(mean, value, F.softplus(torch.tensor([-0.5]))))

# %% claims hidden=true
lines = lines.unbind(dim=1)
assert all(abs((y.squeeze(1) < line).double().mean() - q) < 0.03 for q, line in zip(quantiles, lines))
constant = nn.Parameter(torch.zeros(1, dtype=torch.float64))
optimizer = torch.optim.Adam([constant], lr=0.05)
for step in range(600):
    optimizer.zero_grad()
    quantile_loss(constant, y, 0.9).backward()
    optimizer.step()
assert abs(constant - y.quantile(0.9)) < 0.1  # without inputs: the quantile of the targets
tiny = nn.GaussianNLLLoss(eps=1e-6)(mean, value, torch.zeros(1))  # clamped to eps
assert tiny.isfinite() and tiny > 1e5
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")
    column, row = torch.zeros(5, 1), torch.arange(5.0)
    assert torch.maximum(row - column, column - row).shape == (5, 5)  # what a target (N,) does
    assert quantile_loss(column, row.unsqueeze(1), 0.5) == 1.0 and quantile_loss(column[:2], row, 0.5) == 1.0
    each = nn.GaussianNLLLoss(reduction="none")(column, row, torch.ones(5, 1))
    assert each.shape == (5, 5)  # here, too

# %% order-of-arguments hidden=true
try:
    loss_fn(torch.zeros(1), torch.ones(1), torch.tensor([-2.0]))  # mean, variance, target
except ValueError as error:
    assert "var has negative entry" in str(error)
else:
    raise AssertionError("the target is taken for a variance")

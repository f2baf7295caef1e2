"""Step 5: a model is a module."""

# %% spiral
import torch
from torch import nn

torch.manual_seed(0)
arms, each = 3, 100
radius = torch.linspace(0.1, 1, each)  # (point,)
begin = torch.arange(arms)[:, None] * 2 * torch.pi / arms  # (arm, 1)
turn = begin + 4 * radius + 0.2 * torch.randn(arms, each)  # (arm, point)
place = torch.stack([radius * turn.cos(), radius * turn.sin()], dim=-1)
points = place.flatten(0, 1)  # (sample, coordinate)
labels = torch.arange(arms).repeat_interleave(each)

# %% model
torch.manual_seed(0)
net = nn.Sequential(
    nn.Linear(2, 64),
    nn.ReLU(),
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Linear(64, 3),
)
scores = net(points)
print(scores.shape)

# %% drawn fold=true varies=true
import matplotlib.pyplot as plt

axis = torch.linspace(-1.2, 1.2, 61)
grid = torch.cartesian_prod(axis, axis)  # (x, y) pairs
with torch.no_grad():
    chosen = net(grid).argmax(dim=1).reshape(61, 61).T
fig, ax = plt.subplots(figsize=(3.2, 3))
ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
levels, colors = [-0.5, 0.5, 1.5, 2.5], ["C0", "C1", "C2"]
ax.contourf(axis, axis, chosen, levels=levels, colors=colors, alpha=0.25)
for arm in range(arms):
    ax.plot(*points[labels == arm].T, ".", markersize=5)

# %% parameters
for name, parameter in net.named_parameters():
    print(name, tuple(parameter.shape))

# %% counted
print(sum(parameter.numel() for parameter in net.parameters()))

# %% guess
arm = scores.argmax(dim=1)  # (point,)
print(f"right: {(arm == labels).float().mean().item():.1f}")

# %% wrong-width asks=true raises="RuntimeError"
net(torch.rand(5, 3))

# %% one-point asks=true
print(net(points[0]).shape)

# %% facts hidden=true
assert nn.Linear(3, 64)(torch.rand(5, 3)).shape == (5, 64) and net(torch.rand(5, 2)).shape == (5, 3)
line = nn.Sequential(nn.Linear(2, 64), nn.Linear(64, 3)).double()
a, b = torch.rand(2, 2, dtype=torch.float64)
torch.testing.assert_close(line((a + b) / 2), (line(a) + line(b)) / 2)

# %% one-answer hidden=true
try:
    net(points[0]).argmax(dim=1)
except IndexError:
    assert net(points[0]).argmax(dim=-1) == arm[0] and torch.equal(net(points).argmax(dim=-1), arm)
else:
    raise AssertionError

# %% reshaped hidden=true
clouds = torch.rand(5, 2, 7)  # the coordinates are not last
moved, reshaped = (net(x) for x in (clouds.transpose(1, 2), clouds.reshape(5, 7, 2)))
assert torch.allclose(moved[:, 3], net(clouds[:, :, 3]), atol=1e-6)
assert reshaped.shape == moved.shape and not torch.allclose(reshaped, moved)
one, numbers = nn.Linear(1, 4), torch.rand(5)
try:
    one(numbers)
except RuntimeError as error:
    assert "mat1 and mat2 shapes cannot be multiplied (1x5 and 1x4)" in str(error)
else:
    raise AssertionError("a vector is no column")
assert one(numbers.unsqueeze(1)).shape == (5, 4)

"""Step 2: data is a tensor."""

# %% spiral
import torch

torch.manual_seed(0)
arms, each = 3, 100
radius = torch.linspace(0.1, 1, each)  # (point,)
begin = torch.arange(arms)[:, None] * 2 * torch.pi / arms  # (arm, 1)
turn = begin + 4 * radius + 0.2 * torch.randn(arms, each)  # (arm, point)
place = torch.stack([radius * turn.cos(), radius * turn.sin()], dim=-1)
points = place.flatten(0, 1)  # (sample, coordinate)
labels = torch.arange(arms).repeat_interleave(each)

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(3.2, 3))
ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
ax.plot(*points[0], "o", markersize=10, fillstyle="none", color="C3")
for arm in range(arms):
    ax.plot(*points[labels == arm].T, ".", markersize=5)

# %% asked
print(points.shape, points.dtype)
print(labels.shape, labels.dtype)

# %% picked
print(points[0])  # the first point
print(points[:3, 0])  # x of the first three
print(labels[[0, 100, 200]])

# %% counted
print(points.mean(dim=0).shape)
print(points.abs().max() <= 1.0)

# %% one-number asks=true
print(points[0, 0].shape)

# %% last asks=true
print(labels[-1])

# %% facts hidden=true
assert points.shape == (300, 2) and points[-1].norm() <= 1 + 1e-6

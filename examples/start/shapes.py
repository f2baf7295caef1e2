"""Step 3: shapes that fit."""

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

moved = points * torch.tensor([1.0, 0.5])
fig, ax = plt.subplots(figsize=(3.2, 3))
ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
for arm in range(arms):
    ax.plot(*moved[labels == arm].T, ".", markersize=5)

# %% flattened
scale = torch.tensor([1.0, 0.5])  # (coordinate,)
print((points * scale).shape)

# %% made
print(begin.shape, radius.shape)
print((begin + radius).shape)

# %% product
weight = torch.randn(2, 3)  # (coordinate, arm)
print((points @ weight).shape)

# %% mismatch raises="RuntimeError"
points @ torch.randn(3, 2)

# %% reshaped
print(points.reshape(arms, each, 2).shape)

# %% columns asks=true
print((points + torch.zeros(3, 1, 1)).shape)

# %% three-numbers asks=true raises="RuntimeError"
points * torch.tensor([1.0, 0.5, 2.0])

# %% facts hidden=true
assert (points @ torch.randn(3, 2).T).shape == (300, 3)
assert (points.unsqueeze(2) * torch.tensor([1.0, 0.5, 2.0])).shape == (300, 2, 3)

# %% column-minus-row hidden=true
assert (points[:, :1] - points[:, 0]).shape == (300, 300)
assert (torch.ones(3) - torch.ones(4).unsqueeze(1)).shape == (4, 3)

"""Step 1: install PyTorch and check that it works."""

# %% check
import torch

numbers = torch.tensor([1.0, 2.0, 3.0])
print(numbers * 2)

# %% goal fold=true
import matplotlib.pyplot as plt

torch.manual_seed(0)
arms, each = 3, 100
radius = torch.linspace(0.1, 1, each)  # (point,)
begin = torch.arange(arms)[:, None] * 2 * torch.pi / arms  # (arm, 1)
turn = begin + 4 * radius + 0.2 * torch.randn(arms, each)  # (arm, point)
place = torch.stack([radius * turn.cos(), radius * turn.sin()], dim=-1)
points = place.flatten(0, 1)  # (sample, coordinate)
labels = torch.arange(arms).repeat_interleave(each)
fig, ax = plt.subplots(figsize=(3.2, 3))
ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
for arm in range(arms):
    ax.plot(*points[labels == arm].T, ".", markersize=5)

# %% where varies=true
print(torch.__version__)
print(torch.accelerator.is_available())

# %% whole-numbers asks=true
print(torch.tensor([1, 2, 3]) * 2)

# %% divided asks=true
print(torch.tensor([1, 2, 3]) / 2)

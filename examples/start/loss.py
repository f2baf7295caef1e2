"""Step 6: a loss says how wrong the model is."""

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

# %% loss
torch.manual_seed(0)
net = nn.Sequential(
    nn.Linear(2, 64),
    nn.ReLU(),
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Linear(64, 3),
)
loss_fn = nn.CrossEntropyLoss()
loss = loss_fn(net(points), labels)
print(f"{loss.item():.1f}")

# %% drawn fold=true varies=true
import matplotlib.pyplot as plt

with torch.no_grad():
    each_loss = nn.functional.cross_entropy(net(points), labels, reduction="none")
fig, ax = plt.subplots(figsize=(3.8, 3))
ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
shown = ax.scatter(*points.T, c=each_loss, s=12, cmap="viridis")
bar = fig.colorbar(shown, label="loss")

# %% no-idea
import math

print(f"{math.log(3):.1f}")

# %% sure
sure = torch.tensor([[5.0, 0.0, 0.0]])
print(f"right {loss_fn(sure, torch.tensor([0])).item():.2f}")
print(f"wrong {loss_fn(sure, torch.tensor([1])).item():.2f}")

# %% gradient
loss.backward()
print(net[0].weight.grad.shape)

# %% fourth-arm asks=true raises="IndexError"
loss_fn(torch.rand(2, 3), torch.tensor([1, 3]))

# %% float-labels asks=true raises="RuntimeError"
loss_fn(torch.rand(2, 3), torch.tensor([1.0, 2.0]))

# %% facts hidden=true
assert loss_fn(torch.rand(2, 3), torch.tensor([1.0, 2.0]).long()) > 0
assert loss_fn(torch.rand(2, 3), torch.tensor([1, 3]) - 1) > 0
assert loss_fn(torch.rand(2, 4), torch.tensor([1, 3])) > 0
assert abs(loss - math.log(3)) < 0.2 and loss_fn(net(255 * points), labels) > 2

"""Step 10: save, load, predict."""

# %% trained
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


def new_net():
    return nn.Sequential(
        nn.Linear(2, 64),
        nn.ReLU(),
        nn.Linear(64, 64),
        nn.ReLU(),
        nn.Linear(64, 3),
    )


torch.manual_seed(0)
net = new_net()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(200):
    loss = nn.functional.cross_entropy(net(points), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.1f}")

# %% save
import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "spiral.pt"
torch.save(net.state_dict(), path)

# %% load
loaded = new_net()
print(loaded.load_state_dict(torch.load(path)))

# %% same
loaded.eval()
with torch.no_grad():
    print(torch.equal(loaded(points), net(points)))

# %% predict
new = torch.tensor([[-0.2, 0.45], [0.5, -0.05]])  # two points that nobody labeled
with torch.no_grad():
    shares = loaded(new).softmax(dim=1)
print(shares.argmax(dim=1))

# %% drawn fold=true varies=true
import matplotlib.pyplot as plt

axis = torch.linspace(-1.2, 1.2, 61)
grid = torch.cartesian_prod(axis, axis)  # (x, y) pairs
with torch.no_grad():
    chosen = loaded(grid).argmax(dim=1).reshape(61, 61).T
fig, ax = plt.subplots(figsize=(3.2, 3))
ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
levels, colors = [-0.5, 0.5, 1.5, 2.5], ["C0", "C1", "C2"]
ax.contourf(axis, axis, chosen, levels=levels, colors=colors, alpha=0.25)
ax.plot(*new.T, "*", markersize=12, color="C3", zorder=3)
for arm in range(arms):
    ax.plot(*points[labels == arm].T, ".", markersize=4)

# %% not-loaded asks=true
fresh = new_net()
print(torch.equal(fresh(points), net(points)))

# %% far-away asks=true
far = torch.tensor([[50.0, 50.0]])
with torch.no_grad():
    print(f"{loaded(far).softmax(dim=1).max().item():.2f}")

# %% one-point hidden=true
with torch.no_grad():
    assert loaded(new[:1]).softmax(dim=1).argmax(dim=1).item() == 0
    try:
        loaded(new[0]).softmax(dim=1)
    except IndexError:
        pass
    else:
        raise AssertionError

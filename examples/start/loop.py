"""Step 8: the training loop."""

# %% spiral
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
arms, each = 3, 100
radius = torch.linspace(0.1, 1, each)  # (point,)
begin = torch.arange(arms)[:, None] * 2 * torch.pi / arms  # (arm, 1)
turn = begin + 4 * radius + 0.2 * torch.randn(arms, each)  # (arm, point)
place = torch.stack([radius * turn.cos(), radius * turn.sin()], dim=-1)
points = place.flatten(0, 1)  # (sample, coordinate)
labels = torch.arange(arms).repeat_interleave(each)

# %% prepared
dataset = TensorDataset(points, labels)
cut = torch.Generator().manual_seed(1)
train_set, test_set = random_split(dataset, [240, 60], generator=cut)
order = torch.Generator().manual_seed(2)
loader = DataLoader(train_set, batch_size=32, shuffle=True, generator=order)
torch.manual_seed(0)
net = nn.Sequential(
    nn.Linear(2, 64),
    nn.ReLU(),
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Linear(64, 3),
)
loss_fn = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

# %% loop
history = []
for epoch in range(30):
    for batch, targets in loader:
        loss = loss_fn(net(batch), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    history.append(loss.item())

# %% tested
points_left, labels_left = test_set[:]
net.eval()
with torch.no_grad():
    arm = net(points_left).argmax(dim=1)
right = (arm == labels_left).float().mean().item()
print("more than 9 of 10 right:", right > 0.9)

# %% drawn fold=true varies=true
import matplotlib.pyplot as plt

axis = torch.linspace(-1.2, 1.2, 61)
grid = torch.cartesian_prod(axis, axis)  # (x, y) pairs
with torch.no_grad():
    chosen = net(grid).argmax(dim=1).reshape(61, 61).T
fig, (left, ax) = plt.subplots(1, 2, figsize=(6, 2.8))
ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
left.plot(history)
left.set(xlabel="epoch", ylabel="loss", ylim=(0, None))
levels, colors = [-0.5, 0.5, 1.5, 2.5], ["C0", "C1", "C2"]
ax.contourf(axis, axis, chosen, levels=levels, colors=colors, alpha=0.25)
for arm in range(arms):
    ax.plot(*points[labels == arm].T, ".", markersize=4)

# %% no-step asks=true
before = net[0].weight.clone()
loss_fn(net(points), labels).backward()
print(torch.equal(before, net[0].weight))

# %% straight asks=true
torch.manual_seed(0)
flat = nn.Linear(2, 3)
flat_optimizer = torch.optim.Adam(flat.parameters(), lr=0.01)
for epoch in range(30):
    for batch, targets in loader:
        loss = loss_fn(flat(batch), targets)
        flat_optimizer.zero_grad()
        loss.backward()
        flat_optimizer.step()
arm = flat(points_left).argmax(dim=1)
right = (arm == labels_left).float().mean().item()
print("more than 9 of 10 right:", right > 0.9)

# %% facts hidden=true
assert history[0] > 0.4 > history[-1]

# %% loop-again hidden=true
before = net[0].weight.clone()
for batch, targets in loader:
    loss = loss_fn(net(batch), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
assert not torch.equal(before, net[0].weight)  # still the optimizer of this net

"""Step 9: the whole script."""

# %% script
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

device = torch.device("cpu")
if torch.accelerator.is_available():
    device = torch.accelerator.current_accelerator()


def spiral(arms=3, each=100):
    torch.manual_seed(0)
    radius = torch.linspace(0.1, 1, each)
    begin = torch.arange(arms)[:, None] * 2 * torch.pi / arms
    turn = begin + 4 * radius + 0.2 * torch.randn(arms, each)
    points = torch.stack([radius * turn.cos(), radius * turn.sin()], dim=-1)
    return points.flatten(0, 1), torch.arange(arms).repeat_interleave(each)


def new_net():
    return nn.Sequential(
        nn.Linear(2, 64),
        nn.ReLU(),
        nn.Linear(64, 64),
        nn.ReLU(),
        nn.Linear(64, 3),
    )


def train(net, loader, epochs=30):
    loss_fn = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
    net.train()
    for epoch in range(epochs):
        for batch, targets in loader:
            batch, targets = batch.to(device), targets.to(device)
            loss = loss_fn(net(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


@torch.no_grad()
def accuracy(net, loader):
    net.eval()
    right = total = 0
    for batch, targets in loader:
        arm = net(batch.to(device)).argmax(dim=1).cpu()
        right += (arm == targets).sum().item()
        total += len(targets)
    return right / total


points, labels = spiral()
cut = torch.Generator().manual_seed(1)
dataset = TensorDataset(points, labels)
train_set, test_set = random_split(dataset, [240, 60], generator=cut)
order = torch.Generator().manual_seed(2)
train_loader = DataLoader(train_set, batch_size=32, shuffle=True, generator=order)
test_loader = DataLoader(test_set, batch_size=32)
torch.manual_seed(0)
net = new_net().to(device)
print(f"before {accuracy(net, test_loader):.1f}")
train(net, train_loader)
print(f"after  {accuracy(net, test_loader):.1f}")

# %% drawn fold=true varies=true
import matplotlib.pyplot as plt

axis = torch.linspace(-1.2, 1.2, 61)
grid = torch.cartesian_prod(axis, axis)  # (x, y) pairs
with torch.no_grad():
    chosen = net(grid.to(device)).argmax(dim=1).reshape(61, 61).T.cpu()
fig, ax = plt.subplots(figsize=(3.2, 3))
ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
levels, colors = [-0.5, 0.5, 1.5, 2.5], ["C0", "C1", "C2"]
ax.contourf(axis, axis, chosen, levels=levels, colors=colors, alpha=0.25)
for arm in range(3):
    ax.plot(*points[labels == arm].T, ".", markersize=5)

# %% few-points asks=true
few = DataLoader(torch.utils.data.Subset(train_set, range(12)), batch_size=12)
torch.manual_seed(0)
small = new_net().to(device)
train(small, few)
print(f"right of the 12: {accuracy(small, few):.1f}")
print("more than 9 of 10 of the others:", accuracy(small, test_loader) > 0.9)

# %% no-epochs asks=true
torch.manual_seed(0)
idle = new_net().to(device)
train(idle, train_loader, epochs=0)
print(accuracy(idle, test_loader) > 0.9)

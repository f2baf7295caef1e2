"""Find a learning rate: raise it step by step and watch the loss."""

# %% data
import copy

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
points = torch.randn(512, 10)
labels = (points[:, 0] + points[:, 1] + 0.5 * torch.randn(512) > 0).long()
loader = DataLoader(TensorDataset(points, labels), batch_size=32, shuffle=True)
loss_fn = nn.CrossEntropyLoss()


def new_net():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2))


# %% finder
def find_lr(net, loader, lowest=1e-4, highest=10.0, steps=100):
    net = copy.deepcopy(net)  # the weights are thrown away afterwards
    device = next(net.parameters()).device
    optimizer = torch.optim.SGD(net.parameters(), lr=lowest, momentum=0.9)
    factor = (highest / lowest) ** (1 / (steps - 1))
    rates, losses, average = [], [], None
    batches = iter(loader)
    for step in range(steps):
        try:
            batch, targets = next(batches)
        except StopIteration:
            batches = iter(loader)
            batch, targets = next(batches)
        loss = loss_fn(net(batch.to(device)), targets.to(device))
        value = loss.item()
        average = value if average is None else 0.9 * average + 0.1 * value
        rates.append(optimizer.param_groups[0]["lr"])
        losses.append(average)
        if not average <= 2 * min(losses):
            break  # diverged, or NaN
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.param_groups[0]["lr"] *= factor
    return rates, losses


rates, losses = find_lr(new_net(), loader)
lowest = rates[losses.index(min(losses))]
print(f"lowest loss at {lowest:.1f}, stopped at {rates[-1]:.1f}")
print(f"a tenth: {lowest / 10:.2f}")

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.4, 3.0))
ax.semilogx(rates, losses, linewidth=2)
ax.axvline(lowest / 10, color="C2", linestyle=":", label="a tenth")
ax.plot(lowest, min(losses), "o", color="C3", label="lowest")
ax.set(xlabel="lr", ylabel="loss")
ax.legend(fontsize=9)


# %% check
def train(lr, epochs=3):
    net = new_net()
    optimizer = torch.optim.SGD(net.parameters(), lr=lr, momentum=0.9)
    for _ in range(epochs):
        for batch, targets in loader:
            loss = loss_fn(net(batch), targets)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        return loss_fn(net(points), labels).item()


for lr in (lowest / 1000, lowest / 100, lowest / 10, lowest, 10 * lowest):
    loss = train(lr)
    value = f"{loss:.2f}" if loss < 100 else "over 100"
    print(f"lr {lr:.4f}: loss after 3 epochs {value}")

# %% stops-at-nan hidden=true
known = loss_fn
loss_fn = lambda logits, target: known(logits, target) + (torch.nan if logits.abs().max() > 3 else 0.0)
rates, losses = find_lr(new_net(), loader)
assert len(losses) < 100 and losses[-1] != losses[-1] and min(losses) == min(losses)
loss_fn = known


# %% warm-up hidden=true
def steps_down(lr, start):
    """The loss w⁴ / 4 is steep far from 0 and flat near it."""
    weight = nn.Parameter(torch.tensor(10.0, dtype=torch.float64))
    optimizer = torch.optim.SGD([weight], lr=lr)
    scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, start, total_iters=10)
    used = []
    for _ in range(60):
        loss = weight**4 / 4
        optimizer.zero_grad()
        loss.backward()
        used.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return used, loss.item()


used, loss = steps_down(0.1, start=0.05)
assert used == sorted(used) and abs(used[0] - 0.005) < 1e-9 and abs(used[-1] - 0.1) < 1e-9
assert loss < 1  # after small rates, 0.1 works
assert not steps_down(0.1, start=1.0)[1] < 1e9  # as the first rate it does not

# %% one-group hidden=true
SGD, made = torch.optim.SGD, []


def grouped(parameters, lr, momentum):
    groups = [{"params": [parameter]} for parameter in parameters]
    made.append(torch.optim.AdamW(groups, lr=lr))
    return made[-1]


torch.optim.SGD = grouped
try:
    rates, losses = find_lr(new_net(), loader)
finally:
    torch.optim.SGD = SGD
first, *others = [group["lr"] for group in made[0].param_groups]
assert first > 0.01 and set(others) == {1e-4}  # only the first group's rate is raised

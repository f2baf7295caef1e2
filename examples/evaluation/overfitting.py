"""Overfitting: find it on a validation set, and compare what helps."""

# %% data
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


def make_data(count, wrong=0.1):
    points = torch.randn(count, 10, dtype=torch.float64)
    labels = (points[:, 0] + points[:, 1] > 0).long()  # 2 of 10 features matter
    flip = torch.rand(count) < wrong  # and any label may be wrong
    return points, torch.where(flip, 1 - labels, labels)


train_set, valid_set, more_data = (make_data(n) for n in (100, 1000, 2000))


# %% train
def train(data=train_set, width=64, dropout=0.0, weight_decay=0.0, noise=0.0):
    torch.manual_seed(0)
    first, last = nn.Linear(10, width), nn.Linear(width, 2)
    net = nn.Sequential(first, nn.ReLU(), nn.Dropout(dropout), last).double()
    rates = dict(lr=0.01, weight_decay=weight_decay)
    optimizer = torch.optim.AdamW(net.parameters(), **rates)
    points, labels = data
    curves = {"train": [], "valid": []}
    for _ in range(200):
        net.train()
        inputs = points + noise * torch.randn_like(points)  # new in each step
        optimizer.zero_grad()
        F.cross_entropy(net(inputs), labels).backward()
        optimizer.step()
        net.eval()  # both curves without dropout and noise
        with torch.no_grad():
            for name, (x, y) in {"train": data, "valid": valid_set}.items():
                curves[name].append(F.cross_entropy(net(x), y).item())
    return curves


# %% find
def report(name, curves):
    train, valid = curves["train"], curves["valid"]
    print(f"{name:16} train {train[-1]:.1f}  valid {valid[-1]:.1f}", end="  ")
    print(f"lowest {min(valid):.1f} in step {valid.index(min(valid))}")


plain = train()
report("nothing", plain)

# %% remedies
remedies = {
    "2000 samples": dict(data=more_data),
    "noise": dict(noise=1.0),
    "weight_decay=10": dict(weight_decay=10.0),
    "dropout=0.8": dict(dropout=0.8),
    "2 hidden units": dict(width=2),
}
runs = {"nothing": plain}
runs |= {name: train(**options) for name, options in remedies.items()}
for name, curves in runs.items():
    report(name, curves)

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(2, 3, figsize=(6.6, 4.0), sharex=True, sharey=True)
for ax, (name, curves) in zip(axes.flat, runs.items()):
    ax.plot(curves["train"], label="train", linewidth=1.3)
    ax.plot(curves["valid"], label="valid", linewidth=1.3)
    if name != "nothing":
        ax.plot(plain["valid"], ":", color="C1")
    ax.set_title(name, fontsize=10)
    ax.set(ylim=(0, 1.2), xticks=(0, 200), yticks=(0, 1))
axes[0, 0].legend()
for ax in axes[1]:
    ax.set_xlabel("step")
for ax in axes[:, 0]:
    ax.set_ylabel("loss")

# %% too-much
report("weight_decay=50", train(weight_decay=50.0))
print(f"guessing: {torch.tensor(2.0).log():.1f}")

# %% claims hidden=true
assert plain["train"][-1] < 0.1 * plain["train"][0] and plain["valid"][-1] > 2 * min(plain["valid"])
for name, curves in runs.items():
    if name != "nothing":
        assert curves["valid"][-1] < 0.6 * plain["valid"][-1], name
        limit = 0.45 if name == "2000 samples" else 0.6
        assert min(curves["valid"]) < limit and curves["train"][-1] > 10 * plain["train"][-1], name
        gain = min(plain["valid"]) - min(curves["valid"])
        assert gain > 0.1 if name == "2000 samples" else abs(gain) < 0.08, (name, gain)

# %% accuracy hidden=true
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2)).double()
optimizer = torch.optim.AdamW(net.parameters(), lr=0.01, weight_decay=0.0)
right = []
for _ in range(200):
    optimizer.zero_grad()
    F.cross_entropy(net(train_set[0]), train_set[1]).backward()
    optimizer.step()
    right.append((net(valid_set[0]).argmax(dim=1) == valid_set[1]).double().mean())
best = plain["valid"].index(min(plain["valid"]))
assert abs(right[best] - right[-1]) < 0.03

# %% more-data-memorized hidden=true
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2)).double()
optimizer = torch.optim.AdamW(net.parameters(), lr=0.03, weight_decay=0.0)
for _ in range(500):
    optimizer.zero_grad()
    F.cross_entropy(net(more_data[0]), more_data[1]).backward()
    optimizer.step()
with torch.no_grad():
    learned, unseen = (F.cross_entropy(net(x), y).item() for x, y in (more_data, valid_set))
assert learned < 0.5 * runs["2000 samples"]["train"][-1] and unseen > 1.5 * runs["2000 samples"]["valid"][-1]
wrong = (train_set[1] != (train_set[0][:, 0] + train_set[0][:, 1] > 0)).sum()
assert 0 < wrong < 20

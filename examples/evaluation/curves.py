"""Training curves of a correct loop and of three classic mistakes."""

# %% data
import torch
from torch import nn

torch.manual_seed(0)
points = torch.randn(500, 10)  # (samples, features)
labels = (points[:, 0] + points[:, 1] > 0).long()
wrong = torch.rand(500) < 0.2  # a fifth of the labels is wrong
labels = torch.where(wrong, 1 - labels, labels)
train_set = points[:100], labels[:100]
valid_set = points[100:], labels[100:]


# %% loop
def train(mistake, epochs=41):
    torch.manual_seed(0)
    net = nn.Sequential(
        nn.Linear(10, 64),
        nn.ReLU(),
        nn.Dropout(0.8),
        nn.Linear(64, 2),
    )
    optimizer = torch.optim.SGD(net.parameters(), lr=0.8)
    loss_fn = nn.CrossEntropyLoss()
    losses = {"train": [], "valid": []}
    for epoch in range(epochs):
        if mistake != "no train()":
            net.train()
        batch, targets = train_set
        loss = loss_fn(net(batch), targets)
        if mistake != "no zero_grad()":
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses["train"].append(loss.item())

        if mistake != "no eval()":
            net.eval()
        with torch.no_grad():
            batch, targets = valid_set
            losses["valid"].append(loss_fn(net(batch), targets).item())
    return losses


runs = {}
for name in ("right", "no zero_grad()", "no eval()", "no train()"):
    runs[name] = train(name)
    last = {part: losses[-1] for part, losses in runs[name].items()}
    print(f"{name:14} train {last['train']:4.2g}  valid {last['valid']:4.2g}")

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(2, 2, figsize=(6.2, 4.2), sharex=True, sharey=True)
for ax, (name, losses) in zip(axes.flat, runs.items()):
    ax.plot(losses["train"], label="train", linewidth=1.3)
    ax.plot(losses["valid"], label="valid", linewidth=1.3)
    if name != "right":
        ax.plot(runs["right"]["valid"], ":", color="C1")
    ax.set_title(name, fontsize=10)
    ax.set(ylim=(0, 1.2), xticks=(0, 40), yticks=(0, 1))
axes[0, 0].legend()
for ax in axes[1]:
    ax.set_xlabel("epoch")
for ax in axes[:, 0]:
    ax.set_ylabel("loss")

# %% adam-hides-it hidden=true
plain_sgd = torch.optim.SGD
torch.optim.SGD = lambda parameters, lr: torch.optim.AdamW(parameters, lr=1e-3)
finals = [train(name)["valid"][-1] for name in ("right", "no zero_grad()")]
torch.optim.SGD = plain_sgd
assert abs(finals[0] - finals[1]) < 0.1

# %% no-dropout-looks-alike hidden=true
dropout, nn.Dropout = nn.Dropout, lambda share: nn.Identity()
alike = train("right")  # nothing is missing
nn.Dropout = dropout
assert alike["train"][-1] < 0.4 and alike["valid"][-1] > min(alike["valid"]) + 0.1

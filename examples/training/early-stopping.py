"""Early stopping: stop when validation no longer improves, keep the best weights."""

# %% class
import copy

import torch
from torch import nn


class EarlyStopping:
    def __init__(self, net, patience, min_delta=0.0):
        self.net, self.patience, self.min_delta = net, patience, min_delta
        self.best_loss, self.best_epoch, self.best_weights = float("inf"), -1, None

    def should_stop(self, epoch, valid_loss):
        valid_loss = float(valid_loss)  # a tensor could be changed later
        if valid_loss < self.best_loss - self.min_delta:
            self.best_loss, self.best_epoch = valid_loss, epoch
            self.best_weights = copy.deepcopy(self.net.state_dict())
        return epoch - self.best_epoch >= self.patience

    def restore(self):
        if self.best_weights is None:
            raise RuntimeError("no epoch had a validation loss below infinity")
        self.net.load_state_dict(self.best_weights)


# %% data
torch.manual_seed(3)
points = torch.randn(300, 10)  # (samples, features)
labels = (points[:, 0] + points[:, 1] > 0).long()
labels = torch.where(torch.rand(300) < 0.2, 1 - labels, labels)  # a fifth is wrong
train_rows, valid_rows = torch.arange(300).split([200, 100])
loss_fn = nn.CrossEntropyLoss()


# %% train
def mean_loss(net, rows):
    net.eval()
    with torch.no_grad():
        return loss_fn(net(points[rows]), labels[rows]).item()


def train(patience, epochs=40, min_delta=0.0):
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(10, 64), nn.ReLU(), nn.Linear(64, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
    stopper = EarlyStopping(net, patience, min_delta)
    history = []
    for epoch in range(epochs):
        net.train()
        for part in torch.randperm(len(train_rows)).split(20):
            loss = loss_fn(net(points[part]), labels[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        history.append((mean_loss(net, train_rows), mean_loss(net, valid_rows)))
        if stopper.should_stop(epoch, history[-1][1]):
            break
    return stopper, history


stopper, history = train(patience=10)
print(f"best epoch {stopper.best_epoch}, stopped after epoch {len(history) - 1}")
print(f"last weights {mean_loss(stopper.net, valid_rows):.3f}")
stopper.restore()
print(f"best weights {mean_loss(stopper.net, valid_rows):.3f}")

# %% drawn fold=true
import matplotlib.pyplot as plt

_, whole = train(patience=1000)
fig, ax = plt.subplots(figsize=(5.6, 2.9))
for name, losses, color in zip(("train", "valid"), zip(*whole), ("C0", "C1")):
    ax.plot(losses, color=color, alpha=0.35, linewidth=1.5)
    ax.plot(losses[: len(history)], color=color, label=name, linewidth=2)
ax.plot(stopper.best_epoch, stopper.best_loss, "o", color="C3", label="best")
ax.axvline(len(history) - 1, color="C2", linestyle=":", label="stop")
ax.set(xlabel="epoch", ylabel="loss", ylim=(0, None))
ax.locator_params(nbins=5)
ax.legend(ncols=2, fontsize=9)

# %% patience
for patience in (1, 3, 10, 30):
    stopper, history = train(patience)
    best = f"{stopper.best_loss:.3f} in epoch {stopper.best_epoch}"
    print(f"patience {patience:2}: {len(history):2} epochs, best {best}")

# %% no-copy
net = nn.Linear(2, 1)
shared, copied = net.state_dict(), copy.deepcopy(net.state_dict())
nn.init.zeros_(net.weight)  # training goes on
print("shared", shared["weight"].tolist())
print("copied", [[round(x, 2) for x in row] for row in copied["weight"].tolist()])

# %% never-improved raises="RuntimeError"
stopper = EarlyStopping(net, patience=3)
for epoch in range(10):
    if stopper.should_stop(epoch, valid_loss=float("nan")):
        print(f"stopped after epoch {epoch}, best loss {stopper.best_loss}")
        break
stopper.restore()

# %% remedies hidden=true
stopper = EarlyStopping(net, patience=3)
for epoch, loss in enumerate((float("nan"), 0.5)):  # once the loss is a number
    stopper.should_stop(epoch, loss)
stopper.restore()
assert stopper.best_epoch == 1

# %% other-inputs hidden=true
for model in (nn.Linear(2, 1), nn.BatchNorm1d(2), nn.ReLU(), nn.Linear(2, 1).half().requires_grad_(False)):
    stopper, total = EarlyStopping(model, patience=2), torch.zeros(())
    for epoch, loss in enumerate((3.0, 2.0, 1.0)):  # a sum that each epoch starts anew
        assert not stopper.should_stop(epoch, total.fill_(loss))
    assert stopper.best_epoch == 2 and stopper.best_loss == 1.0
    stopper.restore()
embedding, head = nn.Embedding(5, 4), nn.Linear(4, 5, bias=False)
head.weight = embedding.weight
stopper = EarlyStopping(nn.Sequential(embedding, head), patience=2)
with torch.no_grad():
    stopper.should_stop(0, head(embedding(torch.tensor([1]))).sum())
assert isinstance(stopper.best_loss, float)
nn.init.zeros_(head.weight)
stopper.restore()
assert head.weight is embedding.weight and head.weight.any()

# %% accuracy hidden=true
for sign, best in ((1, 0), (-1, 4)):  # accuracy itself stops at once, with the worst weights
    stopper = EarlyStopping(nn.Linear(2, 1), patience=2)
    for epoch, accuracy in enumerate((0.5, 0.6, 0.7, 0.8, 0.9)):
        if stopper.should_stop(epoch, sign * accuracy):
            break
    assert stopper.best_epoch == best

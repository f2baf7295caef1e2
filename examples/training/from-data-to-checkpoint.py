"""A classifier from nothing to a reloaded checkpoint."""

# %% data
import torch
from torch import nn

device = torch.device("cpu")
if torch.accelerator.is_available():
    device = torch.accelerator.current_accelerator()
torch.manual_seed(0)
classes, per_class = 3, 300
radius = torch.linspace(0.1, 1, per_class)
start = torch.arange(classes)[:, None] * 2 * torch.pi / classes  # (class, 1)
turn = start + 4 * radius + 0.5 * torch.randn(classes, per_class)  # (class, point)
points = torch.stack([radius * turn.cos(), radius * turn.sin()], dim=-1)
points = points.flatten(0, 1)  # (sample, coordinate)
labels = torch.arange(classes).repeat_interleave(per_class)  # (sample,)
print(points.shape, points.dtype)
print(labels.shape, labels.dtype, labels.bincount())

# %% drawn fold=true
import matplotlib.pyplot as plt


def draw(every=6):
    fig, ax = plt.subplots(figsize=(3.4, 3.2))
    for label in range(classes):
        ax.plot(*points[labels == label][::every].T, ".", markersize=4, label=f"{label}")
    ax.set_aspect("equal")
    ax.set(xticks=(-1, 0, 1), yticks=(-1, 0, 1))
    return ax


draw().legend(title="label", loc="upper left", bbox_to_anchor=(1, 1))

# %% split
from torch.utils.data import DataLoader, TensorDataset, random_split

dataset = TensorDataset(points, labels)
fixed = torch.Generator().manual_seed(1)
parts = random_split(dataset, [0.2, 0.4, 0.4], generator=fixed)
train_set, valid_set, test_set = parts
order = torch.Generator().manual_seed(2)  # of the training set, anew in each epoch
train_loader = DataLoader(train_set, batch_size=50, shuffle=True, generator=order)
valid_loader = DataLoader(valid_set, batch_size=256)
test_loader = DataLoader(test_set, batch_size=256)
batch, targets = (part.to(device) for part in next(iter(train_loader)))
print(len(train_set), len(valid_set), len(test_set), "batches:", len(train_loader))
print(batch.shape, targets.shape)


# %% model
def new_net():
    return nn.Sequential(
        nn.Linear(2, 128),
        nn.ReLU(),
        nn.Linear(128, 128),
        nn.ReLU(),
        nn.Linear(128, classes),
    )


torch.manual_seed(0)
net = new_net().to(device)
print(net(batch).shape)  # logits: (batch, class)
print(sum(parameter.numel() for parameter in net.parameters()))

# %% before-training
import math

loss_fn = nn.CrossEntropyLoss()
net.eval()
with torch.no_grad():
    loss = loss_fn(net(points.to(device)), labels.to(device))
print(f"loss {loss.item():.2f}, ln 3 = {math.log(classes):.2f}")

# %% one-batch
trial = new_net().to(device)
optimizer = torch.optim.AdamW(trial.parameters(), lr=0.01)
for step in range(100):
    loss = loss_fn(trial(batch), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.2f}")


# %% functions
def train_one_epoch(net, loader, optimizer, scheduler):
    net.train()
    total, samples = torch.zeros((), device=device), 0
    for batch, targets in loader:
        batch, targets = batch.to(device), targets.to(device)
        loss = loss_fn(net(batch), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        total += loss.detach() * len(targets)
        samples += len(targets)
    return total.item() / samples


@torch.no_grad()
def evaluate(net, loader):
    net.eval()
    total, right, samples = 0.0, 0, 0
    for batch, targets in loader:
        batch, targets = batch.to(device), targets.to(device)
        logits = net(batch)
        total += loss_fn(logits, targets).item() * len(targets)
        right += (logits.argmax(dim=1) == targets).sum().item()
        samples += len(targets)
    return total / samples, right / samples


# %% train
import copy
from torch.optim.lr_scheduler import OneCycleLR

epochs = 100
optimizer = torch.optim.AdamW(net.parameters())  # OneCycleLR sets lr
total_steps = epochs * len(train_loader)
scheduler = OneCycleLR(optimizer, max_lr=0.01, total_steps=total_steps)
history, best_loss = [], float("inf")
for epoch in range(epochs):
    train_loss = train_one_epoch(net, train_loader, optimizer, scheduler)
    valid_loss, accuracy = evaluate(net, valid_loader)
    history.append((train_loss, valid_loss))
    if valid_loss < best_loss:
        best_loss, best_epoch = valid_loss, epoch
        best = copy.deepcopy(net.state_dict())
    if epoch % 20 == 19:
        losses = f"train {train_loss:.2f}  valid {valid_loss:.2f}"
        print(f"epoch {epoch:2}  {losses}  accuracy {accuracy:.2f}")
print(f"lowest: epoch {best_epoch}, valid {best_loss:.2f}")

# %% curves fold=true varies=true
fig, ax = plt.subplots(figsize=(5.6, 2.8))
for name, losses in zip(("train", "valid"), zip(*history)):
    ax.plot(losses, label=name)
ax.plot(best_epoch, best_loss, "o", color="C3", label="best")
ax.set(xlabel="epoch", ylabel="loss", ylim=(0, None))
ax.locator_params(nbins=5)
ax.legend()

# %% save
import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "best.pt"
checkpoint = {"model": best, "epoch": best_epoch, "valid_loss": best_loss}
torch.save(checkpoint, path)

# %% load
checkpoint = torch.load(path, map_location=device)
reloaded = new_net().to(device)
print(reloaded.load_state_dict(checkpoint["model"]))
valid_loss, _ = evaluate(reloaded, valid_loader)
print(f"saved {checkpoint['valid_loss']:.2f}, reloaded {valid_loss:.2f}")

# %% test
test_loss, accuracy = evaluate(reloaded, test_loader)
print(f"loss {test_loss:.2f}  accuracy {accuracy:.2f}")

# %% predict
reloaded.eval()
with torch.inference_mode():
    new = torch.tensor([[-0.7, 0.2], [0.6, -0.5], [0.5, 0.3]], device=device)
    logits = reloaded(new)
print(logits.argmax(dim=1))
print([f"{share:.1f}" for share in logits.softmax(dim=1).amax(dim=1)])

# %% regions fold=true varies=true
axis = torch.linspace(-1.2, 1.2, 33)
grid = torch.cartesian_prod(axis, axis)  # (x, y) pairs
with torch.inference_mode():
    logits = reloaded(grid.to(device)).cpu()
ax = draw()
for label in range(classes):
    others = logits.clone()
    others[:, label] = -torch.inf
    lead = (logits[:, label] - others.amax(dim=1)).reshape(33, 33).T  # (y, x)
    ax.contourf(axis, axis, lead, levels=[0, lead.max()], colors=[f"C{label}"], alpha=0.25)

# %% equal hidden=true
assert valid_loss == checkpoint["valid_loss"]

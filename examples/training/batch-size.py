"""Epoch, step, iteration, and what the batch size changes."""

# %% words
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
inputs = torch.randn(1000, 20, dtype=torch.float64)  # (samples, features)
truth = torch.randn(20, 1, dtype=torch.float64)
targets = inputs @ truth + torch.randn(1000, 1, dtype=torch.float64)
dataset = TensorDataset(inputs, targets)

for batch_size in (1, 32, 1000):
    loader = DataLoader(dataset, batch_size=batch_size, shuffle=True)
    last = [len(batch) for batch, _ in loader][-1]
    print(f"batch size {batch_size:4}: {len(loader):4} steps, last batch {last}")

# %% drop-last
loader = DataLoader(dataset, batch_size=32, shuffle=True, drop_last=True)
print(len(loader), "steps,", 32 * len(loader), "samples")

# %% noise
net = nn.Linear(20, 1).double()
loss_fn = nn.MSELoss()


def gradient(rows):
    loss = loss_fn(net(inputs[rows]), targets[rows])
    (gradient,) = torch.autograd.grad(loss, net.weight)
    return gradient


full = gradient(slice(None))
for batch_size in (4, 16, 64, 256):
    rows = [torch.randint(1000, (batch_size,)) for _ in range(500)]
    errors = torch.stack([(gradient(r) - full).norm() for r in rows])
    ratio = errors.square().mean().sqrt() / full.norm()
    print(f"batch size {batch_size:3}: error / gradient {ratio:.2f}")


# %% rate
def train(batch_size, lr, epochs=5):
    torch.manual_seed(0)
    net = nn.Linear(20, 1).double()
    optimizer = torch.optim.SGD(net.parameters(), lr=lr)
    loader = DataLoader(dataset, batch_size=batch_size, shuffle=True)
    for _ in range(epochs):
        for batch, answers in loader:
            optimizer.zero_grad()
            loss_fn(net(batch), answers).backward()
            optimizer.step()
    with torch.no_grad():
        return loss_fn(net(inputs), targets).item()


for batch_size, lr in ((10, 0.001), (100, 0.001), (100, 0.01)):
    print(f"batch size {batch_size:3}, lr {lr:5}: loss {train(batch_size, lr):.0f}")

# %% limit
print("batch size 100, lr 1:  loss above a million:", train(100, 1.0) > 1e6)

# %% floor
for batch_size, lr in ((10, 0.2), (100, 0.2), (10, 0.02)):
    print(f"batch size {batch_size:3}, lr {lr:4}: loss {train(batch_size, lr):.1f}")
best = loss_fn(inputs @ torch.linalg.lstsq(inputs, targets).solution, targets)
print(f"the best there is:        {best:.1f}")


# %% memory
def saved_bytes(batch_size):
    net = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 1))
    sizes = {}

    def pack(tensor):
        if len(tensor) == batch_size:  # not a weight
            sizes[tensor.data_ptr()] = tensor.nbytes
        return tensor.detach()  # not tensor: an output would keep itself alive

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        net(torch.randn(batch_size, 20))
    return sum(sizes.values())


for batch_size in (10, 100, 1000):
    kept = saved_bytes(batch_size)
    print(f"batch size {batch_size:4}: {kept:6} bytes for backward")

# %% time varies=true
import time


def seconds(batch_size):
    start = time.perf_counter()
    train(batch_size, 0.001, epochs=1)
    return time.perf_counter() - start


ratio = seconds(1) / seconds(1000)
print(f"an epoch with batches of 1 / with one of 1000: {ratio:.0f}")

# %% sum-of-losses hidden=true
summed = nn.MSELoss(reduction="sum")  # its gradient grows with the batch by itself
mean_loss, loss_fn = loss_fn, summed
reached = [train(batch_size, 1e-4, epochs=2) / len(inputs) for batch_size in (10, 100)]
assert max(reached) / min(reached) < 1.05  # one rate suits both sizes
assert train(100, 0.02, epochs=1) / len(inputs) > 1e6
loss_fn = mean_loss

"""Everything that makes a run repeatable, and what cannot be repeated."""

# %% seed-everything
import random

import numpy as np
import torch
from torch import nn


def seed_everything(seed):
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)  # the CPU and every GPU


for _ in range(2):
    seed_everything(0)
    print(f"{random.random():.4f} {np.random.rand():.4f} {torch.rand(()):.4f}")

# %% rng
seed_everything(0)
for seed in (None, 0):
    first, second = (np.random.default_rng(seed).random() for _ in range(2))
    print(f"default_rng({seed}): equal {first == second}")


# %% two-runs
def run(seed):
    seed_everything(seed)
    net = nn.Sequential(nn.Linear(4, 16), nn.Dropout(0.5), nn.Linear(16, 1))
    optimizer = torch.optim.Adam(net.parameters())
    points, targets = torch.randn(32, 4), torch.randn(32, 1)
    for _ in range(20):
        loss = nn.functional.mse_loss(net(points), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


print("seed 0 twice, difference: ", run(0) - run(0))
print("seeds 0 and 1, difference:", f"{abs(run(0) - run(1)):.1f}")

# %% who-is-seeded
from torch.utils.data import DataLoader, Dataset


class Draws(Dataset):
    def __len__(self):
        return 1

    def __getitem__(self, i):
        return random.random(), np.random.rand(), torch.rand(()).item()


def draws(seed):
    seed_everything(seed)
    in_worker = DataLoader(Draws(), batch_size=None, num_workers=1)
    return {
        "random": random.random(),
        "np.random": np.random.rand(),
        "torch": torch.rand(()).item(),
        "in a worker": tuple(*in_worker),
        "np.random.default_rng()": np.random.default_rng().random(),
        "torch.Generator()": torch.rand((), generator=torch.Generator()).item(),
    }


first, again, other = draws(0), draws(0), draws(1)
for name in first:
    repeats = "repeats" if first[name] == again[name] else "differs"
    changes = "differs" if first[name] != other[name] else "the same"
    print(f"{name:24} seed 0 again: {repeats}   seed 1: {changes}")

# %% workers-follow-torch hidden=true
runs = []
for _ in range(2):
    torch.manual_seed(0)  # and neither random nor NumPy
    runs.append(tuple(*DataLoader(Draws(), batch_size=None, num_workers=1)))
assert runs[0] == runs[1], runs

# %% who-is-seeded-cuda needs="cuda"
numbers = []
for seed in (0, 0, 1):
    seed_everything(seed)  # of every GPU, without torch.cuda.manual_seed_all
    numbers.append(torch.rand((), device="cuda").item())
print("seed 0 again, equal:", numbers[0] == numbers[1])
print("seed 1, equal:      ", numbers[0] == numbers[2])

# %% own-generators
rng = np.random.default_rng(1)
generator = torch.Generator().manual_seed(1)
print(f"{rng.random():.4f} {torch.rand((), generator=generator):.4f}")

# %% order-of-sums asks=true
numbers = torch.tensor([1e8, 1.0, -1e8, 1.0])
a, b, c, d = numbers
print(((a + b) + c) + d, (a + c) + (b + d))

# %% deterministic raises="RuntimeError"
torch.use_deterministic_algorithms(True)
signal = torch.rand(1, 1, 8)
pooled, index = nn.functional.max_pool1d(signal, 2, return_indices=True)
nn.functional.max_unpool1d(pooled, index, 2)

# %% warn-only warns="UserWarning"
torch.use_deterministic_algorithms(True, warn_only=True)
unpooled = nn.functional.max_unpool1d(pooled, index, 2)

# %% empty
print(torch.empty(3))  # not left as it was
torch.use_deterministic_algorithms(False)

# %% cudnn
for name in ("benchmark", "deterministic"):
    print(name, getattr(torch.backends.cudnn, name))

# %% remedies hidden=true
torch.use_deterministic_algorithms(True)
torch.use_deterministic_algorithms(False)  # around this one operation
nn.functional.max_unpool1d(pooled, index, 2)

# %% gradient-of-indexing hidden=true
torch.use_deterministic_algorithms(True)  # without it, several CPU threads add in any order
index, factors = torch.randint(50, (100_000,)), torch.randn(100_000)
gradients = []
for _ in range(4):
    rows = torch.zeros(50, requires_grad=True)
    (rows[index] * factors).sum().backward()
    gradients.append(rows.grad)
assert all(torch.equal(gradient, gradients[0]) for gradient in gradients)
torch.use_deterministic_algorithms(False)

# %% one-more-number hidden=true
drawn = []
for extra in (lambda: None, random.random, lambda: torch.rand(())):
    seed_everything(0)
    extra()
    drawn.append(torch.rand(3))
assert torch.equal(drawn[0], drawn[1]) and not torch.equal(drawn[0], drawn[2])

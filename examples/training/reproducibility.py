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

# %% order-of-sums
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

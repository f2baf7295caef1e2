"""Random search over hyperparameters: ranges, budget, seeds, and the winner's luck."""

# %% problem
import random

import torch
from torch import nn

generator = torch.Generator().manual_seed(0)
inputs = torch.randn(600, 6, generator=generator, dtype=torch.float64)
noise = torch.randn(600, generator=generator, dtype=torch.float64)
labels = (inputs[:, 0] * inputs[:, 1] + 0.5 * noise > 0).double()
train_set, val_set = slice(0, 200), slice(200, 600)


def fit(lr, width, weight_decay, seed=0, steps=40):
    """Train, and return the accuracy on the validation set."""
    torch.manual_seed(seed)
    layers = nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 1)
    net = nn.Sequential(*layers).double()
    options = dict(lr=lr, weight_decay=weight_decay)
    optimizer = torch.optim.AdamW(net.parameters(), **options)
    loss_fn = nn.BCEWithLogitsLoss()
    for _ in range(steps):
        optimizer.zero_grad()
        logits = net(inputs[train_set])[:, 0]
        loss_fn(logits, labels[train_set]).backward()
        optimizer.step()
    with torch.no_grad():
        right = (net(inputs[val_set])[:, 0] > 0) == labels[val_set].bool()
    return right.double().mean().item()


# %% search
draws = random.Random(0)


def draw():
    return {
        "lr": 10 ** draws.uniform(-4, 0),  # evenly on a logarithmic scale
        "width": draws.choice([8, 16, 32]),
        "weight_decay": 10 ** draws.uniform(-4, 0),
    }


trials = [(config := draw(), fit(**config)) for _ in range(12)]
trials.sort(key=lambda trial: -trial[1])
for config, accuracy in (*trials[:3], trials[-1]):
    shown = {name: f"{value:.2g}" for name, value in config.items()}
    print(f"{accuracy:.2f}", shown)

# %% grid
from itertools import product

grid = list(product((1e-4, 1e-2, 1), (8, 32), (1e-4, 1)))  # lr, width, decay
print(f"grid of {len(grid)}: {len({lr for lr, *_ in grid})} learning rates")
rates = {config["lr"] for config, _ in trials}
print(f"{len(trials)} draws:   {len(rates)} learning rates")

# %% halving
drawn = [draw() for _ in range(8)]
configs, steps, spent = drawn, 10, 0
while len(configs) > 1:
    configs.sort(key=lambda config: -fit(**config, steps=steps))
    spent += len(configs) * steps
    configs, steps = configs[: len(configs) // 2], 2 * steps
fair = len(drawn) * steps // 2
print(f"{spent} steps instead of {fair}, winner {fit(**configs[0]):.2f}")

# %% seeds
for config, accuracy in trials[:3]:
    again = torch.tensor([fit(**config, seed=seed) for seed in range(1, 5)])
    spread = f"{again.mean():.2f} +- {again.std():.2f}"
    print(f"seed 0: {accuracy:.2f}, four others: {spread}")

# %% curse
right = torch.rand(100, 200, generator=generator) < 0.8  # 100 models, 200 samples
best = right.double().mean(dim=1).max()
print(f"the best of 100 models that are right in 80 %: {best:.2f}")

# %% checks hidden=true
assert fit(**trials[0][0]) == trials[0][1]  # the same seed, the same result
below = sum(10 ** random.Random(seed).uniform(-4, 0) < 1e-2 for seed in range(2000)) / 2000
assert abs(below - 0.5) < 0.05  # half of the draws are below the middle of the exponents
straight = sum(random.Random(seed).uniform(1e-4, 1) < 1e-2 for seed in range(2000)) / 2000
assert straight < 0.03  # evenly between the ends: nearly all are large
for models, lowest in ((10, 0.83), (1000, 0.87)):  # the more are compared, the luckier the best
    luck = (torch.rand(models, 200, generator=generator) < 0.8).double().mean(dim=1).max()
    assert luck > lowest
first = [accuracy for _, accuracy in trials[:3]]
later = [fit(**config, seed=seed) for config, _ in trials[:3] for seed in range(1, 5)]
assert sum(later) / 12 < sum(first) / 3  # chosen for their luck, too

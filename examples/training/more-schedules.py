"""Inverse square root, warmup-stable-decay, and the learning rate of a larger batch."""

# %% schedules
import torch
from torch.optim.lr_scheduler import LambdaLR


def inverse_sqrt(warmup):
    return lambda step: min((step + 1) / warmup, (warmup / (step + 1)) ** 0.5)


def warmup_stable_decay(warmup, total, decay):
    return lambda step: min((step + 1) / warmup, 1.0, (total - step) / decay)


def rates(factor, steps):
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.AdamW([weight], lr=1.0)
    scheduler = LambdaLR(optimizer, factor)
    used = []
    for _ in range(steps):
        used.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return used


stable = warmup_stable_decay(warmup=10, total=100, decay=20)
curves = {
    "inverse square root": rates(inverse_sqrt(warmup=10), 100),
    "warmup-stable-decay": rates(stable, 100),
}
for name, used in curves.items():
    print(name, [round(used[step], 2) for step in (0, 9, 39, 89, 99)])

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(5.6, 2.2), sharey=True, layout="constrained")
for ax, (name, used) in zip(axes, curves.items()):
    ax.plot(used)
    ax.set_title(name, fontsize=10)
    ax.set(xlabel="step", ylim=(0, 1.05))
shorter = rates(warmup_stable_decay(warmup=10, total=60, decay=20), 60)
axes[1].plot(range(40, 60), shorter[40:], color="C1")
axes[0].set_ylabel("lr")

# %% past-the-end
print(f"step 109: {rates(stable, 110)[-1]:.2f}")
print(f"bounded:  {rates(lambda step: max(stable(step), 0.0), 110)[-1]:.2f}")

# %% problem
torch.manual_seed(0)
inputs = torch.randn(2000, 20, dtype=torch.float64)
weight = torch.randn(20, dtype=torch.float64)
targets = inputs @ weight + 3 * torch.randn(2000, dtype=torch.float64)
best = torch.linalg.lstsq(inputs, targets[:, None]).solution[:, 0]
lowest = (inputs @ best - targets).square().mean()


def train(optimizer_class, batch_size, lr, epochs=2):
    """How far the loss is from the lowest there is."""
    torch.manual_seed(0)
    weight = torch.zeros(20, dtype=torch.float64, requires_grad=True)
    optimizer = optimizer_class([weight], lr=lr)
    for _ in range(epochs):
        for rows in torch.randperm(2000).split(batch_size):
            optimizer.zero_grad()
            error = inputs[rows] @ weight - targets[rows]
            error.square().mean().backward()
            optimizer.step()
    with torch.no_grad():
        return ((inputs @ weight - targets).square().mean() - lowest).item()


# %% larger-batch
from torch.optim import SGD, Adam

for optimizer, lr in ((Adam, 0.008), (SGD, 0.0003)):
    name = optimizer.__name__
    print(f"{name:4} batch  4, lr {lr:6}: {train(optimizer, 4, lr):.1f}")
    for factor in (1, 4, 16):
        distance = train(optimizer, 64, lr * factor)
        print(f"{name:4} batch 64, lr x {factor:2}:   {distance:.1f}")

# %% checks hidden=true
best_rates = []
for batch_size in (16, 64, 256):
    tried = {step: train(Adam, batch_size, 0.004 * 2**step) for step in range(6)}
    best_rates.append(min(tried, key=tried.get))
assert best_rates == [2, 3, 4], best_rates  # four times the batch, twice the rate
used = curves["inverse square root"]
assert max(used) == used[9] == 1.0 and abs(used[39] / used[9] - 0.5) < 1e-9
used = curves["warmup-stable-decay"]
assert all(rate == 1.0 for rate in used[9:80]) and used[81] < 1 and abs(used[-1] - 0.05) < 1e-9
assert shorter[:40] == used[:40]  # the long run can be cut short at any step of its plateau
assert rates(lambda step: step / 10, 3)[0] == 0.0  # without + 1 the first step does nothing
assert train(SGD, 1, 0.06) > 1e6 and train(SGD, 64, 0.06) < 10  # a larger batch bears a larger rate,
assert train(SGD, 2000, 1.5, epochs=30) > 1e6  # up to where all of the data diverge, too


# %% from-a-checkpoint hidden=true
def resumed(total, *loaded):
    """Rates of 20 steps after a checkpoint at step 40, on the plateau."""
    weight = torch.nn.Parameter(torch.zeros(1))

    def both(total):
        optimizer = torch.optim.AdamW([weight], lr=1.0)
        return optimizer, LambdaLR(optimizer, warmup_stable_decay(warmup=10, total=total, decay=20))

    def go_on(optimizer, scheduler, steps):
        for _ in range(steps):
            used.append(optimizer.param_groups[0]["lr"])
            optimizer.step()
            scheduler.step()

    used, before = [], both(100)
    go_on(*before, 40)
    after = both(total)
    for one in loaded:  # 0: the optimizer's state, 1: the scheduler's
        after[one].load_state_dict(before[one].state_dict())
    go_on(*after, 20)
    return used[40:]


assert resumed(60, 0, 1) == resumed(60, 1, 0) == shorter[40:] and shorter[40] == 1.0
assert resumed(50, 0, 1)[:2] == [1.0, 0.45]  # less than the decay is left: it drops at once
again = resumed(60, 0)  # without the scheduler's state
assert again[1:9] == sorted(again[1:9]) and again[1] < 0.3 and again[-1] == 1.0

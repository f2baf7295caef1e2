"""What learning rate schedules look like."""

# %% setup
import torch
from torch.optim import lr_scheduler

STEPS = 40


def run(make, lr=1.0, steps=STEPS):
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weight], lr=lr)
    scheduler = make(optimizer)
    rates = []
    for _ in range(steps):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return rates


# %% schedules
def warmup_cosine(optimizer, warmup=5):
    rise = lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=warmup)
    fall = lr_scheduler.CosineAnnealingLR(optimizer, T_max=STEPS - warmup)
    return lr_scheduler.SequentialLR(optimizer, [rise, fall], milestones=[warmup])


schedules = {
    "StepLR": lambda optimizer: lr_scheduler.StepLR(optimizer, step_size=15, gamma=0.3),
    "ExponentialLR": lambda optimizer: lr_scheduler.ExponentialLR(optimizer, gamma=0.93),
    "CosineAnnealingLR": lambda optimizer: lr_scheduler.CosineAnnealingLR(optimizer, T_max=STEPS),
    "SequentialLR": warmup_cosine,
    "OneCycleLR": lambda optimizer: lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=STEPS),
    "CosineAnnealingWarmRestarts": lambda optimizer: lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=10),
}
for name, make in schedules.items():
    rates = run(make)
    print(f"{name:27} first {rates[0]:.3f}  last {rates[-1]:.3f}")

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(3, 2, figsize=(6.0, 4.6), sharex=True, sharey=True)
for ax, (name, make) in zip(axes.flat, schedules.items()):
    ax.plot(run(make))
    ax.set_title(name, fontsize=9)
    ax.set(xticks=(0, STEPS), yticks=(0, 1))
    ax.tick_params(length=0)
fig.supxlabel("step", fontsize=10)
fig.supylabel("lr", fontsize=10)

# %% past-the-end
rates = run(lambda optimizer: lr_scheduler.CosineAnnealingLR(optimizer, T_max=20))
print(f"{rates[0]:.2f} {rates[20]:.2f} {rates[39]:.2f}")

# %% one-cycle-too-long raises="ValueError"
run(schedules["OneCycleLR"], steps=STEPS + 1)

# %% epoch-or-batch
batches_per_epoch = 25
per_batch = run(lambda optimizer: lr_scheduler.ExponentialLR(optimizer, gamma=0.9), steps=batches_per_epoch)
print(f"{per_batch[-1]:.3f}")  # all within the first epoch

# %% plateau
weight = torch.nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([weight], lr=1.0)
scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.1, patience=2)
for epoch, loss in enumerate([5.0, 3.0, 2.0, 2.0, 2.1, 2.0, 2.0, 1.9]):
    scheduler.step(loss)
    print(epoch, loss, scheduler.get_last_lr())

# %% plateau-needs-metric raises="TypeError"
scheduler.step()

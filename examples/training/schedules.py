"""What learning rate schedules look like."""

# %% setup
import torch
from torch.optim import lr_scheduler

STEPS = 40


def run(make, steps=STEPS):
    weight = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([weight], lr=1.0)
    scheduler = make(optimizer)
    rates = []
    for _ in range(steps):
        rates.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return type(scheduler).__name__, rates


# %% schedules
def warmup_cosine(optimizer, warmup=5):
    rise = lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=warmup)
    fall = lr_scheduler.CosineAnnealingLR(optimizer, T_max=STEPS - warmup)
    return lr_scheduler.SequentialLR(optimizer, [rise, fall], milestones=[warmup])


schedules = [
    lambda opt: lr_scheduler.StepLR(opt, step_size=15, gamma=0.3),
    lambda opt: lr_scheduler.ExponentialLR(opt, gamma=0.93),
    lambda opt: lr_scheduler.CosineAnnealingLR(opt, T_max=STEPS),
    warmup_cosine,
    lambda opt: lr_scheduler.OneCycleLR(opt, max_lr=1.0, total_steps=STEPS),
    lambda opt: lr_scheduler.CosineAnnealingWarmRestarts(opt, T_0=10),
]
for make in schedules:
    name, rates = run(make)
    print(f"{name:27} first {rates[0]:.3f}  last {rates[-1]:.3f}")

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(3, 2, figsize=(6.0, 4.6), sharex=True, sharey=True)
for ax, make in zip(axes.flat, schedules):
    name, rates = run(make)
    ax.plot(rates)
    ax.set_title(name, fontsize=9)
    ax.set(xticks=(0, STEPS), yticks=(0, 1))
    ax.tick_params(length=0)
fig.supxlabel("step", fontsize=10)
fig.supylabel("lr", fontsize=10)

# %% past-the-end
_, rates = run(lambda opt: lr_scheduler.CosineAnnealingLR(opt, T_max=20))
print(f"{rates[0]:.2f} {rates[20]:.2f} {rates[39]:.2f}")


# %% one-cycle-too-long raises="ValueError"
def one_cycle(optimizer):
    return lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=STEPS)


run(one_cycle, steps=STEPS + 1)


# %% epoch-or-batch
def decay(optimizer):
    return lr_scheduler.ExponentialLR(optimizer, gamma=0.9)


_, rates = run(decay, steps=25)  # 25 batches, all in the first epoch
print(f"{rates[-1]:.3f}")

# %% plateau
weight = torch.nn.Parameter(torch.zeros(1))
optimizer = torch.optim.SGD([weight], lr=1.0)
scheduler = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.1, patience=2)
for epoch, loss in enumerate([5.0, 3.0, 2.0, 2.0, 2.1, 2.0, 2.0, 1.9]):
    scheduler.step(loss)
    print(epoch, loss, scheduler.get_last_lr())

# %% plateau-needs-metric raises="TypeError"
scheduler.step()

# %% joined-plateau raises="ValueError"
rise = lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=3)
lr_scheduler.SequentialLR(optimizer, [rise, scheduler], milestones=[3])

# %% warmup-then-plateau
optimizer = torch.optim.SGD([weight], lr=1.0)
rise = lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=3)
plateau = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.1, patience=1)
for epoch, loss in enumerate([9.0, 8.0, 7.0, 6.0, 6.0, 6.0, 6.0]):
    print(epoch, loss, f"{optimizer.param_groups[0]['lr']:.1f}")
    optimizer.step()
    if epoch < 3:
        rise.step()
    else:
        plateau.step(loss)


# %% rise-goes-on hidden=true
def rate_after(make_rise):  # the warm-up is stepped to the end, beside plateau
    optimizer = torch.optim.SGD([weight], lr=1.0)
    rise = make_rise(optimizer)
    plateau = lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.1, patience=1)
    for epoch in range(7):
        optimizer.step()
        if epoch >= 3:
            plateau.step(6.0)  # lowers the rate at epoch 5
        rise.step()
    return round(optimizer.param_groups[0]["lr"], 3)


def linear(optimizer):
    return lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=3)


def from_lambda(optimizer):
    return lr_scheduler.LambdaLR(optimizer, lambda epoch: min(1, (epoch + 1) / 4))


assert rate_after(linear) == 0.1 and rate_after(from_lambda) == 1.0

# %% chained-plateau hidden=true
for join in (
    lambda parts: lr_scheduler.SequentialLR(optimizer, parts, milestones=[3]),
    lambda parts: lr_scheduler.ChainedScheduler(parts),
):
    try:
        join([rise, plateau])
    except ValueError as error:
        assert "ReduceLROnPlateau" in str(error)
    else:
        raise AssertionError("joined with ReduceLROnPlateau")


# %% resumed hidden=true
def joined(optimizer):
    low = lr_scheduler.ConstantLR(optimizer, 0.1, total_iters=3)
    wave = lr_scheduler.CosineAnnealingLR(optimizer, 7)
    return lr_scheduler.SequentialLR(optimizer, [low, wave], milestones=[3])


def rates(stop=None):
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.SGD([parameter], lr=1.0)
    scheduler = joined(optimizer)
    found = []
    for step in range(10):
        if step == stop:
            states = optimizer.state_dict(), scheduler.state_dict()
            optimizer = torch.optim.SGD([parameter], lr=1.0)
            scheduler = joined(optimizer)
            optimizer.load_state_dict(states[0])
            scheduler.load_state_dict(states[1])
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        scheduler.step()
    return found


for stop in (1, 3, 4, 6):
    torch.testing.assert_close(rates(stop), rates())


# %% plateau-modes hidden=true
def lowered(values, **options):
    optimizer = torch.optim.SGD([weight], lr=1.0)
    plateau = lr_scheduler.ReduceLROnPlateau(optimizer, patience=2, **options)
    for value in values:
        plateau.step(value)
    return optimizer.param_groups[0]["lr"] < 1


accuracy, still = [0.5, 0.6, 0.7, 0.8, 0.9], [-2.0] * 10
assert lowered(accuracy) and not lowered(accuracy, mode="max")
assert not lowered(still) and lowered(still, threshold_mode="abs")


# %% cycles-momentum hidden=true
def momentum_of(**options):
    optimizer = torch.optim.SGD([weight], lr=0.1)
    lr_scheduler.OneCycleLR(optimizer, max_lr=1.0, total_steps=5, **options)
    return optimizer.param_groups[0]["momentum"]


assert momentum_of() > 0.9 and momentum_of(cycle_momentum=False) == 0
adam = torch.optim.AdamW([weight], lr=0.1)
lr_scheduler.OneCycleLR(adam, max_lr=1.0, total_steps=5)
assert adam.param_groups[0]["betas"][0] == 0.95

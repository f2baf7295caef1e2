"""optimizer.step() first, then scheduler.step()."""

# %% setup
import torch
from torch import nn

net = nn.Linear(2, 1)


def new():
    optimizer = torch.optim.SGD(net.parameters(), lr=0.8)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    return optimizer, scheduler


# %% wrong warns="UserWarning"
optimizer, scheduler = new()
used = []
for epoch in range(6):
    scheduler.step()
    used.append(optimizer.param_groups[0]["lr"])
    optimizer.step()
print(used)

# %% right
optimizer, scheduler = new()
used = []
for epoch in range(6):
    used.append(optimizer.param_groups[0]["lr"])
    optimizer.step()
    scheduler.step()
print(used)

# %% forgotten
optimizer, scheduler = new()
for epoch in range(6):
    optimizer.step()
print(optimizer.param_groups[0]["lr"])

# %% get-lr warns="UserWarning"
print(scheduler.get_lr())

# %% get-last-lr
print(scheduler.get_last_lr())

# %% epoch-argument warns="UserWarning"
scheduler.step(3)

# %% scheduler-before raises="ValueError"
from torch.optim import lr_scheduler


def halved(step):
    return 0.5**step


old, new = nn.Parameter(torch.ones(1)), nn.Parameter(torch.ones(1))
optimizer = torch.optim.SGD([old], lr=1.0)
scheduler = lr_scheduler.LambdaLR(optimizer, halved)
optimizer.add_param_group({"params": [new], "lr": 0.1})
optimizer.step()
scheduler.step()

# %% scheduler-again
scheduler = lr_scheduler.LambdaLR(optimizer, halved)  # with both groups
for _ in range(2):
    optimizer.step()
    scheduler.step()
print(scheduler.get_last_lr())

# %% scheduler-warm-up
optimizer = torch.optim.SGD([old], lr=1.0)
warmup = lr_scheduler.LinearLR(optimizer, start_factor=0.25, total_iters=3)
optimizer.add_param_group({"params": [new], "lr": 0.1})
for _ in range(3):
    optimizer.step()
    warmup.step()
print([f"{rate:.2f}" for rate in warmup.get_last_lr()])

# %% from-the-start
new.requires_grad_(False)
groups = [{"params": [old], "lr": 1.0}, {"params": [new], "lr": 0.1}]
optimizer = torch.optim.AdamW(groups)
scheduler = lr_scheduler.LambdaLR(optimizer, halved)
for step in range(3):
    new.requires_grad_(step == 2)  # unfrozen in the last step
    before = new.item()
    optimizer.zero_grad()
    (old + new).sum().backward()
    optimizer.step()
    scheduler.step()
    print(step, "moved:", new.item() != before, scheduler.get_last_lr())

# %% counter-cases hidden=true
import warnings

for optimizer_class in (torch.optim.SGD, torch.optim.AdamW):
    for make in (
        lambda o: torch.optim.lr_scheduler.StepLR(o, 1),
        lambda o: torch.optim.lr_scheduler.CosineAnnealingLR(o, 10),
        lambda o: torch.optim.lr_scheduler.ReduceLROnPlateau(o, patience=0),
    ):
        weight = torch.nn.Parameter(torch.ones(2))
        optimizer = optimizer_class([weight], lr=0.1)
        scheduler = make(optimizer)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for _ in range(20):
                weight.grad = torch.ones(2)
                optimizer.step()
        assert optimizer.param_groups[0]["lr"] == 0.1

# %% scheduler-checks hidden=true
import math


def after_a_new_group(make):
    old, new = (nn.Parameter(torch.ones(1)) for _ in range(2))
    optimizer = torch.optim.SGD([old], lr=1.0, momentum=0.9)
    scheduler = make(optimizer)
    for step in range(6):
        if step == 3:
            optimizer.add_param_group({"params": [new], "lr": 0.5})
        optimizer.step()
        scheduler.step()
    return scheduler.get_last_lr()


for make in (  # these go on
    lambda o: lr_scheduler.StepLR(o, 2),
    lambda o: lr_scheduler.MultiStepLR(o, [2, 4]),
    lambda o: lr_scheduler.ConstantLR(o, total_iters=4),
    lambda o: lr_scheduler.LinearLR(o, total_iters=5),
    lambda o: lr_scheduler.ExponentialLR(o, 0.9),
    lambda o: lr_scheduler.PolynomialLR(o, 10),
    lambda o: lr_scheduler.CosineAnnealingLR(o, 10),
):
    assert len(after_a_new_group(make)) == 2
for make, kind in (
    (lambda o: lr_scheduler.LambdaLR(o, halved), ValueError),
    (lambda o: lr_scheduler.MultiplicativeLR(o, lambda step: 0.9), ValueError),
    (lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 10), ValueError),
    (lambda o: lr_scheduler.CyclicLR(o, 0.1, 1.0), ValueError),
    (lambda o: lr_scheduler.OneCycleLR(o, 1.0, total_steps=20), KeyError),
):
    try:
        after_a_new_group(make)
    except kind:
        continue
    raise AssertionError("no error")
# in the middle of training: the new scheduler goes on where the old one was
old, new = (nn.Parameter(torch.ones(1)) for _ in range(2))
optimizer = torch.optim.SGD([old], lr=1.0)
scheduler = lr_scheduler.LambdaLR(optimizer, halved)
for _ in range(3):
    optimizer.step()
    scheduler.step()
optimizer.add_param_group({"params": [new], "lr": 0.1, "initial_lr": 0.1})
scheduler = lr_scheduler.LambdaLR(optimizer, halved, last_epoch=scheduler.last_epoch - 1)
assert all(map(math.isclose, scheduler.get_last_lr(), [0.125, 0.0125])) and scheduler.last_epoch == 3


def long_after_a_new_group(make, steps=30):
    optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.0)
    scheduler = make(optimizer)
    optimizer.add_param_group({"params": [nn.Parameter(torch.ones(1))], "lr": 0.5})
    for _ in range(steps):
        optimizer.step()
        scheduler.step(*[1.0] * isinstance(scheduler, lr_scheduler.ReduceLROnPlateau))
    return scheduler.get_last_lr()


for make in (
    lambda o: lr_scheduler.StepLR(o, 2),
    lambda o: lr_scheduler.MultiStepLR(o, [2, 4]),
    lambda o: lr_scheduler.ConstantLR(o, total_iters=4),
    lambda o: lr_scheduler.LinearLR(o, total_iters=5),
    lambda o: lr_scheduler.ExponentialLR(o, 0.9),
    lambda o: lr_scheduler.PolynomialLR(o, 10),
    lambda o: lr_scheduler.ReduceLROnPlateau(o, patience=2),
):
    assert len(long_after_a_new_group(make)) == 2
for make, kind, message in (
    (lambda o: lr_scheduler.CosineAnnealingLR(o, 10), ValueError, "is longer"),
    (lambda o: torch.optim.swa_utils.SWALR(o, 0.05), KeyError, "swa_lr"),
    (lambda o: lr_scheduler.ReduceLROnPlateau(o, patience=2, min_lr=[0.1]), RuntimeError, "param groups"),
    (
        lambda o: lr_scheduler.SequentialLR(o, [lr_scheduler.ConstantLR(o), lr_scheduler.ExponentialLR(o, 0.9)], [5]),
        ValueError,
        "is shorter",
    ),
):
    try:
        long_after_a_new_group(make)
    except kind as error:
        assert message in str(error), error
    else:
        raise AssertionError("no error")


# %% two-never-warn hidden=true
def warned(make, *arguments, first="scheduler"):
    """How many warnings two epochs give, with the steps in this order."""
    optimizer = torch.optim.SGD([nn.Parameter(torch.ones(1))], lr=1.0, momentum=0.9)
    scheduler = make(optimizer)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(2):
            if first == "optimizer":
                optimizer.step()
            scheduler.step(*arguments)
            optimizer.step()
    return len(caught)


for make in (
    lambda o: lr_scheduler.StepLR(o, 2),
    lambda o: lr_scheduler.LambdaLR(o, halved),
    lambda o: lr_scheduler.CosineAnnealingLR(o, 10),
    lambda o: lr_scheduler.OneCycleLR(o, 1.0, total_steps=20),
    lambda o: lr_scheduler.CyclicLR(o, 0.1, 1.0),
):
    assert warned(make) and not warned(make, first="optimizer")
    assert warned(make, 1, first="optimizer")  # the epoch
for make, argument in (
    (lambda o: lr_scheduler.ReduceLROnPlateau(o), 0.5),
    (lambda o: lr_scheduler.CosineAnnealingWarmRestarts(o, 10), 0.5),
):
    assert not warned(make, argument) and not warned(make, argument, first="optimizer")


# %% once-per-epoch hidden=true
def reached(numbers, calls):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=1.0)
    scheduler = lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # the page shows it: the epoch is passed
        for call in range(1, calls + 1):
            optimizer.step()
            scheduler.step(*([call / numbers] if numbers else []))
    return optimizer.param_groups[0]["lr"]


old, once, each = reached(4, 8), reached(None, 2), reached(None, 8)  # two epochs of four batches
assert abs(old - 0.5) < 1e-6 and abs(once - 0.5) < 1e-6 and abs(each - 1.0) < 1e-6
assert abs(reached(1, 8) - each) < 1e-6  # the number of batches was passed: once per batch


# %% resumed hidden=true
def cosine():
    optimizer = torch.optim.SGD(net.parameters(), lr=0.8)
    return optimizer, lr_scheduler.CosineAnnealingLR(optimizer, T_max=20)


def go_on(optimizer, scheduler, steps):
    for _ in range(steps):
        optimizer.step()
        scheduler.step()
    return scheduler.get_last_lr()[0]


optimizer, scheduler = cosine()
go_on(optimizer, scheduler, 12)
saved = optimizer.state_dict(), scheduler.state_dict()
expected = go_on(optimizer, scheduler, 3)
assert abs(go_on(*cosine(), 3) - expected) > 0.1  # a new one counts from 0
resumed = cosine()
for part, state in zip(resumed, saved):
    part.load_state_dict(state)
assert abs(go_on(*resumed, 3) - expected) < 1e-6

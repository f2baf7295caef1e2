"""The learning rate in use is the one in param_groups."""

# %% setup
import torch
from torch import nn

backbone, head = nn.Linear(4, 4), nn.Linear(4, 2)


def new_optimizer():
    groups = [
        {"params": backbone.parameters(), "lr": 0.1},
        {"params": head.parameters(), "lr": 1.0},
    ]
    return torch.optim.SGD(groups)


def rates(optimizer):
    return [float(f"{group['lr']:g}") for group in optimizer.param_groups]


# %% by-hand
optimizer = new_optimizer()
for epoch in range(60):
    if epoch == 30:
        for group in optimizer.param_groups:
            group["lr"] *= 0.1
    if epoch in (29, 30):
        print(epoch, rates(optimizer))

# %% one-value-for-all
optimizer = new_optimizer()
for epoch in range(60):
    for group in optimizer.param_groups:
        group["lr"] = 1.0 * 0.1 ** (epoch // 30)
    if epoch in (29, 30):
        print(epoch, rates(optimizer))

# %% step-lr
optimizer = new_optimizer()
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=30, gamma=0.1)
for epoch in range(60):
    if epoch in (29, 30):
        print(epoch, rates(optimizer))
    optimizer.step()  # an epoch of training
    scheduler.step()
print("get_last_lr()", [float(f"{rate:g}") for rate in scheduler.get_last_lr()])

# %% not-an-attribute
optimizer = new_optimizer()
optimizer.lr = 0.001  # a new attribute that nobody reads
optimizer.defaults["lr"] = 0.001  # for groups added later
print(rates(optimizer))

# %% overwritten
optimizer = new_optimizer()
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.5**epoch)
optimizer.param_groups[0]["lr"] = 0.0003
optimizer.step()
scheduler.step()
print(rates(optimizer))

# %% step-lr-keeps-it hidden=true
optimizer = new_optimizer()
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.1)
optimizer.param_groups[0]["lr"] = 0.0003
optimizer.step()
scheduler.step()
assert rates(optimizer) == [0.00003, 0.1]

# %% counter-cases hidden=true
for in_place, expected in ((True, 0.001), (False, 0.01)):
    shared = [{"params": backbone.parameters()}, {"params": head.parameters()}]
    optimizer = torch.optim.Adam(shared, lr=torch.tensor(0.1))
    for group in optimizer.param_groups:
        if in_place:
            group["lr"] *= 0.1
        else:
            group["lr"] = group["lr"] * 0.1
    assert rates(optimizer) == [expected] * 2

optimizer = new_optimizer()
saved = optimizer.state_dict()
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=30)
optimizer.param_groups[0]["lr"] = 0.0003
assert scheduler.get_last_lr() == [0.1, 1.0]
optimizer.load_state_dict(saved)
assert rates(optimizer) == [0.1, 1.0]
for make in (
    lambda optimizer: torch.optim.lr_scheduler.OneCycleLR(optimizer, 1.0, 10),
    lambda optimizer: torch.optim.lr_scheduler.CyclicLR(optimizer, 0.1, 1.0, cycle_momentum=False),
    lambda optimizer: torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, 10),
):
    optimizer = torch.optim.SGD(backbone.parameters(), lr=0.1, momentum=0.9)
    scheduler = make(optimizer)
    optimizer.param_groups[0]["lr"] = 0.0003
    optimizer.step()
    scheduler.step()
    assert optimizer.param_groups[0]["lr"] > 0.03

# %% not-every-scheduler hidden=true
optimizer = torch.optim.SGD(new_optimizer().param_groups, momentum=0.9)
torch.optim.lr_scheduler.OneCycleLR(optimizer, 1.0, 10)  # one number: the ratio of the groups is lost
assert len(set(rates(optimizer))) == 1

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

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

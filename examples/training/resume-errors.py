"""What an optimizer or a scheduler says when its saved state does not fit."""

# %% size raises="ValueError"
import torch
from torch import nn
from torch.optim import Adam, SGD
from torch.optim.lr_scheduler import LambdaLR, ReduceLROnPlateau, StepLR

old = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
old_optimizer = Adam(old.parameters())
old(torch.ones(4)).sum().backward()
old_optimizer.step()
saved = old_optimizer.state_dict()

model = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2), nn.Linear(2, 2))
optimizer = Adam(model.parameters())
optimizer.load_state_dict(saved)

# %% size-count
for groups in (saved["param_groups"], optimizer.param_groups):
    print([len(group["params"]) for group in groups])

# %% carry-over
old_names = [name for name, _ in old.named_parameters()]
state = optimizer.state_dict()
for number, (name, parameter) in enumerate(model.named_parameters()):
    if name in old_names:
        state["state"][number] = saved["state"][old_names.index(name)]
optimizer.load_state_dict(state)
parameters = optimizer.param_groups[0]["params"]
print("with state:", len(optimizer.state), "of", len(parameters))

# %% carried hidden=true
for name, parameter in old.named_parameters():
    own = optimizer.state[model.get_parameter(name)]
    assert torch.equal(own["exp_avg"], old_optimizer.state[parameter]["exp_avg"])
model(torch.ones(4)).sum().backward()
optimizer.step()
assert len(optimizer.state) == 6

# %% frozen
frozen = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
frozen[0].requires_grad_(False)
some = Adam(p for p in frozen.parameters() if p.requires_grad)
print("filtered:", len(some.param_groups[0]["params"]))
every = Adam(frozen.parameters())  # skips what has no gradient
every.load_state_dict(saved)
print("loaded:", len(every.param_groups[0]["params"]))

# %% frozen-skipped hidden=true
before = frozen[0].weight.clone(), frozen[1].weight.clone()
frozen(torch.ones(4)).sum().backward()
every.step()
assert torch.equal(frozen[0].weight, before[0]) and not torch.equal(frozen[1].weight, before[1])

# %% zeros-not-skipped hidden=true
before = frozen[0].weight.clone()
frozen[0].weight.grad = torch.zeros(4, 4)
every.step()
assert not torch.equal(frozen[0].weight, before)

# %% order raises="RuntimeError"
other_order = Adam([*old[1].parameters(), *old[0].parameters()])
other_order.load_state_dict(saved)  # says nothing
old(torch.ones(4)).sum().backward()
other_order.step()

# %% same-shapes hidden=true
twins = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
forward = Adam(twins.parameters())
twins(torch.tensor([1.0, 3.0])).sum().backward()
forward.step()
swapped = Adam([*twins[1].parameters(), *twins[0].parameters()])
swapped.load_state_dict(forward.state_dict())
assert torch.equal(swapped.state[twins[1].weight]["exp_avg"], forward.state[twins[0].weight]["exp_avg"])
swapped.step()

# %% groups raises="ValueError"
backbone, head = old
optimizer = Adam([{"params": backbone.parameters()}, {"params": head.parameters()}])
optimizer.load_state_dict(saved)

# %% groups-count
print(len(saved["param_groups"]), len(optimizer.param_groups))
optimizer = Adam(old.parameters())
optimizer.load_state_dict(saved)
print("loaded")

# %% added-later
optimizer = Adam(head.parameters())
optimizer.add_param_group({"params": backbone.parameters(), "lr": 1e-4})
later = optimizer.state_dict()

optimizer = Adam(head.parameters())
optimizer.add_param_group({"params": backbone.parameters()})  # before loading
optimizer.load_state_dict(later)
print([group["lr"] for group in optimizer.param_groups])

# %% initial-lr raises="KeyError"
optimizer = SGD(old.parameters(), lr=1.0)
StepLR(optimizer, step_size=2, last_epoch=4)

# %% who-writes-it hidden=true
assert "initial_lr" not in optimizer.param_groups[0]
StepLR(optimizer, step_size=2)
assert optimizer.param_groups[0]["initial_lr"] == 1.0


# %% compare
def start():
    optimizer = SGD(old.parameters(), lr=1.0)
    return optimizer, StepLR(optimizer, step_size=2)


optimizer, scheduler = start()
for epoch in range(4):
    optimizer.step()
    scheduler.step()
states = optimizer.state_dict(), scheduler.state_dict()
print(f"saved:       {optimizer.param_groups[0]['lr']:.3f}")

optimizer, scheduler = start()
optimizer.load_state_dict(states[0])
scheduler.load_state_dict(states[1])
print(f"state_dict:  {optimizer.param_groups[0]['lr']:.3f}")

optimizer = SGD(old.parameters(), lr=1.0)
optimizer.load_state_dict(states[0])  # brings initial_lr
scheduler = StepLR(optimizer, step_size=2, last_epoch=3)  # steps once by itself
print(f"last_epoch:  {optimizer.param_groups[0]['lr']:.3f}", scheduler.last_epoch)


# %% wrong-order
def halve(optimizer):
    return LambdaLR(optimizer, lambda epoch: 0.5**epoch)


optimizer = SGD(old.parameters(), lr=1.0)
scheduler = halve(optimizer)
for epoch in range(3):
    optimizer.step()
    scheduler.step()
states = optimizer.state_dict(), scheduler.state_dict()

for first in ("scheduler", "state"):
    optimizer = SGD(old.parameters(), lr=1.0)
    if first == "scheduler":
        scheduler = halve(optimizer)
    optimizer.load_state_dict(states[0])
    if first == "state":
        scheduler = halve(optimizer)
    scheduler.load_state_dict(states[1])
    print(f"{first:9} first: lr {optimizer.param_groups[0]['lr']}")

# %% until-when hidden=true
from torch.optim.lr_scheduler import LinearLR

for make, recovers in ((halve, True), (LinearLR, False)):
    optimizer = SGD(old.parameters(), lr=1.0)
    scheduler = make(optimizer)
    for _ in range(3):
        optimizer.step()
        scheduler.step()
    resumed = SGD(old.parameters(), lr=1.0)
    resumed.load_state_dict(optimizer.state_dict())
    late = make(resumed)
    late.load_state_dict(scheduler.state_dict())
    for _ in range(2):
        for each in (optimizer, scheduler, resumed, late):
            each.step()
        rates = [each.param_groups[0]["lr"] for each in (optimizer, resumed)]
        assert (abs(rates[0] - rates[1]) < 1e-6) == recovers

# %% plateau raises="TypeError"
ReduceLROnPlateau(optimizer, patience=0, verbose=True)

# %% plateau-print
scheduler = ReduceLROnPlateau(optimizer, patience=0)
for loss in (1.0, 2.0):
    scheduler.step(loss)
    print(loss, f"{scheduler.get_last_lr()[0]:g}")

# %% remedies hidden=true
same_order = Adam([*old[0].parameters(), *old[1].parameters()])
same_order.load_state_dict(saved)
old(torch.ones(4)).sum().backward()
same_order.step()

# %% carried-to-the-wrong-one hidden=true
wide = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4))
whole = Adam(wide.parameters())
wide(torch.ones(4)).square().sum().backward()
whole.step()
for filtered in (False, True):  # the numbers of an optimizer are not those of the model
    few = Adam(list(wide.parameters())[2:] if filtered else wide.parameters())
    state = few.state_dict()
    for number in range(6):
        state["state"][number] = whole.state_dict()["state"][number]
    few.load_state_dict(state)
    own = few.state[wide[1].weight]["exp_avg"], whole.state[wide[1].weight]["exp_avg"]
    assert torch.equal(*own) != filtered


# %% no-scheduler-state hidden=true warns="UserWarning"
def rates(start, steps):
    for _ in range(steps):
        start[0].step()
        start[1].step()
    return start[0].param_groups[0]["lr"]


def anew():
    optimizer = SGD(old.parameters(), lr=1.0)
    return optimizer, LambdaLR(optimizer, lambda epoch: 0.5**epoch)


through = anew()
rates(through, 3)
saved = through[0].state_dict()
expected = rates(through, 2)
for again, right in ((0, False), (3, True)):
    resumed = anew()
    for _ in range(again):
        resumed[1].step()
    resumed[0].load_state_dict(saved)
    assert (rates(resumed, 2) == expected) == right

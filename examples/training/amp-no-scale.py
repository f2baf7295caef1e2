"""GradScaler finds no gradients, or was never asked to scale."""

# %% setup
import torch
from torch import nn

torch.manual_seed(0)
net, other = nn.Linear(2, 1), nn.Linear(2, 1)
inputs = torch.tensor([[1.0, 2.0], [3.0, -1.0]])


def new_scaler():
    return torch.amp.GradScaler("cpu"), torch.optim.SGD(net.parameters(), lr=0.1)


# %% no-gradients raises="AssertionError"
scaler, optimizer = new_scaler()
scaler.scale(other(inputs).mean()).backward()  # not the optimizer's model
scaler.step(optimizer)

# %% which
for group in optimizer.param_groups:
    print([weight.grad for weight in group["params"]])


# %% causes
def cleared(scaler, optimizer):
    scaler.scale(net(inputs).mean()).backward()
    optimizer.zero_grad()  # too early


def frozen(scaler, optimizer):
    net.requires_grad_(False)
    scaler.scale(net(inputs.clone().requires_grad_()).mean()).backward()
    net.requires_grad_(True)


def rebuilt(scaler, optimizer):
    loss = torch.tensor(net(inputs).mean().item(), requires_grad=True)
    scaler.scale(loss).backward()  # a new leaf, no graph


for cause in (cleared, frozen, rebuilt):
    scaler, optimizer = new_scaler()
    optimizer.zero_grad()
    cause(scaler, optimizer)
    try:
        scaler.step(optimizer)
    except AssertionError as error:
        print(f"{cause.__name__:8}{error}")

# %% no-scale raises="AssertionError"
scaler, optimizer = new_scaler()
net(inputs).mean().backward()
scaler.step(optimizer)

# %% no-scale-update raises="AssertionError"
optimizer.step()
scaler.update()

# %% no-scale-unscale raises="AssertionError"
scaler, optimizer = new_scaler()
net(inputs).mean().backward()
scaler.unscale_(optimizer)

# %% forgotten-later
scaler, optimizer = new_scaler()
for step in range(2):
    before = net.bias.item()
    optimizer.zero_grad()
    loss = net(inputs).mean()
    (scaler.scale(loss) if step == 0 else loss).backward()
    scaler.step(optimizer)
    print(f"{step=} the bias moved by {net.bias.item() - before:.5f}")
    scaler.update()

# %% no-step raises="AssertionError"
scaler.scale(net(inputs).mean()).backward()
scaler.update()


# %% twice
def train(extra_step):
    torch.manual_seed(0)
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    scaler = torch.amp.GradScaler("cpu", init_scale=2.0**127)  # overflows at first
    for step in range(4):
        optimizer.zero_grad()
        loss = (net(inputs) ** 2).mean()
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        if extra_step:
            optimizer.step()
        scaler.update()
        yield f"{loss.item():.3f}"


print("once: ", *train(extra_step=False))
print("twice:", *train(extra_step=True))

# %% zeros hidden=true
before = net.weight.detach().clone()
scaler, optimizer = new_scaler()
scaler.scale(net(inputs).mean()).backward()
optimizer.zero_grad(set_to_none=False)
scaler.step(optimizer)
assert torch.equal(net.weight, before)  # no error, no change

# %% remedies hidden=true
scaler, optimizer = new_scaler()
for _ in range(2):
    optimizer.zero_grad()
    scaler.scale(net(inputs).mean()).backward()
    scaler.step(optimizer)
    scaler.update()
scaler, optimizer = torch.amp.GradScaler("cpu", enabled=False), torch.optim.SGD(net.parameters(), lr=0.1)
net(inputs).mean().backward()  # not scaled
scaler.step(optimizer)
scaler.update()

# %% unscaled hidden=true
scaler, optimizer = new_scaler()
optimizer.zero_grad()
scaler.scale(net(inputs).mean()).backward()
scaler.unscale_(optimizer)
scaler.step(optimizer)
scaler.update()


# %% counter-cases hidden=true
def moved(optimizer, scaled=True, cleared=False, **options):
    torch.manual_seed(0)
    net, scaler = nn.Linear(2, 1), torch.amp.GradScaler("cpu")
    optimizer = optimizer(net.parameters(), **options)
    for step in range(2):
        before = net.bias.item()
        optimizer.zero_grad()
        loss = net(inputs).mean()
        (scaler.scale(loss) if scaled or step == 0 else loss).backward()
        if cleared and step == 1:
            optimizer.zero_grad(set_to_none=False)
        scaler.step(optimizer)
        scaler.update()
    return abs(net.bias.item() - before)


for case in (dict(scaled=False), dict(cleared=True)):
    assert moved(torch.optim.SGD, lr=0.1, **case) < 1e-5
    assert moved(torch.optim.SGD, lr=0.1, momentum=0.9, **case) > 0.05
    assert moved(torch.optim.Adam, lr=0.1, **case) > 0.05
scaler, optimizer = new_scaler()
for part in range(2):
    scaler.scale(net(inputs).mean() / 2).backward()
    if part == 1:
        scaler.step(optimizer)
        scaler.update()
for again in (lambda: None, lambda: scaler.scale(net(inputs).mean()).backward()):
    again()
    try:
        scaler.update()
    except AssertionError as error:
        assert "prior to update" in str(error)
    else:
        raise AssertionError("update() without a step raised nothing")

# %% second-step hidden=true
twice = torch.nn.Linear(2, 1)
scaler, optimizer = torch.amp.GradScaler("cpu"), torch.optim.Adam(twice.parameters(), lr=0.1)
scaler.scale(twice(torch.ones(1, 2)).mean()).backward()
scaler.step(optimizer)
scaler.update()
before = twice.bias.item()
scaler.step(optimizer)  # written before a second update(), it runs, and moves the weights again
scaler.update()
assert twice.bias.item() != before

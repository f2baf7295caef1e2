"""SGD, momentum and Nesterov written out, equal to torch.optim."""

# %% by-hand
import torch
from torch import nn


def sgd(weight, gradient, state, lr, momentum=0.0, nesterov=False):
    if momentum:
        state = gradient if state is None else momentum * state + gradient
        gradient = gradient + momentum * state if nesterov else state
    return weight - lr * gradient, state


def loss_fn(weight):  # a ravine: steep in one direction, flat in the other
    return 0.5 * (20 * weight[0] ** 2 + weight[1] ** 2)


# %% equal
VARIANTS = {"SGD": {}, "momentum": dict(momentum=0.9)}
VARIANTS["Nesterov"] = dict(momentum=0.9, nesterov=True)


def by_hand(steps=60, lr=0.04, **options):
    weight = torch.tensor([1.0, 4.0], dtype=torch.float64)
    state, path = None, [weight]
    for _ in range(steps):
        leaf = weight.detach().requires_grad_()
        (gradient,) = torch.autograd.grad(loss_fn(leaf), leaf)
        weight, state = sgd(weight, gradient, state, lr, **options)
        path.append(weight)
    return torch.stack(path)  # (steps + 1, 2)


def by_torch(steps=60, lr=0.04, **options):
    weight = nn.Parameter(torch.tensor([1.0, 4.0], dtype=torch.float64))
    optimizer = torch.optim.SGD([weight], lr=lr, **options)
    path = [weight.detach().clone()]
    for _ in range(steps):
        optimizer.zero_grad()
        loss_fn(weight).backward()
        optimizer.step()
        path.append(weight.detach().clone())
    return torch.stack(path)


for name, options in VARIANTS.items():
    mine, theirs = by_hand(**options), by_torch(**options)
    same = torch.allclose(mine, theirs, rtol=0, atol=1e-12)
    loss = loss_fn(theirs[-1]).item()
    print(f"{name:8} equal: {same}, loss after 60 steps {loss:.0e}")

# %% drawn fold=true
import matplotlib.pyplot as plt

angle = torch.linspace(0, 2 * torch.pi, 100, dtype=torch.float64)
fig, axes = plt.subplots(1, 3, figsize=(6.2, 3.2), sharex=True, sharey=True)
for ax, (name, options) in zip(axes, VARIANTS.items()):
    for loss in (0.1, 0.5, 2, 4, 8):  # where loss_fn has this value: an ellipse
        width, height = (loss / 10) ** 0.5, (loss * 2) ** 0.5
        ax.plot(width * angle.cos(), height * angle.sin(), "C0", linewidth=0.8)
    path = by_hand(**options)
    ax.plot(*path[:31].T, "o-", color="C1", markersize=2.5, linewidth=1)
    ax.plot(0, 0, "*", color="C3", markersize=10)
    ax.set_title(name, fontsize=10)
    ax.set(xticks=[-1, 0, 1], yticks=[-2, 0, 2, 4])


# %% textbook
def torch_sgd(rates):
    weight = nn.Parameter(torch.tensor(0.0))
    optimizer = torch.optim.SGD([weight], lr=rates[0], momentum=0.9)
    for rate in rates:
        optimizer.param_groups[0]["lr"] = rate
        weight.grad = torch.tensor(1.0)  # always the same gradient
        optimizer.step()
    return weight.item()


def textbook(rates):
    weight = velocity = 0.0
    for rate in rates:
        velocity = 0.9 * velocity + rate * 1.0
        weight -= velocity
    return weight


schedules = {
    "constant": [0.1] * 10,
    "lowered": [0.1] * 5 + [0.01] * 5,
    "raised": [0.01] * 5 + [0.1] * 5,
}
for name, rates in schedules.items():
    pytorch, book = torch_sgd(rates), textbook(rates)
    print(f"{name:8}  PyTorch {pytorch:.2f}  textbook {book:.2f}")

# %% effective-rate
path = [0.0] + [torch_sgd([0.1] * count) for count in range(1, 61)]
steps = [before - after for before, after in zip(path, path[1:])]
print("steps 1, 2, 3, 11 and 60:", [round(steps[i], 2) for i in (0, 1, 2, 10, 59)])

# %% nesterov-error raises="ValueError"
torch.optim.SGD([nn.Parameter(torch.zeros(1))], lr=0.1, nesterov=True)

# %% claims hidden=true
for name, options in VARIANTS.items():
    for rates in schedules.values():  # the five lines agree with a changing rate, too
        weight, state = torch.tensor([1.0, 4.0], dtype=torch.float64), None
        theirs = nn.Parameter(weight.clone())
        optimizer = torch.optim.SGD([theirs], lr=1.0, **options)
        for rate in rates:
            optimizer.param_groups[0]["lr"] = rate / 4
            optimizer.zero_grad()
            loss_fn(theirs).backward()
            weight, state = sgd(weight, theirs.grad.clone(), state, rate / 4, **options)
            optimizer.step()
        assert torch.allclose(weight, theirs, rtol=0, atol=1e-12)
torch.optim.SGD([weight.clone().requires_grad_()], lr=0.1, momentum=0.9, nesterov=True)

# %% cleared-in-place hidden=true
for keep, equal in ((lambda gradient: gradient, False), (torch.clone, True)):
    weight, state = torch.tensor([1.0, 4.0], dtype=torch.float64, requires_grad=True), None
    for _ in range(3):
        if weight.grad is not None:
            weight.grad.zero_()
        loss_fn(weight).backward()
        with torch.no_grad():
            moved, state = sgd(weight, keep(weight.grad), state, 0.04, momentum=0.9)
            weight.copy_(moved)
    assert torch.allclose(weight.detach(), by_torch(steps=3, momentum=0.9)[-1], rtol=0, atol=1e-12) is equal

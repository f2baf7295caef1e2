"""weight_decay: Adam adds it to the gradient (L2), AdamW shrinks the weight (decoupled)."""

# %% one-step
import torch
from torch import nn


def step(optimizer_class, gradient, start=10.0, **options):
    weight = nn.Parameter(torch.tensor(start))
    optimizer = optimizer_class([weight], lr=0.1, weight_decay=0.5, **options)
    weight.grad = torch.tensor(gradient)
    optimizer.step()
    return round(weight.item(), 4)


for optimizer_class in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW):
    without, along = step(optimizer_class, 0.0), step(optimizer_class, 100.0)
    name = optimizer_class.__name__
    print(f"{name:5} gradient 0: {without:4}  gradient 100: {along}")

# %% l2-or-decay
scale = torch.tensor([0.1, 1.0])  # a flat direction and a steep one


def train(name, penalty=0.0, **options):
    weights = nn.Parameter(torch.tensor([4.0, 1.0], dtype=torch.float64))
    optimizer = getattr(torch.optim, name)([weights], lr=0.1, **options)
    for _ in range(300):
        loss = (scale * (weights - 2) ** 2).sum()
        loss = loss + penalty / 2 * weights.square().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return [round(weight, 3) for weight in weights.tolist()]


for name in ("SGD", "Adam", "AdamW"):
    decayed = train(name, weight_decay=0.5)
    penalized = train(name, penalty=0.5, weight_decay=0.0)
    print(f"{name:5} weight_decay {decayed}  L2 in the loss {penalized}")

# %% decoupled
print(step(torch.optim.Adam, 100.0, decoupled_weight_decay=True))
for optimizer_class in (torch.optim.Adam, torch.optim.AdamW):
    weight = nn.Parameter(torch.ones(()))
    optimizer = optimizer_class([weight])
    print(optimizer_class.__name__, optimizer.defaults["weight_decay"])


# %% decay-alone
def decay(optimizer_class, steps=60):
    weights = nn.Parameter(torch.tensor([4.0, 1.0]))
    optimizer = optimizer_class([weights], lr=0.1, weight_decay=0.5)
    path = []
    for _ in range(steps):
        path.append(weights.detach().clone())
        weights.grad = torch.zeros(2)  # nothing but the decay
        optimizer.step()
    return torch.stack(path)  # (steps, 2)


paths = {name: decay(getattr(torch.optim, name)) for name in ("Adam", "AdamW")}
for name, path in paths.items():
    after = [round(weight, 2) for weight in path[5].tolist()]
    print(f"{name:5} after 5 steps", after)

# %% decay-drawn fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(6.0, 2.6), sharey=True)
for ax, (name, path) in zip(axes, paths.items()):
    ax.plot(path)
    ax.set_title(name, fontsize=10)
    ax.set_xlabel("step")
    ax.grid()
axes[0].set_ylabel("weight")

# %% bfloat16 hidden=true
for dtype, decays in ((torch.float32, True), (torch.bfloat16, False)):
    weight = nn.Parameter(torch.ones(4, dtype=dtype))
    optimizer = torch.optim.AdamW([weight], lr=1e-2, weight_decay=0.1)
    for _ in range(100):
        weight.grad = torch.zeros_like(weight)
        optimizer.step()
    assert (weight < 0.95).all() == decays and decays != (weight == 1).all()

# %% with-momentum hidden=true
weights, velocity = torch.tensor([4.0, 1.0], dtype=torch.float64), 0.0
for _ in range(3000):  # SGD with momentum, its decay decoupled
    velocity = 0.9 * velocity + 2 * scale * (weights - 2)
    weights = weights * (1 - 0.01 * 0.5) - 0.01 * velocity
penalized = torch.tensor(train("SGD", penalty=0.5, momentum=0.9))
assert torch.equal(penalized, torch.tensor(train("SGD", weight_decay=0.5, momentum=0.9)))
assert (weights - penalized).abs().min() > 0.3

"""Layers chosen from a configuration: number, sizes and kinds."""

# %% sizes
import torch
from torch import nn


def mlp(sizes, activation=nn.ReLU):
    layers = []
    for fan_in, fan_out in zip(sizes, sizes[1:]):
        layers += [nn.Linear(fan_in, fan_out), activation()]
    return nn.Sequential(*layers[:-1])  # none after the last


print(mlp([4, 32, 16, 2]))

# %% registry
ACTIVATIONS = {"relu": nn.ReLU, "gelu": nn.GELU, "leaky_relu": nn.LeakyReLU}
config = {"sizes": [4, 8, 2], "activation": "gelu"}


def build(sizes, activation):
    if activation not in ACTIVATIONS:
        raise ValueError(f"{activation!r} is none of {sorted(ACTIVATIONS)}")
    return mlp(sizes, ACTIVATIONS[activation])


net = build(**config)
print([type(layer).__name__ for layer in net])

# %% shared-activation
one = nn.PReLU()
shared = mlp([4, 8, 8, 2], activation=lambda: one)
own = mlp([4, 8, 8, 2], activation=nn.PReLU)
for name, made in (("one instance", shared), ("a class     ", own)):
    slopes = {id(layer.weight) for layer in made if isinstance(layer, nn.PReLU)}
    print(f"{name} {len(slopes)} learned slopes")

# %% getattr raises="AttributeError"
getattr(nn, "relu")()

# %% registry-error raises="ValueError"
build(sizes=[4, 8, 2], activation="swish")

# %% registry-right
print(type(build(sizes=[4, 8, 2], activation="leaky_relu")[1]).__name__)


# %% heads
class Tasks(nn.Module):
    def __init__(self, features, outputs):
        super().__init__()
        heads = {task: nn.Linear(features, n) for task, n in outputs.items()}
        self.heads = nn.ModuleDict(heads)

    def forward(self, hidden, task):
        return self.heads[task](hidden)


tasks = Tasks(8, {"color": 5, "size": 3})
hidden = torch.randn(2, 8)
for task in tasks.heads:
    print(task, tuple(tasks(hidden, task).shape))
print(list(tasks.state_dict()))

# %% unknown-head raises="KeyError"
tasks(hidden, "weight")

# %% add-head
tasks.heads["weight"] = nn.Linear(8, 1)
print(tuple(tasks(hidden, "weight").shape))

# %% optimizer-misses
optimizer = torch.optim.SGD(tasks.parameters(), lr=0.1)
tasks.heads["price"] = nn.Linear(8, 1)
before = tasks.heads["price"].bias.item()
tasks(hidden, "price").sum().backward()
optimizer.step()
print("trained:", tasks.heads["price"].bias.item() != before)
optimizer.add_param_group({"params": tasks.heads["price"].parameters()})
optimizer.step()
print("added:  ", tasks.heads["price"].bias.item() != before)


# %% depth
class Residual(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        blocks = [mlp([width, width, width]) for _ in range(depth)]
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x, depth=None):
        for block in self.blocks[:depth]:
            x = x + block(x)
        return x


print(tuple(Residual(8, depth=6)(hidden, depth=2).shape))

# %% save
import io

file = io.BytesIO()
torch.save({"config": config, "weights": net.state_dict()}, file)
file.seek(0)
checkpoint = torch.load(file)
print(build(**checkpoint["config"]).load_state_dict(checkpoint["weights"]))

# %% remedies hidden=true
assert isinstance(getattr(nn, "ReLU")(), nn.ReLU)
assert isinstance(build([4, 8, 2], "relu")[1], nn.ReLU)

# %% head-of-a-double-model hidden=true
tasks.double()
hidden = hidden.double()
tasks.heads["late"] = nn.Linear(8, 1)
try:
    tasks(hidden, "late")
except RuntimeError:
    tasks.heads["late"].to(hidden)
    tasks(hidden, "late")
else:
    raise AssertionError("a new head takes the dtype of the model")
try:
    torch.optim.SGD(tasks.parameters(), lr=0.1).load_state_dict(optimizer.state_dict())
except ValueError as error:
    assert "parameter groups" in str(error)
else:
    raise AssertionError("one group takes the state of two")

# %% head-under-autocast hidden=true
for model in (Tasks(8, {"color": 5}), Tasks(8, {"color": 5}).double(), Tasks(8, {"color": 5}).to("meta")):
    like = model.heads["color"].weight
    with torch.autocast("cpu", dtype=torch.bfloat16):
        made = nn.Linear(8, 1).to(like)
    assert (made.weight.dtype, made.weight.device) == (like.dtype, like.device)
with torch.autocast("cpu", dtype=torch.bfloat16):
    activations = nn.Linear(8, 8)(torch.randn(2, 8))
assert nn.Linear(8, 1).to(activations).weight.dtype == torch.bfloat16

# %% another-activation hidden=true
saved = mlp([4, 8, 2], nn.SiLU)
for activation, same in ((nn.LeakyReLU, False), (nn.SiLU, True)):
    again = mlp([4, 8, 2], activation)
    again.load_state_dict(saved.state_dict())  # no error either way
    assert torch.allclose(again(torch.ones(1, 4)), saved(torch.ones(1, 4))) == same

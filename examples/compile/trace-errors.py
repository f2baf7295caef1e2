"""What tracing cannot take: a weight from outside, a length as a number."""

# %% constant raises="RuntimeError"
import torch
from torch import fx, nn

scale = torch.tensor([2.0, 3.0], requires_grad=True)
x = torch.ones(2)
torch.jit.trace(lambda x: x * scale, x)


# %% module
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor([2.0, 3.0]))

    def forward(self, x):
        return x * self.scale


print("parameter:", torch.jit.trace(Scaled(), x)(x).tolist())
traced = torch.jit.trace(lambda x, scale: x * scale, (x, scale))
print("input:    ", traced(x, scale).tolist())

# %% detach
ways = {"inside": lambda x: x * scale.detach(), "data": lambda x: x * scale.data}
fixed = scale.detach()
ways["before"] = lambda x: x * fixed
for name, function in ways.items():
    try:
        print(f"{name:7}", torch.jit.trace(function, x)(x).tolist())
    except RuntimeError as error:
        print(f"{name:7}", str(error).split(". ")[0])


# %% list raises="RuntimeError"
class Stack(nn.Module):
    def __init__(self, container):
        super().__init__()
        self.layers = container([nn.Linear(2, 2), nn.ReLU()])
        nn.init.ones_(self.layers[0].weight)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


torch.jit.trace(Stack(list), x)

# %% module-list
print(tuple(torch.jit.trace(Stack(nn.ModuleList), x)(x).shape))


# %% range raises="TypeError"
class Steps(nn.Module):
    def forward(self, x):  # (time, features)
        total = x[0] * 0
        for t in range(x.shape[0]):
            total = total * 0.5 + x[t]
        return total


fx.symbolic_trace(Steps())


# %% fixed-steps
class FixedSteps(nn.Module):
    def __init__(self, steps):
        super().__init__()
        self.steps = steps

    def forward(self, x):
        total = x[0] * 0
        for t in range(self.steps):
            total = total * 0.5 + x[t]
        return total


sequence = torch.ones(3, 2)
print("nodes:", len(fx.symbolic_trace(FixedSteps(3)).graph.nodes))
print("fx:    ", fx.symbolic_trace(FixedSteps(3))(sequence))
print("export:", torch.export.export(Steps(), (sequence,)).module()(sequence))

# %% export hidden=true
plain = Stack(list)
program = torch.export.export(plain, (x,))
assert torch.allclose(program.module()(x), plain(x))
assert not list(plain.parameters())
with torch.no_grad():
    try:
        torch.jit.trace(plain, x)
    except RuntimeError as error:
        assert "requires grad as a constant" in str(error)
    else:
        raise AssertionError("no_grad() is enough now")

# %% longer hidden=true
longer = torch.cat([sequence, 9 * sequence])
assert torch.equal(fx.symbolic_trace(FixedSteps(3))(longer), torch.full((2,), 1.75))
try:
    torch.export.export(Steps(), (sequence,)).module()(longer)
except (AssertionError, RuntimeError):
    pass
else:
    raise AssertionError("the exported program takes another length")

# %% cut-off hidden=true
base = torch.tensor([1.0, 2.0], requires_grad=True)
made = nn.Parameter(2 * base)
made.sum().backward()
assert made.grad is not None and base.grad is None  # base is trained no more


class Keeps(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer, self.state = nn.Linear(2, 2), torch.zeros(2)

    def forward(self, x):
        self.state = self.layer(x) + self.state
        return self.state


keeps = Keeps()
keeps(x)
net = nn.Linear(2, 2)
for traced in (keeps, lambda x: net(x)):
    try:
        torch.jit.trace(traced, x)
    except RuntimeError as error:
        assert "requires grad as a constant" in str(error), error
    else:
        raise AssertionError(traced)
net.requires_grad_(False)
assert torch.allclose(torch.jit.trace(lambda x: net(x), x)(x), net(x))

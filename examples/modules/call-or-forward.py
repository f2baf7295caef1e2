"""model(x) runs forward and what was attached to the model; model.forward(x) skips the rest."""

# %% hooks
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 2)
net.register_forward_hook(lambda module, args, output: print("  hook"))
x = torch.randn(3, 4)

print("net(x)")
called = net(x)
print("net.forward(x)")
direct = net.forward(x)
print("same output:", torch.equal(called, direct))

# %% replaced
net = nn.Linear(4, 2)
net.register_forward_hook(lambda module, args, output: output * 100)
print(f"net(x)         {net(x).abs().mean():.2f}")
print(f"net.forward(x) {net.forward(x).abs().mean():.2f}")

# %% pruned
from torch.nn.utils import prune

layer = prune.l1_unstructured(nn.Linear(4, 1, bias=False), "weight", amount=2)
with torch.no_grad():
    layer.weight_orig.mul_(10)  # as an optimizer's step changes it
ones = torch.ones(4)
print(f"layer.forward(x) {layer.forward(ones).item():.3f}  (before the step)")
print(f"layer(x)         {layer(ones).item():.3f}")


# %% compiled
class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return self.layer(x).softmax(dim=1)


graphs = []


def backend(graph, example_inputs):  # called once for each graph to compile
    graphs.append(graph)
    return graph.forward


net = Classifier()
net.compile(backend=backend)
net.forward(x)
print("graphs after net.forward(x):", len(graphs))
net(x)
print("graphs after net(x):        ", len(graphs))

# %% lazy raises="ValueError"
head = nn.LazyLinear(2)
head.forward(x)

# %% lazy-called
print("output:", tuple(head(x).shape), "in_features:", head.in_features)


# %% super-forward
class Scaled(Classifier):
    def forward(self, x):
        return 10 * super().forward(x)  # the parent's code, not another module


sums = Scaled()(x).sum(dim=1)
print("rows sum to:", [f"{value:.2f}" for value in sums.tolist()])


# %% forgot-self raises="TypeError"
class Net(nn.Module):
    def forward(x):  # no self
        return x * 2


Net()(x)


# %% with-self
class Net(nn.Module):
    def forward(self, x):
        return x * 2


print("Net()(x):", tuple(Net()(x).shape))

# %% class-called raises="TypeError"
Net(x)

# %% created
net = Net()
print("net(x):", tuple(net(x).shape))

# %% missing-argument raises="TypeError"
Net()()


# %% both-inputs
class Masked(nn.Module):
    def forward(self, x, mask):
        return x * mask


print("net(x, mask):", tuple(Masked()(x, x > 0).shape))

# %% layers-inside hidden=true
inside = nn.Sequential(nn.Linear(4, 2))
ran = []
inside[0].register_forward_hook(lambda *args: ran.append("inside"))
inside.register_forward_hook(lambda *args: ran.append("outside"))
inside.forward(x)
assert ran == ["inside"]
graphs.clear()
torch.compiler.reset()
torch.compile(Classifier(), backend=backend).forward(x)
assert len(graphs) == 1

# %% counter-cases hidden=true
layers = nn.Linear(4, 4), nn.Conv1d(3, 2, 1), nn.LSTM(4, 2), nn.LayerNorm(4)
for layer in layers:  # with nothing attached, both do the same
    called, direct = layer(x), layer.forward(x)
    if isinstance(called, tuple):
        called, direct = called[0], direct[0]
    assert torch.equal(called, direct)
for register in ("register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook"):
    ran = []
    layer = nn.Linear(4, 2)
    getattr(layer, register)(lambda *args: ran.append(register))
    layer.forward(x.clone().requires_grad_()).sum().backward()
    assert not ran
    layer(x.clone().requires_grad_()).sum().backward()
    assert ran

# %% class-asked hidden=true
try:
    Net.forward(x)
except TypeError as error:
    assert "missing 1 required positional argument: 'x'" in str(error)
else:
    raise AssertionError("no object")


# %% init-misspelled hidden=true
class Misspelled(nn.Module):
    def _init_(self, size):
        super().__init__()
        self.layer = nn.Linear(size, 2)


try:
    Misspelled(3)
except TypeError as error:
    assert "__init__() takes 1 positional argument but 2 were given" in str(error)
else:
    raise AssertionError

"""Saving and loading a model that is compiled."""

# %% wrapped
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)

    def forward(self, x):
        return self.fc(x).tanh()


torch.manual_seed(0)
net = Net()
compiled = torch.compile(net, backend="eager")
print(type(compiled).__name__, list(compiled.state_dict()))
print(type(net).__name__, list(net.state_dict()))

# %% fails raises="RuntimeError"
Net().load_state_dict(compiled.state_dict())

# %% save-the-model
import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "weights.pt"
batch = torch.ones(4, 2)
optimizer = torch.optim.SGD(compiled.parameters(), lr=0.1)
compiled(batch).mean().backward()
optimizer.step()  # trains net: the parameters are the same
torch.save(net.state_dict(), path)

fresh = Net()
print(fresh.load_state_dict(torch.load(path)))
print("same output:", torch.equal(fresh(batch), compiled(batch)))


# %% in-place
def counting(graph_module, example_inputs):
    print("compiling")
    return graph_module.forward


torch.compiler.reset()
fresh = Net()
fresh.compile(backend=counting)  # changes fresh, returns nothing
print(type(fresh).__name__, list(fresh.state_dict()))
out = fresh(batch)

# %% load-into-compiled
print(fresh.load_state_dict(torch.load(path)))
print("same output:", torch.equal(fresh(batch), net(batch)))

# %% sequential
torch.compiler.reset()
layers = nn.Sequential(nn.Linear(2, 3), nn.Tanh())
layers.compile(backend=counting)
layers(batch)
print("Sequential: called")

nested = nn.Sequential(Net())
nested.compile(backend=counting)
nested(batch)
print("Sequential of Net: called")

# %% wrap-sequential
out = torch.compile(layers, backend=counting)(batch)

# %% class-is-lost
print(isinstance(compiled, Net), isinstance(fresh, Net))

# %% assigned hidden=true
torch.compiler.reset()
other = Net()
late = Net()
late.compile(backend="eager")
late(batch)
late.load_state_dict(other.state_dict(), assign=True)
assert torch.equal(late(batch), other(batch))

# %% classes-of-nn hidden=true
compilations = []


def counted(graph_module, example_inputs):
    compilations.append(1)
    return graph_module.forward


torch.compiler.reset()
for layer, inputs in ((nn.Linear(2, 2), (3, 2)), (nn.LSTM(2, 2), (3, 1, 2))):
    layer.compile(backend=counted)
    layer(torch.ones(inputs))
newer = torch.__version__.split(".")[:2] >= ["2", "14"]
assert bool(compilations) is newer

# %% pickled hidden=true
model = Net()
model.compile(backend="eager")
model(batch)
whole = path.with_name("whole.pt")
torch.save(model, whole)
assert torch.load(whole, weights_only=False)._compiled_call_impl is None


# %% reaches hidden=true
inner = nn.Sequential(Net())
outer = torch.compile(inner, backend="eager")
outer.eval()
assert not inner.training and outer.to(torch.float64) is outer
assert inner[0].fc.weight.dtype == torch.float64 and outer._orig_mod[0] is inner[0]
try:
    outer[0]
except TypeError as error:
    assert "not subscriptable" in str(error)
else:
    raise AssertionError

# %% load-inside hidden=true
weights = Net().state_dict()
net.load_state_dict(weights)
assert torch.equal(compiled(batch), net(batch)) and torch.equal(net.fc.weight, weights["fc.weight"])
try:
    compiled.load_state_dict(weights)
except RuntimeError as error:
    assert 'Missing key(s) in state_dict: "_orig_mod.fc.weight"' in str(error)
else:
    raise AssertionError

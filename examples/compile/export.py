"""torch.export: a whole graph, sizes that may vary, a file that needs no class."""

# %% graph
import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(x).relu()


torch.manual_seed(0)
net = Classifier().eval()
example = torch.randn(4, 3)
program = torch.export.export(net, (example,))
print(program.graph)

# %% signature
print(program.graph_signature)

# %% run
exported = program.module()
print("same output:", torch.equal(exported(example), net(example)))

# %% fixed raises="AssertionError"
exported(torch.randn(5, 3))

# %% dynamic
from torch.export import Dim

shapes = {"x": {0: Dim("batch", min=1, max=64)}}
program = torch.export.export(net, (example,), dynamic_shapes=shapes)
print(list(program.range_constraints.values()))
for size in (1, 5, 64):
    print(tuple(program.module()(torch.randn(size, 3)).shape))

# %% too-many raises="AssertionError"
program.module()(torch.randn(65, 3))

# %% quiet fold=true
import logging
from contextlib import redirect_stderr
from io import StringIO

torch._logging.set_logs(dynamic=logging.CRITICAL)


# %% branch raises="torch.fx.experimental.symbolic_shapes.GuardOnDataDependentSymNode"
class Gate(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x.sin()
        return x.cos()


with redirect_stderr(StringIO()):  # PyTorch also prints the graph so far
    torch.export.export(Gate(), (example,))


# %% cond
class Gate(nn.Module):
    def forward(self, x):
        return torch.cond(x.sum() > 0, torch.sin, torch.cos, (x,))


gate = torch.export.export(Gate(), (example,)).module()
x = torch.ones(4, 3)
print(torch.equal(gate(x), x.sin()), torch.equal(gate(-x), (-x).cos()))

# %% file
import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "classifier.pt2"
torch.export.save(program, path)
del Classifier  # the file holds the graph and the weights

loaded = torch.export.load(path)
print("same output:", torch.equal(loaded.module()(example), net(example)))
print(list(loaded.state_dict))

# %% eval raises="NotImplementedError"
loaded.module().eval()

# %% mode-is-baked-in
for training in (True, False):
    baked = torch.export.export(nn.Dropout(0.5).train(training), (example,))
    calls = [node for node in baked.graph.nodes if node.op == "call_function"]
    print(f"{training=}", [node.args for node in calls])

# %% no-limit hidden=true
linear = nn.Sequential(nn.Linear(3, 2))
any_size = {"input": {0: Dim("batch")}}
unlimited = torch.export.export(linear, (example,), dynamic_shapes=any_size)
assert unlimited.module()(torch.randn(65, 3)).shape == (65, 2)

# %% mode-of-batchnorm hidden=true
norm = nn.Sequential(nn.BatchNorm1d(3))
for training in (True, False):
    frozen = torch.export.export(norm.train(training), (example,)).module()
    before = frozen.state_dict()["0.running_mean"].clone()
    frozen(example + 5)
    after = frozen.state_dict()["0.running_mean"]
    assert torch.equal(before, after) is not training


# %% where hidden=true
class Chooses(nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x.sin(), x.cos())


chooses = torch.export.export(Chooses(), (example,)).module()
for scale in (1.0, -1.0, 0.0):
    x = torch.full((4, 3), scale)
    assert torch.equal(chooses(x), Chooses()(x))

# %% weights-of-the-model hidden=true
assert exported.fc.weight.data_ptr() == net.fc.weight.data_ptr() != loaded.module().fc.weight.data_ptr()


# %% results hidden=true
from collections import namedtuple


class Results(nn.Module):
    def __init__(self, make):
        super().__init__()
        self.make = make

    def forward(self, x):
        return self.make(x)


Pair = namedtuple("Pair", "one other")
for make, fits in ((lambda x: {"a": [x * 2, (x + 1, x.shape[0])]}, True), (lambda x: Pair(x, x + 1), False)):
    results = torch.export.export(Results(make), (example,))
    try:
        torch.export.save(results, path)
    except NotImplementedError as error:
        assert not fits and "Can't serialize TreeSpec of namedtuple class" in str(error), error
    else:
        assert fits and torch.export.load(path).module()(example)["a"][1][1] == len(example)

# %% minimum hidden=true
for minimum in (2, 3):
    few = torch.export.export(linear, (example,), dynamic_shapes={"input": {0: Dim("batch", min=minimum)}})
    try:
        few.module()(torch.randn(1, 3))
    except AssertionError as error:
        assert minimum == 3 and "Guard failed" in str(error)
    else:
        assert minimum == 2

# %% string hidden=true
torch.export.save(torch.export.export(Results(lambda x: (x * 2, "a")), (example,)), path)
logging.disable(logging.CRITICAL)
try:
    torch.export.load(path)
except RuntimeError as error:
    assert "error when deserializing" in str(error)
else:
    raise AssertionError("a string was loaded")
logging.disable(logging.NOTSET)


# %% one-example-twice hidden=true
class Minus(nn.Module):
    def forward(self, a, b):
        return a - b


first, second = torch.ones(4, 3), torch.zeros(4, 3)
for other, right in ((example, False), (example.clone(), True)):
    minus = torch.export.export(Minus(), (example, other)).module()
    assert torch.equal(minus(first, second), Minus()(first, second)) is right

# %% example-in-file hidden=true
images = torch.randn(100, 3)
for given, rows in ((images[:2], 100), (images[:2].clone(), 2)):
    torch.export.save(torch.export.export(linear, (given,)), path)
    (kept,), _ = torch.export.load(path).example_inputs
    assert torch.equal(kept, given) and kept.untyped_storage().nbytes() == 12 * rows

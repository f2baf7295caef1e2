"""torch.fx: a model as a list of nodes, to read and to change."""

# %% graph
import torch
from torch import fx, nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return torch.relu(self.fc(x)) + x


torch.manual_seed(0)
net = Block()
traced = fx.symbolic_trace(net)
for node in traced.graph.nodes:
    target = getattr(node.target, "__name__", node.target)
    print(f"{node.op:14} {node.name:7} {target:7} {node.args}")

# %% code
print(traced.code)
x = torch.randn(2, 3)
print("same output:", torch.equal(traced(x), net(x)))

# %% replace
for node in traced.graph.nodes:
    if node.target is torch.relu:
        node.target = nn.functional.gelu
print("before recompile():", torch.equal(traced(x), net(x)))
traced.graph.lint()  # checks the graph
traced.recompile()  # writes forward() anew
print("after: ", torch.equal(traced(x), nn.functional.gelu(net.fc(x)) + x))

# %% insert
for node in list(traced.graph.nodes):
    if node.target is nn.functional.gelu:
        with traced.graph.inserting_after(node):
            scaled = traced.graph.call_function(torch.mul, (node, 0.5))
        node.replace_all_uses_with(scaled, lambda user: user is not scaled)
traced.recompile()
print(traced.code)


# %% interpreter
class Watch(fx.Interpreter):
    def run_node(self, node):
        out = super().run_node(node)
        if isinstance(out, torch.Tensor):  # not a tuple, not a size
            print(f"{node.name:7} {(*out.shape,)} finite: {out.isfinite().all()}")
        return out


Watch(traced).run(torch.tensor([[0.0, 1.0, torch.inf]]))


# %% branch raises="torch.fx.proxy.TraceError"
class Gate(nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            return x.sin()
        return x.cos()


fx.symbolic_trace(Gate())


# %% leaf
class KeepsGates(fx.Tracer):
    def is_leaf_module(self, module, name):
        return isinstance(module, Gate) or super().is_leaf_module(module, name)


model = nn.Sequential(nn.Linear(3, 3), Gate())
graph = KeepsGates().trace(model)
print(fx.GraphModule(model, graph).code)


# %% frozen
class Noise(nn.Module):
    def forward(self, x):
        if self.training:
            x = x * 0
        return x + 1


noise = fx.symbolic_trace(Noise().train()).eval()
print(noise(torch.ones(2)))

# %% by-hand
graph = fx.Graph()
tracer = fx.proxy.GraphAppendingTracer(graph)
x = fx.Proxy(graph.placeholder("x"), tracer)
y = (x + 1).relu()  # on a proxy, operations become nodes
graph.output(y.node)
built = fx.GraphModule(nn.Module(), graph)
print(built(torch.tensor([-3.0, 3.0])))
print("nodes:", [node.name for node in graph.nodes if isinstance(node, fx.Node)])


# %% where hidden=true
class Where(nn.Module):
    def forward(self, x):
        return torch.where(x.sum() > 0, x.sin(), x.cos())


where = fx.symbolic_trace(Where())
for value in (1.0, -1.0):
    x = torch.full((3,), value)
    assert torch.equal(where(x), x.sin() if value > 0 else x.cos())

# %% modules-follow-eval hidden=true
layers = nn.Sequential(nn.BatchNorm1d(3), nn.Dropout(0.5)).train()
traced = fx.symbolic_trace(layers)
traced(torch.randn(8, 3) + 5)
traced.eval()
x = torch.randn(4, 3)
assert torch.equal(traced(x), layers.eval()(x))
assert torch.equal(traced(x), traced(x))


# %% watch-others hidden=true
class Pair(nn.Module):
    def forward(self, x):
        first, second = x.chunk(2)
        return first, second * x.shape[0]


from contextlib import redirect_stdout
from io import StringIO

with redirect_stdout(StringIO()) as watched:
    Watch(fx.symbolic_trace(Pair())).run(torch.ones(2, 3))
assert "mul" in watched.getvalue() and "chunk" not in watched.getvalue()


# %% frozen-too hidden=true
class OwnDropout(nn.Dropout):
    pass


class Adds(nn.Module):
    def forward(self, x, last=False):
        return x + torch.rand(3) if last else x


many = torch.ones(1000)
for layer, follows in ((nn.Dropout(), True), (OwnDropout(), False)):
    evaluated = fx.symbolic_trace(nn.Sequential(layer).train()).eval()
    assert torch.equal(evaluated(many), many) is follows
adds = fx.symbolic_trace(Adds(), concrete_args={"last": True})
assert torch.equal(adds(many[:3], True), adds(many[:3], True))  # the same numbers each time

for hooked_layer, runs in ((0, True), (None, False)):
    model = nn.Sequential(nn.Linear(3, 3))
    hooked = model if hooked_layer is None else model[hooked_layer]
    hooked.register_forward_hook(lambda module, inputs, out: out * 0)
    assert (fx.symbolic_trace(model)(many[:3]).abs().sum() == 0) == runs


# %% hooks hidden=true
import warnings


class Own(nn.Module):
    def forward(self, x):
        return x + 1


modules = {"own": Own(), "sequential": nn.Sequential(nn.ReLU()), "linear": nn.Linear(2, 2)}
parent, called = nn.Sequential(*modules.values()), []
for name, module in modules.items():
    module.register_forward_hook(lambda module, args, out, name=name: called.append((name, type(out) is torch.Tensor)))
    module.register_full_backward_hook(lambda *args, name=name: called.append("backward of " + name))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    traced = fx.symbolic_trace(parent)
assert "module output should be a Tensor" in str(caught[0].message)  # no backward hook
assert called == [("own", False), ("sequential", False)]
called.clear()
traced(torch.ones(1, 2, requires_grad=True)).sum().backward()
assert called == [("linear", True), "backward of linear"]


# %% none-and-default hidden=true
class Masked(nn.Module):
    def forward(self, x, mask=None):
        return x * mask if mask is not None else x


for changed, raises in ((fx.symbolic_trace(Masked()), TypeError), (adds, AssertionError)):
    try:
        changed.forward(many[:3])  # neither the mask nor last=True
    except raises:
        pass
    else:
        raise AssertionError("a branch that was frozen can be left")
assert torch.equal(fx.symbolic_trace(Masked(), concrete_args={"mask": None})(many), many)


class Relus(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.ReLU()

    def forward(self, x):
        return torch.relu(x) + nn.functional.relu(x) + self.layer(x) + x.relu()


assert [node.target is torch.relu for node in fx.symbolic_trace(Relus()).graph.nodes].count(True) == 1


# %% own-functions-are-looked-into hidden=true
def helper(x):
    return nn.functional.gelu(x) + 1


class Calls(nn.Module):
    def forward(self, x):
        return helper(x)


targets = [node.target for node in fx.symbolic_trace(Calls()).graph.nodes]
assert helper not in targets and nn.functional.gelu in targets


# %% branch-on-a-shape hidden=true
class WhereShape(nn.Module):
    def forward(self, x):
        return torch.where(x.shape[0] > 1, x.sin(), x.cos())


class Gate(nn.Module):
    def forward(self, x):
        return x.sin() if x.shape[0] > 1 else x.cos()


try:
    fx.GraphModule(WhereShape(), fx.Tracer().trace(WhereShape())).forward(many)
except TypeError as error:
    assert "where()" in str(error)  # the condition is no tensor
else:
    raise AssertionError("where takes a bool")
model = nn.Sequential(Gate())
assert torch.equal(fx.GraphModule(model, KeepsGates().trace(model))(many[:1]), many[:1].cos())
try:
    KeepsGates().trace(Gate())  # the model itself is never a leaf
except fx.proxy.TraceError:
    pass
else:
    raise AssertionError


# %% fixed-arguments hidden=true
class Chooses(nn.Module):
    def forward(self, x, choice=None):
        return x + 1 if choice else x


for value, other in ((True, False), (2, 3), (0.5, 1.5), ("a", "b"), (None, "b")):
    fixed = fx.symbolic_trace(Chooses(), concrete_args={"choice": value})
    assert torch.equal(fixed(many, value), Chooses()(many, value))
    try:
        fixed.forward(many, other)
    except AssertionError:
        pass
    else:
        raise RuntimeError(value)

"""Editing a torch.fx graph: what erase, replace and insert complain about."""

# %% graph
import torch
from torch import fx, nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def forward(self, x):
        return torch.relu(self.fc(x)) + 1


net = Block()


def fresh():
    """A new trace, and its node that calls relu."""
    traced = fx.symbolic_trace(net)
    return traced, next(n for n in traced.graph.nodes if n.target is torch.relu)


traced, relu = fresh()
print([node.name for node in traced.graph.nodes], "users:", list(relu.users))

# %% erase raises="RuntimeError"
traced.graph.erase_node(relu)

# %% erase-right
relu.replace_all_uses_with(relu.args[0])  # its users read its input instead
traced.graph.erase_node(relu)
traced.recompile()
x = torch.tensor([[-1.0, 0.0, 1.0]])
print("relu is gone:", torch.equal(traced(x), net.fc(x) + 1))

# %% replace raises="RuntimeError"
traced, relu = fresh()
with traced.graph.inserting_after(relu):
    tanh = traced.graph.call_function(torch.tanh, (relu,))
relu.replace_all_uses_with(tanh)
traced.graph.lint()

# %% replace-right
tanh.args = (relu,)
traced.graph.lint()
traced.recompile()
print("tanh follows:", torch.equal(traced(x), net.fc(x).relu().tanh() + 1))

# %% outside raises="RuntimeError"
traced, relu = fresh()
tanh = traced.graph.call_function(torch.tanh, (relu,))  # no inserting_after
relu.replace_all_uses_with(tanh, lambda user: user is not tanh)
traced.graph.lint()

# %% module raises="AttributeError"
traced, relu = fresh()
with traced.graph.inserting_after(relu):
    norm = traced.graph.call_module("norm", (relu,))

# %% lint-finds hidden=true
with traced.graph.inserting_after(relu):
    traced.graph.create_node("call_module", "norm", (relu,))
try:
    traced.graph.lint()
except RuntimeError as error:
    assert "nonexistent attribute norm" in str(error)
else:
    raise AssertionError
traced, relu = fresh()
relu.args = ()
traced.graph.lint()  # does not look whether a call has its arguments

# %% module-right
traced, relu = fresh()
traced.add_submodule("norm", nn.LayerNorm(3))
with traced.graph.inserting_after(relu):
    norm = traced.graph.call_module("norm", (relu,))
relu.replace_all_uses_with(norm, lambda user: user is not norm)
traced.graph.lint()
traced.recompile()
print([node.name for node in traced.graph.nodes])

# %% inserted hidden=true
for insert in (fx.Graph.inserting_after, fx.Graph.inserting_before):
    traced, relu = fresh()
    where = relu if insert is fx.Graph.inserting_after else next(iter(relu.users))
    with insert(traced.graph, where):
        tanh = traced.graph.call_function(torch.tanh, (relu,))
    relu.replace_all_uses_with(tanh, lambda user, new=tanh: user is not new)
    traced.graph.lint()
    traced.recompile()
    assert torch.equal(traced(x), net.fc(x).relu().tanh() + 1)

# %% unused hidden=true
traced = fx.symbolic_trace(nn.Sequential(nn.Linear(3, 3), nn.ReLU()))
relu = next(node for node in traced.graph.nodes if node.target == "1")
relu.replace_all_uses_with(relu.args[0])
assert traced.graph.eliminate_dead_code()
assert all(node.target != "1" for node in traced.graph.nodes)
assert len(dict(traced.named_children())) == 2
traced.delete_all_unused_submodules()
traced.recompile()
assert len(dict(traced.named_children())) == 1 and traced(torch.ones(1, 3)).shape == (1, 3)


# %% in-place-erased hidden=true
class InPlace(nn.Module):
    def forward(self, x):
        y = x.clone()
        y.add_(1)
        return y


traced = fx.symbolic_trace(InPlace())
traced.graph.eliminate_dead_code()  # nobody reads what add_ returns
traced.recompile()
assert torch.equal(traced(x), x) and torch.equal(InPlace()(x), x + 1)

# %% two-in-a-row hidden=true
for after in (True, False):
    traced, relu = fresh()
    graph = traced.graph
    with graph.inserting_after(relu) if after else graph.inserting_before(relu.next):
        tanh = graph.call_function(torch.tanh, (relu,))
        last = graph.call_function(torch.sigmoid, (tanh,))
    relu.replace_all_uses_with(last, lambda user, first=tanh: user is not first)
    try:
        graph.lint()
        assert not after
    except RuntimeError as error:
        assert after and "used before it has been defined" in str(error)
traced.recompile()
assert torch.equal(traced(x), net.fc(x).relu().tanh().sigmoid() + 1)

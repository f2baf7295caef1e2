"""Compile the repeated block instead of the whole model."""

# %% model
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, scale=1.0):
        super().__init__()
        self.norm, self.linear, self.scale = nn.LayerNorm(8), nn.Linear(8, 8), scale

    def forward(self, x):
        return x + self.scale * torch.relu(self.linear(self.norm(x)))


class Net(nn.Module):
    def __init__(self, scales):
        super().__init__()
        self.blocks = nn.ModuleList([Block(scale) for scale in scales])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x


# %% count
sizes = []  # of each graph that the backend gets, in operations


def counting(graph_module, example_inputs):
    kinds = [node.op for node in graph_module.graph.nodes]
    sizes.append(kinds.count("call_function"))
    return graph_module.forward


def graphs(net, x, whole=False):
    torch.compiler.reset()
    sizes.clear()
    expected = net(x)
    for module in [net] if whole else net.blocks:
        module.compile(backend=counting)
    torch.testing.assert_close(net(x), expected)
    return f"{len(sizes)} graphs, operations: {sizes}"


x = torch.randn(4, 8)
with torch.no_grad():
    for depth in (3, 12):
        net = Net([1.0] * depth)
        print(depth, "blocks, each block: ", graphs(net, x))
        net = Net([1.0] * depth)
        print(depth, "blocks, whole model:", graphs(net, x, whole=True))

# %% names
net = Net([1.0, 1.0])
for block in net.blocks:
    block.compile(backend=counting)
print(list(net.state_dict())[:2])

# %% training
print("x without gradient:", graphs(Net([1.0] * 12), x))
print("x with gradient:   ", graphs(Net([1.0] * 12), x.clone().requires_grad_()))

# %% attribute
print("integers:", graphs(Net(range(1, 6)), x.clone().requires_grad_()))

# %% attribute-tensor
net = Net(torch.arange(1.0, 6.0).unbind())
print("tensors: ", graphs(net, x.clone().requires_grad_()))

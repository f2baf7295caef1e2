"""Which attributes of a module are registered, and which are not."""

# %% block
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.register_buffer("mean", torch.zeros(2))
        self.gates = nn.ParameterList([nn.Parameter(torch.ones(2))])
        self.layers = nn.ModuleList([nn.Linear(2, 2)])
        # None of these is registered:
        self.scale = torch.ones(2, requires_grad=True)
        self.gain = nn.Parameter(torch.ones(2)) * 0.1
        self.shifts = [nn.Parameter(torch.ones(2))]
        self.heads = [nn.Linear(2, 2)]


block = Block()
print([name for name, _ in block.named_parameters()])
print(list(block.state_dict()))

# %% not-trained
optimizer = torch.optim.SGD(block.parameters(), lr=0.1)
(block.weight + block.scale + block.gain + block.shifts[0]).sum().backward()
optimizer.step()
print("weight:", block.weight.detach(), block.weight.grad)
print("scale: ", block.scale.detach(), block.scale.grad)
print("shifts:", block.shifts[0].detach(), block.shifts[0].grad)

# %% gain
print(type(block.gain).__name__, "leaf:", block.gain.is_leaf)

# %% not-moved
block.double()
held = block.weight, block.mean, block.layers[0].weight
print("registered:", *(tensor.dtype for tensor in held))
print("others:    ", block.scale.dtype, block.heads[0].weight.dtype)

# %% later
block.bias = nn.Parameter(torch.zeros(2))
block.head = nn.Linear(2, 1)
block.steps = nn.Buffer(torch.tensor(0))
print([name for name, _ in block.named_parameters(recurse=False)])
print([name for name, _ in block.named_children()])
print([name for name, _ in block.named_buffers()])

# %% add-param-group
block.bias.grad = torch.ones(2)
optimizer.step()
print("before:", block.bias.detach())

optimizer.add_param_group({"params": [block.bias]})
optimizer.step()
print("after: ", block.bias.detach())

# %% add-module
net = nn.Module()
for i, width in enumerate((4, 3, 2)):
    net.add_module(f"layer{i}", nn.Linear(width, width))
print([name for name, _ in net.named_children()])
print(net.layer1)

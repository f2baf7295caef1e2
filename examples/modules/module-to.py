"""Module.to() moves in place; Tensor.to() returns a new tensor."""

# %% module
import torch
from torch import nn

net = nn.Linear(3, 2)
weight = net.weight
print(net.to(torch.float64) is net, net.cpu() is net)
print(net.weight is weight, weight.dtype)

# %% meta
skeleton = nn.Linear(3, 2)
also = skeleton.to("meta")
print(also is skeleton, skeleton.weight.device)

# %% tensor
x = torch.ones(3)
print(x.to(torch.float64) is x, x.dtype)
print(x.to(torch.float32) is x, x.cpu() is x)

# %% memory needs="cuda"
model = nn.Linear(1024, 1024, bias=False, device="cuda")
weight = model.weight
print(torch.cuda.memory_allocated() > 0)

on_cpu = model.cpu()
print(on_cpu is model, model.weight is weight, weight.device)
print(torch.cuda.memory_allocated())

# %% forgotten raises="RuntimeError"
x.to(torch.float64)
net(x)

# %% assigned
x = x.to(torch.float64)
print(net(x).dtype)

# %% optimizer
net = nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
net(torch.ones(1, 3)).sum().backward()
optimizer.step()

net.to(torch.float64)
print(optimizer.param_groups[0]["params"][0] is net.weight)
momentum = optimizer.state[net.weight]["momentum_buffer"]
print(net.weight.dtype, momentum.dtype)

# %% two-copies
import copy

net = nn.Linear(3, 2)
half = copy.deepcopy(net).to(torch.bfloat16)
print(net.weight.dtype, half.weight.dtype)

# %% lossy
before = net.weight.clone()
net.to(torch.bfloat16).to(torch.float32)
print(torch.equal(net.weight, before))

"""Module.to() moves in place; Tensor.to() returns a new tensor."""

# %% module
import torch
from torch import nn

net = nn.Linear(3, 2)
weight = net.weight
print("same module:   ", net.to(torch.float64) is net)
print("same parameter:", net.weight is weight, weight.dtype)

# %% buffer
norm = nn.BatchNorm1d(3)
kept = {"weight": norm.weight, "running_mean": norm.running_mean}
norm.to(torch.float64)
for name, tensor in kept.items():
    same = tensor is getattr(norm, name)
    print(f"{name:12} same object: {same!s:5} {tensor.dtype}")

# %% meta
skeleton = nn.Linear(3, 2)
also = skeleton.to("meta")
print("same module:", also is skeleton, skeleton.weight.device)

# %% tensor
image = torch.ones(3)
print("to float64, same tensor:", image.to(torch.float64) is image, image.dtype)
print("to float32, same tensor:", image.to(torch.float32) is image)
print("to the CPU, same tensor:", image.cpu() is image)

# %% memory needs="cuda"
model = nn.Linear(1024, 1024, bias=False, device="cuda")
weight = model.weight
print(torch.cuda.memory_allocated() // 2**20, "MiB")

on_cpu = model.cpu()
print("same module:", on_cpu is model, " same parameter:", model.weight is weight)
print(torch.cuda.memory_allocated() // 2**20, "MiB")

# %% forgotten raises="RuntimeError"
image.to(torch.float64)
net(image)

# %% assigned
image = image.to(torch.float64)
print(net(image).dtype)

# %% optimizer
net = nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
net(torch.ones(1, 3)).sum().backward()
optimizer.step()

net.to(torch.float64)
print("in the optimizer:", optimizer.param_groups[0]["params"][0] is net.weight)
momentum = optimizer.state[net.weight]["momentum_buffer"]
print("weight:", net.weight.dtype, " momentum:", momentum.dtype)

# %% two-copies
import copy

net = nn.Linear(3, 2)
half = copy.deepcopy(net).to(torch.bfloat16)
print("net:", net.weight.dtype, " half:", half.weight.dtype)

# %% lossy
before = net.weight.clone()
net.to(torch.bfloat16).to(torch.float32)
print("unchanged:", torch.equal(net.weight, before))

# %% integer-buffer hidden=true
norm = nn.BatchNorm1d(3)
mean, count = norm.running_mean, norm.num_batches_tracked
norm.to(torch.float64)
assert norm.running_mean is not mean and norm.num_batches_tracked is count  # an integer is not converted

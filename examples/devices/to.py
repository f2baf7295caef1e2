"""to() gives back a tensor, and moves a module in place."""

# %% tensor
import torch
from torch import nn

features = torch.ones(3)
features.to("meta")
print(features.device)

features = features.to("meta")
print(features.device)

# %% same-object
weight = torch.ones(3)
print("same device:", weight.to("cpu") is weight)
print("same dtype: ", weight.to(torch.float32) is weight)
print("new dtype:  ", weight.to(torch.float64) is weight)
print("copy=True:  ", weight.to("cpu", copy=True) is weight)

# %% module
net = nn.Linear(3, 2)
parameter = net.weight
net.to(torch.float64)
print(net.weight.dtype, " same Parameter:", net.weight is parameter)

# %% module-on-gpu needs="cuda"
net = nn.Linear(3, 2)
features = torch.ones(3)
net.to("cuda")
features.to("cuda")
print(net.weight.device, features.device)

# %% no-in-place raises="AttributeError"
weight.to_("cpu")

# %% numpy raises="TypeError"
torch.ones(2, device="meta").numpy()

# %% gpu-numpy needs="cuda" raises="TypeError" says="can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first." origin="torch/csrc/utils/tensor_numpy.cpp"
torch.ones(2, device="cuda").numpy()

# %% cpu-first
device = "cuda" if torch.cuda.is_available() else "cpu"
output = torch.ones(2, device=device, requires_grad=True)
print(output.detach().cpu().numpy())

# %% dict raises="AttributeError"
batch = {"image": torch.zeros(2, 3), "label": torch.tensor([0, 1])}
batch.to("meta")

# %% dict-values
batch = {name: value.to("meta") for name, value in batch.items()}
print([str(value.device) for value in batch.values()])

# %% same-parameters hidden=true
net = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
parameters = list(net.parameters())
net(torch.randn(4, 3)).sum().backward()  # with gradients
for dtype in (torch.float64, torch.bfloat16, torch.float32):
    net.to(dtype)
    assert all(one is other for one, other in zip(parameters, net.parameters()))
    assert {one.grad.dtype for one in parameters} == {dtype}

# %% always-a-copy hidden=true
for tensor in (torch.ones(3), torch.ones(1).expand(3), torch.ones(2, 3).t()):
    copy = tensor.to(tensor.device, tensor.dtype, copy=True)
    copy[0] = 7
    assert not (tensor == 7).any()

# %% new-parameters hidden=true
assert weight.to("cpu:0") is not weight and weight.cpu() is weight
net = nn.Linear(3, 2)
weight = net.weight
assert net.to("meta").weight is not weight
weight = net.weight
assert net.to_empty(device="cpu").weight is not weight

# %% parameters-stay hidden=true
small = torch.nn.Linear(2, 2)
for parameter in small.parameters():
    parameter = parameter.to(torch.float64)
assert small.weight.dtype == torch.float32
assert small.to(torch.float64).weight.dtype == torch.float64
moved = torch.zeros(2).requires_grad_().to(torch.float64)
assert not moved.is_leaf and torch.zeros(2).to(torch.float64).requires_grad_().is_leaf

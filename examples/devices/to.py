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
print(weight.to("cpu") is weight, weight.to(torch.float32) is weight)
print(weight.to(torch.float64) is weight, weight.to(torch.float64).dtype)
print(weight.to("cpu", copy=True) is weight)

# %% module
net = nn.Linear(3, 2)
print(net.to(torch.float64) is net, net.weight.dtype)
print(net.to("meta") is net, net.weight.device)

# %% module-on-gpu needs="cuda"
net = nn.Linear(3, 2)
features = torch.ones(3)
net.to("cuda")
features.to("cuda")
print(net.weight.device, features.device)

# %% no-in-place raises="AttributeError"
weight.to_("cpu")

# %% factory raises="AttributeError"
torch.tensor.to("cpu")

# %% dict raises="AttributeError"
batch = {"image": torch.zeros(2, 3), "label": torch.tensor([0, 1])}
batch.to("meta")

# %% dict-values
batch = {name: value.to("meta") for name, value in batch.items()}
print([str(value.device) for value in batch.values()])

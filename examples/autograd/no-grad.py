"""no_grad() stops the recording of operations, and nothing else."""

# %% records-nothing
import torch
from torch import nn

weight = torch.tensor([1.0, 2.0], requires_grad=True)

with torch.no_grad():
    doubled = weight * 2

print(doubled, doubled.requires_grad, doubled.grad_fn)

# %% outer-tensors
logits = weight * 3  # recorded

with torch.no_grad():
    print(weight.requires_grad, weight.is_leaf)
    print(logits.requires_grad, logits.grad_fn.name())

# %% made-inside raises="RuntimeError"
with torch.no_grad():
    loss = (weight * 3).sum()

loss.backward()

# %% backward-inside
loss = (weight * 3).sum()  # recorded

with torch.no_grad():
    loss.backward()

print(weight.grad)

# %% exceptions
with torch.no_grad():
    noise = torch.ones(2, requires_grad=True)
    bias = nn.Parameter(torch.zeros(2))
    layer = nn.Linear(2, 2)
    image = torch.ones(2).requires_grad_()
    row = layer.weight[0]  # a view of a parameter

print(noise.requires_grad, bias.requires_grad, layer.weight.requires_grad)
print(image.requires_grad, row.requires_grad)

# %% exceptions-train
layer(torch.ones(1, 2)).sum().backward()
print(layer.weight.grad)

# %% view-leads-nowhere
layer.weight.grad = None
(row * 2).sum().backward()
print(row.is_leaf, row.grad, layer.weight.grad)

(layer.weight[0] * 2).sum().backward()  # the same view, recorded
print(layer.weight.grad)

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
    print(f"{weight.requires_grad=} {weight.is_leaf=}")
    print(f"{logits.requires_grad=} {logits.grad_fn.name()=}")

# %% made-inside raises="RuntimeError"
with torch.no_grad():
    loss = (weight * 3).sum()

loss.backward()

# %% backward-inside
loss = (weight * 3).sum()  # recorded

with torch.no_grad():
    loss.backward()

print(weight.grad)

# %% exceptions asks=true
with torch.no_grad():
    made_inside = {
        "torch.ones(2, requires_grad=True)": torch.ones(2, requires_grad=True),
        "nn.Parameter(torch.zeros(2))": nn.Parameter(torch.zeros(2)),
        "nn.Linear(2, 2).weight": nn.Linear(2, 2).weight,
        "weight[0], a view": weight[0],
        "weight * 2": weight * 2,
    }
for code, tensor in made_inside.items():
    print(f"{code:34} {tensor.requires_grad}")

# %% exceptions-train
with torch.no_grad():
    layer = nn.Linear(2, 2)

layer(torch.ones(1, 2)).sum().backward()
print(layer.weight.grad)

# %% view-leads-nowhere
layer.weight.grad = None
with torch.no_grad():
    row = layer.weight[0]

(row * 2).sum().backward()
print("view taken inside: ", row.requires_grad, row.grad_fn, layer.weight.grad)

(layer.weight[0] * 2).sum().backward()
print("view taken outside:", layer.weight.grad)

# %% edited-inside hidden=true
leaf = torch.ones(2, requires_grad=True)
tripled = leaf * 3
with torch.no_grad():
    tripled.mul_(5)
tripled.sum().backward()
assert tripled.tolist() == [15, 15] and leaf.grad.tolist() == [3, 3]
cubes = (leaf**3).sum()
with torch.no_grad():
    (slope,) = torch.autograd.grad(cubes, leaf, create_graph=True)
assert slope.requires_grad

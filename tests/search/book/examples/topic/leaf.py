"""T."""

# %% leaf
import torch

weight = torch.ones(2, requires_grad=True)
(weight * 2).sum().backward(retain_graph=True)
print("        attributes", weight.is_leaf, (weight * 2).grad_fn.name())

# %% array raises="RuntimeError"
weight.numpy()

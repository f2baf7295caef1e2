"""Leaves get gradients, other tensors do not."""

# %% setup
import torch

weight = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)  # (3,)

# %% leaf
hidden = weight * 2
print(weight.is_leaf, hidden.is_leaf)
hidden.sum().backward()
print(weight.grad)  # (1)!

# %% checked hidden=true
assert weight.grad.tolist() == [2.0, 2.0, 2.0]

# %% warns warns="UserWarning"
print(hidden.grad)

# %% fails raises="RuntimeError"
weight.detach().sum().backward()

# %% on-gpu needs="cuda"
print(weight.cuda().device)

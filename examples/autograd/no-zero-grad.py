"""zero_grad() empties gradients and belongs to modules and optimizers; no_grad() stops recording."""

# %% context raises="AttributeError"
import torch
from torch import nn

weight = torch.tensor([1.0, 2.0], requires_grad=True)

with torch.zero_grad():
    doubled = weight * 2

# %% tensor raises="AttributeError"
weight.zero_grad()

# %% who-has-it
for owner in (torch, torch.Tensor, nn.Module, torch.optim.Optimizer):
    names = [n for n in ("no_grad", "zero_grad") if hasattr(owner, n)]
    print(f"{owner.__name__:10}", names)

# %% names-in-torch
names = [name for name in dir(torch) if "grad" in name]
print([name for name in names if not name.startswith("_")])

# %% meant
with torch.no_grad():  # records nothing
    doubled = weight * 2
print("recorded:", doubled.requires_grad)

optimizer = torch.optim.SGD([weight], lr=0.1)
(weight * 3).sum().backward()
optimizer.zero_grad()  # forgets gradients
print("gradient:", weight.grad)

# %% clear-one hidden=true
weight.grad = None
(weight * 3).sum().backward()
assert weight.grad.tolist() == [3, 3]

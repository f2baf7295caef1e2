"""What a tensor knows about itself."""

# %% two-tensors
import torch
from torch import nn

weight = torch.tensor([[1.0, 2.0]], requires_grad=True)  # (1, 2)
total = (weight * 3).sum()

for name in ("dtype", "shape", "device", "requires_grad", "is_leaf", "grad_fn"):
    print(f"{name:15}{str(getattr(weight, name)):20}{getattr(total, name)}")

# %% grad
print("before:", weight.grad)
total.backward()
print("after: ", weight.grad)

# %% grad-of-a-result warns="UserWarning"
print(total.grad)

# %% retained
total = (weight * 3).sum()
total.retain_grad()
total.backward()
print("total.grad:", total.grad)

# %% default-flag
print("torch.zeros: ", torch.zeros(2).requires_grad)
print("torch.tensor:", torch.tensor([1.0]).requires_grad)
print("nn.Parameter:", nn.Parameter(torch.zeros(2)).requires_grad)

# %% switch-on
bias = torch.zeros(2)
bias.requires_grad_()
print(bias)

# %% integers raises="RuntimeError"
torch.tensor([1, 2], requires_grad=True)

# %% floats
print(torch.tensor([1.0, 2.0], requires_grad=True))

# %% data
alias = weight.data
print(alias, "requires_grad:", alias.requires_grad)
print("same memory:", alias.data_ptr() == weight.data_ptr())
print("same object:", weight.data is weight.data)

# %% variable asks=true
print(torch.autograd.Variable(torch.zeros(2)))
print(isinstance(weight, torch.autograd.Variable))

# %% cut-off hidden=true
net, points = nn.Linear(3, 4), torch.randn(5, 3)
predicted = net(points).argmax(dim=1)
try:
    predicted.requires_grad_()
except RuntimeError as error:
    assert "can require gradients" in str(error), error
else:
    raise AssertionError("integers require gradients")
predicted.float().requires_grad_().sum().backward()
assert net.weight.grad is None  # no error, and nothing to train

"""torch.exp and torch.abs take tensors; their dtypes and their edges."""

# %% function-and-method
import torch

logits = torch.tensor([0.0, 1.0, 2.0])
print(torch.exp(logits))
print(torch.equal(torch.exp(logits), logits.exp()))

# %% number-is-no-tensor raises="TypeError"
torch.exp(0)

# %% list-is-no-tensor raises="TypeError"
torch.exp([0.0, 1.0])

# %% wrap-it
import math

print(torch.exp(torch.tensor(0.0)), math.exp(0))

# %% integers-become-float
counts = torch.tensor([0, 1, 2])
print(counts.exp(), counts.exp().dtype)

# %% not-in-place raises="RuntimeError"
counts.exp_()

# %% overflow
edge = torch.tensor([88.0, 89.0])
print(edge.exp())
print(edge.double().exp())
print(torch.log(torch.tensor(torch.finfo(torch.float32).max)))

# %% overflow-in-softmax
print(edge.exp() / edge.exp().sum())
print(edge.softmax(dim=0))

# %% expm1
rate = torch.tensor(1e-8)
print(rate.exp() - 1)
print(rate.expm1())

# %% three-ways-to-abs
errors = torch.tensor([-1.5, 0.0, 2.0])
print(torch.abs(errors))
print(errors.abs())
print(abs(errors))

# %% abs-of-a-number raises="TypeError"
torch.abs(-3)

# %% edges
print(torch.tensor([-128, -127], dtype=torch.int8).abs())
print(torch.tensor([3 + 4j]).abs())

# %% abs-gradient
residual = torch.tensor([-2.0, 0.0, 2.0], requires_grad=True)
residual.abs().sum().backward()
print(residual.grad)

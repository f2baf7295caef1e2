"""torch.Tensor() and torch.FloatTensor() still run; torch.tensor() is what you want."""

# %% dtype-ignored
import torch

print(torch.Tensor([5, 6]), torch.Tensor([5, 6]).dtype)
print(torch.tensor([5, 6]), torch.tensor([5, 6]).dtype)
print(torch.LongTensor([1.7]))

# %% int-is-a-size
print(torch.Tensor(3).shape)  # three numbers, whatever the memory held
print(torch.tensor(3).shape)  # the number 3

# %% no-options raises="TypeError"
torch.Tensor([1.0], requires_grad=True)

# %% today
weight = torch.tensor([1.0], requires_grad=True)
labels = torch.tensor([5, 6], dtype=torch.int64)
buffer = torch.empty(2, 3)  # uninitialised, and says so
print(weight, labels, buffer.shape)

# %% same-results hidden=true
assert torch.equal(torch.Tensor([5, 6]), torch.tensor([5, 6], dtype=torch.float32))
assert torch.equal(torch.FloatTensor([5, 6]), torch.tensor([5, 6], dtype=torch.float32))
assert torch.equal(torch.LongTensor([5, 6]), torch.tensor([5, 6], dtype=torch.int64))
assert torch.Tensor(2, 3).shape == torch.empty(2, 3).shape
torch.set_default_dtype(torch.float64)
assert torch.Tensor([5, 6]).dtype is torch.float64
assert torch.FloatTensor([5, 6]).dtype is torch.float32
torch.set_default_dtype(torch.float32)

"""torch.Tensor() and torch.FloatTensor() still run; use torch.tensor()."""

# %% dtype-ignored
import torch

print("torch.Tensor:    ", torch.Tensor([5, 6]), torch.Tensor([5, 6]).dtype)
print("torch.tensor:    ", torch.tensor([5, 6]), torch.tensor([5, 6]).dtype)
print("torch.LongTensor:", torch.LongTensor([1.7]))

# %% int-is-a-size
print("torch.Tensor(3):", torch.Tensor(3).shape)  # uninitialized values
print("torch.tensor(3):", torch.tensor(3))

# %% alias
original = torch.tensor([1, 2])
alias = torch.Tensor(original)
alias[0] = 9
print(original, alias.dtype)

# %% no-options raises="TypeError"
torch.Tensor([1.0], dtype=torch.float64)

# %% with-options
print(torch.tensor([1.0], dtype=torch.float64))

# %% today
weight = torch.tensor([1.0], requires_grad=True)
labels = torch.tensor([5, 6], dtype=torch.int64)
copy = original.clone()
buffer = torch.empty(2, 3)  # uninitialized, and says so
print(weight, labels, copy, buffer.shape)

# %% no-options-message hidden=true
for options in ({"dtype": torch.float64}, {"requires_grad": True}):
    try:
        torch.Tensor([1.0], **options)
    except TypeError:
        continue
    raise AssertionError

# %% same-results hidden=true
assert torch.equal(torch.Tensor([5, 6]), torch.tensor([5, 6], dtype=torch.float32))
assert torch.equal(torch.FloatTensor([5, 6]), torch.tensor([5, 6], dtype=torch.float32))
assert torch.equal(torch.LongTensor([5, 6]), torch.tensor([5, 6], dtype=torch.int64))
assert torch.Tensor(2, 3).shape == torch.empty(2, 3).shape
assert torch.Tensor(torch.ones(2, requires_grad=True)).requires_grad
torch.set_default_dtype(torch.float64)
assert torch.Tensor([5, 6]).dtype is torch.float64
assert torch.FloatTensor([5, 6]).dtype is torch.float32
torch.set_default_dtype(torch.float32)

# %% array-is-shared hidden=true
import numpy as np

singles = np.zeros(2, dtype=np.float32)
shared = torch.Tensor(singles)
singles[0] = 9
assert shared[0] == 9 and not np.shares_memory(torch.Tensor(np.zeros(2)).numpy(), singles)
try:
    torch.FloatTensor(torch.tensor([1, 2]))
except TypeError:  # a tensor of another dtype
    pass
else:
    raise AssertionError

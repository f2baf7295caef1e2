"""zeros, ones, full, eye, empty, and their *_like twins."""

# %% by-shape
import torch

print(torch.zeros(2, 3))
print(torch.ones(2, 3, dtype=torch.int64))
print(torch.full((2, 3), 7.5))
print(torch.eye(3))

# %% defaults
print("zeros:          ", torch.zeros(2).dtype)
for value in (7, 7.0, True):
    print(f"full with {value!s:6}", torch.full((2,), value).dtype)

# %% cpu hidden=true
assert torch.zeros(2).device.type == "cpu"

# %% like
image = torch.rand(2, 3, dtype=torch.float64).requires_grad_()
noise = torch.zeros_like(image)
print(noise, "requires_grad:", noise.requires_grad)
print(image.new_ones(4))  # another shape, the same dtype and device

# %% full-like
counts = torch.tensor([1, 2])
print(torch.full_like(counts, 7.9))
print(torch.full_like(counts, 7.9, dtype=torch.float32))

# %% empty
squares = torch.empty(5, dtype=torch.int64)
for i in range(5):
    squares[i] = i**2  # every element is written before it is read
print(squares)

# %% empty-is-not-zeros
torch.use_deterministic_algorithms(True)  # fills new memory, so that reading it shows
print("all NaN:", torch.empty(2, 3).isnan().all().item())
torch.use_deterministic_algorithms(False)

# %% full-needs-a-shape raises="TypeError"
torch.full(3, 7.0)

# %% ones-of-a-list
print(torch.ones([2, 3]).shape, torch.tensor([2, 3]).shape)

"""max, argmax, amax and maximum: which returns what, and what happens on ties."""

# %% whole
import torch

scores = torch.tensor([[1, 5, 2], [7, 3, 7]])
print(scores.max())

# %% along-dim
result = scores.max(dim=1)
print(result)

values, indices = result
print(values, scores[torch.arange(2), indices])

# %% forgot-values raises="AttributeError"
scores.max(dim=1).float()

# %% which
print("argmax", scores.argmax(dim=1))
print("amax  ", scores.amax(dim=1))
print("aminmax", *scores.aminmax(dim=1))

# %% position
flat = scores.argmax()
print(flat, torch.unravel_index(flat, scores.shape))

# %% several-dims
batch = torch.arange(12).view(2, 2, 3)
print(batch.amax(dim=(1, 2)))

# %% max-takes-one-dim raises="TypeError"
batch.max(dim=(1, 2))

# %% two-tensors
print(torch.maximum(scores, scores.flip(0)))
print(scores.clamp(min=3))  # against a number

# %% same-as-max hidden=true
assert torch.equal(torch.max(scores, scores.flip(0)), torch.maximum(scores, scores.flip(0)))

# %% tie-gradient
x = torch.tensor([1.0, 3.0, 3.0], requires_grad=True)
for name, largest in (("max(dim=0)", x.max(dim=0).values), ("amax(dim=0)", x.amax(dim=0))):
    (gradient,) = torch.autograd.grad(largest, x)
    print(f"{name:12}", gradient)

# %% nan
reading = torch.tensor([1.0, float("nan"), 3.0])
print(reading.max(), reading.argmax())
print(reading.nan_to_num(float("-inf")).max())

# %% empty raises="RuntimeError"
torch.empty(0).max()

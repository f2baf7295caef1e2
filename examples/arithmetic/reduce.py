"""sum, mean and std along dimensions: which dimension disappears, and keepdim."""

# %% dims
import torch

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])  # (2, 3)
print("all  ", x.sum())
print("dim=0", x.sum(dim=0))  # the 2 disappears
print("dim=1", x.sum(dim=1))  # the 3 disappears

# %% several
batch = torch.arange(24.0).view(2, 3, 4)
print(batch.mean(dim=(1, 2)))
print(batch.mean(dim=-1))

# %% lost-dimension raises="RuntimeError"
x - x.mean(dim=1)  # (2, 3) and (2,)

# %% keepdim
print(x.mean(dim=1, keepdim=True))
print(x - x.mean(dim=1, keepdim=True))

# %% mean-of-integers raises="RuntimeError"
torch.arange(4).mean()

# %% mean-of-integers-fixed
print(torch.arange(4).float().mean(), torch.arange(4).mean(dtype=torch.float32))

# %% std
print("N - 1:", x.std(dim=1))
print("N:    ", x.std(dim=1, correction=0))

# %% divides-by-n hidden=true
import numpy as np

assert np.allclose(np.std(x.numpy(), axis=1), x.std(dim=1, correction=0))
normalized = torch.nn.functional.batch_norm(x, None, None, training=True, eps=1e-12)
assert torch.allclose(normalized, (x - x.mean(dim=0)) / x.std(dim=0, correction=0))

# %% std-of-one warns="UserWarning"
print(torch.tensor([3.0]).std())

# %% dtypes
print(torch.tensor([200, 100], dtype=torch.uint8).sum())
print(torch.tensor([True, False, True]).sum())

half = torch.full((1000,), 100.0, dtype=torch.float16)
print(half.sum(), half.sum(dtype=torch.float32))

# %% nan-and-empty
reading = torch.tensor([1.0, float("nan"), 3.0])
print(reading.mean(), reading.nanmean())
print(torch.empty(0).sum(), torch.empty(0).mean())

# %% wrong-dim raises="IndexError"
x.sum(dim=2)

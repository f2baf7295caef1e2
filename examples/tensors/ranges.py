"""arange excludes its end and takes a step; linspace includes it and takes a count."""

# %% two-ways
import torch

print(torch.arange(0, 10, 2))
print(torch.linspace(0, 10, 6))

# %% dtype
print("arange(3):        ", torch.arange(3).dtype)
print("arange(3.0):      ", torch.arange(3.0).dtype)
print("linspace(0, 3, 4):", torch.linspace(0, 3, 4).dtype)

# %% float-step
print(torch.arange(1, 1.2, 0.1))
print(torch.arange(1, 1.3, 0.1))

# %% why
print((1.3 - 1) / 0.1)

# %% safe
print(1 + 0.1 * torch.arange(3))
print(torch.linspace(1, 1.2, 3))

# %% integers-cut
print(torch.linspace(0, 10, 4))
print(torch.linspace(0, 10, 4, dtype=torch.int64))

# %% backwards raises="RuntimeError"
torch.arange(5, 0)

# %% backwards-right
print(torch.arange(5, 0, -1))

# %% range warns="UserWarning"
print(torch.range(0, 3))

# %% logspace
print(torch.logspace(-3, 0, 4))  # exponents of 10

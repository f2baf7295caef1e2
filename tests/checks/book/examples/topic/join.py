"""Joining tensors."""

# %% setup
import torch

image = torch.ones(2, 3)  # (row, column)

# %% joins
print(torch.cat([image, image]).shape)
print(torch.tensor([0.1234, 0.5]).tolist())

# %% fails raises="ValueError"
raise ValueError("two shapes")

# %% drawing
import matplotlib.pyplot as plt

plt.plot([1, 2, 4])

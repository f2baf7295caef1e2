"""T."""

# %% product
import torch

left = torch.ones(2, 3)
print((left @ left.T).shape)

# %% inner-sizes raises="RuntimeError"
left @ left

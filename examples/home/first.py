"""What every page does: show code, what PyTorch printed, and why."""

# %% error raises="RuntimeError"
import torch

image = torch.tensor([[1, 2, 3], [4, 5, 6]])
turned = image.t()
turned.view(6)

# %% why
print(turned.is_contiguous())
print(turned.reshape(6))

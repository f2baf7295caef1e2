"""What every page does: show code, then what PyTorch printed."""

# %% numbers
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (weight**2).sum()
loss.backward()
print(weight.grad)

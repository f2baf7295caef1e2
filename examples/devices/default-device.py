"""torch.device(...) redirects new tensors; torch.cuda.device(...) only picks a GPU."""

# %% factory
import torch
from torch import nn

with torch.device("meta"):
    print(torch.ones(1).device, nn.Linear(1, 1).weight.device)
print(torch.ones(1).device)

# %% argument-wins
with torch.device("meta"):
    print(torch.ones(1, device="cpu").device)
    print(torch.zeros_like(torch.ones(1, device="cpu")).device)

# %% default
torch.set_default_device("meta")
print(torch.ones(1).device, torch.get_default_device())
torch.set_default_device(None)
print(torch.ones(1).device, torch.get_default_device())

# %% current-gpu needs="cuda"
with torch.cuda.device(0):
    print(torch.cuda.current_device())
    print(torch.ones(1).device)
    print(torch.ones(1, device="cuda").device)

# %% factory-gpu needs="cuda"
with torch.device("cuda"):
    print(torch.ones(1).device)

# %% no-argument raises="TypeError"
torch.cuda.device()

# %% without-cuda needs="no-cuda" raises="RuntimeError"
with torch.cuda.device(0):
    torch.ones(1)

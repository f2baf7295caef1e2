"""torch.device(...) redirects new tensors; torch.cuda.device(...) only picks a GPU."""

# %% factory
import torch
from torch import nn

with torch.device("meta"):
    print("tensor: ", torch.ones(1).device)
    print("module: ", nn.Linear(1, 1).weight.device)
print("outside:", torch.ones(1).device)

# %% current-gpu needs="cuda"
with torch.cuda.device(0):
    print("current GPU:  ", torch.cuda.current_device())
    print("torch.ones(1):", torch.ones(1).device)
    print("cuda:         ", torch.ones(1, device="cuda").device)

# %% factory-gpu needs="cuda"
with torch.device("cuda"):
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

# %% not-affected
import numpy as np

with torch.device("meta"):
    print("as_tensor: ", torch.as_tensor([1.0]).device)
    print("from_numpy:", torch.from_numpy(np.ones(1)).device)
    print("frombuffer:", torch.frombuffer(bytearray(4), dtype=torch.float32).device)

# %% without-cuda needs="no-cuda" raises="RuntimeError"
with torch.cuda.device(0):
    torch.ones(1)

# %% chosen hidden=true
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
with device:
    assert torch.ones(1).device.type == device.type

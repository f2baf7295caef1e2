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

# %% which-obey hidden=true
obeying = {
    "rand": lambda: torch.rand(2),
    "arange": lambda: torch.arange(2),
    "eye": lambda: torch.eye(2),
    "randperm": lambda: torch.randperm(3),
    "full": lambda: torch.full((2,), 1),
    "linspace": lambda: torch.linspace(0, 1, 3),
    "hann_window": lambda: torch.hann_window(4),
    "as_tensor, from an array": lambda: torch.as_tensor(np.ones(1)),
    "asarray": lambda: torch.asarray(np.ones(1)),
    "embedding": lambda: nn.Embedding(2, 2).weight,
    "statistics": lambda: nn.BatchNorm1d(2).running_mean,
}
ignoring = {
    "normal": lambda: torch.normal(0.0, 1.0, (2,)),
    "Tensor": lambda: torch.Tensor(2),
    "FloatTensor": lambda: torch.FloatTensor(2),
    "from_dlpack": lambda: torch.from_dlpack(np.ones(1)),
}
for makers, expected in ((obeying, "meta"), (ignoring, "cpu")):
    for name, make in makers.items():
        with torch.device("meta"):
            assert make().device.type == expected, name

# %% one-thread hidden=true
import threading

made = []
torch.set_default_device("meta")
thread = threading.Thread(target=lambda: made.append(torch.ones(1).device.type))
thread.start()
thread.join()
torch.set_default_device(None)
assert made == ["cpu"]

"""A saved tensor remembers its device; map_location overrules it."""

# %% map-location
import tempfile
from pathlib import Path

import torch
from torch import nn

folder = Path(tempfile.mkdtemp())
net = nn.Linear(3, 2)
torch.save(net.state_dict(), folder / "weights.pt")
print(torch.load(folder / "weights.pt")["weight"].device)
print(torch.load(folder / "weights.pt", map_location="meta")["weight"].device)

# %% on-a-gpu needs="cuda"
torch.save(nn.Linear(3, 2, device="cuda").state_dict(), folder / "from-gpu.pt")
print(torch.load(folder / "from-gpu.pt")["weight"].device)
print(torch.load(folder / "from-gpu.pt", map_location="cpu")["weight"].device)


# %% like-a-gpu
def tag(storage):
    return "cuda:0"  # what torch.save writes for a storage on a GPU


torch.serialization.register_package(0, tag, lambda storage, location: None)
torch.save(net.state_dict(), folder / "from-gpu.pt")

# %% error needs="no-cuda" raises="RuntimeError"
torch.load(folder / "from-gpu.pt")

# %% to-the-cpu
state = torch.load(folder / "from-gpu.pt", map_location="cpu")
print(state["weight"].device)
print("same values:", torch.equal(state["weight"], net.weight))

# %% after-loading
device = "cuda" if torch.cuda.is_available() else "cpu"
restored = nn.Linear(3, 2)
restored.load_state_dict(torch.load(folder / "weights.pt", map_location="cpu"))
restored.to(device)
print("arrived:", restored.weight.device.type == device)

# %% fewer-gpus needs="cuda" raises="RuntimeError"
torch.load(folder / "from-gpu.pt", map_location="cuda:7")

# %% first-gpu needs="cuda"
print(torch.load(folder / "from-gpu.pt", map_location="cuda")["weight"].device)

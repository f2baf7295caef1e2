"""Save and load tensors: torch.save, torch.load, weights_only, mmap."""

# %% save-and-load
import tempfile
from pathlib import Path

import torch

folder = Path(tempfile.mkdtemp())
features = {"image": torch.arange(6.0).view(2, 3), "label": torch.tensor([0, 1])}
torch.save(features, folder / "features.pt")
print(torch.load(folder / "features.pt"))

# %% map-location
loaded = torch.load(folder / "features.pt", map_location="cpu")
print(loaded["image"].device)

# %% view
big = torch.zeros(1000, 1000)
torch.save(big[0], folder / "view.pt")
torch.save(big[0].clone(), folder / "copy.pt")
for name in ("view.pt", "copy.pt"):
    print(f"{name}: {(folder / name).stat().st_size / 1e6:.2f} MB")

# %% shared
table = torch.zeros(2, 3)
torch.save({"table": table, "row": table[0]}, folder / "both.pt")
both = torch.load(folder / "both.pt")
both["row"] += 1
print(both["table"])

# %% own-class raises="UnpicklingError"
from dataclasses import dataclass


@dataclass
class Sample:
    image: torch.Tensor


torch.save(Sample(torch.zeros(2)), folder / "sample.pt")
torch.load(folder / "sample.pt")

# %% safe-globals
with torch.serialization.safe_globals([Sample]):
    print(torch.load(folder / "sample.pt"))

# %% mmap
torch.save(big, folder / "big.pt")
mapped = torch.load(folder / "big.pt", mmap=True)
print(mapped[999, :3])  # only now is this part of the file read
mapped[0, 0] = 7
print("in memory:", mapped[0, 0].item(), "in the file:", torch.load(folder / "big.pt")[0, 0].item())

# %% text raises="UnpicklingError"
(folder / "notes.pt").write_text("no tensors here")
torch.load(folder / "notes.pt")

# %% clean-up hidden=true
import shutil

del mapped
shutil.rmtree(folder, ignore_errors=True)

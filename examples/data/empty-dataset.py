"""An empty dataset: an error with shuffle=True, and silence without."""

# %% in-a-folder hidden=true
import os
import tempfile

os.chdir(tempfile.mkdtemp())

# %% photos
from pathlib import Path

from PIL import Image

root = Path("photos")
root.mkdir()
for name in ("cat.JPG", "dog.jpeg", "bird.png"):
    Image.new("RGB", (4, 4)).save(root / name)

# %% no-match raises="ValueError"
from torch.utils.data import DataLoader

paths = sorted(root.glob("*.jpg"))
DataLoader(paths, batch_size=2, shuffle=True)

# %% what-there-is
print("found:   ", paths)
print("endings: ", sorted({path.suffix for path in root.iterdir()}))
print("no such folder:", list(Path("fotos").glob("*.jpg")), Path("fotos").is_dir())

# %% silent
loader = DataLoader(paths, batch_size=2)
batches = 0
for batch in loader:
    batches += 1
print("batches:", batches, " len(loader):", len(loader))

# %% mean-of-nothing raises="ZeroDivisionError"
total = 0.0
print("mean loss:", total / len(loader))

# %% checked raises="FileNotFoundError"
from torch.utils.data import Dataset


class Photos(Dataset):
    endings = {".jpg", ".jpeg", ".png"}

    def __init__(self, root):
        files = sorted(Path(root).rglob("*"))
        self.paths = [file for file in files if file.suffix.lower() in self.endings]
        if not self.paths:
            raise FileNotFoundError(f"no {sorted(self.endings)} below {root}")

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        return self.paths[i].name


Photos("fotos")

# %% found
print(next(iter(DataLoader(Photos("photos"), batch_size=3))))

# %% split warns="UserWarning"
import torch
from torch.utils.data import random_split

generator = torch.Generator().manual_seed(0)
train, val = random_split(Photos("photos"), [0.9, 0.1], generator=generator)
print("lengths:", len(train), len(val))

# %% split-loader raises="ValueError"
DataLoader(val, shuffle=True)

# %% drop-last
loader = DataLoader(Photos("photos"), batch_size=4, shuffle=True, drop_last=True)
print("samples:", len(loader.dataset), " batches:", len(loader))

# %% weighted raises="ValueError"
from torch.utils.data import WeightedRandomSampler

WeightedRandomSampler(weights=[], num_samples=len(paths))

# %% left hidden=true
import warnings

from torch.utils.data import ConcatDataset

with warnings.catch_warnings():
    warnings.simplefilter("error")
    assert len(random_split(Photos("photos"), [2, 1])[1]) == 1
    train, val = random_split(ConcatDataset([Photos("photos")] * 4), [0.9, 0.1])
assert len(DataLoader(val, shuffle=True)) == len(val) == 1
nothing = DataLoader(paths, batch_size=2)
assert len(nothing) == 0 and (total / len(nothing) if len(nothing) else None) is None
there = Photos("photos").paths
assert there and len(list(WeightedRandomSampler([1.0] * len(there), num_samples=len(there)))) == 3
os.chdir("/")

# %% number-passed hidden=true
from torch.utils.data import RandomSampler

for make in (lambda n: RandomSampler(there, True, n), lambda n: WeightedRandomSampler([1.0] * len(there), n)):
    try:
        make(len(there) // 10)  # 0, and the dataset is not empty
    except ValueError as error:
        assert "num_samples should be a positive integer value" in str(error)
    else:
        raise AssertionError("no samples can be drawn now")

# %% not-an-int hidden=true
import numpy as np

for number in (3.0, torch.tensor(3), np.int64(3)):
    try:
        WeightedRandomSampler([1.0] * 3, number)
    except ValueError as error:
        assert "num_samples should be a positive integer value" in str(error)
    else:
        raise AssertionError(number)
    assert len(list(WeightedRandomSampler([1.0] * 3, int(number)))) == 3

# %% other-endings hidden=true
folder = Path(tempfile.mkdtemp())
(folder / "a.WEBP").touch()
for ending, found in ((".WEBP", False), (".webp", True)):
    Photos.endings = Photos.endings | {ending}
    try:
        assert len(Photos(folder)) == 1 and found
    except FileNotFoundError:
        assert not found

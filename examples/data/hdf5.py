"""Arrays larger than memory: memory maps, HDF5, LMDB, opened in each worker."""

# %% one-core hidden=true
import warnings

# A machine with one core warns of two workers.
warnings.filterwarnings("ignore", message="This DataLoader will create")

# %% files
import tempfile
from pathlib import Path

import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset

folder = Path(tempfile.mkdtemp())
shape = (1000, 3, 8, 8)  # (sample, channel, height, width)
images = np.lib.format.open_memmap(folder / "images.npy", "w+", "uint8", shape)
for start in range(0, len(images), 250):  # piece by piece, so it fits into memory
    numbers = np.arange(start, start + 250) % 256
    images[start : start + 250] = numbers[:, None, None, None]
images.flush()
print(images.shape, images.dtype)


# %% memmap
class Mapped(Dataset):
    def __init__(self, path):
        self.images = np.load(path, mmap_mode="r")  # reads the header only

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i].copy()  # only this sample is read
        return torch.from_numpy(image).float() / 255


loader = DataLoader(Mapped(folder / "images.npy"), batch_size=100, num_workers=2)
print([tuple(batch.shape) for batch in loader][:2], "batches:", len(loader))

# %% not-copied warns="UserWarning"
mapped = np.load(folder / "images.npy", mmap_mode="r")
torch.from_numpy(mapped[0])

# %% by-path
import pickle


class MappedLater(Mapped):
    def __init__(self, path):
        self.path, self.images = path, None
        self.length = len(np.load(path, mmap_mode="r"))

    def __len__(self):
        return self.length

    def __getitem__(self, i):
        if self.images is None:  # the first sample in this process
            self.images = np.load(self.path, mmap_mode="r")
        return super().__getitem__(i)


early, late = (kind(folder / "images.npy") for kind in (Mapped, MappedLater))
print(f"file: {(folder / 'images.npy').stat().st_size / 1000:.0f} kB")
for dataset in (early, late):
    kilobytes = len(pickle.dumps(dataset)) / 1000
    print(f"{type(dataset).__name__:11} pickled: {kilobytes:3.0f} kB")
print("same sample:", torch.equal(early[7], late[7]))

# %% hdf5 needs="h5py"
import h5py

with h5py.File(folder / "images.h5", "w") as file:
    options = {"chunks": (1, 3, 8, 8), "compression": "gzip"}
    file.create_dataset("images", data=images, **options)


class InHdf5(Dataset):
    def __init__(self, path):
        self.path, self.file = path, None
        with h5py.File(path) as file:  # closed again: a worker opens its own
            self.length = len(file["images"])

    def __len__(self):
        return self.length

    def __getitem__(self, i):
        if self.file is None:
            self.file = h5py.File(self.path)
        return torch.from_numpy(self.file["images"][i]).float() / 255


loader = DataLoader(InHdf5(folder / "images.h5"), batch_size=4, num_workers=2)
print(tuple(next(iter(loader)).shape))

# %% hdf5-pickle needs="h5py" raises="TypeError"
dataset = InHdf5(folder / "images.h5")
dataset[0]  # opens the file in the main process
pickle.dumps(dataset)  # as a worker that is spawned needs it

# %% hdf5-order needs="h5py" raises="TypeError"
with h5py.File(folder / "images.h5") as file:
    file["images"][[7, 2]]

# %% hdf5-sorted needs="h5py"
wanted = np.array([7, 2, 7, 5])
rows, places = np.unique(wanted, return_inverse=True)  # sorted, each once
with h5py.File(folder / "images.h5") as file:
    batch = file["images"][rows][places]
print(batch[:, 0, 0, 0])

# %% lmdb needs="lmdb"
import lmdb

with lmdb.open(str(folder / "lmdb"), map_size=2**26) as database:
    with database.begin(write=True) as transaction:
        for i, image in enumerate(images):
            transaction.put(f"{i:08}".encode(), image.tobytes())


class InLmdb(Dataset):
    def __init__(self, path, length):
        self.path, self.length, self.database = path, length, None

    def __len__(self):
        return self.length

    def __getitem__(self, i):
        if self.database is None:
            self.database = lmdb.open(self.path, readonly=True, lock=False)
        with self.database.begin() as transaction:
            value = transaction.get(f"{i:08}".encode())  # bytes, or None
        pixels = torch.frombuffer(bytearray(value), dtype=torch.uint8)
        return pixels.reshape(3, 8, 8).float() / 255


loader = DataLoader(InLmdb(str(folder / "lmdb"), 1000), batch_size=4, num_workers=2)
print("equal:", torch.equal(next(iter(loader))[3], late[3]))

# %% lmdb-full needs="lmdb" raises="MapFullError"
with lmdb.open(str(folder / "small"), map_size=2**16) as database:
    with database.begin(write=True) as transaction:
        for i, image in enumerate(images):
            transaction.put(f"{i:08}".encode(), image.tobytes())

# %% remedies hidden=true needs="h5py"
assert len(pickle.dumps(InHdf5(folder / "images.h5"))) < 1000

# %% pickled-after-a-sample hidden=true
assert len(pickle.dumps(MappedLater(folder / "images.npy"))) < 1000
assert len(pickle.dumps(late)) > 190_000  # late[7] was read in this process
assert isinstance(np.load(folder / "images.npy", mmap_mode="r")[7, 0, 0, 0], np.uint8)  # no array

"""How many workers? Enough that the model does not wait, and no more."""

# %% one-core hidden=true
import warnings

# A machine with few cores warns of more workers than it has cores.
warnings.filterwarnings("ignore", message="This DataLoader will create")

# %% measure
import time

import torch
from torch.utils.data import DataLoader, Dataset


class Files(Dataset):
    def __init__(self, seconds):
        self.seconds = seconds

    def __len__(self):
        return 1000

    def __getitem__(self, i):
        time.sleep(self.seconds)  # reading and decoding a file
        return torch.tensor(i)


def milliseconds_per_step(seconds, workers, steps=8):
    batches = iter(DataLoader(Files(seconds), batch_size=4, num_workers=workers))
    next(batches)  # the workers have started
    start = time.perf_counter()
    for _ in range(steps):
        time.sleep(0.012)  # the model
        next(batches)
    return 1000 * (time.perf_counter() - start) / steps


# %% slow-samples varies=true
for workers in (0, 1, 2, 4):
    step = milliseconds_per_step(0.006, workers)
    print(f"num_workers={workers}: {step:5.1f} ms per step")

# %% cheap-samples varies=true
for workers in (0, 2):
    start = time.perf_counter()
    for batch in DataLoader(torch.arange(400), batch_size=4, num_workers=workers):
        pass
    milliseconds = 1000 * (time.perf_counter() - start)
    print(f"num_workers={workers}: {milliseconds:5.1f} ms per epoch")

# %% prefetch
loader = DataLoader(Files(0), num_workers=2, persistent_workers=True)
print("with workers:   ", loader.prefetch_factor)
print("without workers:", DataLoader(Files(0)).prefetch_factor)

# %% persistent-error raises="ValueError"
DataLoader(Files(0), num_workers=0, persistent_workers=True)

# %% prefetch-error raises="ValueError"
DataLoader(Files(0), num_workers=0, prefetch_factor=4)

# %% too-many hidden=true
warnings.resetwarnings()

# %% too-many-warning warns="UserWarning" varies=true
DataLoader(Files(0), num_workers=1000)

# %% remedies hidden=true
import re

DataLoader(Files(0), num_workers=1, persistent_workers=True)
DataLoader(Files(0), num_workers=1, prefetch_factor=4)
DataLoader(Files(0), num_workers=0)
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    DataLoader(Files(0), num_workers=1000)
most = int(re.search(r"current system is (\d+)", str(told[0].message))[1])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    DataLoader(Files(0), num_workers=most)

# %% one-iterator hidden=true
kept = DataLoader(range(4), num_workers=1, persistent_workers=True)
outer = iter(kept)
next(outer)
assert iter(kept) is outer and [batch.item() for batch in outer] == [0, 1, 2, 3]

# %% copied-by-spawn hidden=true
import pickle
import tempfile

import numpy as np

with tempfile.NamedTemporaryFile() as file:
    mapped = np.memmap(file.name, mode="w+", shape=(1_000_000,))
    assert len(pickle.dumps(mapped)) > 1_000_000  # spawn sends a worker all of it

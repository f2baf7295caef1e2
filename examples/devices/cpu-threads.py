"""How many threads PyTorch uses on a CPU, and when fewer are faster."""

# %% ask varies=true
import os

import torch

print("logical processors:      ", os.cpu_count())
print("threads in an operation: ", torch.get_num_threads())
print("operations side by side: ", torch.get_num_interop_threads())

# %% set
before = torch.get_num_threads()
torch.set_num_threads(1)
print(torch.get_num_threads())
torch.set_num_threads(before)

# %% times varies=true
import time


def milliseconds(size, threads):
    torch.set_num_threads(threads)
    matrix = torch.randn(size, size)
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        matrix @ matrix
        best = min(best, time.perf_counter() - start)
    torch.set_num_threads(before)
    return best * 1e3


for size in (32, 1024):
    one, two = milliseconds(size, 1), milliseconds(size, 2)
    print(f"{size:4} × {size:<4}  1 thread {one:7.3f} ms  2 threads {two:7.3f} ms")

# %% same-result
torch.manual_seed(0)
values = torch.rand(1_000_000)
totals = []
for threads in (1, 2):
    torch.set_num_threads(threads)
    totals.append(values.sum())
torch.set_num_threads(before)
print("close:", torch.allclose(*totals))

# %% workers
from torch.utils.data import DataLoader, Dataset


class Threads(Dataset):
    def __len__(self):
        return 2

    def __getitem__(self, index):
        return torch.get_num_threads()


loader = DataLoader(Threads(), num_workers=1, batch_size=2)
print("threads in a worker:", next(iter(loader)).tolist())

# %% environment
import subprocess
import sys

code = "import torch; print(torch.get_num_threads())"
environment = os.environ | {"OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
command = [sys.executable, "-c", code]
print(subprocess.check_output(command, env=environment, text=True))

# %% interop-twice raises="RuntimeError"
torch.set_num_interop_threads(1)
torch.set_num_interop_threads(2)

# %% default hidden=true
import os
import subprocess
import sys

import torch

# This process was told how many threads to use; an ordinary one is asked here.
ordinary = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
code = "import torch; print(torch.get_num_threads())"
torch.set_num_threads(int(subprocess.check_output([sys.executable, "-c", code], env=ordinary)))

# %% remedies hidden=true
code = """
import torch

torch.set_num_interop_threads(2)
torch.ones(300, 300) @ torch.ones(300, 300)
for threads in (2, 1):
    torch.set_num_threads(threads)
print(torch.get_num_interop_threads(), torch.get_num_threads())
"""
assert subprocess.check_output([sys.executable, "-c", code], text=True) == "2 1\n"

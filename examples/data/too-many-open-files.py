"""Each tensor from a worker keeps a file open: three ways around the limit."""

# %% few-files
import os
import resource
from contextlib import contextmanager


@contextmanager
def at_most(files):
    """What `ulimit -n` does in a shell, for the duration of a block."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


# %% kept raises="RuntimeError"
import torch
from torch.utils.data import DataLoader

loader = DataLoader(torch.arange(400.0), batch_size=4, num_workers=1)
kept = []
with at_most(64):
    for batch in loader:
        kept.append(batch)

# %% emptied fold=true
import gc

from torch.utils.data.dataloader import _MultiProcessingDataLoaderIter

# The error keeps its iterator alive: end that worker here, so that its files are not counted below.
for item in gc.get_objects():
    if type(item) is _MultiProcessingDataLoaderIter:
        item._shutdown_workers()
kept.clear()
gc.collect()

# %% copy
with at_most(64):
    batches = [batch.clone() for batch in loader]
print(len(batches), "batches")


# %% descriptors
def open_files():
    """How many open files of this process hold a tensor, on Linux."""
    count = 0
    for number in os.listdir("/proc/self/fd"):
        try:
            count += "torch_" in os.readlink(f"/proc/self/fd/{number}")
        except FileNotFoundError:  # a thread has closed it meanwhile
            pass
    return count


batches = list(loader)
print(len(batches), "batches,", open_files(), "open files")
batches.clear()
print("after clear():", open_files())

# %% ancdata raises="RuntimeError"
import torch.multiprocessing as mp


def produce(queue, done):
    for _ in range(100):
        queue.put(torch.zeros(2))
    done.wait()


context = mp.get_context("fork")
queue, done = context.Queue(), context.Event()
producer = context.Process(target=produce, args=(queue, done))
producer.start()
tensors = []
try:
    with at_most(64):
        while True:
            tensors.append(queue.get())
finally:
    done.set()
    producer.terminate()
    producer.join()

# %% higher-limit
with at_most(64):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    more = min(1024, hard)  # what ulimit -n 1024 sets
    resource.setrlimit(resource.RLIMIT_NOFILE, (more, hard))
    batches = list(loader)
print(len(batches), "batches")
batches.clear()

# %% shared raises="RuntimeError" varies=true
with at_most(64):
    for _ in range(100):
        tensors.append(torch.zeros(2).share_memory_())

# %% one-block
tensors.clear()  # closes their files
before = open_files()
with at_most(64):
    whole = torch.zeros(100, 2).share_memory_()
    tensors = list(whole)  # 100 views of one shared memory
print(len(tensors), "tensors, new open files:", open_files() - before)
print(tensors[99].is_shared())

# %% file-system
del whole, tensors
default = mp.get_sharing_strategy()
mp.set_sharing_strategy("file_system")
with at_most(64):
    batches = list(loader)
print(len(batches), "batches,", open_files(), "open files")


# %% files-with-names
def shared_files():
    return {name for name in os.listdir("/dev/shm") if name.startswith("torch_")}


with_batches = shared_files()
batches.clear()
left = shared_files()
print("files in /dev/shm that held the batches:", len(with_batches - left))

# %% shared-by-name hidden=true
with at_most(64):
    tensors = [torch.zeros(2).share_memory_() for _ in range(100)]  # the other remedy
assert len(tensors) == 100
tensors.clear()

# %% default-again hidden=true
mp.set_sharing_strategy(default)

# %% arrays hidden=true
import numpy as np


def stacked(samples):
    return np.stack(samples)


zeros = [np.zeros(4) for _ in range(50)]
before = open_files()
arrays = list(DataLoader(zeros, batch_size=1, num_workers=1, collate_fn=stacked))
assert type(arrays[0]) is np.ndarray and open_files() == before, open_files()
tensors = list(DataLoader(zeros, batch_size=1, num_workers=1))
assert type(tensors[0]) is torch.Tensor and open_files() >= before + 50, open_files()
tensors.clear()

"""A DataLoader that hangs: make it say so, and where."""

# %% one-core hidden=true
import warnings

# A machine with one core warns of two workers.
warnings.filterwarnings("ignore", message="This DataLoader will create")

# %% lock
import tempfile
import threading
from pathlib import Path

import torch
from torch.utils.data import DataLoader, Dataset

lock = threading.Lock()


class Photos(Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        with lock:
            return torch.full((2,), float(i))


def hold_lock():  # as a thread that writes a log may do
    lock.acquire()
    threading.Timer(1, lock.release).start()


# %% timeout raises="RuntimeError"
hold_lock()
next(iter(DataLoader(Photos(), num_workers=1, timeout=1)))

# %% collected hidden=true
import gc

gc.collect()  # the iterator that timed out ends its worker here, not in a process forked later

# %% where raises="RuntimeError" varies=true
import faulthandler

log = Path(tempfile.mkdtemp()) / "worker.txt"


def report(worker_id):
    file = open(log, "w")
    faulthandler.dump_traceback_later(0.5, exit=True, file=file)


hold_lock()
next(iter(DataLoader(Photos(), num_workers=1, worker_init_fn=report)))

# %% report
print(*log.read_text().splitlines()[:3], sep="\n")

# %% no-workers
hold_lock()
print(next(iter(DataLoader(Photos(), num_workers=0))))

# %% lock-free
print(next(iter(DataLoader(Photos(), num_workers=1, timeout=20))))

# %% workers-first hidden=true
batches = iter(DataLoader(Photos(), num_workers=1, timeout=60))
hold_lock()
assert len(list(batches)) == 4
lock.acquire()  # the timer has released it
lock.release()

# %% cost varies=true
import time


def milliseconds(workers):
    start = time.perf_counter()
    list(DataLoader(Photos(), num_workers=workers))
    return 1000 * (time.perf_counter() - start)


for workers in (0, 2):
    print(f"num_workers={workers}: {milliseconds(workers):.1f} ms")


# %% alarm-of-a-healthy-worker hidden=true
class Slow(Photos):
    def __getitem__(self, i):
        time.sleep(0.3)
        return i


try:
    list(DataLoader(Slow(), num_workers=1, worker_init_fn=report))
except RuntimeError as error:
    assert "exited unexpectedly" in str(error), error
else:
    raise AssertionError("the alarm starts anew with each batch")


# %% second-epoch hidden=true
def second_epoch(**options):
    loader = DataLoader(Photos(), num_workers=1, **options)
    list(loader)
    hold_lock()
    return list(loader)


assert len(second_epoch(timeout=60, persistent_workers=True)) == 4
lock.acquire()  # the timer has released it
lock.release()
try:
    second_epoch(timeout=1)
except RuntimeError as error:
    assert "timed out" in str(error), error
else:
    raise AssertionError("the second epoch starts no new worker")

# %% timeout-without-workers hidden=true
try:
    list(DataLoader(Photos(), num_workers=0, timeout=1))
except AssertionError:
    pass
else:
    raise RuntimeError("num_workers=0 takes a timeout")

# %% slow-samples hidden=true
try:
    list(DataLoader(Slow(), num_workers=1, timeout=0.1))
except RuntimeError as error:
    assert "timed out" in str(error), error
else:
    raise AssertionError("a slow sample does not time out")
assert len(list(DataLoader(Slow(), num_workers=1, timeout=60))) == 4

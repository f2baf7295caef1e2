"""What a DataLoader says when a worker fails."""

# %% exception
import torch
from torch.utils.data import DataLoader, Dataset


class Photos(Dataset):
    pixels = [torch.zeros(2), torch.ones(2)]

    def __len__(self):
        return 3  # one too many

    def __getitem__(self, i):
        return self.pixels[i]


try:
    for batch in DataLoader(Photos(), num_workers=1):
        print("batch", batch)
except IndexError as error:
    first, *_, line, code, marks, last = str(error).splitlines()
    print(first, line, code, marks, last, sep="\n")

# %% no-workers raises="IndexError"
for batch in DataLoader(Photos(), num_workers=0):
    print("batch", batch)

# %% worker-ended fold=true
import gc

from torch.utils.data.dataloader import _MultiProcessingDataLoaderIter

# The failed iterator is kept alive by its error; end its worker here, not in a process forked later.
for item in gc.get_objects():
    if type(item) is _MultiProcessingDataLoaderIter:
        item._shutdown_workers()

# %% killed raises="RuntimeError" varies=true
import os
import signal
import tempfile
from pathlib import Path


class Dies(Photos):
    signal = signal.SIGKILL  # what comes when memory runs out

    def __getitem__(self, i):
        os.kill(os.getpid(), self.signal)


try:
    next(iter(DataLoader(Dies(), num_workers=1)))
except RuntimeError as error:
    print(error.__cause__)
    raise

# %% bus-error raises="RuntimeError" varies=true
Dies.signal = signal.SIGBUS  # what comes when /dev/shm is full
log = Path(tempfile.mkdtemp()) / "stderr.txt"


def errors_to_file(worker_id):
    os.dup2(os.open(log, os.O_CREAT | os.O_WRONLY), 2)


try:
    next(iter(DataLoader(Dies(), num_workers=1, worker_init_fn=errors_to_file)))
except RuntimeError as error:
    print(log.read_text().strip("\0\n "))
    print(error.__cause__)
    raise

# %% segfault raises="RuntimeError" varies=true
Dies.signal = signal.SIGSEGV  # what comes when compiled code crashes
log = log.with_name("crash.txt")

try:
    next(iter(DataLoader(Dies(), num_workers=1, worker_init_fn=errors_to_file)))
except RuntimeError as error:
    print(log.read_text().strip("\0\n "))
    print(error.__cause__)
    raise

# %% faulthandler
import faulthandler

log = log.with_name("where.txt")


def say_where(worker_id):
    faulthandler.disable()  # enable() changes nothing where it is on
    faulthandler.enable(open(log, "w"))  # a crash writes its call stack there


try:
    next(iter(DataLoader(Dies(), num_workers=1, worker_init_fn=say_where)))
except RuntimeError:
    lines = log.read_text().splitlines()
print(lines[0], next(line for line in lines if "File" in line), sep="\n")

# %% inherited
import sys

gc.collect()
gc.disable()  # here, the page decides when it runs
log.unlink()
try:
    list(DataLoader(Photos(), num_workers=1))  # fails at its last sample
except IndexError:
    pass


def collect(worker_id):
    def write(ignored):
        log.write_text(f"{ignored.exc_type.__name__}: {ignored.exc_value}")

    sys.unraisablehook = write
    gc.collect()  # what Python does by itself now and then


list(DataLoader(Photos.pixels, num_workers=1, worker_init_fn=collect))
print(log.read_text())

# %% collected-before
log.unlink()
gc.collect()  # in the main process: the failed loader is gone
list(DataLoader(Photos.pixels, num_workers=1, worker_init_fn=collect))
print("message in the worker:", log.exists())

# %% inherited-and-used hidden=true
gc.enable()
batches = iter(DataLoader(range(6), num_workers=1))
next(batches)
(first,) = batches._workers


def drop(worker_id):
    global batches
    sys.unraisablehook = lambda ignored: log.write_text(str(ignored.exc_value))
    batches = None


list(DataLoader(range(2), num_workers=1, worker_init_fn=drop))
assert "child process" in log.read_text()
first.join()  # ended from the other worker
assert first.exitcode == 0
del batches


# %% right-length hidden=true
class Mended(Photos):
    def __len__(self):
        return len(self.pixels)


for workers in (0, 1):
    assert len(list(DataLoader(Mended(), num_workers=workers))) == 2


# %% stops-early
class FromStream(Dataset):
    def __init__(self):
        self.stream = iter(range(3))

    def __len__(self):
        return 10

    def __getitem__(self, i):
        return next(self.stream)  # runs out after three


for workers in (0, 1):
    batches = list(DataLoader(FromStream(), num_workers=workers))
    print(f"num_workers={workers}: {len(batches)} samples")


# %% other-types hidden=true
class Damaged(Dataset):
    def __init__(self, exception):
        self.exception = exception

    def __len__(self):
        return 1

    def __getitem__(self, i):
        raise self.exception


undecodable = UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
for exception, kind in ((KeyError("a"), KeyError), (OSError("a"), OSError), (undecodable, RuntimeError)):
    try:
        list(DataLoader(Damaged(exception), num_workers=1))
    except Exception as error:
        assert type(error) is kind and f"Caught {type(exception).__name__}" in str(error), error
    gc.collect()


# %% exit-code hidden=true
class Exits(Photos):
    def __init__(self, leave):
        self.leave = leave

    def __getitem__(self, i):
        self.leave(1)


for leave in (sys.exit, os._exit):
    try:
        list(DataLoader(Exits(leave), num_workers=1))
    except RuntimeError as error:
        assert "exited unexpectedly with exit code 1" in str(error.__cause__), error.__cause__
    else:
        raise AssertionError("the worker came to its end")
    gc.collect()

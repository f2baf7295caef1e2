"""torch.multiprocessing: spawn, start methods, and what users meet first."""

# %% script
import tempfile
from pathlib import Path

script = Path(tempfile.mkdtemp()) / "squares.py"
script.write_text("""
import torch
import torch.multiprocessing as mp


def work(rank, results):  # spawn passes the rank first, then args
    results[rank] = rank**2


if __name__ == "__main__":
    results = torch.zeros(2).share_memory_()
    mp.spawn(work, args=(results,), nprocs=2)  # waits for all
    print(results)
""")

# %% spawn
import runpy

runpy.run_path(str(script), run_name="__main__")  # as python squares.py does

# %% no-guard varies=true
import re
import subprocess
import sys

script.write_text("""
import torch.multiprocessing as mp


def work(rank):
    print("rank", rank)


mp.spawn(work, nprocs=1)
""")
run = subprocess.run([sys.executable, script], capture_output=True, text=True)
for line in run.stderr.splitlines():
    if re.search("An attempt|bootstrapping|ProcessExited", line):
        print(line.strip())

# %% with-guard
guard = "if __name__ == '__main__':\n    "
script.write_text(script.read_text().replace("mp.spawn(", guard + "mp.spawn("))
runpy.run_path(str(script), run_name="__main__")

# %% not-pickled raises="PicklingError"
import torch.multiprocessing as mp

mp.spawn(lambda rank: print("rank", rank), nprocs=1)

# %% start-methods
print(sorted(mp.get_all_start_methods()))

# %% context-set raises="RuntimeError"
mp.set_start_method("fork", force=True)  # perhaps by a library that you import
mp.set_start_method("spawn")  # too late

# %% get-context
context = mp.get_context("fork")  # for these processes only


def report(rank, queue):
    queue.put((rank, rank * 10))


queue = context.SimpleQueue()
processes = [context.Process(target=report, args=(n, queue)) for n in range(2)]
for process in processes:
    process.start()
print(sorted(queue.get() for _ in processes))
for process in processes:
    process.join()


# %% raised raises="ProcessRaisedException"
def failing(rank):
    raise ValueError("no images in data/train")


mp.start_processes(failing, nprocs=1, start_method="fork")

# %% killed raises="ProcessExitedException"
import os
import signal


def killed(rank):
    os.kill(os.getpid(), signal.SIGKILL)  # as Linux does when memory runs out


mp.start_processes(killed, nprocs=1, start_method="fork")

# %% returned
import torch
import torch.multiprocessing as mp


def returns(rank, results):
    results[rank] = rank + 1
    return "this is lost"


results = torch.zeros(2).share_memory_()
mp.start_processes(returns, args=(results,), nprocs=2, start_method="fork")
print(results)


# %% bad-fork needs="cuda" raises="ProcessRaisedException" varies=true says="Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method" origin="torch/cuda/__init__.py"
def on_gpu(rank):
    return torch.zeros(1, device="cuda")


torch.zeros(1, device="cuda")  # the parent has used CUDA
mp.start_processes(on_gpu, nprocs=1, start_method="fork")

# %% bad-fork-without-a-gpu raises="RuntimeError"
from unittest import mock

with mock.patch("torch.cuda._is_in_bad_fork", return_value=True):
    torch.cuda.init()  # as in a process forked after CUDA was set up


# %% one-thread
def on_one_thread(queue):
    torch.set_num_threads(1)  # before anything is computed
    queue.put(tuple((images @ weight).shape))


images, weight = torch.ones(64, 512), torch.ones(512, 512)
images @ weight  # the parent has computed, perhaps with several threads
context = mp.get_context("fork")
queue = context.SimpleQueue()
process = context.Process(target=on_one_thread, args=(queue,))
process.start()
print(queue.get())
process.join()


# %% shared-or-copied hidden=true
def write(rank, shared, private):
    shared[rank] = private[rank] = 1


shared, private = torch.zeros(2).share_memory_(), torch.zeros(2)
mp.start_processes(write, args=(shared, private), nprocs=2, start_method="fork")
assert shared.tolist() == [1, 1] and private.tolist() == [0, 0]


# %% queue-after-spawn hidden=true
def sends(rank, queue):
    queue.put(torch.ones(3))


queue = context.SimpleQueue()
mp.start_processes(sends, args=(queue,), nprocs=1, start_method="fork")  # waits for its end
if mp.get_sharing_strategy() == "file_descriptor":
    try:
        queue.get()
    except (FileNotFoundError, ConnectionError):
        pass  # the process that holds the tensor is gone
    else:
        raise AssertionError("a tensor of a process that has ended")

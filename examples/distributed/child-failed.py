"""What torchrun reports when a process fails, and which line of it is the cause."""

# %% quiet fold=true
import logging
import signal

for name in ("torch.distributed.elastic", "torch.distributed.run"):
    logging.getLogger(name).setLevel(logging.CRITICAL)  # what they say has process numbers in it
signals = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
handlers = {number: signal.getsignal(number) for number in signals}  # torchrun sets its own

# %% script
import tempfile
from pathlib import Path

from torch.distributed.run import main as torchrun

folder = Path(tempfile.mkdtemp())
script = folder / "train.py"
script.write_text("""
import os
import time

if os.environ["RANK"] == "1":
    raise ValueError("no images in data/train")
time.sleep(60)  # the other process works on
""")
options = ["--standalone", "--local-addr=localhost", "--nproc-per-node=2"]

# %% failed raises="ChildFailedError" varies=true
torchrun([*options, str(script)])

# %% mended
mended = folder / "mended.py"
mended.write_text("import os\nprint('rank', os.environ['RANK'], 'is done')")
torchrun([*options, "--nproc-per-node=1", str(mended)])

# %% logs
from torch.distributed.elastic.multiprocessing.errors import ChildFailedError


def first_failure(*arguments):
    """Return the rank and the report of the process that failed first."""
    try:
        where = ("--redirects=3", f"--log-dir={folder}/logs")
        torchrun([*options, *where, *map(str, arguments)])
    except ChildFailedError as error:
        return error.get_first_failure()


rank, failure = first_failure(script)
print("rank", rank, "exit code", failure.exitcode)
for path in sorted(folder.glob("logs/*/attempt_0/*/stderr.log")):
    last = path.read_text().splitlines()[-1:]
    print("rank", path.parent.name, "ends with:", last)

# %% smaller-batch
for batch_size in (64, 1):
    rank, failure = first_failure(script, f"--batch-size={batch_size}")
    print(f"batch size {batch_size:2}: rank {rank}, exit code {failure.exitcode}")

# %% killed
script.write_text("""
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)  # as Linux does when memory runs out
""")
_, failure = first_failure("--nproc-per-node=1", script)
print("exit code", failure.exitcode, failure.signal_name())
print(failure.message.rpartition(" ")[0])  # the last word is the process number

# %% exit-codes
import subprocess
import sys

endings = {
    "an exception": "raise ValueError",
    "sys.exit(3)": "sys.exit(3)",
    "an unknown option": "argparse.ArgumentParser().parse_args(['--local-rank=0'])",
    "killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "terminated": "os.kill(os.getpid(), signal.SIGTERM)",
    "segmentation fault": "ctypes.string_at(0)",
    "abort()": "os.abort()",
}
for name, ending in endings.items():
    code = f"import argparse, ctypes, os, signal, sys\n{ending}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True)
    meaning = signal.Signals(-run.returncode).name if run.returncode < 0 else ""
    print(f"{name:18} {run.returncode:3} {meaning}")

# %% out-of-memory
script.write_text("""
import resource

import torch

used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
soft, hard = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, hard))  # 256 MB more
torch.zeros(2**28)  # 1 GB
""")
log = f"--log-dir={folder}/memory"
_, failure = first_failure("--nproc-per-node=1", log, script)
(path,) = folder.glob("memory/*/attempt_0/0/stderr.log")
print("exit code", failure.exitcode)
print(path.read_text().splitlines()[-1].partition("DefaultCPUAllocator: ")[2])

# %% record raises="ChildFailedError" varies=true
script.write_text("""
from torch.distributed.elastic.multiprocessing.errors import record


@record
def main():
    raise ValueError("no images in data/train")


if __name__ == "__main__":
    main()
""")
torchrun([*options, "--nproc-per-node=1", "--redirects=3", str(script)])

# %% faulthandler hidden=true
import os

os.environ["PYTHONFAULTHANDLER"] = "1"  # an option -X of torchrun's own Python does not reach the ranks
script.write_text("import ctypes\nctypes.string_at(0)")
_, failure = first_failure("--nproc-per-node=1", f"--log-dir={folder}/crash", script)
del os.environ["PYTHONFAULTHANDLER"]
(path,) = folder.glob("crash/*/attempt_0/0/stderr.log")
assert failure.exitcode == -signal.SIGSEGV and 'train.py", line 2' in path.read_text()

# %% restored hidden=true
for number, handler in handlers.items():
    signal.signal(number, handler)

# %% batch-too-large hidden=true
import resource

import torch

used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
soft, hard = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (used + 2**28, hard))
try:
    for batch_size in (1, 64):  # the error is no CUDA out of memory, and a smaller batch helps
        try:
            torch.zeros(batch_size, 2**22)
        except RuntimeError as error:
            assert batch_size == 64 and "can't allocate memory" in str(error)
        else:
            assert batch_size == 1
finally:
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))

"""In a container or on a cluster: GPUs, shared memory, cores, memory."""

# %% look fold=true varies=true
import os
import shutil

print("$ nvidia-smi -L")
print("nvidia-smi:", "there" if shutil.which("nvidia-smi") else "command not found")
print("$ df -h /dev/shm")
if os.path.isdir("/dev/shm"):
    print(f"/dev/shm: {shutil.disk_usage('/dev/shm').total / 2**30:.1f} GiB")

# %% shared-memory raises="RuntimeError" varies=true
import torch

# A worker passes its batches on like this; 4 TiB are more than any /dev/shm has.
torch.UntypedStorage._new_shared(2**42)

# %% without-workers
from torch.utils.data import DataLoader, TensorDataset

dataset = TensorDataset(torch.arange(6.0))
(batch,) = next(iter(DataLoader(dataset, batch_size=3, num_workers=0)))
print(batch, "in shared memory:", batch.is_shared())

# %% cores varies=true
print("os.cpu_count():", os.cpu_count())
if hasattr(os, "sched_getaffinity"):  # Linux
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})  # as Slurm and docker --cpuset-cpus do
    print(
        "one core allowed:",
        len(os.sched_getaffinity(0)),
        "cpu_count():",
        os.cpu_count(),
    )
    os.sched_setaffinity(0, allowed)

# %% quota
from pathlib import Path


def cores(file=Path("/sys/fs/cgroup/cpu.max")):
    """How many cores this process may use: the cgroup's quota counts, too."""
    has_affinity = hasattr(os, "sched_getaffinity")
    found = len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count()
    text = file.read_text() if file.is_file() else "max 100000"
    limit, period = text.split()  # microseconds of work in each period
    quota = found if limit == "max" else max(1, int(limit) // int(period))
    return min(found, quota)


Path("cpu.max").write_text("100000 100000\n")  # what docker --cpus=1 writes
print("with --cpus=1:", cores(Path("cpu.max")))
torch.set_num_threads(cores(Path("cpu.max")))

# %% killed
import subprocess

# As the kernel does where memory runs out.
ended = subprocess.run(["sh", "-c", "kill -KILL $$"])
print("subprocess says:", ended.returncode)
command = "sh -c 'kill -KILL $$'; echo $?"
shell = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
print("a shell says:   ", shell.stdout.strip())

# %% limit
# In a container: /sys/fs/cgroup/memory.max
Path("memory.max").write_text(f"{8 * 2**30}\n")
limit = Path("memory.max").read_text().strip()
print("no limit" if limit == "max" else f"{int(limit) / 2**30:.0f} GiB")

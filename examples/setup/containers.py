"""In a container or on a cluster: GPUs, shared memory, cores, memory."""

# %% look fold=true varies=true
import os
import shutil
import subprocess

print("$ nvidia-smi -L", flush=True)
if shutil.which("nvidia-smi"):
    subprocess.run(["nvidia-smi", "-L"])
else:
    print("nvidia-smi: command not found")
limits = "/sys/fs/cgroup/cpu.max /sys/fs/cgroup/memory.max"
for command in ("df -h /dev/shm", "nproc", f"cat {limits}"):
    print("$", command, flush=True)
    subprocess.run(command.split(), stderr=subprocess.STDOUT)

# %% shared-memory raises="RuntimeError" varies=true
import torch

there = shutil.disk_usage("/dev/shm").total if os.path.isdir("/dev/shm") else 2**42
torch.UntypedStorage._new_shared(there + 2**20)  # as a worker passes a batch on

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

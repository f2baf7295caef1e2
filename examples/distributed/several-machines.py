"""torchrun on several machines: two agents on this one, elastic restart, Slurm's variables."""

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

folder = Path(tempfile.mkdtemp())
script = folder / "train.py"
script.write_text("""
import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")
names = ("GROUP_RANK", "LOCAL_RANK", "RANK", "WORLD_SIZE")
mine = " ".join(f"{name}={os.environ[name]}" for name in names)
total = torch.ones(1)
dist.all_reduce(total)
said = [None] * dist.get_world_size()
dist.all_gather_object(said, f"{mine} sum over all: {total.item():.0f}")
if dist.get_rank() == 0:
    print(*said, sep="\\n")
dist.destroy_process_group()
""")

# %% two-machines
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.run import main as torchrun


def machine(number, options):
    torchrun(options)  # the command torchrun, as on each machine


# Where they meet. The first machine hosts it by itself; here it outlives both.
store = dist.TCPStore("localhost", 0, is_master=True, wait_for_workers=False)
options = ["--nnodes=2", "--nproc-per-node=2", "--rdzv-backend=c10d"]
options += [f"--rdzv-endpoint=localhost:{store.port}", "--rdzv-id=job-7"]
options += ["--rdzv-conf=is_host=0", "--local-addr=localhost"]  # both are here
arguments = ([*options, str(script)],)
mp.start_processes(machine, args=arguments, nprocs=2, start_method="fork")

# %% restart
script.write_text("""
import os
from pathlib import Path

done = Path(__file__).with_name("done.txt")  # in place of a checkpoint
start = int(done.read_text()) if done.exists() else 0
restarts = os.environ["TORCHELASTIC_RESTART_COUNT"]
print("restarts:", restarts, "from epoch", start, flush=True)
for epoch in range(start, 4):
    if epoch == 2 and start == 0:
        raise RuntimeError("a GPU is gone")
    done.write_text(str(epoch + 1))
print("finished epoch", epoch)
""")
options = ["--standalone", "--local-addr=localhost", "--nproc-per-node=1"]
log = ["--redirects=2", f"--log-dir={folder}/logs"]  # the traceback goes to a file
torchrun([*options, *log, "--max-restarts=3", str(script)])

# %% missing-machine raises="RendezvousTimeoutError" varies=true
import socket

with socket.socket() as free:
    free.bind(("localhost", 0))
    port = free.getsockname()[1]
options = ["--nnodes=2", "--nproc-per-node=1", "--rdzv-backend=c10d"]
options += [f"--rdzv-endpoint=localhost:{port}", "--rdzv-conf=join_timeout=1"]
torchrun([*options, "--local-addr=localhost", str(script)])

# %% enough-machines
script.write_text("import os\nprint('processes:', os.environ['WORLD_SIZE'])")
options = ["--nnodes=1", "--nproc-per-node=1", "--rdzv-backend=c10d"]
options += ["--rdzv-endpoint=localhost:0", "--local-addr=localhost"]
torchrun([*options, str(script)])

# %% sbatch
job = folder / "job.sbatch"
job.write_text("""#!/bin/bash
#SBATCH --job-name=train
#SBATCH --nodes=2
#SBATCH --ntasks-per-node=1
#SBATCH --gpus-per-node=4
#SBATCH --cpus-per-task=32
#SBATCH --time=12:00:00
#SBATCH --output=%x-%j.out

set -eu
# source /path/to/env/bin/activate
head=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)
port=$((20000 + SLURM_JOB_ID % 10000))  # two jobs rarely get the same
export OMP_NUM_THREADS=$((SLURM_CPUS_PER_TASK / SLURM_GPUS_ON_NODE))

srun --cpus-per-task="$SLURM_CPUS_PER_TASK" --kill-on-bad-exit=1 \\
    torchrun --nnodes="$SLURM_NNODES" --nproc-per-node="$SLURM_GPUS_ON_NODE" \\
    --rdzv-id="$SLURM_JOB_ID" --rdzv-backend=c10d \\
    --rdzv-endpoint="$head:$port" train.py
""")

# %% stand-ins fold=true
import random
import sys

programs = {
    "scontrol": "for ((node = 0; node < SLURM_NNODES; node++)); do echo localhost; done",
    "srun": """while [[ $1 == --* ]]; do shift; done  # the command comes after the options
for ((node = 0; node < SLURM_NNODES; node++)); do
    SLURM_NODEID=$node SLURM_PROCID=$node SLURM_LOCALID=0 "$@" &
    tasks[node]=$!
done
status=0
for task in "${tasks[@]}"; do wait "$task" || status=$?; done
exit $status""",
    "torchrun": f'exec "{sys.executable}" -m torch.distributed.run "$@"',
}
for name, text in programs.items():
    program = folder / "bin" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/bash\n{text}\n")
    program.chmod(0o755)


def free_job_id():
    """A number of a job whose port is free on this machine."""
    while True:
        port = random.randrange(20000, 30000)
        with socket.socket() as tried:
            try:
                tried.bind(("", port))
            except OSError:
                continue
        return str(port)


# %% sbatch-run
import subprocess
from os import environ

script.write_text("""
import os

import torch
import torch.distributed as dist

dist.init_process_group("gloo")  # "nccl" with GPUs
names = ("GROUP_RANK", "LOCAL_RANK", "RANK", "WORLD_SIZE", "OMP_NUM_THREADS")
mine = " ".join(f"{name}={os.environ[name]}" for name in names)
said = [None] * dist.get_world_size()
dist.all_gather_object(said, mine)
if dist.get_rank() == 0:
    print(*said, sep="\\n")
dist.destroy_process_group()
""")
variables = {  # what Slurm sets for two machines with two GPUs each
    "SLURM_JOB_ID": free_job_id(),
    "SLURM_JOB_NODELIST": "node[1-2]",
    "SLURM_NNODES": "2",
    "SLURM_GPUS_ON_NODE": "2",
    "SLURM_CPUS_PER_TASK": "8",
    "PET_LOCAL_ADDR": "localhost",  # --local-addr: both are on this machine
    "PATH": f"{folder}/bin:{environ['PATH']}",
}
options = dict(env=environ | variables, cwd=folder)
run = subprocess.run(["bash", job], capture_output=True, text=True, **options)
print(run.stdout)

# %% slurm
import os

import torch


def from_slurm():
    """Name Slurm's variables as init_process_group reads them."""
    os.environ["RANK"] = os.environ["SLURM_PROCID"]
    os.environ["LOCAL_RANK"] = os.environ["SLURM_LOCALID"]
    os.environ["WORLD_SIZE"] = os.environ["SLURM_NTASKS"]


def task(rank, port):
    number = str(rank)  # what srun sets in each task, set here by hand
    os.environ.update(SLURM_PROCID=number, SLURM_LOCALID=number, SLURM_NTASKS="2")
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT=str(port))
    from_slurm()
    dist.init_process_group("gloo")
    total = torch.ones(1)
    dist.all_reduce(total)
    if dist.get_rank() == 0:
        print("processes:", dist.get_world_size(), "sum:", total.item())
    dist.destroy_process_group()


mp.start_processes(task, args=(port,), nprocs=2, start_method="fork")

# %% numbered-machines hidden=true
from torch.distributed.run import config_from_args, parse_args

options = ["--nnodes=2", "--nproc-per-node=1", "--node-rank=1", "--master-addr=node1", "--master-port=29500"]
config, *_ = config_from_args(parse_args([*options, "train.py"]))
assert (config.rdzv_backend, config.rdzv_endpoint, config.rdzv_configs["rank"]) == ("static", "node1:29500", 1)

# %% restored hidden=true
for number, handler in handlers.items():
    signal.signal(number, handler)

# %% sbatch-ran hidden=true
assert run.returncode == 0, run.stderr

"""One training script that runs under torchrun, under plain Python, and alone."""

# %% script
import tempfile
from pathlib import Path

script = Path(tempfile.mkdtemp()) / "train.py"
script.write_text("""
import os
import socket

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def main():
    dist.init_process_group("gloo")  # "nccl" with GPUs
    rank, count = dist.get_rank(), dist.get_world_size()
    local_rank = int(os.environ["LOCAL_RANK"])  # torch.cuda.set_device(local_rank)
    total = torch.tensor(rank + 1)
    dist.all_reduce(total)
    said = [None] * count
    dist.all_gather_object(said, f"{rank=} {local_rank=} of {count}, total {total}")
    if rank == 0:
        print(*said, sep="\\n")
    dist.destroy_process_group()


def spawned(rank, count, port):
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE=str(count))
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT=str(port))
    main()


if __name__ == "__main__":
    if "RANK" in os.environ:  # torchrun has set it
        main()
    else:
        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = free.getsockname()[1]
        mp.spawn(spawned, args=(2, port), nprocs=2)
""")

# %% torchrun
import subprocess
import sys

command = [sys.executable, "-m", "torch.distributed.run"]
command += ["--standalone", "--nproc-per-node=2", script]
run = subprocess.run(command, capture_output=True, text=True)
print(run.stdout)

# %% spawn
import runpy

result = runpy.run_path(str(script), run_name="__main__")  # as python train.py does

# %% no-rank raises="ValueError"
import torch.distributed as dist

dist.init_process_group("gloo")

# %% alone
from tempfile import TemporaryDirectory

with TemporaryDirectory() as folder:
    alone = dict(init_method=f"file://{folder}/meet", rank=0, world_size=1)
    dist.init_process_group("gloo", **alone)
    print("processes:", dist.get_world_size())
    dist.destroy_process_group()

# %% port-in-use raises="torch.distributed.DistNetworkError" varies=true
first = dist.TCPStore("localhost", 0, is_master=True)  # port 0: any free one
dist.TCPStore("localhost", first.port, is_master=True)  # that port is taken

# %% free-port
second = dist.TCPStore("localhost", 0, is_master=True)
print("two different ports:", first.port != second.port)

# %% ran hidden=true
assert run.returncode == 0, run.stderr

# %% options hidden=true
import logging
import os

from torch.distributed.run import config_from_args, parse_args


def parsed(*options):
    return config_from_args(parse_args([*options, "train.py"]))[0]


threads = os.environ.pop("OMP_NUM_THREADS", None)
logging.getLogger("torch.distributed.run").disabled = True  # what it says has a date in it
two_machines = parsed(
    "--nnodes=2",
    "--nproc-per-node=4",
    "--rdzv-backend=c10d",
    "--rdzv-endpoint=node1:29500",
)
assert (two_machines.min_nodes, two_machines.nproc_per_node) == (2, 4)
assert two_machines.rdzv_endpoint == "node1:29500"
assert os.environ["OMP_NUM_THREADS"] == "1"  # since nobody had set it
if threads is not None:
    os.environ["OMP_NUM_THREADS"] = threads

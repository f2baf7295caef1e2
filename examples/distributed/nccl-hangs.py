"""Several GPUs, and the first step hangs: who is missing, who cannot be reached."""

# %% alone raises="torch.distributed.DistStoreError" varies=true
from datetime import timedelta

import torch
import torch.distributed as dist

dist.init_process_group(
    "gloo",
    init_method="tcp://localhost:0",
    rank=0,
    world_size=2,  # the second process was never started
    timeout=timedelta(seconds=1),  # 30 minutes unless you say so
)

# %% unreachable
import subprocess
import sys

code = """
from datetime import timedelta
from torch import distributed as dist

second = timedelta(seconds=1)
address = "tcp://localhost:1"
dist.init_process_group("gloo", address, rank=1, world_size=2, timeout=second)
"""
run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
print(run.stderr.splitlines()[-1])

# %% where
code = """
import faulthandler
from torch import distributed as dist

faulthandler.dump_traceback_later(1, exit=True)  # a second here; 300 on a real run
dist.init_process_group("gloo", "tcp://localhost:0", rank=0, world_size=2)
"""
run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
print(run.stderr.splitlines()[0])
print(run.stderr.splitlines()[-1])

# %% two-processes fold=true
import tempfile

import torch.multiprocessing as mp


def process(rank, work, folder, done, options):
    dist.set_debug_level(options.get("debug", dist.DebugLevel.OFF))
    dist.init_process_group(
        options.get("backend", "gloo"),
        init_method=f"file://{folder}/meet",
        rank=rank,
        world_size=2,
        timeout=timedelta(seconds=options.get("seconds", 10)),
    )
    work(rank, done)


def on_two(work, **options):
    """Run work(rank, done) in two processes."""
    with tempfile.TemporaryDirectory() as folder:
        done = mp.get_context("fork").Event()
        arguments = work, folder, done, options
        mp.start_processes(process, args=arguments, nprocs=2, start_method="fork")


# %% longer
def one_is_missing(rank, done):
    if rank == 1:  # busy with something else
        done.wait()
        return
    try:
        dist.all_reduce(torch.ones(1))
    except RuntimeError as error:
        print(str(error).rpartition("] ")[2].partition(" for ")[0])
    done.set()


for seconds in (1, 2):
    on_two(one_is_missing, seconds=seconds)


# %% detail
def other_shapes(rank, done):
    try:
        dist.all_reduce(torch.ones(rank + 1))
    except RuntimeError as error:
        if rank == 0:
            print("RuntimeError:", str(error).partition(" Rank 0 is running")[0])
            print(str(error).rpartition("aspects:")[2].strip())


on_two(other_shapes, debug=dist.DebugLevel.DETAIL)

# %% interface
import os
import socket

os.environ["GLOO_SOCKET_IFNAME"] = "eth99"
try:
    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
except RuntimeError as error:
    print("RuntimeError:", str(error).rpartition("] ")[2])

# %% interface-names
names = [name for _, name in socket.if_nameindex()]
print("eth99:", "eth99" in names)
print("lo:   ", any(name.startswith("lo") for name in names))  # this machine itself
del os.environ["GLOO_SOCKET_IFNAME"]

# %% no-nccl needs="no-cuda" raises="RuntimeError" warns="UserWarning"
dist.init_process_group("nccl", store=dist.HashStore(), rank=0, world_size=1)


# %% remedies hidden=true
def same_shapes(rank, done):
    total = torch.ones(2)
    dist.all_reduce(total)
    assert total.tolist() == [2, 2]


on_two(same_shapes, debug=dist.DebugLevel.DETAIL, seconds=300)
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)  # in place of nccl
dist.destroy_process_group()

# %% reached hidden=true
long = timedelta(seconds=300)
store = dist.TCPStore("localhost", 0, 2, is_master=True, wait_for_workers=False, timeout=long)
code = f"""
from datetime import timedelta
from torch import distributed as dist

dist.init_process_group("gloo", "tcp://localhost:{store.port}", rank=1, world_size=2)
print("together:", dist.get_world_size())
"""
child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
dist.init_process_group("gloo", store=dist.PrefixStore("default_pg", store), rank=0, world_size=2, timeout=long)
assert child.communicate()[0] == "together: 2\n"
dist.destroy_process_group()


# %% one-gpu needs="cuda" raises="ProcessRaisedException" varies=true says="ncclInvalidUsage: This usually reflects invalid usage of NCCL library." origin="torch/csrc/distributed/c10d/NCCLUtils.cpp"
def same_gpu(rank, done):
    dist.all_reduce(torch.ones(1, device="cuda:0"))  # both on GPU 0


on_two(same_gpu, backend="nccl")


# %% watchdog needs="cuda:2" raises="ProcessRaisedException" varies=true says="Watchdog caught collective operation timeout: WorkNCCL(SeqNum=…, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=5000) ran for … milliseconds before timing out." origin="torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp"
def one_gpu_is_missing(rank, done):
    torch.cuda.set_device(rank)
    dist.all_reduce(torch.ones(1, device="cuda"))  # together
    if rank == 0:
        dist.all_reduce(torch.ones(1, device="cuda"))  # alone
        torch.cuda.synchronize()
    done.wait(timeout=20)


os.environ["TORCH_NCCL_BLOCKING_WAIT"] = "1"  # an exception in place of an abort
on_two(one_gpu_is_missing, backend="nccl", seconds=5)

# %% choose
from torch import cuda, distributed

has_gpu = cuda.device_count() > 0 and distributed.is_nccl_available()
backend = "nccl" if has_gpu else "gloo"
print("a group can be made:", distributed.is_backend_available(backend))

# %% flight-recorder hidden=true
import pickle
from pathlib import Path

from torch.distributed.flight_recorder.components.config_manager import JobConfig
from torch.distributed.flight_recorder.components.loader import read_dir

with tempfile.TemporaryDirectory() as folder:
    for rank in range(2):
        empty = {"entries": [], "version": "2.10", "pg_config": {}}
        Path(folder, f"rank_{rank}").write_bytes(pickle.dumps(empty))
    found, _ = read_dir(JobConfig().parse_args(["--prefix", "rank_", folder]))
    assert sorted(one["rank"] for one in found.values()) == [0, 1], found

# %% healthy-run hidden=true
for option, ends in (("", True), (", exit=True", False)):
    code = f"""
import faulthandler, os, tempfile, time

with tempfile.TemporaryFile() as stacks:
    faulthandler.dump_traceback_later(0.1, file=stacks{option})
    while not {ends} or not os.fstat(stacks.fileno()).st_size:
        time.sleep(0.01)  # works, and does not hang; with exit=True, until it is ended
print("end")
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert (run.stdout == "end\n") is ends and run.returncode == (not ends), run

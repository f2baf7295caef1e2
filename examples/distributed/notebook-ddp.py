"""DDP from a notebook: which ways of starting processes work there."""

# %% file
import tempfile
from pathlib import Path

folder = Path(tempfile.mkdtemp())
(folder / "train.py").write_text("""
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train():
    torch.manual_seed(0)
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)  # before the group
    dist.init_process_group("gloo")  # "nccl" with GPUs
    rank, count = dist.get_rank(), dist.get_world_size()
    model = DistributedDataParallel(net)
    inputs = torch.randn(8, 2)[rank::count]  # its share
    for step in range(3):
        optimizer.zero_grad()
        model(inputs).square().mean().backward()
        optimizer.step()
    if rank == 0:
        print(f"{count} processes, {net.weight.data}")
        torch.save(net.state_dict(), "net.pt")
    del model  # before its group
    dist.destroy_process_group()


if __name__ == "__main__":
    train()
""")

# %% torchrun
import subprocess
import sys

command = [sys.executable, "-m", "torch.distributed.run"]  # the command torchrun
command += ["--standalone", "--nproc-per-node=2", "train.py"]
run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
print(run.stdout)

# %% ran hidden=true
assert run.returncode == 0, run.stderr

# %% spawn
cell = """
import torch.multiprocessing as mp


def train(rank):
    print("rank", rank)


mp.spawn(train, nprocs=1)
"""


python = [sys.executable, "-c", cell]  # code that is in no file
run = subprocess.run(python, capture_output=True, text=True)
for line in run.stderr.splitlines():
    if line.startswith(("AttributeError", "torch.multiprocessing")):
        print(line)

# %% by-name raises="AttributeError"
import pickle


def train(rank):
    print("rank", rank)


sent = pickle.dumps(train)  # what spawn sends to a new process
print("its name:", b"train" in sent, " its code:", b"rank" in sent)
del train  # the new process has no such function
pickle.loads(sent)

# %% fork
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def train(rank, count, meet):
    torch.set_num_threads(1)  # the threads of the notebook are not copied
    dist.init_process_group("gloo", init_method=meet, rank=rank, world_size=count)
    model = DistributedDataParallel(net)  # a copy of the notebook's
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    model(inputs[rank::count]).square().mean().backward()
    optimizer.step()
    if rank == 0:
        torch.save(net.state_dict(), folder / "net.pt")
    del model  # before its group
    dist.destroy_process_group()


torch.manual_seed(0)
net = nn.Linear(2, 1)
inputs = torch.randn(8, 2)
before = net.weight.clone()
arguments = (2, f"file://{tempfile.mkdtemp()}/meet")  # where they meet
mp.start_processes(train, args=arguments, nprocs=2, start_method="fork")
print("trained here:  ", not torch.equal(net.weight, before))

# %% loaded
net.load_state_dict(torch.load(folder / "net.pt"))
print("trained, loaded:", not torch.equal(net.weight, before))

# %% again hidden=true
net(inputs).square().mean().backward()  # the notebook computes, and trains once more
net.zero_grad()
before = net.weight.clone()
arguments = (2, f"file://{tempfile.mkdtemp()}/meet")
mp.start_processes(train, args=arguments, nprocs=2, start_method="fork")
trained = torch.load(folder / "net.pt")["weight"]
assert torch.equal(net.weight, before) and not torch.equal(trained, before)

single = nn.Linear(2, 1)
single.load_state_dict(net.state_dict())
optimizer = torch.optim.SGD(single.parameters(), lr=0.1)
single(inputs).square().mean().backward()
optimizer.step()
assert torch.allclose(single.weight, trained, atol=1e-6)

# %% shared hidden=true
net.share_memory()  # the processes write into the same memory then
arguments = (2, f"file://{tempfile.mkdtemp()}/meet")
before = net.weight.clone()
mp.start_processes(train, args=arguments, nprocs=2, start_method="fork")
assert not torch.equal(net.weight, before)

# %% closed hidden=true
cell = """
import os, sys, tempfile, time
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel


def threads():
    return len(os.listdir("/proc/self/task"))


torch.set_num_threads(1)
net, inputs = nn.Linear(2, 1), torch.randn(8, 2)
before = threads()
if "early" in sys.argv:
    torch.optim.SGD(net.parameters(), lr=0.1)
dist.init_process_group("gloo", init_method=f"file://{tempfile.mkdtemp()}/meet", rank=0, world_size=1)
model = DistributedDataParallel(net)
model(inputs).mean().backward()
if "early" not in sys.argv:
    torch.optim.SGD(net.parameters(), lr=0.1)
if "del" in sys.argv:
    del model
dist.destroy_process_group()
end = time.monotonic() + (10 if sys.argv[1:] == ["early", "del"] else 0)
while threads() > before and time.monotonic() < end:
    time.sleep(0.01)  # a thread that has ended is listed a moment longer
sys.stdout.write(f"{threads() - before}")
sys.stdout.flush()
os._exit(0)
"""


def left(*words):
    """Return how many threads more than before are left when the group is destroyed."""
    done = subprocess.run([sys.executable, "-c", cell, *words], capture_output=True, text=True, check=True)
    return int(done.stdout.split()[-1])  # some releases of gloo print a line of their own before


if sys.platform == "linux":
    assert left("early", "del") == 0
    assert left("early") > 0 and left("del") > 0

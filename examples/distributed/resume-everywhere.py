"""Resume on several machines: a checkpoint that only one of them has."""

# %% two-machines fold=true
import tempfile
from datetime import timedelta
from pathlib import Path

import torch
import torch.distributed as dist
import torch.multiprocessing as mp

folder = Path(tempfile.mkdtemp())  # with a folder for each machine
for machine in ("machine-0", "machine-1"):
    (folder / machine).mkdir()


def process(rank, work, meet):
    dist.init_process_group("gloo", init_method=f"file://{meet}/meet", rank=rank, world_size=2)
    work(rank, folder / f"machine-{rank}" / "checkpoint.pt")


def on_two_machines(work):
    """Run work(rank, path) in two processes, each with its own disk."""
    with tempfile.TemporaryDirectory() as meet:
        mp.start_processes(process, args=(work, meet), nprocs=2, start_method="fork")


# %% train
from torch import nn
from torch.nn.parallel import DistributedDataParallel

torch.manual_seed(0)
data, target = torch.randn(8, 3), torch.randn(8, 1)


def build(rank):
    torch.manual_seed(rank)
    net = nn.Linear(3, 1)
    return net, torch.optim.SGD(net.parameters(), lr=0.03, momentum=0.9)


def train(rank, net, optimizer, start, stop):
    model = DistributedDataParallel(net)
    mine = slice(rank * 4, rank * 4 + 4)
    losses = []
    for epoch in range(start, stop):
        loss = nn.functional.mse_loss(model(data[mine]), target[mine])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        whole = nn.functional.mse_loss(net(data), target)
        losses.append(f"epoch {epoch}: {whole:.3f}")
    if rank == 0:
        print("  ".join(losses))


def uninterrupted(rank, path):
    train(rank, *build(rank), start=0, stop=5)


def stopped(rank, path):
    net, optimizer = build(rank)
    train(rank, net, optimizer, start=0, stop=2)
    if rank == 0:
        state = {"net": net.state_dict(), "optimizer": optimizer.state_dict()}
        torch.save(state | {"epoch": 2}, path)


on_two_machines(uninterrupted)
on_two_machines(stopped)
print([str(path.relative_to(folder)) for path in folder.rglob("*.pt")])


# %% each-its-own
def load(state, net, optimizer):
    net.load_state_dict(state["net"])
    optimizer.load_state_dict(state["optimizer"])
    return state["epoch"]


def each_its_own(rank, path):
    net, optimizer = build(rank)
    start = 0
    if path.exists():  # on machine 0 alone
        start = load(torch.load(path), net, optimizer)
    try:
        train(rank, net, optimizer, start, stop=5)
        dist.monitored_barrier(timeout=timedelta(seconds=1))
    except RuntimeError as error:  # rank 1: rank 0 is gone
        if rank == 0:
            print(str(error).splitlines()[0].rpartition("] ")[2])


on_two_machines(each_its_own)


# %% rank-0-reads
def rank_0_reads(rank, path):
    net, optimizer = build(rank)
    state = [None]
    if rank == 0 and path.exists():
        state = [torch.load(path, map_location="cpu")]
    dist.broadcast_object_list(state)
    start = load(state[0], net, optimizer) if state[0] else 0
    train(rank, net, optimizer, start, stop=5)


on_two_machines(rank_0_reads)


# %% check
def same_epoch(start):
    """Raise on all ranks if they would not start with the same epoch."""
    starts = [None] * dist.get_world_size()
    dist.all_gather_object(starts, start)
    if any(one != start for one in starts):
        raise RuntimeError(f"the ranks would start with epochs {starts}")


def checked(rank, path):
    start = torch.load(path)["epoch"] if path.exists() else 0
    try:
        same_epoch(start)
    except RuntimeError as error:
        if rank == 0:
            print(error)


on_two_machines(checked)


# %% counter-cases hidden=true
import shutil


def losses_of(rank, path, after_wrapping, read_optimizer):
    """Two epochs more; each rank loads what it finds, before DDP is made or afterwards."""
    net, optimizer = build(rank)
    model = DistributedDataParallel(net) if after_wrapping else None
    if path.exists():
        state = torch.load(path)
        net.load_state_dict(state["net"])
        if read_optimizer:
            optimizer.load_state_dict(state["optimizer"])
    model = model or DistributedDataParallel(net)
    mine = slice(rank * 4, rank * 4 + 4)
    for _ in range(3):
        optimizer.zero_grad()
        nn.functional.mse_loss(model(data[mine]), target[mine]).backward()
        optimizer.step()
    weights = [None, None]
    dist.all_gather_object(weights, net.weight.tolist())
    return weights


def cases(rank, path):
    apart = losses_of(rank, path, after_wrapping=True, read_optimizer=False)
    assert apart[0] != apart[1]  # the weights differ from the beginning
    apart = losses_of(rank, path, after_wrapping=False, read_optimizer=True)
    assert apart[0] != apart[1]  # only the momentum differed
    alike = losses_of(rank, path, after_wrapping=False, read_optimizer=False)
    assert alike[0] == alike[1]  # DDP has copied the weights, and nobody has momentum
    for start in (2, torch.tensor(2), {"epoch": 2, "batch": 7}):
        same_epoch(start)


on_two_machines(cases)
shutil.copy(folder / "machine-0" / "checkpoint.pt", folder / "machine-1")


def shared(rank, path):
    together = losses_of(rank, path, after_wrapping=True, read_optimizer=True)
    assert together[0] == together[1]  # a file for each machine is enough, if it is the same
    same_epoch(torch.load(path)["epoch"])


on_two_machines(shared)

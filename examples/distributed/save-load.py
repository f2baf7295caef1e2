"""Save on rank 0, load in every process."""

# %% two-processes fold=true
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp


def process(rank, work, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    said = [None, None]
    dist.all_gather_object(said, work(rank))
    if rank == 0:
        print(*said, sep="\n")  # in the order of the ranks
    dist.destroy_process_group()


def on_two(work):
    """Run work(rank) in two processes and print what each returns."""
    with tempfile.TemporaryDirectory() as folder:
        mp.start_processes(process, args=(work, folder), nprocs=2, start_method="fork")


# %% save
from pathlib import Path

from torch import nn
from torch.nn.parallel import DistributedDataParallel

path = Path(tempfile.mkdtemp()) / "weights.pt"


def work(rank):
    torch.manual_seed(0)
    model = DistributedDataParallel(nn.Linear(2, 1))
    if rank == 0:  # one process writes, without the wrapper
        torch.save(model.module.state_dict(), path)
    dist.barrier()  # the others wait until the file is there
    fresh = nn.Linear(2, 1)
    fresh.load_state_dict(torch.load(path, map_location="cpu"))
    equal = torch.equal(fresh.weight, model.module.weight)
    return f"{rank=} {list(torch.load(path))} equal: {equal}"


on_two(work)

# %% missing
late = path.with_name("late.pt")


def work(rank):
    if rank == 0:
        dist.barrier()  # stands for long work: rank 1 has looked by then
        torch.save({"step": 1}, late)
        return f"{rank=} saved"
    found = late.exists()
    dist.barrier()
    return f"{rank=} file is there: {found}"


on_two(work)


# %% resume
def work(rank):
    torch.manual_seed(rank + 1)
    model = nn.Linear(2, 1)
    if rank == 0:
        model.load_state_dict(torch.load(path))
    before = model.weight[0, 0].item()
    DistributedDataParallel(model)  # copies rank 0's parameters to all
    return f"{rank=} before {before:6.3f}, wrapped {model.weight[0, 0]:6.3f}"


on_two(work)

# %% prefix raises="RuntimeError"
wrapped = {"module.weight": torch.ones(1, 2), "module.bias": torch.ones(1)}
nn.Linear(2, 1).load_state_dict(wrapped)

# %% without-prefix hidden=true
unwrapped = {name.removeprefix("module."): value for name, value in wrapped.items()}
nn.Linear(2, 1).load_state_dict(unwrapped)


# %% buffers hidden=true
def work(rank):
    net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    if rank == 0:
        net(torch.randn(8, 2) + 5)  # statistics that only rank 0 has
    DistributedDataParallel(net)
    both = [None, None]
    dist.all_gather_object(both, {name: value.tolist() for name, value in net.state_dict().items()})
    assert both[0] == both[1] and both[1]["1.num_batches_tracked"] == 1


on_two(work)

"""Try."""

# %% one
import time, tempfile
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from pathlib import Path


def main(rank, worker, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank, world_size=2)
    said = worker(rank)
    lines = [None, None]
    dist.all_gather_object(lines, said)
    if rank == 0:
        print(*lines, sep="\n")
    dist.destroy_process_group()


def on_two(worker):
    with tempfile.TemporaryDirectory() as folder:
        mp.start_processes(main, args=(worker, folder), nprocs=2, start_method="fork")

def work(rank):
    from torch.nn.parallel import DistributedDataParallel as DDP
    m = DDP(torch.nn.Linear(2, 1))
    m(torch.ones(4, 2)*rank).sum().backward()
    return f"{rank} {m.module.weight.grad}"

t=time.time()
on_two(work)
print(time.time()-t)

# %% two
import torch.distributed.fsdp as f
t=time.time()
def work(rank):
    m = torch.nn.Linear(4, 4)
    f.fully_shard(m, mesh=dist.device_mesh.init_device_mesh("cpu", (2,)))
    m(torch.ones(4, 4)*rank).sum().backward()
    return f"{rank} {m.weight.to_local().shape} {m.weight.grad}"
on_two(work)
print(time.time()-t)

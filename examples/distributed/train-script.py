"""A DDP training script to copy: sampler, loop, evaluation, checkpoint, resuming."""

# %% script
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, Subset, TensorDataset


def join():
    if not torch.cuda.is_available():
        dist.init_process_group("gloo")
        return torch.device("cpu")
    device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device)
    return device


def datasets():  # replace this by your data
    points = torch.rand(1200, 2, generator=torch.Generator().manual_seed(0))
    labels = ((points - 0.5).square().sum(dim=1) < 0.15).long()  # inside a circle
    samples = TensorDataset(points, labels)
    return Subset(samples, range(1000)), Subset(samples, range(1000, 1200))


@torch.no_grad()
def accuracy(net, loader, device):
    net.eval()
    right, seen = torch.zeros(2, device=device)
    for points, labels in loader:
        right += (net(points.to(device)).argmax(dim=1) == labels.to(device)).sum()
        seen += len(labels)
    net.train()
    counts = torch.stack([right, seen])
    dist.all_reduce(counts)  # the sums over all processes
    return (counts[0] / counts[1]).item()


def main(epochs=5, path="checkpoint.pt"):
    device = join()
    rank, processes = dist.get_rank(), dist.get_world_size()

    train_set, val_set = datasets()
    sampler = DistributedSampler(train_set)
    loader = DataLoader(train_set, batch_size=25, sampler=sampler)  # per process
    share = Subset(val_set, range(rank, len(val_set), processes))  # without padding
    val_loader = DataLoader(share, batch_size=100)

    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
    model = DistributedDataParallel(net)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.03)

    start = 0
    if os.path.exists(path):
        state = torch.load(path, map_location=device)
        net.load_state_dict(state["net"])
        optimizer.load_state_dict(state["optimizer"])
        start = state["epoch"] + 1

    for epoch in range(start, epochs):
        sampler.set_epoch(epoch)  # another order in each epoch
        total = torch.zeros((), device=device)
        for points, labels in loader:
            logits = model(points.to(device))
            loss = nn.functional.cross_entropy(logits, labels.to(device))
            optimizer.zero_grad()
            loss.backward()  # averages the gradients over all processes
            optimizer.step()
            total += loss.detach()
        dist.all_reduce(total)
        right = accuracy(net, val_loader, device)
        if rank == 0:
            mean = total.item() / len(loader) / processes
            print(f"{epoch=}  loss {mean:.1f}  accuracy {right:.1f}", flush=True)
            state = {"net": net.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(state | {"epoch": epoch}, path)
    dist.barrier()  # nobody ends while rank 0 is saving
    dist.destroy_process_group()


if "RANK" in os.environ:  # started by torchrun
    main()

# %% try varies=true
import socket
import tempfile

import torch.multiprocessing as mp


def as_torchrun_does(rank, port, epochs, path):
    os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2")
    os.environ.update(MASTER_ADDR="localhost", MASTER_PORT=str(port))
    main(epochs, path)


def two_processes(epochs, path):
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    args = port, epochs, path
    mp.start_processes(as_torchrun_does, args=args, nprocs=2, start_method="fork")


if "RANK" not in os.environ:
    path = os.path.join(tempfile.mkdtemp(), "checkpoint.pt")
    two_processes(3, path)
    print("started again:")
    two_processes(5, path)

# %% under-torchrun hidden=true
import subprocess
import sys

if "RANK" not in os.environ and "__file__" in globals():
    command = [sys.executable, "-m", "torch.distributed.run"]
    command += ["--standalone", "--nproc-per-node=2", __file__]
    folder = tempfile.mkdtemp()
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert run.stdout.count("epoch=") == 5, run.stdout + run.stderr
    assert os.path.exists(os.path.join(folder, "checkpoint.pt"))

"""A DDP training script to copy: one process or several, validation, checkpoint, resuming."""

# %% folder hidden=true
import os
import tempfile

os.chdir(tempfile.mkdtemp())  # for train.py and checkpoint.pt

# %% script varies=true
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler, Subset, TensorDataset


def join():
    """Join the group and return the device of this process."""
    alone = {"store": dist.HashStore(), "rank": 0, "world_size": 1}
    group = {} if "RANK" in os.environ else alone  # torchrun sets RANK
    if torch.cuda.device_count() < int(os.environ.get("LOCAL_WORLD_SIZE", 1)):
        dist.init_process_group("gloo", **group)
        return torch.device("cpu")
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", 0)))
    torch.cuda.set_device(device)
    dist.init_process_group("nccl", device_id=device, **group)
    return device


def datasets():  # replace this by your data
    fixed = torch.Generator().manual_seed(0)
    points = torch.rand(1200, 2, generator=fixed)
    labels = ((points - 0.5).square().sum(dim=1) < 0.15).long()  # inside a circle
    samples = TensorDataset(points, labels)
    return Subset(samples, range(1000)), Subset(samples, range(1000, 1200))


@torch.no_grad()
def accuracy(net, loader, device):
    net.eval()
    counts = torch.zeros(2, device=device)  # right, seen
    for points, labels in loader:
        right = net(points.to(device)).argmax(dim=1) == labels.to(device)
        counts += torch.stack([right.sum(), torch.ones_like(right).sum()])
    net.train()
    dist.all_reduce(counts)  # the sums over all processes
    return (counts[0] / counts[1]).item()


def main(epochs, path="checkpoint.pt"):
    device = join()
    rank, processes = dist.get_rank(), dist.get_world_size()

    train_set, val_set = datasets()
    sampler = DistributedSampler(train_set)
    loader = DataLoader(train_set, batch_size=100 // processes, sampler=sampler)
    share = Subset(val_set, range(rank, len(val_set), processes))  # without padding
    val_loader = DataLoader(share, batch_size=100)

    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
    model = DistributedDataParallel(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)

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
            print(f"{epoch=}  loss {mean:.3f}  accuracy {right:.3f}", flush=True)
            state = {"net": net.state_dict(), "optimizer": optimizer.state_dict()}
            torch.save(state | {"epoch": epoch}, f"{path}.part")
            os.replace(f"{path}.part", path)  # the file is whole, or the old one
    dist.barrier()  # no process ends while rank 0 is saving
    dist.destroy_process_group()


if __name__ == "__main__":
    main(epochs=int(os.environ.get("EPOCHS", 5)))

# %% save hidden=true
import sys
from pathlib import Path

if "RANK" in os.environ:
    sys.exit()  # a process of torchrun has no more to do
if "__file__" in globals():
    source = Path(__file__).read_text().split("\n# %% ")[2]
else:
    source = In[-2]  # noqa: F821 a notebook
Path("train.py").write_text(source.partition("\n")[2])

# %% torchrun varies=true
import subprocess
import sys

os.rename("checkpoint.pt", "one-process.pt")
main(epochs=3)

print("started again, with two processes:")
command = [sys.executable, "-m", "torch.distributed.run"]  # torchrun
command += ["--standalone", "--nproc-per-node=2", "train.py"]
run = subprocess.run(command, capture_output=True, text=True)
print(run.stdout, end="")

# %% equal varies=true
one, two = (torch.load(name) for name in ("one-process.pt", "checkpoint.pt"))
for name, weight in one["net"].items():
    difference = (weight - two["net"][name]).abs().max()
    print(f"{name:8} largest {weight.abs().max():.2f}, difference {difference:.0e}")

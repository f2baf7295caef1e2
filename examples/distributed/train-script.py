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
    here = int(os.environ.get("LOCAL_WORLD_SIZE", 1))
    gpus = torch.cuda.device_count()
    if not gpus:
        dist.init_process_group("gloo", **group)
        return torch.device("cpu")
    if gpus < here:
        raise RuntimeError(f"{here} processes here, and only {gpus} GPUs")
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


def resume(path, net, optimizer):
    """Rank 0 reads the checkpoint, all load it. Return the first epoch to train."""
    state = [None]
    if dist.get_rank() == 0 and os.path.exists(path):
        state = [torch.load(path, map_location="cpu")]
    dist.broadcast_object_list(state)
    if state[0] is None:
        return 0
    net.load_state_dict(state[0]["net"])
    optimizer.load_state_dict(state[0]["optimizer"])
    return state[0]["epoch"] + 1


def main(epochs, path="checkpoint.pt"):
    device = join()
    rank, processes = dist.get_rank(), dist.get_world_size()
    if rank == 0:
        print(f"{processes} processes, {dist.get_backend()}, rank 0 on {device}")

    train_set, val_set = datasets()
    sampler = DistributedSampler(train_set)
    loader = DataLoader(train_set, batch_size=100 // processes, sampler=sampler)
    share = Subset(val_set, range(rank, len(val_set), processes))  # without padding
    val_loader = DataLoader(share, batch_size=100)

    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 2)).to(device)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)
    start = resume(path, net, optimizer)
    model = DistributedDataParallel(net)

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
    del model  # before its group
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

# %% own-folders hidden=true
import torch.multiprocessing as mp


def machine(rank, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    torch.manual_seed(rank)
    net = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 2))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.3, momentum=0.9)
    path = "checkpoint.pt" if rank == 0 else "on-no-other-machine.pt"
    assert resume(path, net, optimizer) == 5
    saved = torch.load("checkpoint.pt")
    for name, weight in net.state_dict().items():
        torch.testing.assert_close(weight, saved["net"][name])
    assert len(optimizer.state_dict()["state"]) == len(saved["optimizer"]["state"]) == 4
    assert resume("no.pt", net, optimizer) == 0
    dist.destroy_process_group()


with tempfile.TemporaryDirectory() as folder:
    mp.start_processes(machine, args=(folder,), nprocs=2, start_method="fork")


# %% statistics-of-rank-0 hidden=true
def judged(rank, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    torch.manual_seed(rank)
    net = nn.BatchNorm1d(3)
    net(torch.randn(8, 3))  # each has statistics of its own
    counts = []
    for _ in range(2):
        both = [None, None]
        dist.all_gather_object(both, net.running_mean.tolist())
        counts.append(both[0] == both[1])
        for buffer in net.buffers():
            dist.broadcast(buffer, 0)
    assert counts == [False, True]
    dist.destroy_process_group()


with tempfile.TemporaryDirectory() as folder:
    mp.start_processes(judged, args=(folder,), nprocs=2, start_method="fork")

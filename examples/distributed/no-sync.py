"""Gradient accumulation under DDP: how often gradients travel."""

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


# %% count
from torch import nn
from torch.distributed.algorithms.ddp_comm_hooks.default_hooks import allreduce_hook
from torch.nn.parallel import DistributedDataParallel

torch.manual_seed(0)
start = nn.Linear(3, 1).state_dict()
data = torch.randn(2, 4, 5, 3)  # (rank, part, sample, feature)


def counted(rank):
    model = DistributedDataParallel(nn.Linear(3, 1))
    model.module.load_state_dict(start)
    sent = []

    def hook(group, bucket):
        sent.append(bucket.buffer().numel())
        return allreduce_hook(group, bucket)

    model.register_comm_hook(None, hook)
    return model, sent


def work(rank):
    every, sent_every = counted(rank)
    for part in data[rank]:
        every(part).square().mean().div(4).backward()

    last, sent_last = counted(rank)
    with last.no_sync():
        for part in data[rank, :3]:
            last(part).square().mean().div(4).backward()
    last(data[rank, 3]).square().mean().div(4).backward()  # sends the sum

    each, summed = every.module.weight.grad, last.module.weight.grad
    same = torch.allclose(each, summed, atol=1e-6)
    sent = f"sent {len(sent_every)} times, with no_sync {len(sent_last)}"
    return f"{rank=} {sent}, same gradient: {same}"


on_two(work)


# %% forward-outside
def work(rank):
    model, sent = counted(rank)
    loss = model(data[rank, 0]).square().mean()
    with model.no_sync():
        loss.backward()  # too late: forward() has prepared the sending
    return f"{rank=} sent {len(sent)} time"


on_two(work)


# %% all-inside
def work(rank):
    model, sent = counted(rank)
    with model.no_sync():
        for part in data[rank]:
            model(part).square().mean().div(4).backward()
    both = [None, None]
    dist.all_gather_object(both, model.module.weight.grad.tolist())
    return f"{rank=} sent {len(sent)} times, ranks agree: {both[0] == both[1]}"


on_two(work)


# %% in-a-loop hidden=true
from contextlib import nullcontext


def work(rank):
    torch.manual_seed(0)
    first = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
    first(data[0, 0])  # BatchNorm has seen a batch
    second = nn.Sequential(nn.Linear(3, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
    second.load_state_dict(first.state_dict())

    every, sometimes = DistributedDataParallel(first), DistributedDataParallel(second)
    for batch in range(2):  # the second time, there are gradients already
        for number, part in enumerate(data[rank] * (1 + 99 * batch)):
            every(part).square().mean().div(4).backward()
            last = number == 3
            with nullcontext() if last else sometimes.no_sync():
                sometimes(part).square().mean().div(4).backward()
        for one, other in zip(first.parameters(), second.parameters()):
            largest = one.grad.abs().max().item()
            assert torch.allclose(one.grad, other.grad, rtol=1e-3, atol=1e-4 * max(1, largest))


on_two(work)


# %% static-graph hidden=true
def work(rank):
    for sent_before in (True, False):
        model = DistributedDataParallel(nn.Linear(3, 1), static_graph=True)
        if sent_before:
            model(data[rank, 0]).sum().backward()
        try:
            with model.no_sync():
                model(data[rank, 1]).sum().backward()
        except RuntimeError as error:
            assert not sent_before and "INTERNAL ASSERT" in str(error), error
        else:
            assert sent_before


on_two(work)

"""DistributedSampler: who gets what, and why set_epoch."""

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


# %% shares
from torch.utils.data import DataLoader, DistributedSampler

dataset = list(range(8))


def work(rank):
    sampler = DistributedSampler(dataset, shuffle=False)
    loader = DataLoader(dataset, batch_size=2, sampler=sampler)
    return f"{rank=} {[batch.tolist() for batch in loader]}"


on_two(work)


# %% without
def work(rank):
    loader = DataLoader(dataset, batch_size=2)
    return f"{rank=} {[batch.tolist() for batch in loader]}"


on_two(work)


# %% set-epoch
def work(rank):
    sampler = DistributedSampler(dataset)
    without = [list(sampler) for epoch in range(2)]
    orders = []
    for epoch in range(2):
        sampler.set_epoch(epoch)
        orders.append(list(sampler))
    return f"{rank=} without set_epoch {without}\n       with set_epoch    {orders}"


on_two(work)


# %% padding
def work(rank):
    seven = list(range(7))
    padded = DistributedSampler(seven, shuffle=False)
    dropped = DistributedSampler(seven, shuffle=False, drop_last=True)
    return f"{rank=} padded {list(padded)}, drop_last {list(dropped)}"


on_two(work)


# %% evaluation
def work(rank):
    right = torch.tensor([1, 0, 0, 0, 0, 0, 0])  # 1 of 7 is right
    seen = torch.tensor(list(DistributedSampler(right, shuffle=False)))
    padded = torch.tensor([right[seen].sum(), len(seen)])
    every_second = right[rank::2]
    exact = torch.tensor([every_second.sum(), len(every_second)])
    dist.all_reduce(padded)
    dist.all_reduce(exact)
    return f"{rank=} padded {padded.tolist()}, exact {exact.tolist()}"


on_two(work)

# %% shuffle raises="ValueError"
sampler = DistributedSampler(dataset, num_replicas=2, rank=0)
DataLoader(dataset, shuffle=True, sampler=sampler)

# %% no-shuffle hidden=true
assert sampler.shuffle
loader = DataLoader(dataset, sampler=sampler)
sampler.set_epoch(0)
first = [batch.item() for batch in loader]
sampler.set_epoch(1)
assert [batch.item() for batch in loader] != first

# %% any-length hidden=true
for length in range(1, 12):
    for processes in (1, 2, 3, 4):
        for shuffle in (True, False):
            options = dict(num_replicas=processes, shuffle=shuffle)
            shares, dropped = [], []
            for rank in range(processes):
                torch.manual_seed(rank)  # does not matter
                one = DistributedSampler(range(length), rank=rank, **options)
                one.set_epoch(5)
                shares.append(list(one))
                one = DistributedSampler(range(length), rank=rank, drop_last=True, **options)
                dropped.append(list(one))
            seen = sum(shares, [])
            assert set(seen) == set(range(length))
            assert len(seen) == -(-length // processes) * processes
            assert len({len(share) for share in shares}) == 1
            kept = sum(dropped, [])
            assert len(kept) == len(set(kept)) == length // processes * processes

# %% sums hidden=true
from torch.utils.data import IterableDataset


class Stream(IterableDataset):
    def __iter__(self):
        return iter(dataset)


one, other = (DistributedSampler(dataset, num_replicas=2, rank=0, seed=seed) for seed in (0, 1))
one.set_epoch(1)
assert list(one) == list(other)
try:
    DataLoader(Stream(), sampler=one)
except ValueError as error:
    assert "expected unspecified sampler option" in str(error)
else:
    raise AssertionError

# %% shares-for-evaluation hidden=true
from torch.utils.data import Subset, TensorDataset

seven = TensorDataset(torch.arange(7))
assert len(seven[1::2]) == 1  # a tuple of tensors, no dataset
share = Subset(seven, range(1, len(seven), 2))
assert [batch.tolist() for (batch,) in DataLoader(share, batch_size=2)] == [[1, 3], [5]]


def own_buffers(rank, folder):
    dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.BatchNorm1d(1))
    model(torch.full((4, 1), 10.0 * rank))
    assert round(model.module.running_mean.item(), 3) == rank  # momentum 0.1
    for buffer in model.module.buffers():
        dist.broadcast(buffer, 0)
    assert model.module.running_mean == 0
    del model  # before its group
    dist.destroy_process_group()


with tempfile.TemporaryDirectory() as folder:
    mp.start_processes(own_buffers, args=(folder,), nprocs=2, start_method="fork")

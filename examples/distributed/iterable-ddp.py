"""IterableDataset under DDP: which rank and which worker gets what."""

# %% two-processes fold=true
import tempfile
import warnings

import torch.distributed as dist
import torch.multiprocessing as mp

warnings.filterwarnings("ignore", message="This DataLoader will create")  # one core


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
from itertools import islice

from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Share(IterableDataset):
    """Every n-th line, where n is ranks × workers."""

    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        first = self.rank * workers + worker
        yield from islice(self.lines, first, None, self.ranks * workers)


def work(rank):
    dataset = Share(range(10), dist.get_rank(), dist.get_world_size())
    loader = DataLoader(dataset, batch_size=2, num_workers=2)
    return f"{rank=} {[batch.tolist() for batch in loader]}"


on_two(work)


# %% by-worker-alone
class Lines(IterableDataset):
    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        yield from range(worker, 10, workers)


def work(rank):
    loader = DataLoader(Lines(), batch_size=None, num_workers=2)
    return f"{rank=} {sorted(loader)}"


on_two(work)


# %% equal-lengths
class EqualShare(Share):
    """As many lines in each share: what is left over is dropped."""

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        number, shares = self.rank * workers + worker, self.ranks * workers
        lines = iter(self.lines)
        while len(group := list(islice(lines, shares))) == shares:
            yield group[number]


def work(rank):
    dataset = EqualShare(range(10), dist.get_rank(), dist.get_world_size())
    loader = DataLoader(dataset, batch_size=2, num_workers=2)
    return f"{rank=} {[batch.tolist() for batch in loader]}"


on_two(work)

# %% sampler raises="ValueError"
from torch.utils.data import DistributedSampler

sampler = DistributedSampler(range(10), num_replicas=2, rank=0)
DataLoader(Lines(), sampler=sampler)


# %% without-sampler hidden=true
assert len(list(DataLoader(Lines()))) == 10

# %% shuffled-inside hidden=true
import torch


class Shuffled:
    """Ten thousand lines in random order: that of the worker, or of a seed."""

    def __init__(self, seed=None):
        self.seed = seed

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.seed) if self.seed is not None else None
        return iter(torch.randperm(10_000, generator=generator).tolist())


def work(rank):
    got = []
    for lines in (Shuffled(), Shuffled(seed=1)):
        dataset = EqualShare(lines, dist.get_rank(), dist.get_world_size())
        shares = [None, None]
        dist.all_gather_object(shares, list(DataLoader(dataset, batch_size=None, num_workers=2)))
        got.append(len(set(sum(shares, []))))
    assert got[0] < 10_000 == got[1], got


on_two(work)

# %% any-number hidden=true
from unittest import mock


def lines_of(kind, length, ranks, workers):
    shares = []
    for rank in range(ranks):
        for worker in range(workers):
            info = mock.Mock(id=worker, num_workers=workers)
            with mock.patch(f"{__name__}.get_worker_info", return_value=info):
                shares.append(list(kind(range(length), rank, ranks)))
    return shares


for length in (0, 1, 5, 12, 13):
    for ranks, workers in ((1, 1), (2, 1), (2, 2), (3, 2)):
        assert sorted(sum(lines_of(Share, length, ranks, workers), [])) == list(range(length))
        equal = lines_of(EqualShare, length, ranks, workers)
        kept = length // (ranks * workers) * ranks * workers
        assert sorted(sum(equal, [])) == list(range(kept)) and len({len(share) for share in equal}) == 1


# %% open-file hidden=true
import pathlib


class LinesOf:
    """Opens its file for each pass."""

    def __init__(self, path):
        self.path = path

    def __iter__(self):
        with open(self.path) as file:
            yield from file


with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder) / "lines.txt"
    path.write_text("".join(f"line {number:05d} {'x' * 50}\n" for number in range(2000)))
    for kind in (Share, EqualShare):
        loader = DataLoader(kind(LinesOf(path), 0, 1), batch_size=None, num_workers=2)
        for epoch in range(2):
            assert len(set(loader)) == 2000
        with open(path) as file:  # forked workers share its position
            shared = kind(file, 0, 1)
            loader = DataLoader(shared, batch_size=None, num_workers=2, multiprocessing_context="fork")
            assert len(list(loader)) < 1100
        once = DataLoader(kind(iter(range(10)), 0, 1), batch_size=None)
        assert [len(list(once)) for epoch in range(2)] == [10, 0]

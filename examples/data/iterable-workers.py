"""IterableDataset and num_workers: every worker reads everything."""

# %% one-core hidden=true
import warnings

# A machine with one core warns of two workers.
warnings.filterwarnings("ignore", message="This DataLoader will create")

# %% duplicates
from torch.utils.data import DataLoader, IterableDataset, get_worker_info


class Lines(IterableDataset):
    read = 0

    def __iter__(self):
        for line in range(6):
            self.read += 1
            yield line


lines = Lines()
loader = DataLoader(lines, batch_size=2, num_workers=2)
print([batch.tolist() for batch in loader])
print("counted here:", lines.read)


# %% sharded
class Sharded(IterableDataset):
    def __iter__(self):
        worker = get_worker_info()  # None in the main process
        start, step = (worker.id, worker.num_workers) if worker else (0, 1)
        yield from range(start, 6, step)


for workers in (0, 2):
    loader = DataLoader(Sharded(), batch_size=2, num_workers=workers)
    print(workers, [batch.tolist() for batch in loader])

# %% short-batches
for workers, drop_last in [(0, False), (2, False), (2, True)]:
    loader = DataLoader(Sharded(), 4, num_workers=workers, drop_last=drop_last)
    print([batch.tolist() for batch in loader])


# %% length
class Counted(Lines):
    def __len__(self):
        return 6


loader = DataLoader(Counted(), batch_size=2, num_workers=2)
print(len(loader), "announced,", len(list(loader)), "came")

# %% length-warning warns="UserWarning"
from itertools import islice

loader = DataLoader(Counted(), batch_size=1, num_workers=2)
print(len(loader), "announced,", len(list(islice(loader, 7))), "came so far")


# %% remedies hidden=true
class Shares(Sharded):
    def __init__(self, announced):
        self.announced = announced

    def __len__(self):
        return self.announced


for kind in (Shares(6), Shares(20)):  # a length that is too large is never noticed
    loader = DataLoader(kind, batch_size=1, num_workers=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # A machine with one core warns of two workers.
        warnings.filterwarnings("ignore", message="This DataLoader will create")
        assert len(loader) == kind.announced and len(list(loader)) == 6


# %% right-and-too-many hidden=true
class Eight(IterableDataset):
    def __iter__(self):
        worker = get_worker_info()
        yield from range(worker.id, 8, worker.num_workers)

    def __len__(self):
        return 8


loader = DataLoader(Eight(), batch_size=4, num_workers=4)
assert len(loader) == 2 and len(list(loader)) == 4

"""IterableDataset: the dataset yields, the DataLoader only batches."""

# %% contract
import torch
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    starts = 0

    def __iter__(self):
        self.starts += 1
        yield from range(5)


lines = Lines()
loader = DataLoader(lines, batch_size=2)
for epoch in range(2):
    print([batch.tolist() for batch in loader], "starts:", lines.starts)

# %% shuffle raises="ValueError"
DataLoader(lines, shuffle=True)

# %% sampler raises="ValueError"
DataLoader(lines, sampler=[4, 3, 2, 1, 0])

# %% no-len raises="TypeError"
len(loader)


# %% no-iter raises="TypeError"
class Numbers(IterableDataset):
    def __getitem__(self, i):
        return i


Numbers()


# %% twice-is-finite
class Twice(IterableDataset):
    def __iter__(self):
        for _ in range(2):
            yield from range(5)


print([batch.tolist() for batch in DataLoader(Twice(), batch_size=4)])

# %% stream
from itertools import islice


class Stream(IterableDataset):
    def __init__(self, size, seed):
        self.size, self.seed = size, seed

    def __iter__(self):
        generator = torch.Generator().manual_seed(self.seed)
        while True:
            yield from torch.randperm(self.size, generator=generator).tolist()


stream = DataLoader(Stream(5, seed=0), batch_size=3)
print([batch.tolist() for batch in islice(stream, 5)])

# %% remedies hidden=true
from torch.utils.data import Dataset


class Shuffled(Lines):
    def __iter__(self):
        return iter(torch.randperm(5).tolist())


class Announced(Lines):
    def __len__(self):
        return 5


class Indexed(Dataset):
    def __getitem__(self, i):
        return i

    def __len__(self):
        return 5


assert sorted(batch.item() for batch in DataLoader(Shuffled())) == [0, 1, 2, 3, 4]
assert [batch.item() for batch in DataLoader(lines)] == [0, 1, 2, 3, 4]
assert len(DataLoader(Announced(), batch_size=2)) == 3
assert len(list(DataLoader(Indexed(), batch_size=2))) == 3


class WithoutLen(Dataset):
    def __getitem__(self, i):
        return i


try:
    next(iter(DataLoader(WithoutLen(), batch_size=2)))
except TypeError as error:
    assert "has no len()" in str(error)
else:
    raise AssertionError("a Dataset needs no __len__ now")


class UsedUp(IterableDataset):
    def __init__(self):
        self.lines = iter(range(5))

    def __iter__(self):
        return self.lines


used_up = DataLoader(UsedUp(), batch_size=None)
assert [len(list(used_up)) for epoch in range(2)] == [5, 0]

"""Your own sampler: __iter__, __len__, and where to pass it."""

# %% own
import torch
from torch.utils.data import BatchSampler, DataLoader, Sampler

samples = torch.arange(10)


class EvenFirst(Sampler):
    def __init__(self, count):
        self.count = count

    def __len__(self):
        return self.count

    def __iter__(self):  # a new iterator for each epoch
        yield from range(0, self.count, 2)
        yield from range(1, self.count, 2)


loader = DataLoader(samples, batch_size=4, sampler=EvenFirst(len(samples)))
for epoch in range(2):
    print([batch.tolist() for batch in loader])

# %% built-in
from torch.utils.data import RandomSampler, SequentialSampler

for shuffle in (False, True):
    print(shuffle, type(DataLoader(samples, shuffle=shuffle).sampler).__name__)

generator = torch.Generator().manual_seed(0)
options = dict(replacement=True, num_samples=4, generator=generator)
random = RandomSampler(samples, **options)
print(list(SequentialSampler(samples)), len(list(random)))

# %% batches
batches = BatchSampler(EvenFirst(10), batch_size=4, drop_last=False)
print(list(batches), len(batches))
loader = DataLoader(samples, batch_sampler=batches)
print([batch.tolist() for batch in loader], loader.batch_size)

# %% wrong-place
images = torch.zeros(10, 3, 8, 8)
for option in ("sampler", "batch_sampler"):
    loader = DataLoader(images, **{option: batches})
    print(f"{option:13}", [tuple(batch.shape) for batch in loader])

# %% at-once
# images[[0, 2, 4, 6]] is asked for, a whole batch
loader = DataLoader(images, sampler=batches, batch_size=None)
print([tuple(batch.shape) for batch in loader])

# %% generator
loader = DataLoader(samples, batch_size=4, sampler=(i for i in range(10)))
print([len(list(loader)) for epoch in range(3)])


# %% drawn-once
class DrawnOnce(EvenFirst):
    def __init__(self, count):
        super().__init__(count)
        self.order = torch.randperm(count).tolist()

    def __iter__(self):
        return iter(self.order)


class DrawnEachTime(EvenFirst):
    def __iter__(self):
        return iter(torch.randperm(self.count).tolist())


torch.manual_seed(0)
for sampler in (DrawnOnce(10), DrawnEachTime(10)):
    same = list(sampler) == list(sampler)
    print(type(sampler).__name__, "same order again:", same)


# %% no-length raises="TypeError"
class Endless(Sampler):
    def __iter__(self):
        while True:
            yield from torch.randperm(10).tolist()


loader = DataLoader(samples, batch_size=4, sampler=Endless())
print(next(iter(loader)).shape)
len(loader)


# %% short-length
class Liar(EvenFirst):
    def __len__(self):
        return 4


loader = DataLoader(samples, sampler=Liar(10))
print("len:", len(loader), "batches:", len(list(loader)))


# %% old-init raises="TypeError"
class Old(Sampler):
    def __init__(self, data_source):
        super().__init__(data_source)


Old(samples)

# %% single-numbers raises="TypeError"
next(iter(DataLoader(samples, batch_sampler=EvenFirst(10))))

# %% with-shuffle raises="ValueError"
DataLoader(samples, sampler=EvenFirst(10), shuffle=True)

# %% counter-cases hidden=true
try:
    next(iter(DataLoader([1, 2, 3], sampler=BatchSampler(range(3), 2, False))))
except TypeError as error:  # a list cannot be indexed by a list
    assert "list indices must be integers" in str(error)
else:
    raise AssertionError("a list was indexed by a list")
assert [len(list(DataLoader(samples, batch_size=4, sampler=range(10)))) for epoch in range(2)] == [3, 3]
assert len(BatchSampler(range(10), 4, drop_last=True)) == 2


class Mended(Sampler):  # both remedies for super().__init__(data_source)
    def __init__(self, data_source, call):
        if call:
            super().__init__()
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source)))


assert all(len(list(DataLoader(samples, sampler=Mended(samples, call)))) == 10 for call in (True, False))

assert [len(batch) for batch in DataLoader(samples, batch_size=4, sampler=EvenFirst(10))] == [4, 4, 2]


# %% length-in-batches hidden=true
class Pairs(Sampler):
    def __len__(self):
        return 5  # batches, not indices

    def __iter__(self):
        return iter([[i, i + 1] for i in range(0, 10, 2)])


loader = DataLoader(samples, batch_sampler=Pairs())
assert len(loader) == len(list(loader)) == 5
assert len(DataLoader(samples, sampler=Pairs(), batch_size=None)) == 5  # lists, not indices


# %% one-by-one hidden=true
class Flat(Sampler):  # a batch sampler with `yield from batch`
    def __iter__(self):
        for batch in ([0, 2], [1, 3, 4]):
            yield from batch


alone = [batch.tolist() for batch in DataLoader(samples, sampler=Flat())]
assert alone == [[0], [2], [1], [3], [4]]  # without batch_size=
again = [batch.tolist() for batch in DataLoader(samples, sampler=Flat(), batch_size=2)]
assert again == [[0, 2], [1, 3], [4]]  # other batches than those of the sampler


# %% dataset-without-len hidden=true
class NoLength(torch.utils.data.Dataset):
    def __getitem__(self, index):
        return index


class WithLength(NoLength):
    def __len__(self):
        return 10


try:
    next(iter(DataLoader(NoLength(), batch_size=4)))
except TypeError as error:
    assert str(error) == "object of type 'NoLength' has no len()"
else:
    raise AssertionError("iterating works without __len__")
assert len(DataLoader(WithLength(), batch_size=4)) == len(list(DataLoader(WithLength(), batch_size=4))) == 3

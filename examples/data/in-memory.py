"""Data in memory: fetch a batch with one index instead of sample by sample."""

# %% one-by-one
import torch
from torch.utils.data import BatchSampler, DataLoader, Dataset, RandomSampler

images, labels = torch.randn(1000, 8), torch.randint(3, (1000,))


class InMemory(Dataset):
    calls = 0

    def __len__(self):
        return len(images)

    def __getitem__(self, index):  # a number, or a list of numbers
        self.calls += 1
        return images[index], labels[index]


def epoch(data, loader):
    data.calls = 0
    sizes = [len(image) for image, label in loader]
    print(len(sizes), "batches,", sum(sizes), "samples,", data.calls, "calls")


data = InMemory()
epoch(data, DataLoader(data, batch_size=128, shuffle=True))


# %% batch-sampler
def whole_batches(data, size):
    batches = BatchSampler(RandomSampler(data), size, drop_last=False)
    return DataLoader(data, sampler=batches, batch_size=None)


epoch(data, whole_batches(data, 128))


# %% getitems
class Fetches(InMemory):
    def __getitems__(self, indices):  # the loader prefers this one
        self.calls += 1
        return images[indices], labels[indices]


def as_it_is(batch):
    return batch


data = Fetches()
loader = DataLoader(data, batch_size=128, shuffle=True, collate_fn=as_it_is)
epoch(data, loader)

# %% collated-again raises="RuntimeError"
next(iter(DataLoader(data, batch_size=128)))


# %% collated-silently
class Pairs(InMemory):
    def __getitems__(self, indices):
        return images[indices], images[indices]  # of one shape


print("one tensor:", tuple(next(iter(DataLoader(Pairs(), batch_size=128))).shape))

# %% no-loader
size = 0
for index in torch.randperm(len(images), device=images.device).split(128):
    size += len(images[index])
print(size, "samples, last batch", tuple(images[index].shape))

# %% faster varies=true
import time

from torch.utils.data import TensorDataset

many = TensorDataset(torch.randn(10_000, 8), torch.zeros(10_000))


def seconds(loader):
    start = time.process_time()
    for batch in loader:
        pass
    return time.process_time() - start


single = DataLoader(many, batch_size=256, shuffle=True)
slow = min(seconds(single) for _ in range(3))
fast = min(seconds(whole_batches(many, 256)) for _ in range(3))
print("more than twice as fast:", slow > 2 * fast)

# %% has-getitems
from torch.utils.data import Subset


class Counted(TensorDataset):
    calls = 0

    def __getitem__(self, index):
        Counted.calls += 1
        return super().__getitem__(index)


counted = Counted(images, labels)
list(DataLoader(Subset(counted, range(500)), batch_size=100))
print("500 samples of a Subset,", Counted.calls, "calls")

part = Subset(many, range(0, 10_000, 2))
image, label = next(iter(whole_batches(part, 256)))
print(tuple(image.shape))


# %% random-transform
def maybe_flip(image):
    return image.flip(-1) if torch.rand(()) < 0.5 else image


batch = images[:128]
flipped = (maybe_flip(batch) != batch).any(dim=1)
print("all alike:", len(flipped.unique()) == 1)

# %% each-sample
choice = torch.rand(len(batch), 1) < 0.5  # one for each sample
mixed = torch.where(choice, batch.flip(-1), batch)
flipped = (mixed != batch).any(dim=1)
print("all alike:", len(flipped.unique()) == 1)

# %% each-sample-once hidden=true
numbered = TensorDataset(torch.arange(1000))
orders = []
for _ in range(2):
    order = torch.cat([numbers for (numbers,) in whole_batches(numbered, 128)])
    assert torch.equal(order.sort().values, torch.arange(1000))
    orders.append(order)
assert not torch.equal(*orders)  # shuffled anew in each epoch
order = torch.cat(torch.randperm(1000).split(128))
assert torch.equal(order.sort().values, torch.arange(1000))
batches = BatchSampler(RandomSampler(numbered), 128, drop_last=False)
loaded = DataLoader(numbered, sampler=batches, batch_size=None, num_workers=1)
assert sum(len(numbers) for (numbers,) in loaded) == 1000
images_list = [torch.zeros(2), torch.zeros(2)]
try:
    next(iter(whole_batches(images_list, 2)))
except TypeError as error:
    assert "list indices must be integers" in str(error)
else:
    raise AssertionError("a list was indexed by a list")

try:
    (numbered + numbered)[[0, 1]]
except TypeError:
    pass
else:
    raise AssertionError("a ConcatDataset was indexed by a list")

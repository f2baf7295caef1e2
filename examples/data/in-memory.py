"""Data in memory: fetch a batch with one index instead of sample by sample."""

# %% no-warning hidden=true
import warnings

# some machines have fewer cores than the workers here
warnings.filterwarnings("ignore", message="This DataLoader will create")

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

# %% keep-decoded
from torch.utils.data import get_worker_info


class Decoded(Dataset):
    """Keeps what it decoded in a dict, or in tensors that processes share."""

    def __init__(self, size, shared):
        self.decoded = torch.zeros(2).share_memory_()  # by each worker
        self.kept = {}
        self.shared = torch.zeros(size, 8).share_memory_() if shared else None
        self.known = torch.zeros(size, dtype=torch.bool).share_memory_()

    def __len__(self):
        return len(self.known)

    def decode(self, index):  # stands in for reading and decoding a file
        worker = get_worker_info()
        self.decoded[worker.id if worker else 0] += 1
        return torch.full((8,), float(index))

    def __getitem__(self, index):
        if self.shared is None:
            if index not in self.kept:
                self.kept[index] = self.decode(index)
            return self.kept[index]
        if not self.known[index]:
            self.shared[index] = self.decode(index)
            self.known[index] = True
        return self.shared[index]


def decodes(shared, **options):
    torch.manual_seed(0)
    dataset = Decoded(32, shared)
    loader = DataLoader(dataset, batch_size=4, shuffle=True, **options)
    counts = []
    for epoch in range(3):
        before = dataset.decoded.sum()
        for batch in loader:
            pass
        counts.append(int(dataset.decoded.sum() - before))
    return counts


print("dict, no worker:         ", decodes(False))
print("dict, 2 workers:         ", decodes(False, num_workers=2))
persistent = decodes(False, num_workers=2, persistent_workers=True)
print("persistent workers:      ", persistent)
print("shared, 2 workers:       ", decodes(True, num_workers=2))

# %% keep-counter-cases hidden=true
shared = Decoded(5, shared=True)
for epoch in range(2):
    numbers = torch.cat([batch[:, 0] for batch in DataLoader(shared, batch_size=2, num_workers=2)])
    assert numbers.tolist() == [0, 1, 2, 3, 4]
assert shared.decoded.sum() == 5 and shared.known.all()
kept = Decoded(5, shared=False)
list(DataLoader(kept, batch_size=2, num_workers=2))
assert kept.kept == {}  # the workers filled their own
for index in range(5):
    kept[index]  # filled before they start
kept.decoded.zero_()
list(DataLoader(kept, batch_size=2, num_workers=2))
assert kept.decoded.sum() == 0
import copy

for private in (copy.deepcopy(shared).shared, shared.shared.to(torch.uint8), shared.shared.clone()):
    assert shared.shared.is_shared() and not private.is_shared()
batch = next(iter(DataLoader(shared, batch_size=5)))
batch.zero_()
assert shared.shared[4, 0] == 4  # the default collate_fn copies
shared[3].zero_()
assert shared.shared[3, 0] == 0  # but a sample is a view of what is kept

# %% choice-of-pictures hidden=true
pictures = torch.randn(32, 3, 32, 32)
for shape, right in (((32, 1), False), ((32, 1, 1, 1), True)):
    mixed = torch.where(torch.rand(shape) < 0.5, pictures.flip(-1), pictures)
    whole = [torch.equal(new, old) or torch.equal(new, old.flip(-1)) for new, old in zip(mixed, pictures)]
    assert all(whole) is right  # (32, 1) chooses for each row of a picture

# %% arrays-and-statistics hidden=true
from torch.utils.data import default_convert


class Arrays(Dataset):
    def __len__(self):
        return 8

    def __getitems__(self, indices):
        return images.numpy()[indices], labels.numpy()[indices]


image, label = next(iter(DataLoader(Arrays(), batch_size=4, collate_fn=as_it_is)))
assert not isinstance(image, torch.Tensor)  # as_it_is makes no tensor of an array
image, label = next(iter(DataLoader(Arrays(), batch_size=4, collate_fn=default_convert)))
assert torch.equal(image, images[:4]) and torch.equal(label, labels[:4])
batch = images[:128]
scaled = batch / batch.abs().max()  # by the largest of the whole batch
assert scaled.abs().amax(dim=1).min() < 1
assert (batch / batch.abs().amax(dim=1, keepdim=True)).abs().amax(dim=1).eq(1).all()

"""Datasets joined: ConcatDataset, ChainDataset, StackDataset."""

# %% one-core hidden=true
import warnings

# A machine with one core warns of two workers.
warnings.filterwarnings("ignore", message="This DataLoader will create")

# %% concat
import torch
from torch.utils.data import ConcatDataset, DataLoader, TensorDataset

photos = TensorDataset(torch.zeros(3, 2), torch.tensor([0, 1, 2]))
scans = TensorDataset(torch.ones(5, 2), torch.tensor([0, 1, 0, 1, 0]))
both = ConcatDataset([photos, scans])
print("length:", len(both), " ends:", both.cumulative_sizes)
print("last photo:", both[2])
print("first scan:", both[3])
print("last scan: ", both[-1])

# %% plus
print(type(photos + scans).__name__, len(photos + scans))

# %% shuffled
torch.manual_seed(0)
loader = DataLoader(both, batch_size=4, shuffle=True)
for images, labels in loader:
    print("from:", ["scan" if image.any() else "photo" for image in images])

# %% dtypes
as_bytes = TensorDataset(torch.tensor([[200, 255]], dtype=torch.uint8))
as_floats = TensorDataset(torch.tensor([[0.5, 1.0]]))
(mixed,) = next(iter(DataLoader(as_bytes + as_floats, batch_size=2)))
print(mixed)

# %% source
from bisect import bisect_right

names = ["photo", "scan"]
print([names[bisect_right(both.cumulative_sizes, i)] for i in range(len(both))])

# %% shifted
from torch.utils.data import Dataset


class Shifted(Dataset):
    def __init__(self, dataset, first):
        self.dataset, self.first = dataset, first

    def __len__(self):
        return len(self.dataset)

    def __getitem__(self, i):
        image, label = self.dataset[i]
        return image, label + self.first


print("as they are:", [int(label) for _, label in both])
renumbered = ConcatDataset([photos, Shifted(scans, first=3)])
print("renumbered: ", [int(label) for _, label in renumbered])

# %% balanced
from torch.utils.data import WeightedRandomSampler

parts = [range(10), range(10, 1000)]
joined = ConcatDataset(parts)
weights = torch.cat([torch.full((len(part),), 1 / len(part)) for part in parts])
sampler = WeightedRandomSampler(weights, num_samples=1000)
drawn = torch.tensor(list(sampler))
print("from the small part:", f"{(drawn < 10).float().mean():.1f}", "of the epoch")


# %% chain
from torch.utils.data import ChainDataset, IterableDataset


class Lines(IterableDataset):
    def __init__(self, lines):
        self.lines = lines

    def __iter__(self):
        yield from self.lines


chained = ChainDataset([Lines("abc"), Lines("xyz")])
print([batch for batch in DataLoader(chained, batch_size=4)])

# %% chain-workers
print([batch for batch in DataLoader(chained, batch_size=3, num_workers=2)])

# %% concat-stream raises="AssertionError"
ConcatDataset([Lines("abc"), Lines("xyz")])

# %% chain-map raises="AssertionError"
list(ChainDataset([Lines("abc"), photos]))

# %% stack
from torch.utils.data import StackDataset

images = torch.arange(8.0).reshape(4, 2)
captions = ["cat", "dog", "bird", "fish"]
print("tuple:", StackDataset(images, captions)[1])
pairs = StackDataset(image=images, caption=captions)
print("dict: ", pairs[1])
print("batch:", next(iter(DataLoader(pairs, batch_size=2))))

# %% stack-sizes raises="ValueError"
StackDataset(images, captions[:3])

# %% tensor-sizes raises="AssertionError"
from torch.utils.data import TensorDataset

labels = torch.zeros(3)
TensorDataset(images, labels)

# %% tensor-shapes
print(images.shape, labels.shape)

# %% remedies hidden=true
from itertools import chain


class Both(IterableDataset):
    def __iter__(self):
        return chain(Lines("abc"), photos)


assert list(ChainDataset([Lines("abc"), Lines("xyz")])) == list("abcxyz")
assert len(list(DataLoader(Both(), batch_size=None))) == 6
assert len(ConcatDataset([list(Lines("abc")), photos])) == 6
assert len(StackDataset(images[:3], captions[:3])) == 3
assert both[-8][1] == both[0][1] and len(both) == len(photos) + len(scans)
bytes_first = DataLoader(as_bytes + as_floats, batch_size=2, num_workers=1)
try:
    list(bytes_first)
except RuntimeError as error:
    raise AssertionError("another error") from error
except TypeError as error:
    assert "can't be cast to the desired output type" in str(error), error
else:
    raise AssertionError("a worker stacks them now")


# %% cut-to-bytes hidden=true
integers = TensorDataset(torch.tensor([[300]])), TensorDataset(torch.tensor([[1]], dtype=torch.uint8))
for workers, expected in ((0, [[1], [300]]), (1, [[1], [300 % 256]])):
    ((batch,),) = DataLoader(integers[1] + integers[0], batch_size=2, num_workers=workers)
    assert batch.tolist() == expected, (workers, batch)


# %% divided hidden=true
from torch.utils.data import get_worker_info


class Divided(Lines):
    def __iter__(self):
        worker = get_worker_info()
        yield from self.lines[worker.id :: worker.num_workers]


divided = ChainDataset([Divided("abc"), Divided("xyz")])
assert sorted(DataLoader(divided, batch_size=None, num_workers=2)) == list("abcxyz")  # each once
assert type(Lines("abc") + Lines("xyz")) is ChainDataset

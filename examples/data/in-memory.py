"""Data that is in memory as tensors: whole batches instead of single samples."""

# %% default
import torch
from torch.utils.data import BatchSampler, DataLoader, Dataset
from torch.utils.data import RandomSampler, TensorDataset

torch.manual_seed(0)
images, labels = torch.randn(1000, 3, 8, 8), torch.arange(1000)


class Memory(Dataset):
    calls = 0

    def __len__(self):
        return len(images)

    def __getitem__(self, index):
        self.calls += 1
        return images[index], labels[index]


data = Memory()
for batch, target in DataLoader(data, batch_size=100, shuffle=True):
    pass
print("calls of __getitem__:", data.calls, " last batch:", tuple(batch.shape))

# %% batch-sampler
data = Memory()
sampler = BatchSampler(RandomSampler(data), batch_size=100, drop_last=False)
seen = []
for batch, target in DataLoader(data, sampler=sampler, batch_size=None):
    seen.append(target)
print("calls of __getitem__:", data.calls, " last batch:", tuple(batch.shape))
print("each sample once:", torch.cat(seen).sort().values.equal(labels))

# %% tensor-dataset
tensors = TensorDataset(images, labels)
batch, target = next(iter(DataLoader(tensors, sampler=sampler, batch_size=None)))
print(tuple(batch.shape), tuple(target.shape))


# %% getitems
class Batches(Memory):
    def __getitems__(self, indices):
        self.calls += 1
        return images[indices], labels[indices]


data = Batches()
options = {"batch_size": 100, "shuffle": True}
loader = DataLoader(data, collate_fn=lambda batch: batch, **options)
for batch, target in loader:
    pass
print("calls of __getitems__:", data.calls, " last batch:", tuple(batch.shape))

# %% getitems-collate raises="RuntimeError"
next(iter(DataLoader(data, batch_size=100)))

# %% no-loader
seen = []
for index in torch.randperm(len(images)).split(100):
    batch, target = images[index], labels[index]
    seen.append(target)
print("batches:", len(seen), " last batch:", tuple(batch.shape))
print("each sample once:", torch.cat(seen).sort().values.equal(labels))

# %% shuffle-alone
loader = DataLoader(Memory(), batch_size=None, shuffle=True)
print("shuffle=True, batch_size=None:", tuple(next(iter(loader))[0].shape))

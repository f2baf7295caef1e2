"""SubsetRandomSampler: two loaders over one dataset."""

# %% two-loaders
import torch
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset

torch.manual_seed(0)
dataset = TensorDataset(torch.arange(6.0))
sampler = SubsetRandomSampler([0, 1, 2, 3])
train_loader = DataLoader(dataset, batch_size=2, sampler=sampler)
val_loader = DataLoader(dataset, batch_size=2, sampler=[4, 5])  # in this order

for epoch in range(2):
    print("train", [x.tolist() for (x,) in train_loader])
    print("val  ", [x.tolist() for (x,) in val_loader])

# %% shuffle raises="ValueError"
DataLoader(dataset, sampler=sampler, shuffle=True)

# %% lengths
print("batches:", len(train_loader))
print("dataset:", len(train_loader.dataset))
print("sampler:", len(train_loader.sampler))

# %% mean-loss
total = sum(x.sum() for (x,) in train_loader)
print("divided by the dataset:", total / len(train_loader.dataset))  # wrong
print("divided by the sampler:", total / len(train_loader.sampler))
print("mean of the four:      ", dataset.tensors[0][:4].mean())

# %% subset
from torch.utils.data import Subset

part = Subset(dataset, [0, 1, 2, 3])
train_loader = DataLoader(part, batch_size=2, shuffle=True)
print([x.tolist() for (x,) in train_loader])
print(len(train_loader.dataset))

# %% ranks-and-masks hidden=true
from torch.utils.data import DistributedSampler

for rank in range(2):  # this sampler has no rank: each draws all of its indices
    assert sorted(SubsetRandomSampler([0, 1, 2, 3])) == [0, 1, 2, 3]
shares = [DistributedSampler(part, num_replicas=2, rank=rank) for rank in range(2)]
drawn = [[x.item() for (x,) in DataLoader(part, batch_size=None, sampler=share)] for share in shares]
assert [len(each) for each in drawn] == [2, 2] and sorted(sum(drawn, [])) == [0, 1, 2, 3]

mask = torch.tensor([False, False, True, True])
listed = ["a", "b", "c", "d"]
assert sorted(DataLoader(listed, batch_size=None, sampler=SubsetRandomSampler(mask))) == ["a", "a", "b", "b"]
indices = mask.nonzero()[:, 0].tolist()
assert sorted(DataLoader(listed, batch_size=None, sampler=SubsetRandomSampler(indices))) == ["c", "d"]

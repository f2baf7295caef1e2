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

"""A dataset that also returns each sample's index."""

# %% wrapper
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset, random_split


class WithIndex(Dataset):
    def __init__(self, base):
        self.base = base

    def __len__(self):
        return len(self.base)

    def __getitem__(self, i):
        return *self.base[i], i


torch.manual_seed(0)
x = torch.arange(4.0) * 10
dataset = TensorDataset(x, torch.tensor([0, 1, 1, 1]))
loader = DataLoader(WithIndex(dataset), batch_size=2, shuffle=True)
for features, labels, index in loader:
    print(f"index {index.tolist()}  features {features.tolist()}", end="  ")
    print(f"x[index] {x[index].tolist()}")

# %% per-sample
import torch.nn.functional as F

losses = torch.zeros(len(dataset))
for features, labels, index in loader:
    loss = F.mse_loss(features / 30, labels.float(), reduction="none")
    losses[index] = loss.detach()  # the number alone
print(losses)
print("hardest sample:", int(losses.argmax()))

# %% split-order
wrapped_first, _ = random_split(WithIndex(dataset), [2, 2])
split_first = WithIndex(random_split(dataset, [2, 2])[0])
for part in (wrapped_first, split_first):
    samples = [part[i] for i in range(len(part))]
    print([(float(features), index) for features, _, index in samples])

# %% single-tensor hidden=true
assert len(WithIndex([torch.zeros(2)])[0]) == 3 and len(WithIndex([torch.zeros(3, 4, 4)])[0]) == 4  # taken apart

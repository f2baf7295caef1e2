"""Training on some classes of a dataset, with their labels renumbered."""

# %% dataset
import torch
from torch.utils.data import DataLoader, Dataset, Subset, TensorDataset

torch.manual_seed(0)
labels = torch.randint(10, (1000,))
images = labels[:, None].float() + 0.1 * torch.randn(1000, 4)  # (sample, feature)
dataset = TensorDataset(images, labels)

# %% subset
wanted = torch.tensor([3, 7, 8])
keep = torch.isin(labels, wanted)  # (sample,)
part = Subset(dataset, keep.nonzero().flatten().tolist())
net = torch.nn.Linear(4, len(wanted))  # an output for each
print(len(part), "of", len(dataset), "  labels:", labels[part.indices].unique())


# %% renumbered
class OfClasses(Dataset):
    """The samples of some classes; the classes are numbered in the order given."""

    def __init__(self, dataset, labels, classes):
        self.dataset = dataset
        self.number = {int(label): i for i, label in enumerate(classes)}
        self.indices = torch.isin(labels, torch.tensor(classes)).nonzero().flatten()

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        image, label = self.dataset[int(self.indices[i])]
        return image, self.number[int(label)]


classes = [3, 7, 8]
chosen = OfClasses(dataset, labels, classes)
batch, targets = next(iter(DataLoader(chosen, batch_size=8)))
loss = torch.nn.functional.cross_entropy(net(batch), targets)
print(targets, " loss:", f"{loss.item():.1f}")

# %% back
predicted = net(batch).argmax(dim=1)
print(predicted, "->", torch.tensor(classes)[predicted])

# %% tensor-renumber
number = torch.full((10,), -1)
number[wanted] = torch.arange(len(wanted))
print(number)
print(labels[:8], "->", number[labels[:8]])

# %% one-against-rest
print("3 or not:", (labels[:8] == 3).long())

# %% out-of-bounds raises="IndexError"
batch, targets = next(iter(DataLoader(part, batch_size=8)))
torch.nn.functional.cross_entropy(net(batch), targets)

# %% per-class
generator = torch.Generator().manual_seed(0)
order = torch.randperm(len(labels), generator=generator)
few = torch.cat([order[labels[order] == label][:20] for label in range(10)])
small = Subset(dataset, few.tolist())
print("of each class:", labels[few].bincount())

# %% smallest
uneven = torch.tensor([0] * 900 + [1] * 90 + [2] * 10)
least = int(uneven.bincount().min())
order = torch.randperm(len(uneven), generator=generator)
even = torch.cat([order[uneven[order] == label][:least] for label in range(3)])
print("before:", uneven.bincount(), " after:", uneven[even].bincount())


# %% labels-of
class WithoutTargets(Dataset):
    def __len__(self):
        return 100

    def __getitem__(self, i):
        return torch.zeros(3, 8, 8), i % 4


plain = WithoutTargets()
found = torch.cat([targets for _, targets in DataLoader(plain, batch_size=50)])
print("from one pass:", found.bincount())

# %% nested
half = Subset(dataset, range(500, 1000))
keep = torch.isin(labels[torch.tensor(half.indices)], wanted)
part = Subset(half, keep.nonzero().flatten().tolist())
print("labels:", torch.stack([label for _, label in part]).unique())

# %% remedies hidden=true
assert all(0 <= label < 3 for _, label in chosen)
assert all(classes[label] == labels[i] for i, (_, label) in zip(chosen.indices, chosen))
assert len(few.unique()) == 200 and len(even.unique()) == 30

# %% labels-in-a-column hidden=true
rows, found = (torch.isin(values, wanted).nonzero().flatten() for values in (labels, labels[:, None]))
assert not found[1::2].any() and torch.equal(found[::2], rows)
assert torch.equal(number[labels.byte().long()], number[labels])

"""random_split: a dataset in random parts."""

# %% lengths
import torch
from torch.utils.data import TensorDataset, random_split

images = torch.arange(10.0)[:, None]  # (samples, features)
dataset = TensorDataset(images, torch.arange(10) % 2)

generator = torch.Generator().manual_seed(0)
train, val = random_split(dataset, [7, 3], generator=generator)
print(len(train), len(val))

# %% subset
print(type(val).__name__, val.indices)
print(val[0], dataset[val.indices[0]])

# %% same-dataset
print(sorted(train.indices + val.indices))
print("same object:", train.dataset is val.dataset is dataset)

# %% fractions
print([len(part) for part in random_split(dataset, [0.8, 0.1, 0.1])])
print([len(part) for part in random_split(dataset, [0.5, 0.25, 0.25])])

# %% wrong-total raises="ValueError"
random_split(dataset, [7, 2])

# %% no-targets raises="AttributeError"
print(dataset.tensors[1][train.indices])
train.tensors

# %% generator
for _ in range(2):
    generator = torch.Generator().manual_seed(0)
    print(random_split(dataset, [7, 3], generator=generator)[1].indices)

torch.manual_seed(1)
for _ in range(2):
    print(random_split(dataset, [7, 3])[1].indices)

# %% imbalance
labels = torch.tensor([0] * 180 + [1] * 20)
counts = []
for seed in range(8):
    generator = torch.Generator().manual_seed(seed)
    _, val = random_split(labels, [0.8, 0.2], generator=generator)
    counts.append(int(labels[val.indices].sum()))
print(counts, "expected", 0.2 * 20)

# %% remedies hidden=true
parts = random_split(dataset, [7, len(dataset) - 7])
assert [len(part) for part in parts] == [7, 3]
assert [len(part) for part in random_split(dataset, [0.7, 0.3])] == [7, 3]

# %% counter-cases hidden=true
for lengths in ([0, 10], [3, 3, 4], [0.25, 0.25, 0.5], [0.333, 0.333, 0.334]):
    whole = list(range(10))
    parts = random_split(whole, lengths)
    assert sorted(index for part in parts for index in part.indices) == whole  # each once
    assert all(part.dataset is whole for part in parts)  # and no copy

labels = torch.arange(10) % 2
train, rest = random_split(dataset, [6, 4])
assert torch.equal(train.dataset.tensors[1][train.indices], labels[train.indices])
val, test = random_split(rest, [2, 2])  # a part of a part: two steps
assert torch.equal(torch.stack([label for _, label in val]), labels[[rest.indices[i] for i in val.indices]])

fractions = [0.33, 0.56, 0.11]  # from Python 3.12 on, sum() rounds once, at the end
try:
    random_split(range(100), fractions)
except ValueError as error:
    assert "Sum of input lengths" in str(error) and sum(fractions) > 1
else:
    assert sum(fractions) <= 1

# %% list-of-targets hidden=true
targets = labels.tolist()
assert [targets[i] for i in train.indices] == labels[train.indices].tolist()
try:
    targets[train.indices]
except TypeError:
    pass
else:
    raise AssertionError("a list was indexed with a list")

# %% negative-count hidden=true
assert [len(part) for part in random_split(dataset, [12, len(dataset) - 12])] == [10, 0]

"""default_collate makes a batch of samples: dicts, tuples, numbers."""

# %% dict
import torch
from torch.utils.data import DataLoader, Dataset


class Photos(Dataset):
    def __len__(self):
        return 5

    def __getitem__(self, i):
        image = torch.full((2,), float(i))
        return {"image": image, "label": i % 2, "file": f"{i}.png"}


loader = DataLoader(Photos(), batch_size=2)
for name, values in next(iter(loader)).items():
    print(name, values)

# %% last-batch
*_, last = loader
print(last)

# %% drop-last
for drop_last in (False, True):
    loader = DataLoader(Photos(), batch_size=2, drop_last=drop_last)
    print(len(loader), [len(batch["label"]) for batch in loader])

# %% missing-key raises="KeyError"
samples = [{"label": 0, "file": "0.png"}, {"label": 1}]
next(iter(DataLoader(samples, batch_size=2)))

# %% extra-key
samples.reverse()
print(next(iter(DataLoader(samples, batch_size=2))))

# %% tuple
from torch.utils.data import default_collate

batch = default_collate([(1, 2.5), (3, 4.5)])
print(type(batch).__name__, batch)

# %% float32
print(default_collate([(1, torch.tensor(2.5)), (3, torch.tensor(4.5))]))

# %% containers
from collections import namedtuple

Sample = namedtuple("Sample", ["size", "label"])
print(default_collate([Sample(20, 0), Sample(30, 1)]))
print(default_collate([{"box": {"x": 1, "y": 2}}, {"box": {"x": 3, "y": 4}}]))

# %% list-in-sample
print(default_collate([([1, 2, 3], "cat"), ([4, 5, 6], "dog")]))
samples = [(torch.tensor([1, 2, 3]), "cat"), (torch.tensor([4, 5, 6]), "dog")]
print(default_collate(samples))

# %% none raises="TypeError"
default_collate([(1, None), (3, None)])

# %% unequal raises="RuntimeError"
default_collate([torch.zeros(2), torch.zeros(3)])

# %% remedies hidden=true
same_keys = [{"label": 0, "file": "0.png"}, {"label": 1, "file": ""}]
assert next(iter(DataLoader(same_keys, batch_size=2)))["label"].tolist() == [0, 1]
assert default_collate([(1, -1), (3, -1)])[1].tolist() == [-1, -1]
unequal = [torch.zeros(2), torch.zeros(3)]
padded = DataLoader(
    unequal, batch_size=2, collate_fn=lambda some: torch.nn.utils.rnn.pad_sequence(some, batch_first=True)
)
assert next(iter(padded)).shape == (2, 3)
assert default_collate([image[:2] for image in unequal]).shape == (2, 2)
assert default_collate([(1,), (3,)])[0].tolist() == [1, 3]
assert [default_collate(pair).dtype for pair in ([1, 2.5], [2.5, 1])] == [torch.float32, torch.float64]

# %% missing-values hidden=true
labels = default_collate([torch.tensor(3), torch.tensor(-1)])
loss = torch.nn.functional.cross_entropy
scores = torch.tensor([[0.0, 0, 0, 1], [0.0, 0, 0, 9]])
assert torch.equal(loss(scores, labels, ignore_index=-1), loss(scores[:1], labels[:1]))
for samples in ([None, None], [(None, 0), (torch.ones(2), 1)]):  # no return, or none in one branch
    try:
        next(iter(DataLoader(samples, batch_size=2)))
    except TypeError as error:
        assert "found <class 'NoneType'>" in str(error)
    else:
        raise AssertionError

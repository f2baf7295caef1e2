"""A collate_fn for dicts with strings, None and lists of numbers."""

# %% samples
import torch
from torch.utils.data import DataLoader

reviews = [
    {"text": "good", "tokens": [4, 9], "stars": 5},
    {"text": "too short a cable", "tokens": [7, 2, 3, 8], "stars": None},
    {"text": "broken", "tokens": [6], "stars": 1},
]

# %% collate
from torch.nn.utils.rnn import pad_sequence


def collate(samples):
    columns = {key: [sample[key] for sample in samples] for key in samples[0]}
    tokens = [torch.tensor(row, dtype=torch.long) for row in columns["tokens"]]
    stars = [torch.nan if star is None else star for star in columns["stars"]]
    return {
        "text": columns["text"],  # a list of strings
        "tokens": pad_sequence(tokens, batch_first=True),  # (batch, time)
        "length": torch.tensor([len(row) for row in tokens]),
        "stars": torch.tensor(stars, dtype=torch.float32),  # NaN: no stars
    }


loader = DataLoader(reviews, batch_size=3, collate_fn=collate)
batch = next(iter(loader))
for key, value in batch.items():
    print(f"{key}: {value}")

# %% masked-loss
predicted = torch.tensor([4.0, 3.0, 2.0], requires_grad=True)
known = ~batch["stars"].isnan()  # (batch,)
loss = (predicted[known] - batch["stars"][known]).square().mean()
loss.backward()
print("loss:", loss.item(), " gradient:", predicted.grad)

# %% nan-times-zero
wrong = ((predicted - batch["stars"]).square() * known).sum() / known.sum()
print("multiplied by the mask:", wrong.item())

# %% none-known
known = torch.zeros(3, dtype=torch.bool)
errors = (predicted[known] - batch["stars"][known]).square()
print("mean:", errors.mean().item())
print("sum / max(count, 1):", (errors.sum() / known.sum().clamp(min=1)).item())

# %% default raises="RuntimeError"
stars = [{"stars": review["stars"]} for review in reviews]
next(iter(DataLoader(stars, batch_size=3)))

# %% none-after
for first in (5.0, torch.tensor(5)):
    try:
        torch.utils.data.default_collate([first, None])
    except TypeError as error:
        print(f"{type(first).__name__}: {error}")


# %% skip
def skip_missing(samples):
    samples = [sample for sample in samples if sample is not None]
    return torch.utils.data.default_collate(samples) if samples else None


one, two, three = torch.tensor([1.0, 2.0, 3.0])
readable = [one, None, two, None, None, three]
for batch in DataLoader(readable, batch_size=2, collate_fn=skip_missing):
    print(batch)

# %% all-missing raises="IndexError"
torch.utils.data.default_collate([])

# %% skip-empty
readable = [one, two, None, None]
for batch in DataLoader(readable, batch_size=2, collate_fn=skip_missing):
    if batch is None:  # no sample of this batch could be read
        continue
    print(batch)

# %% to raises="AttributeError"
batch = next(iter(loader))
batch.to("cpu")


# %% to-device
def to_device(batch, device):
    moved = dict(batch)
    for key, value in batch.items():
        if torch.is_tensor(value):
            moved[key] = value.to(device, non_blocking=True)
    return moved


for key, value in to_device(batch, "cpu").items():
    print(key, value.device if torch.is_tensor(value) else type(value).__name__)

# %% remedies hidden=true
assert skip_missing([None]) is None
assert skip_missing([None, torch.tensor(2.0)]).tolist() == [2.0]
assert to_device({"a": torch.ones(2), "b": "text"}, "meta")["a"].is_meta

# %% same-types hidden=true
for some in (reviews[:1], reviews, [{"text": "", "tokens": [], "stars": None}, *reviews]):
    made = collate(some)  # whatever the batch has in it
    assert made["tokens"].dtype == torch.long and made["stars"].dtype == torch.float32

# %% none-remedies hidden=true
with_numbers = [{"stars": -1 if review["stars"] is None else review["stars"]} for review in reviews]
without = [{"text": review["text"]} for review in reviews]
assert next(iter(DataLoader(reviews, batch_size=3, collate_fn=collate)))["stars"].isnan().tolist() == [
    False,
    True,
    False,
]
assert next(iter(DataLoader(with_numbers, batch_size=3)))["stars"].tolist() == [5, -1, 1]
assert list(next(iter(DataLoader(without, batch_size=3)))) == ["text"]

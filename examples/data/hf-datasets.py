"""Hugging Face datasets in a DataLoader: set_format, maps, different lengths, streams."""

# %% table needs="datasets"
import torch
from datasets import Dataset, disable_progress_bars
from torch.utils.data import DataLoader

disable_progress_bars()
rows = {
    "image": [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]] * 4,
    "label": [0, 1] * 4,
    "text": ["a cat", "a dog"] * 4,
}
table = Dataset.from_dict(rows)
print(table[0])

# %% as-lists needs="datasets"
batch = next(iter(DataLoader(table, batch_size=4)))
print("image:", type(batch["image"]).__name__, "of", len(batch["image"]), "tensors")
print(batch["image"][0], batch["image"][0].dtype)

# %% as-tensors needs="datasets"
tensors = table.with_format("torch")
batch = next(iter(DataLoader(tensors, batch_size=4)))
print("image:", tuple(batch["image"].shape), batch["image"].dtype)
print("label:", batch["label"], "text:", batch["text"])

# %% in-place needs="datasets"
print("set_format returns", table.set_format("torch", columns=["image", "label"]))
print(list(table[0]))  # the text is hidden, not gone
table.reset_format()
print(list(table[0]))

# %% map needs="datasets"
words = ["a", "cat", "dog"]


def to_ids(batch):
    texts = [text.split() for text in batch["text"]]
    return {"ids": [[words.index(word) for word in text] for text in texts]}


ids = table.map(to_ids, batched=True, remove_columns=["image", "text"])
print(ids.column_names, ids[1])

# %% lengths needs="datasets" raises="RuntimeError"
texts = ["a", "a cat", "a dog a"]
uneven = Dataset.from_dict({"text": texts}).map(to_ids, batched=True)
uneven = uneven.remove_columns("text").with_format("torch")
next(iter(DataLoader(uneven, batch_size=3)))


# %% pad needs="datasets"
def pad(samples):
    ids = [sample["ids"] for sample in samples]
    return torch.nn.utils.rnn.pad_sequence(ids, batch_first=True, padding_value=-1)


print(next(iter(DataLoader(uneven, batch_size=3, collate_fn=pad))))

# %% stream needs="datasets"
stream = table.with_format("torch").to_iterable_dataset(num_shards=2)
shuffled = stream.shuffle(seed=0, buffer_size=4)
for epoch in range(2):
    shuffled.set_epoch(epoch)  # another order each epoch
    batches = DataLoader(shuffled, batch_size=4)
    labels = [batch["label"].tolist() for batch in batches]
    print(epoch, labels)

# %% stream-shuffle needs="datasets" raises="ValueError"
DataLoader(stream, batch_size=4, shuffle=True)

# %% checks needs="datasets" hidden=true
assert sorted(label for batch in labels for label in batch) == [0] * 4 + [1] * 4
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # about the number of cores
    loader = DataLoader(stream, batch_size=4, num_workers=2)  # each worker has a shard
    assert sum(len(batch["label"]) for batch in loader) == 8
assert stream.num_shards == 2
assert table.with_format("torch")[:4]["image"].shape == (4, 3)
assert Dataset.from_dict({"x": [1.5]}).with_format("torch")[0]["x"].dtype == torch.float32
assert Dataset.from_dict({"x": [1]}).with_format("torch")[0]["x"].dtype == torch.int64

"""Strings, dates and ragged lists: tensors hold numbers of one shape."""

# %% strings-error raises="ValueError"
import torch

torch.tensor(["cat", "dog", "cat"])

# %% single-error raises="TypeError"
torch.tensor("cat")

# %% numbered
names = ["cat", "dog", "cat"]
number_of = {name: i for i, name in enumerate(sorted(set(names)))}
label = torch.tensor([number_of[name] for name in names])
print("numbers:", number_of)
print("label:  ", label)
print("back:   ", [sorted(number_of)[i] for i in label.tolist()])

# %% number-strings
cells = ["1.5", "2", "", "4e-3"]
print(torch.tensor([float(cell) if cell else float("nan") for cell in cells]))

# %% characters
text = "naïve"
codes = torch.tensor(list(text.encode()), dtype=torch.uint8)  # bytes of UTF-8
print("bytes:", codes)
print("back: ", bytes(codes.tolist()).decode())

# %% array-error raises="TypeError"
import numpy as np

torch.from_numpy(np.array(["cat", "dog"]))

# %% array
words, index = np.unique(np.array(names), return_inverse=True)
print(words, torch.from_numpy(index))

# %% date-error raises="RuntimeError"
from datetime import datetime, timezone

utc = timezone.utc
moments = [datetime(2024, 5, 1, hour, tzinfo=utc) for hour in (12, 13)]
torch.tensor(moments)

# %% dates
stamps = [moment.timestamp() for moment in moments]
seconds = torch.tensor(stamps, dtype=torch.float64)
print("float64:", seconds.diff().item(), "seconds")
print("float32:", seconds.float().diff().item(), "seconds")
print("float32, step:", np.spacing(seconds.float().numpy())[0], "seconds")
print("since the first:", (seconds - seconds[0]).float().tolist())
print("back:   ", datetime.fromtimestamp(seconds[0].item(), utc))

# %% numpy-dates
stamps = np.array(["2024-05-01", "2024-05-03"], dtype="datetime64[s]")
print(torch.from_numpy(stamps.astype(np.int64)).diff() / 86_400, "days")

# %% ragged
from torch.nn.utils.rnn import pad_sequence

rows = [torch.tensor(row) for row in ([4, 5, 6], [7])]
length = torch.tensor([len(row) for row in rows])
batch = pad_sequence(rows, batch_first=True, padding_value=-1)
print("padded:", batch.tolist(), "lengths:", length.tolist())
print("mask:  ", (torch.arange(batch.shape[1]) < length[:, None]).tolist())

# %% flat
flat = torch.cat(rows)
print("joined:", flat)
print("split: ", flat.split(length.tolist()))

# %% counter-cases hidden=true
import time

local = datetime(2024, 5, 1, 12)  # no time zone: the machine's own
assert local.timestamp() == time.mktime(local.timetuple())
assert local.replace(tzinfo=utc) == moments[0]
days = np.array(["2024-05-01", "2024-05-03"], dtype="datetime64[D]").astype(np.int64)
assert days.tolist() == [19844, 19846]
assert np.array("NaT", dtype="datetime64[s]").astype(np.int64) == -(2**63)

# %% numbered-anew hidden=true
later = np.array(["dog"])
assert np.unique(later, return_inverse=True)[1] == 0 and np.searchsorted(words, later) == 1

# %% dtype-of-the-first hidden=true
mixed = pad_sequence([torch.tensor([4, 5]), torch.tensor([7.5])], batch_first=True)
assert mixed.dtype == torch.int64 and mixed[1, 0] == 7

# %% digits hidden=true
assert torch.tensor([float("123456789")]).item() == 123456792  # float32
assert torch.tensor([int("123456789")]).item() == 123456789
assert torch.tensor([int("123456789"), float("nan")])[0].item() == 123456792  # float32 again

# %% empty-rows hidden=true
for make in (torch.cat, pad_sequence):
    assert make([torch.tensor([]), torch.tensor([2**24 + 1])]).max() == 2**24  # float32
    empty = torch.tensor([], dtype=torch.int64)
    assert make([empty, torch.tensor([2**24 + 1])]).max() == 2**24 + 1

# %% arrays-of-numbers hidden=true
cells = np.array(["10", "9", "4e-3"])
assert np.unique(cells, return_inverse=True)[1].tolist() == [0, 2, 1]  # numbers of the texts, not the numbers
assert torch.from_numpy(cells.astype(np.float64)).tolist() == [10, 9, 0.004]
assert torch.from_numpy(np.array(["9007199254740993"]).astype(np.int64)).item() == 9007199254740993

# %% first-row-empty hidden=true
assert torch.tensor([[], [1, 2]]).shape == (2, 0)

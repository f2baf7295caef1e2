"""Sequences of different lengths in one batch: pad in collate_fn."""

# %% unequal raises="RuntimeError"
import torch
from torch.utils.data import DataLoader

sentences = [torch.tensor([4, 7]), torch.tensor([5]), torch.tensor([2, 9, 3])]
next(iter(DataLoader(sentences, batch_size=3)))

# %% pad
from torch.nn.utils.rnn import pad_sequence


def pad(samples):
    lengths = torch.tensor([len(sample) for sample in samples])
    return pad_sequence(samples, batch_first=True, padding_value=0), lengths


loader = DataLoader(sentences, batch_size=3, collate_fn=pad)
tokens, lengths = next(iter(loader))
print("tokens", tokens, sep="\n")  # (batch, time)
print("lengths", lengths)

# %% lists raises="RuntimeError"
photos = [{"labels": [3, 1]}, {"labels": [2]}]  # two objects, one object
next(iter(DataLoader(photos, batch_size=2)))

# %% keep-list
print(next(iter(DataLoader(photos, batch_size=2, collate_fn=list))))

# %% lists-zipped
pairs = [{"labels": [3, 1]}, {"labels": [2, 5]}]
print(next(iter(DataLoader(pairs, batch_size=2))))

# %% in-worker
short, long = torch.zeros(2, 4), torch.zeros(3, 4)
errors = {}
for num_workers in (0, 1):
    for pair in ((short, long), (long, short)):
        try:
            next(iter(DataLoader(pair, batch_size=2, num_workers=num_workers)))
        except RuntimeError as error:
            errors[num_workers, len(pair[0])] = error

for (num_workers, rows), error in errors.items():
    print(f"{num_workers=}, a sample with {rows} rows first")
    last = str(error).splitlines()[-1]
    print("RuntimeError:", last.removeprefix("RuntimeError: "))

# %% mask
mask = torch.arange(tokens.size(1)) < lengths[:, None]  # (batch, time)
print(mask)
print("all positions:", tokens.float().mean(1))
print("real tokens:  ", (tokens * mask).sum(1) / lengths)

# %% pack
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

torch.manual_seed(0)
embedding, rnn = nn.Embedding(10, 4), nn.GRU(4, 2, batch_first=True)
packed = pack_padded_sequence(
    embedding(tokens),  # (batch, time, features)
    lengths,
    batch_first=True,
    enforce_sorted=False,
)
print(tuple(packed.data.shape), packed.batch_sizes)

out, last = rnn(packed)
out, _ = pad_packed_sequence(out, batch_first=True)  # (batch, time, features)
ends = out[torch.arange(3), lengths - 1]  # at each sequence's own end
print("last state", last[0].detach().round(decimals=2), sep="\n")
print("output at the end", ends.detach().round(decimals=2), sep="\n")

# %% in-worker-rule hidden=true
import gc

from torch.utils.data.dataloader import _MultiProcessingDataLoaderIter


def end_workers():
    for item in gc.get_objects():
        if type(item) is _MultiProcessingDataLoaderIter:
            item._shutdown_workers()


end_workers()
for sizes in ((3, 2, 2), (2, 3, 2), (3, 1, 9), (2, 2, 3), (5, 5, 4), (4, 5, 4)):
    try:
        next(iter(DataLoader([torch.zeros(n, 4) for n in sizes], batch_size=3, num_workers=1)))
    except RuntimeError as error:
        assert ("not resizable" in str(error)) == (3 * sizes[0] > sum(sizes)), (sizes, error)
    end_workers()

# %% same-alone hidden=true
_, alone = rnn(embedding(sentences[1])[None])
torch.testing.assert_close(alone[0, 0], last[0, 1])
_, padded = rnn(embedding(tokens))
assert not torch.allclose(padded[0, 1], last[0, 1])
assert torch.equal(last[0], out[torch.arange(3), lengths - 1])

# %% other-rnns hidden=true
inputs, own_ends = torch.randn(3, 3, 4), (torch.arange(3), lengths - 1)
for layers, both in ((2, False), (1, True)):
    deep = nn.GRU(4, 2, num_layers=layers, bidirectional=both, batch_first=True)
    out, last = deep(pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False))
    out, _ = pad_packed_sequence(out, batch_first=True)
    forward = last[-2] if both else last[-1]
    torch.testing.assert_close(forward, out[own_ends][:, :2])
    if both:
        torch.testing.assert_close(last[-1], out[:, 0, 2:])
try:
    pack_padded_sequence(inputs, torch.tensor([0, 2, 3]), batch_first=True, enforce_sorted=False)
except RuntimeError as error:
    assert "has to be greater than 0" in str(error), error
else:
    raise AssertionError("an empty sequence was packed")

# %% lstm hidden=true
lstm = nn.LSTM(4, 2, num_layers=2, batch_first=True)
out, (last, cell) = lstm(pack_padded_sequence(inputs, lengths, batch_first=True, enforce_sorted=False))
out, _ = pad_packed_sequence(out, batch_first=True)
assert torch.equal(last[-1], out[own_ends]) and not torch.allclose(cell[-1], last[-1])

# %% no-boxes hidden=true
boxes = torch.ones(2, 4)
assert pad_sequence([torch.zeros(0, 4), boxes], batch_first=True).shape == (2, 2, 4)
try:
    pad_sequence([torch.tensor([]), boxes], batch_first=True)
except RuntimeError:
    pass
else:
    raise AssertionError("boxes without a second dimension were padded")

# %% labels-padded hidden=true
generator = torch.Generator().manual_seed(0)
logits, steps = torch.randn(2, 3, 4, generator=generator), [torch.tensor([1, 2, 3]), torch.tensor([2])]
real = nn.functional.cross_entropy(torch.cat((logits[0], logits[1, :1])), torch.cat(steps))
for filler, right in ((0, False), (-100, True)):
    labels = pad_sequence(steps, batch_first=True, padding_value=filler)
    assert torch.allclose(nn.functional.cross_entropy(logits.mT, labels), real) == right

# %% gray-image-padded hidden=true
color, gray = torch.ones(3, 2, 2), torch.ones(1, 2, 2)
assert pad([color, gray])[0][1, 1:].count_nonzero() == 0  # black channels, and no error

# %% first-dtype hidden=true
whole, parts = torch.tensor([1, 2, 3]), torch.tensor([0.5, 0.7])
assert pad_sequence([whole, parts], batch_first=True)[1].tolist() == [0, 0, 0]
assert pad_sequence([whole.float(), parts], batch_first=True)[1, 0] == 0.5

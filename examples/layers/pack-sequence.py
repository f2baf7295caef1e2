"""pack_padded_sequence leaves the padding out and stores the batch step by step."""

# %% setup
import torch
from torch.nn.utils.rnn import pack_padded_sequence, pad_sequence

lists = [2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0]
sequences = [torch.tensor(values) for values in lists]
lengths = torch.tensor([len(sequence) for sequence in sequences])
padded = pad_sequence(sequences, batch_first=True)  # (batch, time)
print(padded)
print(lengths)

# %% unsorted raises="RuntimeError"
pack_padded_sequence(padded, lengths, batch_first=True)

# %% packed
options = dict(batch_first=True, enforce_sorted=False)
packed = pack_padded_sequence(padded, lengths, **options)
print("data          ", packed.data)
print("batch_sizes   ", packed.batch_sizes)
print("sorted_indices", packed.sorted_indices)
print(padded.numel(), "elements padded,", packed.data.numel(), "packed")

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, (left, right) = plt.subplots(1, 2, figsize=(6.4, 2.3), width_ratios=(4, 7))
tiles = dict(ha="center", va="center", fontsize=10)


def tile(ax, x, y, value, row, filled):
    style = dict(boxstyle="square,pad=0.45", facecolor=f"C{row}", alpha=0.4 if filled else 0.12, linewidth=0)
    ax.text(x, y, f"{value:g}", bbox=style, **tiles)


for row, sequence in enumerate(padded):
    for step, value in enumerate(sequence.tolist()):
        tile(left, step, -row, value, row, step < lengths[row])
left.set_title("padded", fontsize=10)
left.set(xlim=(-0.6, 3.6), ylim=(-2.6, 0.5))

start = 0
for step, size in enumerate(packed.batch_sizes.tolist()):
    values = packed.data[start : start + size].tolist()
    for x, (value, row) in enumerate(zip(values, packed.sorted_indices.tolist()), start):
        tile(right, x, -1, value, row, True)
    right.hlines(-1.6, start - 0.35, start + size - 0.65, color="C3", linewidth=2)
    right.text(start + (size - 1) / 2, -2, size, color="C3", **tiles)
    start += size
right.set_title("packed.data, packed.batch_sizes", fontsize=10)
right.set(xlim=(-0.6, 6.6), ylim=(-2.6, 0.5))
for ax in (left, right):
    ax.axis("off")

# %% by-hand
longest_first = [sequences[i] for i in packed.sorted_indices]
by_step = []
for step in range(lengths.max()):
    long_enough = [sequence for sequence in longest_first if step < len(sequence)]
    by_step += [sequence[step] for sequence in long_enough]
print(torch.stack(by_step))

# %% pack-sequence
from torch.nn.utils.rnn import pack_sequence

short = pack_sequence(sequences, enforce_sorted=False)
print(short.data)

# %% zero-length raises="RuntimeError"
pack_padded_sequence(padded, torch.tensor([2, 4, 0]), **options)

# %% too-long
wrong = pack_padded_sequence(padded, torch.tensor([2, 9, 1]), **options)
print("batch_sizes", wrong.batch_sizes, "sum", wrong.batch_sizes.sum().item())
print("data has", wrong.data.numel())

# %% check-lengths
from torch.nn.utils.rnn import pad_packed_sequence

values, found = pad_packed_sequence(packed, batch_first=True)
print(values)
print(found)

# %% lengths-on-gpu needs="cuda" raises="RuntimeError" says="'lengths' argument should be a 1D CPU int64 tensor, but got 1D cuda:0 Long tensor" origin="aten/src/ATen/native/PackedSequence.cpp"
pack_padded_sequence(padded.cuda(), lengths.cuda(), **options)

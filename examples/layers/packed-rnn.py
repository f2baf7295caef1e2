"""An RNN over a packed batch stops where each sequence ends."""

# %% run
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

torch.manual_seed(0)
padded = torch.randn(3, 4, 5)  # (batch, time, features)
lengths = torch.tensor([2, 4, 3])
gru = nn.GRU(input_size=5, hidden_size=6, batch_first=True)

options = dict(batch_first=True, enforce_sorted=False)
packed = pack_padded_sequence(padded, lengths, **options)
packed_out, state = gru(packed)
print("packed_out:", type(packed_out).__name__)
print("state:     ", state.shape)  # (layers, batch, hidden)

out, out_lengths = pad_packed_sequence(packed_out, batch_first=True)
print("out:       ", out.shape, out_lengths)  # (batch, time, hidden)

# %% zeros
print("outputs are zero:", (out[0] == 0).all(dim=-1).tolist())  # one value per step

# %% last-step
last = out[torch.arange(3), lengths - 1]  # (batch, hidden)
print("state == last real output:", (state[0] == last).all(dim=-1).tolist())
print("state == out[:, -1]:      ", (state[0] == out[:, -1]).all(dim=-1).tolist())

# %% unpacked
full_out, full_state = gru(padded)
valid = torch.arange(4) < lengths[:, None]  # (batch, time)
same = torch.allclose(full_out[valid], out[valid], atol=1e-6)
print("outputs of real steps equal:", same)
same = [torch.allclose(full_state[0, i], last[i], atol=1e-6) for i in range(3)]
print("final state equal:", same)

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(6.2, 2.5), sharey=True)
axes[0].locator_params(axis="y", nbins=4)
for ax, title, values in zip(axes, ("gru(padded)", "gru(packed)"), (full_out, out)):
    norms = torch.linalg.vector_norm(values.detach(), dim=-1)  # (batch, time)
    for row, length in enumerate(lengths.tolist()):
        ax.plot(range(length), norms[row, :length], "o-", color=f"C{row}", label=f"length {length}")
        ax.plot(range(length - 1, 4), norms[row, length - 1 :], "o:", color=f"C{row}", markersize=4, alpha=0.6)
    ax.set_title(title, fontsize=10)
    ax.set(xlabel="time step", xticks=range(4))
axes[0].set_ylabel("norm of out[i, step]")
axes[0].legend(frameon=False, fontsize=9)

# %% lstm
lstm = nn.LSTM(input_size=5, hidden_size=6, batch_first=True)
packed_out, (state, cell) = lstm(packed)
out, _ = pad_packed_sequence(packed_out, batch_first=True)
last = out[torch.arange(3), lengths - 1]
print("state == last real output:", (state[0] == last).all(dim=-1).tolist())

# %% bidirectional
torch.manual_seed(0)
both = nn.GRU(5, 6, batch_first=True, bidirectional=True)
out_packed, _ = pad_packed_sequence(both(packed)[0], batch_first=True)
out_padded, _ = both(padded)
out_packed, out_padded = out_packed[valid], out_padded[valid]
for name, half in {"forward": slice(None, 6), "backward": slice(6, None)}.items():
    same = torch.allclose(out_packed[..., half], out_padded[..., half], atol=1e-6)
    print(f"{name} half equal:", same)

# %% total-length
shard = [0, 2]  # lengths 2 and 3
short = pack_padded_sequence(padded[shard], lengths[shard], **options)
short_out, _ = gru(short)
out, _ = pad_packed_sequence(short_out, batch_first=True)
full, _ = pad_packed_sequence(short_out, batch_first=True, total_length=4)
print("default:       ", out.shape)
print("total_length=4:", full.shape)

# %% total-length-too-small raises="ValueError"
pad_packed_sequence(short_out, batch_first=True, total_length=2)

# %% time-first
wrong, _ = pad_packed_sequence(packed_out)
print(wrong.shape)

# %% last-layer hidden=true
rows = torch.arange(3)
for layers in (1, 2, 3):
    deep = nn.GRU(5, 6, num_layers=layers, batch_first=True)
    deep_out, deep_state = deep(packed)
    ends = pad_packed_sequence(deep_out, batch_first=True)[0][rows, lengths - 1]
    assert torch.equal(deep_state[-1], ends) and torch.equal(deep_state[0], ends) == (layers == 1)
    deep = nn.GRU(5, 6, num_layers=layers, batch_first=True, bidirectional=True)
    deep_out, deep_state = deep(packed)
    steps, _ = pad_packed_sequence(deep_out, batch_first=True)
    summary = torch.cat([steps[rows, lengths - 1, :6], steps[:, 0, 6:]], dim=-1)
    assert torch.equal(torch.cat([deep_state[-2], deep_state[-1]], dim=-1), summary)

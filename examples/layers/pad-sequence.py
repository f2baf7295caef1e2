"""pad_sequence puts sequences of different lengths into one tensor."""

# %% layout
import torch
from torch.nn.utils.rnn import pad_sequence, unpad_sequence

sequences = [torch.tensor([1, 2, 3]), torch.tensor([4]), torch.tensor([5, 6])]
print(pad_sequence(sequences))  # (time, batch)
print(pad_sequence(sequences, batch_first=True))  # (batch, time)

# %% features
clips = [torch.randn(time, 8) for time in (4, 1, 2)]  # (time, features)
print("time first: ", pad_sequence(clips).shape)
print("batch first:", pad_sequence(clips, batch_first=True).shape)

# %% options
print(pad_sequence(sequences, batch_first=True, padding_value=-1))
print(pad_sequence(sequences, batch_first=True, padding_side="left"))

# %% features-differ raises="RuntimeError"
pad_sequence([torch.randn(8, 3), torch.randn(8, 2)])  # (features, time)

# %% features-first
clips = [torch.randn(8, 3), torch.randn(8, 2)]
time_first = [clip.T for clip in clips]  # (time, features)
padded = pad_sequence(time_first, batch_first=True)
print("padded:", padded.shape)
print("back:  ", padded.mT.shape)

# %% lengths
lengths = torch.tensor([len(sequence) for sequence in sequences])
padded = pad_sequence(sequences, batch_first=True)
mask = torch.arange(padded.shape[1]) < lengths[:, None]  # (batch, time)
print(mask)
print(padded[mask])

# %% mean
values = padded.float()
print("with padding:", values.mean(dim=1))
print("masked:      ", (values * mask).sum(dim=1) / lengths)

# %% unpad
print(unpad_sequence(padded, lengths, batch_first=True))

# %% unpad-left
left = pad_sequence(sequences, batch_first=True, padding_side="left")
print(unpad_sequence(left, lengths, batch_first=True))

# %% first-decides hidden=true
assert pad_sequence([torch.tensor([1]), torch.tensor([1.5, 2.0])]).tolist() == [[1, 1], [0, 2]]

# %% one-step hidden=true
assert pad_sequence([torch.zeros(8, 3), torch.ones(8, 1)])[:, 1].tolist() == [[1.0] * 3] * 8

# %% mask-of-left hidden=true
T = padded.shape[1]
leading = torch.stack([torch.nn.functional.pad(one, (T - len(one), 0)) for one in sequences])
for_left, for_right = torch.arange(T) >= T - lengths[:, None], torch.arange(T) < lengths[:, None]
assert leading[for_left].tolist() == padded[for_right].tolist() == [1, 2, 3, 4, 5, 6]
assert leading[for_right].tolist() == [1, 2, 3, 0, 0, 5]  # without an error
means = [(values * mask).sum(dim=1) / lengths for values, mask in ((leading, for_left), (padded, for_right))]
assert torch.equal(*means)

"""Means over a mask, weighted means, min-max scaling: divide by what counts."""

# %% masked
import torch

values = torch.tensor([[1.0, 3.0, 99.0], [4.0, 99.0, 99.0]])  # (batch, time)
mask = torch.tensor([[True, True, False], [True, False, False]])
mean = (values * mask).sum(dim=1) / mask.sum(dim=1)
print("over the mask:  ", mean)
print("over everything:", values.mean(dim=1))

# %% vectors
hidden = torch.arange(12.0).view(2, 3, 2)  # (batch, time, features)
weight = mask.unsqueeze(-1)  # (batch, time, 1)
print((hidden * weight).sum(dim=1) / weight.sum(dim=1))

# %% mean-of-means
print("mean of all values:", values[mask].mean())
print("mean of the means: ", mean.mean())

# %% empty-row
empty = torch.tensor([[True, True, False], [False, False, False]])
total, count = (values * empty).sum(dim=1), empty.sum(dim=1)
print("divided by count:   ", total / count)
print("with clamp(min=1):  ", total / count.clamp(min=1))

# %% nan-padding asks=true
padded = torch.tensor([[1.0, 3.0, float("nan")]])
known = torch.tensor([[True, True, False]])
print("multiplied: ", (padded * known).sum(dim=1))
print("masked_fill:", padded.masked_fill(~known, 0).sum(dim=1))

# %% other-statistics
inside = mask.sum(dim=1, keepdim=True)
centred = (values - mean.unsqueeze(1)) * mask
print("variance:", centred.square().sum(dim=1) / inside.squeeze(1))
print("maximum: ", values.masked_fill(~mask, -torch.inf).amax(dim=1))

# %% weighted
grade = torch.tensor([1.0, 2.0, 4.0])
points = torch.tensor([3.0, 1.0, 0.0])
print("weighted:  ", (grade * points).sum() / points.sum())
print("forgotten: ", (grade * points).mean())
none = torch.zeros(3)
print("no weights:", (grade * none).sum() / none.sum().clamp(min=1e-8))

# %% min-max
image = torch.tensor([[0.0, 5.0, 10.0], [100.0, 300.0, 200.0]]).view(1, 2, 1, 3)
low = image.amin(dim=(0, 2, 3), keepdim=True)  # (1, channels, 1, 1)
high = image.amax(dim=(0, 2, 3), keepdim=True)
print(((image - low) / (high - low)).flatten(2))

# %% constant-channel
flat = torch.full((1, 1, 1, 3), 7.0)
low, high = flat.amin(), flat.amax()
print("0 / 0:    ", ((flat - low) / (high - low)).flatten())
print("with 1e-8:", ((flat - low) / (high - low).clamp(min=1e-8)).flatten())

# %% counter-cases hidden=true
ones_and_zeros = known.long()  # as tokenizers return
try:
    padded.masked_fill(~ones_and_zeros, 0)
except RuntimeError as error:
    assert "only supports boolean masks" in str(error)
else:
    raise AssertionError("integer masks are taken now")
assert padded.masked_fill(ones_and_zeros == 0, 0).sum() == 4
assert torch.zeros(1, dtype=torch.float16).clamp(min=1e-8) == 0
assert torch.zeros(1, dtype=torch.float16).clamp(min=1e-4) > 0
assert (torch.tensor([torch.inf]) * torch.tensor([False])).isnan().all()
torch.manual_seed(0)
for shape in ((4, 6), (3, 1), (5, 40)):
    x, inside = torch.randn(shape, dtype=torch.float64), torch.rand(shape) < 0.5
    inside[:, 0] = True
    means = (x * inside).sum(dim=1) / inside.sum(dim=1)
    spread = ((x - means.unsqueeze(1)) * inside).square().sum(dim=1) / inside.sum(dim=1)
    for row, keep, found, variance in zip(x, inside, means, spread):
        torch.testing.assert_close(row[keep].mean(), found)
        torch.testing.assert_close(row[keep].var(correction=0), variance)
x = torch.randn(4, 3, 5, 5)
low, high = x.amin(dim=(0, 2, 3), keepdim=True), x.amax(dim=(0, 2, 3), keepdim=True)
scaled = (x - low) / (high - low)
assert (scaled.amin(dim=(0, 2, 3)) == 0).all() and (scaled.amax(dim=(0, 2, 3)) == 1).all()
many = torch.full((1, 4000), 20.0, dtype=torch.float16)
assert many.sum(dim=1).isinf().all() and many.sum(dim=1, dtype=torch.float32) == 80_000

# %% sum-over-features-too hidden=true
assert torch.equal(weight.expand_as(hidden).sum(dim=(1, 2)), mask.sum(dim=1) * hidden.shape[2])
assert torch.equal(weight.sum(dim=(1, 2)), mask.sum(dim=1))  # too small
square, first = torch.arange(9.0).view(1, 3, 3), torch.tensor([[True, False, False]])
wrong, right = first.expand_as(square), first.unsqueeze(-1).expand_as(square)  # the mask itself fits features
means = [(square * inside).sum() / inside.sum() for inside in (wrong, right)]
assert means == [3.0, 1.0] and square[first].mean() == 1.0

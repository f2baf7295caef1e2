"""flip, roll, rot90: copies in another order."""

# %% flip
import torch

image = torch.arange(6).view(2, 3)  # (height, width)
print("image:", image, sep="\n")
print("left-right:", image.flip(1), sep="\n")
print("upside down:", image.flip(0), sep="\n")

# %% copies
mirrored = image.flip(1)
mirrored[0, 0] = 100
print("image:", image.tolist(), "mirrored:", mirrored.tolist())

# %% negative-step raises="ValueError"
image[:, ::-1]

# %% roll
x = torch.arange(5)
print("roll(1): ", x.roll(1))
print("roll(-2):", x.roll(-2))

# %% roll-dims
print("each row:", image.roll(1, dims=1), sep="\n")
print("as one line:", image.roll(1), sep="\n")

# %% shift-without-wrap
shifted = torch.zeros_like(x)
shifted[1:] = x[:-1]
print(shifted)

# %% rot90
print("counterclockwise:", image.rot90(), sep="\n")
print("clockwise:", image.rot90(-1), sep="\n")


# %% shift-batch hidden=true
series = torch.tensor([[1, 2, 3], [4, 5, 6]])  # (batch, time)
later, wrong = torch.zeros_like(series), torch.zeros_like(series)
later[:, 1:] = series[:, :-1]
wrong[1:] = series[:-1]
assert later.tolist() == [[0, 1, 2], [0, 4, 5]] and wrong.tolist() == [[0, 0, 0], [1, 2, 3]]

# %% which-dim hidden=true
picture = torch.arange(24).view(2, 4, 3)  # (height, width, channels)
assert torch.equal(picture.flip(-1), torch.from_numpy(picture.numpy()[..., ::-1].copy()))
assert torch.equal(picture.flip(1), torch.from_numpy(picture.numpy()[:, ::-1].copy()))
assert not torch.equal(picture.flip(1), picture.flip(-1))

# %% bounds hidden=true
import numpy as np

for length in (3, 4, 7):
    assert torch.arange(length)[:4].flip(0).tolist() == np.arange(length)[3::-1].tolist()

# %% assigned hidden=true
values = torch.arange(6).view(2, 3)
target, wanted = torch.zeros(2, 3).long(), np.zeros((2, 3), dtype=np.int64)
target.flip(1)[:] = values  # into a copy
assert not target.any()
wanted[:, ::-1] = values.numpy()
target[:] = values.flip(1)
assert torch.equal(target, torch.from_numpy(wanted))

"""F.pad: pairs of numbers, beginning with the last dimension."""

# %% which-first
import torch
import torch.nn.functional as F

image = torch.arange(1, 7).view(2, 3)  # (height, width)
print(F.pad(image, (1, 2, 0, 1)))  # left, right, top, bottom

# %% drawing fold=true
import matplotlib.pyplot as plt

pad = (1, 2, 0, 1)
padded = F.pad(image, pad)
fig, ax = plt.subplots(figsize=(5.2, 3.4))
for i, row in enumerate(padded.tolist()):
    for j, value in enumerate(row):
        inside = pad[0] <= j < pad[0] + 3 and pad[2] <= i < pad[2] + 2
        ax.add_patch(plt.Rectangle((j, i), 1, 1, facecolor="C0" if inside else "C1", alpha=0.5 if inside else 0.2))
        ax.text(j + 0.5, i + 0.5, value, ha="center", va="center", fontsize=12)
sides = (
    (-0.2, 1, "right", "center"),
    (6.2, 1, "left", "center"),
    (2.5, -0.2, "center", "bottom"),
    (2.5, 3.2, "center", "top"),
)
for k, (x, y, horizontal, vertical) in enumerate(sides):
    ax.text(x, y, f"pad[{k}] = {pad[k]}", ha=horizontal, va=vertical, fontsize=10)
ax.set(xlim=(-2.2, 8.2), ylim=(3.8, -0.8), aspect="equal")
ax.axis("off")

# %% numpy-order
import numpy as np

print(np.pad(image.numpy(), ((0, 1), (1, 2))))  # first dimension first

# %% to-length
tokens = torch.tensor([7, 8, 9])
print(F.pad(tokens, (0, 5 - len(tokens))))

# %% value
print(F.pad(image, (0, 1), value=-1))

# %% negative
print(F.pad(image, (-1, 0)))

# %% modes
signal = torch.arange(1.0, 6.0).view(1, 5)  # (channel, length)
for mode in ("constant", "reflect", "replicate", "circular"):
    print(f"{mode:10}", F.pad(signal, (2, 2), mode=mode).int().tolist()[0])

# %% reflect-vector raises="NotImplementedError"
F.pad(signal[0], (2, 2), mode="reflect")

# %% with-channels
print(F.pad(signal[0].unsqueeze(0), (2, 2), mode="reflect").squeeze(0))

# %% reflect-too-far raises="RuntimeError"
F.pad(signal, (5, 0), mode="reflect")

# %% replicated
print(F.pad(signal, (5, 0), mode="replicate"))

# %% layers
from torch import nn

batch = signal[None, :, :4].unflatten(-1, (2, 2))  # (1, 1, 2, 2)
zeros = nn.ZeroPad2d((1, 0, 0, 1))
for layer in (zeros, nn.ReplicationPad2d(1), nn.ReflectionPad2d(1)):
    print(layer, layer(batch)[0, 0].int().tolist())
print("negative:", nn.ZeroPad2d((-1, 0, 0, 0))(batch)[0, 0].tolist())

# %% too-many raises="RuntimeError"
F.pad(tokens, (0, 2, 0, 1))

# %% one-pair
print(F.pad(tokens, (0, 2)))

# %% replicate-far hidden=true
assert F.pad(signal, (50, 0), mode="replicate").shape == (1, 55)

# %% longer-and-around hidden=true
assert F.pad(torch.arange(7), (0, 5 - 7)).tolist() == [0, 1, 2, 3, 4]
assert F.pad(signal, (5, 0), mode="circular").shape == (1, 10)
try:
    F.pad(signal, (6, 0), mode="circular")
except RuntimeError:
    pass
else:
    raise AssertionError

# %% which-dimensions hidden=true
for mode in ("reflect", "replicate", "circular"):
    for dims in range(1, 6):
        padded = torch.ones([3] * dims)
        for pairs in (1, 2, 3):
            if pairs > dims:
                continue
            try:
                F.pad(padded, (1, 1) * pairs, mode=mode)
            except NotImplementedError:
                taken = False
            else:
                taken = True
            assert taken == (dims - pairs in (1, 2)), (mode, dims, pairs)
    F.pad(torch.ones(2, 3, 4, 5), (1, 1, 0, 0), mode=mode)  # the width of a batch of images

# %% channels-last hidden=true
photo = torch.ones(1, 8, 8, 3)  # (batch, height, width, channels)
assert F.pad(photo, (4, 4, 4, 4), mode="replicate").shape == (1, 8, 16, 11)  # eleven channels

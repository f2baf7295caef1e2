"""Making feature maps larger: interpolate, Upsample, PixelShuffle."""

# %% modes
import torch
import torch.nn.functional as F
from torch import nn

image = torch.tensor([[0.0, 4.0], [8.0, 12.0]])
image = image.view(1, 1, 2, 2)  # (batch, channels, height, width)
print(F.interpolate(image, scale_factor=2)[0, 0])  # mode="nearest"
print(F.interpolate(image, scale_factor=2, mode="bilinear")[0, 0])

# %% module
options = dict(scale_factor=2, mode="bilinear")
up = nn.Upsample(**options)
print("same:", torch.equal(up(image), F.interpolate(image, **options)))
print("parameters:", list(up.parameters()))

# %% align-corners
signal = torch.tensor([[[0.0, 10.0, 20.0, 30.0]]])  # (batch, channels, length)
for align_corners in (False, True):
    options = dict(mode="linear", align_corners=align_corners)
    resized = F.interpolate(signal, size=8, **options)[0, 0].tolist()
    print(f"{align_corners!s:5}", [round(value, 2) for value in resized])

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(2, 1, figsize=(5.6, 3.4), sharex=True)
for ax, align_corners in zip(axes, (False, True)):
    resized = F.interpolate(signal, size=8, mode="linear", align_corners=align_corners)[0, 0]
    spots = (torch.arange(8) + 0.5) / 2 - 0.5 if not align_corners else torch.arange(8) * 3 / 7
    ax.plot(range(4), signal[0, 0], "s", color="C0", markersize=9, label="input")
    ax.plot(spots, resized, "o", color="C1", markersize=5, label="output")
    ax.set_title(f"{align_corners=}", fontsize=10, loc="left")
    ax.set(xticks=range(4), yticks=(0, 30), ylim=(-6, 36))
axes[0].legend(fontsize=8, frameon=False)
axes[1].set_xlabel("position in the input")

# %% align-corners-error raises="ValueError"
F.interpolate(image, scale_factor=2, mode="nearest", align_corners=False)

# %% align-corners-left-out
options = dict(mode="bilinear", align_corners=False)
print("nearest: ", tuple(F.interpolate(image, scale_factor=2).shape))
print("bilinear:", tuple(F.interpolate(image, scale_factor=2, **options).shape))

# %% bicubic
edge = torch.tensor([0.0, 0.0, 1.0, 1.0]).expand(1, 1, 4, 4)
cubic = F.interpolate(edge, scale_factor=4, mode="bicubic")
print(f"bicubic: {cubic.min():.1f} to {cubic.max():.1f}")
limited = cubic.clamp(0, 1)
print(f"clamped: {limited.min():.1f} to {limited.max():.1f}")

# %% antialias
stripes = torch.tensor([1.0, 0.0, 0.0, 0.0] * 8).expand(1, 1, 32, 32)
for antialias in (False, True):
    options = dict(mode="bilinear", antialias=antialias)
    small = F.interpolate(stripes, size=(8, 8), **options)[0, 0, 4, 2:6].tolist()
    print(f"{antialias=!s:5}", [round(value, 2) for value in small])

# %% pixel-shuffle
channels = torch.arange(16).view(1, 4, 2, 2)  # (batch, 1 * 2 * 2, height, width)
large = F.pixel_shuffle(channels, 2)  # (batch, 1, 2 * height, 2 * width)
print("first pixel of each channel:", channels[0, :, 0, 0].tolist())
print(large[0, 0])
print("and back:", torch.equal(F.pixel_unshuffle(large, 2), channels))

# %% sub-pixel
conv = nn.Conv2d(16, 3 * 2**2, kernel_size=3, padding=1)
up = nn.Sequential(conv, nn.PixelShuffle(2))
print(tuple(up(torch.randn(1, 16, 20, 30)).shape))

# %% pixel-shuffle-error raises="RuntimeError"
F.pixel_shuffle(torch.zeros(1, 6, 2, 2), 2)

# %% class-numbers hidden=true
classes = torch.tensor([[0.0, 5.0]]).view(1, 1, 1, 2)
for mode in ("bilinear", "bicubic"):  # neither 0 nor 5 any more
    assert not torch.isin(F.interpolate(classes, scale_factor=2, mode=mode), classes).all()
assert torch.isin(F.interpolate(classes, scale_factor=2), classes).all()

# %% positions hidden=true
for align_corners in (False, True):
    resized = F.interpolate(signal, size=8, mode="linear", align_corners=align_corners)[0, 0]
    spots = (torch.arange(8) + 0.5) / 2 - 0.5 if not align_corners else torch.arange(8) * 3 / 7
    torch.testing.assert_close(resized, 10 * spots.clamp(0, 3))

# %% no-warning hidden=true
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("error")  # 0.4 and some releases after it warned here
    F.interpolate(image, scale_factor=2, mode="bilinear")
    F.interpolate(signal, scale_factor=2, mode="linear")
    nn.Upsample(scale_factor=2, mode="bilinear")(image)

# %% as-pil hidden=true
import numpy
from PIL import Image

pillow = Image.fromarray(signal[0].numpy()).resize((8, 1), Image.Resampling.BILINEAR)
expected = F.interpolate(signal, size=8, mode="linear")[0]
torch.testing.assert_close(torch.from_numpy(numpy.array(pillow)), expected, atol=1e-3, rtol=1e-3)
striped = torch.tensor([1.0, 0.0, 0.0, 0.0] * 8).expand(1, 1, 32, 32)
assert torch.allclose(F.interpolate(striped, size=(8, 8), mode="area"), torch.tensor(0.25))
noise = torch.rand(1, 1, 32, 32)
for mode in ("bilinear", "bicubic", "lanczos"):
    pillow = Image.fromarray(noise[0, 0].numpy()).resize((13, 9), Image.Resampling[mode.upper()])
    smooth = F.interpolate(noise, size=(9, 13), mode=mode, antialias=True)[0, 0]
    torch.testing.assert_close(torch.from_numpy(numpy.array(pillow)), smooth, atol=1e-3, rtol=1e-3)
for mode, read in (("nearest", [0.0, 4.0]), ("nearest-exact", [2.0, 6.0])):
    assert F.interpolate(torch.arange(8.0)[None, None], size=2, mode=mode).flatten().tolist() == read

# %% mode-is-nearest hidden=true
assert F.interpolate(image, scale_factor=2).equal(F.interpolate(image, scale_factor=2, mode="nearest"))

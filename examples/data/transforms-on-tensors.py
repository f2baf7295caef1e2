"""Transforms work on tensors: flip, crop, resize, normalize."""

# %% plain
import torch
import torch.nn.functional as F

torch.manual_seed(0)
image = torch.rand(3, 6, 6)  # (channels, height, width)

flipped = image.flip(-1)
cropped = image[:, 1:5, 1:5]
(resized,) = F.interpolate(image[None], (3, 3), mode="bilinear", antialias=True)
mean = image.mean(dim=(1, 2), keepdim=True)  # (channels, 1, 1)
std = image.std(dim=(1, 2), keepdim=True)
normalized = (image - mean) / std

for result in (image, flipped, cropped, resized):
    print(tuple(result.shape))
print("mean", normalized.mean(dim=(1, 2)).abs().round(decimals=3))
print("std ", normalized.std(dim=(1, 2)).round(decimals=3))

# %% drawing fold=true
import matplotlib.pyplot as plt

rows, columns = torch.meshgrid(torch.arange(6.0), torch.arange(6.0), indexing="ij")
ramp = (rows + 2 * columns)[None]  # one channel
pictures = {
    "image": ramp,
    "flip(-1)": ramp.flip(-1),
    "[:, 1:5, 1:5]": ramp[:, 1:5, 1:5],
    "interpolate": F.interpolate(ramp[None], size=(3, 3), mode="bilinear", antialias=True)[0],
}
fig, axes = plt.subplots(1, 4, figsize=(6.4, 1.9))
for ax, (title, picture) in zip(axes, pictures.items()):
    ax.pcolormesh(picture[0], vmin=0, vmax=float(ramp.max()))
    ax.set_title(title, fontsize=9)
    ax.set(aspect="equal", xlim=(0, 6), ylim=(6, 0))
    ax.axis("off")

# %% bytes
# As decoders return it: (height, width, channels)
pixels = torch.randint(256, (6, 6, 3), dtype=torch.uint8)
image = pixels.permute(2, 0, 1).float() / 255
print(tuple(pixels.shape), pixels.dtype, "->", tuple(image.shape), image.dtype)
print(pixels[0, 0], image[:, 0, 0] * 255)

# %% bytes-wrong raises="RuntimeError"
pixels.mean((0, 1))

# %% converted hidden=true
assert (pixels.float() / 255).mean((0, 1)).shape == (3,)

# %% pil raises="TypeError"
from PIL import Image

picture = Image.fromarray(pixels.numpy())
print(picture.crop((1, 1, 5, 5)).size)
(picture - mean) / std

# %% pil-to-tensor hidden=true
import numpy as np

from_picture = torch.from_numpy(np.array(picture)).permute(2, 0, 1).float() / 255
assert torch.equal((from_picture - mean) / std, (image - mean) / std)

# %% torchvision needs="torchvision" raises="TypeError"
from torchvision import transforms

crop = transforms.CenterCrop(4)
flip = transforms.RandomHorizontalFlip()
normalize = transforms.Normalize([0.5] * 3, [0.25] * 3)
print(tuple(crop(image).shape), tuple(flip(image).shape), tuple(normalize(image).shape))
print(crop(picture).size, flip(picture).size)
normalize(picture)

# %% arrays needs="torchvision" raises="TypeError"
crop(pixels.numpy())

# %% arrays-v2 needs="torchvision"
from torchvision.transforms import v2

out = v2.CenterCrop(4)(pixels.numpy())
print(type(out).__name__, out.shape)  # not cropped

# %% to-tensor needs="torchvision" warns="UserWarning"
from torchvision.transforms import v2

v2.ToTensor()

# %% to-image needs="torchvision"
to_float = v2.ToDtype(torch.float32, scale=True)
for source in (picture, pixels.numpy()):
    result = v2.Compose([v2.ToImage(), to_float])(source)
    print(type(source).__name__, "->", tuple(result.shape), result.dtype)

"""Transforms work on tensors: flip, crop, resize, normalize."""

# %% plain
import torch
import torch.nn.functional as F

torch.manual_seed(0)
image = torch.rand(3, 6, 6)  # (channels, height, width)

flipped = image.flip(-1)
cropped = image[:, 1:5, 1:5]
resized = F.interpolate(image[None], size=(3, 3), mode="bilinear", antialias=True)[0]  # wants a batch
mean, std = image.mean((1, 2), keepdim=True), image.std((1, 2), keepdim=True)
normalized = (image - mean) / std

for result in (flipped, cropped, resized, normalized):
    print(result.shape)

# %% statistics hidden=true
torch.testing.assert_close(normalized.mean((1, 2)), torch.zeros(3))
torch.testing.assert_close(normalized.std((1, 2)), torch.ones(3))

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
pixels = torch.randint(256, (6, 6, 3), dtype=torch.uint8)  # (height, width, channels), as decoders return it
image = pixels.permute(2, 0, 1).float() / 255
print(image.shape, image.dtype, float(image.max()) <= 1)

# %% bytes-wrong raises="RuntimeError"
pixels.mean((0, 1))

# %% arrays needs="torchvision" raises="TypeError"
from torchvision import transforms

transforms.CenterCrop(4)(image.numpy())

# %% tensors needs="torchvision"
print(transforms.CenterCrop(4)(image).shape)
print(transforms.RandomHorizontalFlip()(image).shape)
print(transforms.Normalize([0.5] * 3, [0.25] * 3)(image).shape)

# %% pil needs="torchvision" raises="TypeError"
picture = transforms.ToPILImage()(image)
print(transforms.CenterCrop(4)(picture).size)
transforms.Normalize([0.5] * 3, [0.25] * 3)(picture)

# %% to-tensor needs="torchvision" warns="UserWarning"
from torchvision.transforms import v2

v2.ToTensor()

# %% to-image needs="torchvision"
to_tensor = v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])
print(to_tensor(picture).shape, to_tensor(picture).dtype)

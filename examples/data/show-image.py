"""A tensor as an image: show, denormalize, save, a grid."""

# %% image
import torch

rows, columns = torch.meshgrid(torch.arange(40), torch.arange(60), indexing="ij")
disc = ((rows - 20) ** 2 + (columns - 20) ** 2 < 144).float()
image = torch.stack([disc, columns / 59, rows / 39])  # (channel, height, width)
print(tuple(image.shape), image.dtype, image.min().item(), image.max().item())

# %% show
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(3.0, 2.0))
ax.imshow(image.permute(1, 2, 0))  # (height, width, channel)
ax.axis("off")

# %% wrong-shape raises="TypeError"
ax.imshow(image)

# %% requires-grad raises="RuntimeError"
generated = (image * torch.ones((), requires_grad=True)).permute(1, 2, 0)
ax.imshow(generated)

# %% detached
drawn = ax.imshow(generated.detach().cpu())
print("drawn:", drawn.get_array().shape)

# %% wrong-looks fold=true
mean = torch.tensor([0.485, 0.456, 0.406])[:, None, None]
std = torch.tensor([0.229, 0.224, 0.225])[:, None, None]
pictures = {
    "image": image,
    "normalized": ((image - mean) / std).clamp(0, 1),
    "255 * image": (255 * image).clamp(0, 1),
    "image.flip(0)": image.flip(0),
    "view(H, W, C)": image.reshape(40, 60, 3).permute(2, 0, 1),
}
figure, axes = plt.subplots(1, 5, figsize=(6.4, 1.3))
for ax, (title, picture) in zip(axes, pictures.items()):
    ax.imshow(picture.permute(1, 2, 0))
    ax.set_title(title, fontsize=8)
    ax.axis("off")

# %% denormalize
normalized = (image - mean) / std
restored = (normalized * std + mean).clamp(0, 1)
print(f"normalized: {normalized.min():.1f} to {normalized.max():.1f}")
print(f"restored:   {restored.min():.1f} to {restored.max():.1f}")

# %% gray
figure, axes = plt.subplots(1, 2, figsize=(5.0, 1.8))
gray = image.mean(dim=0)  # (height, width), or image[0]
axes[0].imshow(gray)
axes[0].set_title("imshow(gray)", fontsize=9)
axes[1].imshow(gray, cmap="gray", vmin=0, vmax=1)
axes[1].set_title('cmap="gray", vmin=0, vmax=1', fontsize=9)

# %% save
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

path = Path(tempfile.mkdtemp()) / "image.png"
pixels = (image.clamp(0, 1) * 255).round().byte()  # (channel, height, width), uint8
Image.fromarray(pixels.permute(1, 2, 0).numpy()).save(path)
with Image.open(path) as file:
    print(file.size, file.mode)  # (width, height)
    again = torch.from_numpy(np.array(file)).permute(2, 0, 1)
print("same pixels:", torch.equal(again, pixels))

# %% float-error raises="TypeError"
Image.fromarray(image.permute(1, 2, 0).numpy())

# %% wraps
too_bright = torch.tensor([1.0, 1.01, 1.2])
print("without clamp:", (too_bright * 255).int().remainder(256).tolist())
print("with clamp:   ", (too_bright.clamp(0, 1) * 255).byte().tolist())


# %% grid
def make_grid(images, columns, gap=2):
    """One image of (N, channel, height, width), floats, with white gaps."""
    count, channels, height, width = images.shape
    lines = -(-count // columns)  # rounded up
    padded = torch.nn.functional.pad(images, (gap, gap, gap, gap), value=1.0)
    blank = padded.new_ones(lines * columns - count, *padded.shape[1:])
    grid = torch.cat([padded, blank]).unflatten(0, (lines, columns))
    return grid.permute(2, 0, 3, 1, 4).flatten(3, 4).flatten(1, 2)


batch = torch.stack([image.roll(9 * step, dims=2) for step in range(7)])
grid = make_grid(batch, columns=4)
print(tuple(batch.shape), "->", tuple(grid.shape))
figure, ax = plt.subplots(figsize=(5.0, 2.0))
ax.imshow(grid.permute(1, 2, 0))
ax.axis("off")

# %% torchvision needs="torchvision"
from torchvision.transforms.v2.functional import to_pil_image
from torchvision.utils import make_grid as tv_grid
from torchvision.utils import save_image

print(tuple(tv_grid(batch, nrow=4, padding=2).shape))  # nrow: images in a row
save_image(batch, path, nrow=4)
print(to_pil_image(image).size)

# %% remedies hidden=true
import logging

figure, ax = plt.subplots()
ax.imshow(generated.detach().cpu().bfloat16().float())
plt.close(figure)
records = []
log = logging.getLogger("matplotlib.image")
log.addFilter(lambda record: records.append(record.getMessage()))  # None: not shown
figure, ax = plt.subplots()
ax.imshow(normalized.permute(1, 2, 0))
plt.close(figure)
log.filters.clear()
assert any(text.startswith("Clipping input data to the valid range") for text in records), records
assert torch.equal(grid[:, 2:42, 2:62], image)
assert tuple(make_grid(batch[:4], 4).shape) == (3, 44, 256)
assert make_grid(batch.bfloat16(), 4).dtype == torch.bfloat16
torch.testing.assert_close(restored, image)
assert image.max() <= 1 and image.byte().max() <= 1  # black, but for pixels of exactly 1
gray = (image[:1].clamp(0, 1) * 255).byte()
try:
    Image.fromarray(gray.permute(1, 2, 0).numpy())
except TypeError as error:
    assert "Cannot handle this data type" in str(error)
else:
    raise AssertionError("PIL takes one channel as a third dimension")
assert Image.fromarray(gray[0].numpy()).mode == "L"
assert torch.equal(image.flip(0)[0], image[2])

# %% black
picture = image.permute(1, 2, 0)  # (height, width, channel), floats
forgotten = picture.byte()  # without * 255
print(forgotten.unique().tolist(), "of 0 to 255")

# %% blue-faces
skin = np.array([[[120, 160, 230]]], dtype=np.uint8)  # BGR, as OpenCV reads
print("as it is:", Image.fromarray(skin).getpixel((0, 0)))  # (red, green, blue)
print("turned:  ", Image.fromarray(skin[..., ::-1].copy()).getpixel((0, 0)))

# %% black-checks hidden=true
assert set(forgotten.unique().tolist()) == {0, 1}
assert not (image * 0.999).byte().any()  # nothing is left
right = (picture.clamp(0, 1) * 255).round().byte()
twice = (right.float() * 255).clamp(0, 255).byte()  # bytes that were multiplied again
assert set(twice.unique().tolist()) == {0, 255}
assert torch.equal(torch.from_numpy(skin.copy()).flip(-1), torch.from_numpy(skin[..., ::-1].copy()))

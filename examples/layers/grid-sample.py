"""affine_grid and grid_sample: rotate, shift and warp images, with gradients."""

# %% identity
import torch
import torch.nn.functional as F

image = torch.arange(12.0).view(1, 1, 3, 4)  # (batch, channels, height, width)
theta = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])  # (batch, 2, 3)
grid = F.affine_grid(theta, image.shape, align_corners=False)
print("grid:", tuple(grid.shape))  # (batch, height, width, 2)
print("x of the first row:   ", [round(x, 3) for x in grid[0, 0, :, 0].tolist()])
print("y of the first column:", [round(y, 3) for y in grid[0, :, 0, 1].tolist()])
sampled = F.grid_sample(image, grid, align_corners=False)
print("the image again:", torch.allclose(sampled, image, atol=1e-4))

# %% shift
theta = torch.tensor([[[1.0, 0.0, 0.5], [0.0, 1.0, 0.0]]])  # x + 0.5
grid = F.affine_grid(theta, image.shape, align_corners=False)
print(image[0, 0])
print(F.grid_sample(image, grid, align_corners=False)[0, 0].round())


# %% pixels
def at(image, x, y):
    """Values at pixel positions: `image` (N, C, H, W), `x` and `y` (N, h, w)."""
    height, width = image.shape[-2:]
    grid = torch.stack([(2 * x + 1) / width - 1, (2 * y + 1) / height - 1], dim=-1)
    return F.grid_sample(image, grid, align_corners=False)


x = torch.tensor([[[2.0, 1.5, 0.0]]])
y = torch.tensor([[[1.0, 1.0, 0.5]]])
print("image[1, 2]:", image[0, 0, 1, 2].item())
print("sampled:    ", [round(value, 3) for value in at(image, x, y).flatten().tolist()])

# %% rotate
import math

photo = torch.zeros(1, 1, 40, 80)
photo[..., 12:28, 20:60] = 0.5
photo[..., 12:28, 20:30] = 1.0  # the left end is bright


def rotate(image, degrees, keep_aspect=True):
    height, width = image.shape[-2:]
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    aspect = height / width if keep_aspect else 1.0
    theta = torch.tensor([[[cos, -sin * aspect, 0.0], [sin / aspect, cos, 0.0]]])
    grid = F.affine_grid(theta, image.shape, align_corners=False)
    return F.grid_sample(image, grid, align_corners=False)


for keep_aspect in (False, True):
    turned = rotate(photo, 90, keep_aspect)[0, 0] > 0.25
    print(f"{keep_aspect=!s:5}: 16 x 40 -> {turned.any(1).sum()} x {turned.any(0).sum()}")

# %% drawing fold=true
import matplotlib.pyplot as plt

pictures = {
    "image": photo,
    "rotate(30)": rotate(photo, 30),
    "rotate(30, keep_aspect=False)": rotate(photo, 30, keep_aspect=False),
}
fig, axes = plt.subplots(3, 1, figsize=(4.2, 6.6))
for ax, (title, picture) in zip(axes, pictures.items()):
    ax.imshow(picture[0, 0], cmap="viridis", vmin=0, vmax=1)
    ax.set_title(title, fontsize=10)
    ax.set(xticks=[], yticks=[])

# %% direction hidden=true
turned = rotate(photo, 90)[0, 0]
rows = turned.amax(dim=1).nonzero().flatten()
assert turned[rows[-3]].max() == 1.0 and turned[rows[2]].max() == 0.5, "the bright left end is below: counter-clockwise"

# %% default-warning warns="UserWarning"
F.grid_sample(image, grid)

# %% no-warning
for align_corners in (False, True):
    grid = F.affine_grid(theta, image.shape, align_corners=align_corners)
    sampled = F.grid_sample(image, grid, align_corners=align_corners)
    print(f"{align_corners!s:5}", [round(value, 2) for value in sampled[0, 0, 0].tolist()])

# %% last-dimension raises="RuntimeError"
flow = torch.zeros(1, 2, 3, 4)  # (batch, 2, height, width), as a network returns it
F.grid_sample(image, flow, align_corners=False)

# %% flow
rows, columns = torch.meshgrid(torch.arange(3.0), torch.arange(4.0), indexing="ij")
flow[:, 0] = 1.0  # read one pixel further right
warped = at(image, columns + flow[:, 0], rows + flow[:, 1])
print(warped[0, 0].round())

# %% gradient
angle = torch.tensor(0.3, requires_grad=True)
zero = torch.zeros(())
theta = torch.stack([angle.cos(), angle.sin(), zero, -angle.sin(), angle.cos(), zero])
grid = F.affine_grid(theta.view(1, 2, 3), image.shape, align_corners=False)
F.grid_sample(image, grid, align_corners=False).square().sum().backward()
print(f"gradient of the angle: {angle.grad:.0f}")

# %% labels
mask = torch.tensor([[0.0, 7.0, 7.0, 0.0]]).expand(1, 1, 3, 4)
theta = torch.tensor([[[1.0, 0.0, 0.25], [0.0, 1.0, 0.0]]])  # half a pixel
grid = F.affine_grid(theta, mask.shape, align_corners=False)
for mode in ("bilinear", "nearest"):
    classes = F.grid_sample(mask, grid, mode=mode, align_corners=False)
    print(f"{mode:8}", classes.round(decimals=2).unique().tolist())

# %% padding
theta = torch.tensor([[[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]])  # two pixels
grid = F.affine_grid(theta, image.shape, align_corners=False)
for padding_mode in ("zeros", "border", "reflection"):
    sampled = F.grid_sample(image, grid, padding_mode=padding_mode, align_corners=False)
    print(f"{padding_mode:10}", [round(value, 2) for value in sampled[0, 0, 0].tolist()])

"""affine_grid and grid_sample: rotate, shift and warp images, with gradients."""

# %% identity
import torch
import torch.nn.functional as F

image = torch.arange(12.0).view(1, 1, 3, 4)  # (batch, channels, height, width)
theta = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])  # (batch, 2, 3)
grid = F.affine_grid(theta, image.shape, align_corners=False)
print("grid:", tuple(grid.shape))  # (batch, height, width, 2)
print("x and y of the first row:", grid[0, 0], sep="\n")
sampled = F.grid_sample(image, grid, align_corners=False)
print("the image again:", torch.allclose(sampled, image, atol=1e-4))


# %% shift
def shift(image, x, **options):
    theta = image.new_tensor([[[1.0, 0.0, x], [0.0, 1.0, 0.0]]])  # x + shift
    grid = F.affine_grid(theta, image.shape, align_corners=False)
    return F.grid_sample(image, grid, align_corners=False, **options)[0, 0]


print(image[0, 0])
print(shift(image, 0.5).round())


# %% pixels
def at(image, x, y):
    """Values of `image` (N, C, H, W) at pixels `x`, `y` (N, h, w)."""
    height, width = image.shape[-2:]
    x, y = (2.0 * x + 1) / width - 1, (2.0 * y + 1) / height - 1
    grid = torch.stack([x, y], dim=-1).to(image)
    return F.grid_sample(image, grid, align_corners=False)


x = torch.tensor([[[2.0, 1.5, 0.0]]])
y = torch.tensor([[[1.0, 1.0, 0.5]]])
print("image[1, 2]:", image[0, 0, 1, 2].item())
print("sampled:    ", at(image, x, y).flatten())

# %% rotate
import math

photo = torch.zeros(1, 1, 40, 80)
photo[..., 12:28, 20:60] = 0.5
photo[..., 12:28, 20:30] = 1.0  # the left end is bright


def rotate(image, degrees, keep_aspect=True):
    n, _, height, width = image.shape
    angle = math.radians(degrees)
    cos, sin = math.cos(angle), math.sin(angle)
    aspect = height / width if keep_aspect else 1.0
    theta = image.new_tensor([[cos, -sin * aspect, 0.0], [sin / aspect, cos, 0.0]])
    grid = F.affine_grid(theta.expand(n, 2, 3), image.shape, align_corners=False)
    return F.grid_sample(image, grid, align_corners=False)


for keep_aspect in (False, True):
    turned = rotate(photo, 90, keep_aspect)[0, 0] > 0.3
    rows, columns = turned.any(dim=1).sum(), turned.any(dim=0).sum()
    print(f"{keep_aspect=!s:5}: 16 x 40 -> {rows} x {columns}")

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
theta = torch.tensor([[[1.0, 0.0, 0.5], [0.0, 1.0, 0.0]]])  # x + 0.5
for align_corners in (False, True):
    grid = F.affine_grid(theta, image.shape, align_corners=align_corners)
    sampled = F.grid_sample(image, grid, align_corners=align_corners)
    print(f"{align_corners!s:5}", sampled[0, 0, 0].round(decimals=2))

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
cos, sin, zero = angle.cos(), angle.sin(), torch.zeros(())
theta = torch.stack([cos, -sin, zero, sin, cos, zero]).view(1, 2, 3)
grid = F.affine_grid(theta, image.shape, align_corners=False)
F.grid_sample(image, grid, align_corners=False).square().sum().backward()
print(f"gradient of the angle: {angle.grad:.0f}")

# %% labels
mask = torch.tensor([[0.0, 7.0, 7.0, 0.0]]).expand(1, 1, 3, 4)
for mode in ("bilinear", "nearest"):
    classes = shift(mask, 0.25, mode=mode).round(decimals=2).unique()
    print(f"{mode:8}", classes.tolist())

# %% padding
for padding in ("zeros", "border", "reflection"):
    print(f"{padding:10}", shift(image, 1.0, padding_mode=padding)[0].round())

# %% batches-and-dtypes hidden=true
several = torch.rand(3, 2, 10, 20)
for dtype in (torch.float32, torch.float64):
    together = rotate(several.to(dtype), 30)
    alone = rotate(several[1:2].to(dtype), 30)
    assert together.dtype == dtype and torch.allclose(together[1:2], alone)
assert torch.allclose(rotate(several.transpose(2, 3), 30), rotate(several.transpose(2, 3).contiguous(), 30))
assert at(image.double(), x, y).dtype == torch.float64

# %% other-inputs hidden=true
for dtype in (torch.float64, torch.float16, torch.bfloat16):
    moved = shift(image.to(dtype), 0.5)
    assert moved.dtype is dtype
    torch.testing.assert_close(moved.float(), shift(image, 0.5), rtol=0.02, atol=0.02)
assert shift(image.to("meta"), 0.5).device.type == "meta"

# %% points
features = torch.arange(24.0).view(1, 2, 3, 4)  # (batch, channels, height, width)
points = torch.tensor([[[3, 0], [1, 2]]])  # (batch, n, 2): x and y
x, y = points.unbind(dim=-1)
number = torch.arange(len(features))[:, None]  # (batch, 1)
picked = features[number, :, y, x]  # (batch, n, channels)
print(tuple(picked.shape), picked)

# %% points-swapped raises="IndexError"
features[number, :, x, y]

# %% points-between
between = torch.tensor([[[1.7, 0.0], [0.5, 1.5], [2.5, 2.0]]])
print("long(): ", between.long().tolist())
print("round():", between.round().long().tolist())
x, y = between.unbind(dim=-1)
sampled = at(features, x[:, None], y[:, None])[:, :, 0].transpose(1, 2)
print("interpolated:", sampled)

# %% points-stride
image_width, map_width = 32, 4
stride = image_width / map_width
in_image = torch.tensor([3.5, 11.5, 28.0])  # x in pixels of the image
print("x in the map:", (in_image + 0.5) / stride - 0.5)

# %% counter-cases-points hidden=true
torch.manual_seed(0)
for n, c, h, w in ((1, 1, 1, 1), (3, 2, 5, 7), (2, 4, 8, 3)):
    for dtype in (torch.float32, torch.float64):
        maps = torch.randn(n, c, h, w, dtype=dtype)
        px, py = torch.randint(w, (n, 6)), torch.randint(h, (n, 6))
        taken = maps[torch.arange(n)[:, None], :, py, px]
        assert taken.shape == (n, 6, c)
        loop = torch.stack([torch.stack([maps[i, :, b, a] for a, b in zip(px[i], py[i])]) for i in range(n)])
        assert torch.equal(taken, loop)
        smooth = at(maps, px[:, None], py[:, None])[:, :, 0].transpose(1, 2)
        torch.testing.assert_close(smooth, taken, rtol=1e-4, atol=1e-4)
        flat = maps.flatten(2).gather(2, (py * w + px)[:, None].expand(-1, c, -1)).transpose(1, 2)
        assert torch.equal(flat, taken)

# %% sixteen-bits-read-elsewhere hidden=true
for dtype in (torch.float16, torch.bfloat16):
    for side, beyond in ((181, False), (182, True)):  # 32,767 is the largest int16
        memory = torch.full((9, 1, side, side), 7.0, dtype=dtype)
        ones = memory[4:5].fill_(1.0)  # its neighbors in memory are sevens
        theta = torch.eye(2, 3)[None]
        grid = F.affine_grid(theta, ones.shape, align_corners=False)
        assert (F.grid_sample(ones, grid.to(dtype), align_corners=False) > 2).any() == beyond
        assert F.grid_sample(ones.float(), grid, align_corners=False).max() < 1.01
try:
    F.grid_sample(torch.ones(1, 1, 3, 4, dtype=torch.long), grid[:, :1, :1], mode="nearest", align_corners=False)
except RuntimeError:
    pass
else:
    raise AssertionError("it takes integers")
still = grid[:, :2, :2].clone().requires_grad_()
F.grid_sample(image, still, mode="nearest", align_corners=False).sum().backward()
assert not still.grad.any()

# %% near-the-edge hidden=true
for x, share in ((-1.3, 0.0), (-1.2, 0.1), (-1.0, 0.5), (-0.75, 1.0)):  # -1.2 is outside
    read = F.grid_sample(torch.ones(1, 1, 3, 4), torch.tensor([[[[x, 0.0]]]]), align_corners=False)
    assert abs(read.item() - share) < 1e-5  # the pixel before the edge counts as 0

# %% positions-in-autocast hidden=true
wide = torch.arange(512.0).expand(1, 1, 8, 512)
for enabled in (True, False):
    with torch.autocast("cpu", enabled=enabled):
        grid = F.affine_grid(torch.eye(2, 3)[None], wide.shape, align_corners=False)
    assert (grid.dtype is torch.bfloat16) is enabled
    read = F.grid_sample(wide, grid.float(), padding_mode="border", align_corners=False)
    assert ((read - wide).abs().max() > 0.3) == enabled  # pixels

# %% channels-first hidden=true
grid = F.affine_grid(torch.eye(2, 3)[None], image.shape, align_corners=False).permute(0, 3, 1, 2)
try:
    F.grid_sample(image, grid, align_corners=False)
except RuntimeError as error:
    assert "expected grid to have size 2 in last dimension" in str(error)
else:
    raise AssertionError("the channels may come first now")
again = F.grid_sample(image, grid.permute(0, 2, 3, 1), align_corners=False)
assert torch.allclose(again, image, atol=1e-4)

# %% positions-in-bytes hidden=true
line = torch.arange(300.0).view(1, 1, 1, 300)
for dtype in (torch.uint8, torch.int16, torch.int64, torch.float64):  # 2 * x would wrap around in bytes
    places = torch.tensor([[[200, 3]]], dtype=dtype)
    read = at(line, places, torch.zeros_like(places)).flatten()
    assert torch.allclose(read, torch.tensor([200.0, 3.0]), atol=1e-2)

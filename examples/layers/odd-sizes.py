"""Halving and doubling does not give an odd size back."""

# %% added raises="RuntimeError"
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
down = nn.Conv2d(4, 4, kernel_size=3, stride=2, padding=1)
up = nn.Upsample(scale_factor=2)

skip = torch.randn(1, 4, 375, 20)  # (batch, channels, height, width)
low = down(skip)
up(low) + skip

# %% joined raises="RuntimeError"
torch.cat([skip, up(low)], dim=1)

# %% to-the-skip
resized = F.interpolate(low, size=skip.shape[-2:])
print("added: ", tuple((resized + skip).shape))
print("joined:", tuple(torch.cat([skip, resized], dim=1).shape))

# %% sizes
for size in (374, 375, 376):
    image = torch.zeros(1, 4, size, 20)
    conv = up(down(image)).shape[2]
    pool = up(F.max_pool2d(image, 2)).shape[2]
    print(f"{size}: convolution with stride {conv}, pooling {pool}")


# %% unet
class UNet(nn.Module):
    def __init__(self, levels):
        super().__init__()
        self.levels = levels
        self.conv = nn.Conv2d(1, 1, kernel_size=3, padding=1)

    def forward(self, x):
        skips = []
        for _ in range(self.levels):
            skips.append(x)
            x = F.max_pool2d(self.conv(x), 2)
        for skip in reversed(skips):
            x = F.interpolate(x, scale_factor=2) + skip
        return x


unet = UNet(levels=3)


def fits(size):
    try:
        return unet(torch.zeros(1, 1, size, size)).shape[-1] == size
    except RuntimeError:
        return False


print("sizes that fit:", [size for size in range(16, 60) if fits(size)])


# %% pad-and-crop
def any_size(net, image):
    multiple = 2**net.levels
    height, width = image.shape[-2:]
    padded = F.pad(image, (0, -width % multiple, 0, -height % multiple))
    return net(padded)[..., :height, :width]


print("any size:", tuple(any_size(unet, torch.randn(1, 1, 37, 50)).shape))

# %% output-size
transposed = nn.ConvTranspose2d(4, 4, kernel_size=3, stride=2, padding=1)
print("alone:      ", tuple(transposed(low).shape[-2:]))
print("output_size:", tuple(transposed(low, output_size=(375, 20)).shape[-2:]))

# %% one-pixel-wide
column, row = torch.zeros(1, 1, 4, 1), torch.zeros(1, 1, 1, 4)
print("broadcast, no error:", tuple((column + row).shape))

# %% every-size hidden=true
for size in range(8, 60):
    assert any_size(unet, torch.zeros(1, 1, size, 2 * size)).shape[-2:] == (size, 2 * size)
    assert fits(size) == (size % 8 == 0)

# %% same-mode hidden=true
low = torch.randn(1, 2, 5, 5)
for options in ({"mode": "nearest"}, {"mode": "bilinear"}, {"mode": "bilinear", "align_corners": True}):
    trained = nn.Upsample(scale_factor=2, **options)(low)
    assert torch.equal(F.interpolate(low, size=(10, 10), **options), trained)
    assert torch.equal(F.interpolate(low, size=(10, 10)), trained) == (options["mode"] == "nearest")

# %% small-images hidden=true
small = torch.randn(1, 1, 10, 10)
try:
    F.pad(small, (0, 22, 0, 22), mode="reflect")
except RuntimeError as error:
    assert "less than the corresponding input dimension" in str(error), error
else:
    raise AssertionError
assert F.pad(small, (0, 22, 0, 22), mode="replicate").shape == (1, 1, 32, 32)

"""A filter of one's own: F.conv2d with a kernel that is not trained."""

# %% sobel
import torch
import torch.nn.functional as F

y, x = torch.meshgrid(torch.arange(48.0), torch.arange(48.0), indexing="ij")
disc = ((x - 16) ** 2 + (y - 20) ** 2 < 100).float()
image = (disc + ((x > 28) & (x < 42) & (y > 14) & (y < 40))) * 0.8 + 0.1
image = image[None, None]  # (batch, channels, height, width)

sobel_x = torch.tensor([[-1.0, 0.0, 1.0], [-2.0, 0.0, 2.0], [-1.0, 0.0, 1.0]])
kernel = torch.stack([sobel_x, sobel_x.T])[:, None]  # (out, in, height, width)
edges = F.conv2d(image, kernel, padding=1)  # (1, 2, 48, 48): along x and y
magnitude = edges.square().sum(dim=1, keepdim=True).sqrt()
print("kernel", tuple(kernel.shape), "edges", tuple(edges.shape))
row = [f"{value:.1f}" for value in edges[0, 0, 20, 4:10].tolist()]
print("across the left edge of the disc:", row)

# %% blur
size, sigma = 9, 2.0
offset = torch.arange(size) - size // 2
weights = torch.exp(-(offset**2) / (2 * sigma**2))
weights = weights / weights.sum()  # keeps the brightness
gauss = torch.outer(weights, weights)
blurred = F.conv2d(image, gauss[None, None], padding=size // 2)
print(f"kernel sums to {gauss.sum():.4f}")
print(f"mean before {image.mean():.2f}, after {blurred.mean():.2f}")

# %% figure fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 4, figsize=(6.6, 1.9))
panels = {"image": image, "sobel_x": edges[:, :1], "magnitude": magnitude, "blurred": blurred}
for ax, (name, values) in zip(axes, panels.items()):
    ax.imshow(values[0, 0], cmap="RdBu" if name == "sobel_x" else "viridis")
    ax.set_title(name, fontsize=10)
    ax.axis("off")

# %% per-channel
colored = torch.cat([image, 1 - image, image.mT], dim=1)  # (1, 3, 48, 48)
per_channel = gauss.expand(3, 1, size, size)  # the same kernel three times
out = F.conv2d(colored, per_channel, padding=size // 2, groups=3)
alone = F.conv2d(colored[:, 1:2], gauss[None, None], padding=size // 2)
print("output", tuple(out.shape))
print("channel 1 as if alone:", torch.allclose(out[:, 1:2], alone))

# %% two-dimensional raises="RuntimeError"
F.conv2d(image, sobel_x)

# %% four-dimensional
print("kernel", tuple(sobel_x[None, None].shape))
print("output", tuple(F.conv2d(image, sobel_x[None, None], padding=1).shape))

# %% three-channels raises="RuntimeError"
F.conv2d(colored, gauss[None, None])

# %% three-channels-fit
out = F.conv2d(colored, gauss.expand(3, 1, size, size), groups=3)
print("output:", tuple(out.shape))

# %% border
flat = torch.ones(1, 1, 12, 12)
zeros = F.conv2d(flat, gauss[None, None], padding=4)
nearest = F.conv2d(F.pad(flat, (4, 4, 4, 4), mode="replicate"), gauss[None, None])
print(f"corner with zeros:     {zeros[0, 0, 0, 0]:.2f}")
print(f"corner with replicate: {nearest[0, 0, 0, 0]:.2f}")

# %% not-flipped
signal = torch.tensor([[[0.0, 0.0, 1.0, 0.0, 0.0]]])
taps = torch.tensor([1.0, 2.0, 3.0])
print("F.conv1d:   ", F.conv1d(signal, taps[None, None])[0, 0].tolist())
print("convolution:", F.conv1d(signal, taps.flip(0)[None, None])[0, 0].tolist())


# %% module
class Sobel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kernel", kernel)  # moves with to(), is not trained

    def forward(self, image):
        return F.conv2d(image, self.kernel, padding=1)


sobel = Sobel()
print("parameters:", len(list(sobel.parameters())))
print("state_dict:", list(sobel.state_dict()))
print("double:", sobel.double()(image.double()).dtype)

# %% other-dtypes hidden=true
whole = (255 * image).byte()
try:
    F.conv2d(whole, sobel_x[None, None])
except RuntimeError:
    assert F.conv2d(whole.float(), sobel_x[None, None]).dtype == torch.float32
else:
    raise AssertionError

# %% counter-cases hidden=true
added = F.conv2d(colored, gauss.expand(1, 3, size, size), padding=4)
parts = F.conv2d(colored, per_channel, padding=4, groups=3)
assert torch.allclose(added, parts.sum(dim=1, keepdim=True), atol=1e-5)
import numpy as np

for seed in range(3):
    torch.manual_seed(seed)
    signal, taps = torch.randn(20, dtype=torch.float64), torch.randn(5, dtype=torch.float64)
    by_torch = F.conv1d(signal[None, None], taps.flip(0)[None, None])[0, 0]
    np.testing.assert_allclose(by_torch, np.convolve(signal, taps, mode="valid"), atol=1e-12)
    correlate = F.conv1d(signal[None, None], taps[None, None])[0, 0]
    np.testing.assert_allclose(correlate, np.correlate(signal, taps, mode="valid"), atol=1e-12)
separated = F.conv2d(F.conv2d(image, weights[None, None, :, None]), weights[None, None, None])
assert torch.allclose(separated, F.conv2d(image, gauss[None, None]), atol=1e-6)

# %% two-kernels-three-channels hidden=true
try:
    kernel.expand(3, 1, 3, 3)
except RuntimeError:
    out = F.conv2d(colored, kernel.repeat(3, 1, 1, 1), padding=1, groups=3).unflatten(1, (3, 2))
else:
    raise AssertionError("two kernels cannot be expanded to three")
for channel in range(3):
    alone = F.conv2d(colored[:, channel : channel + 1], kernel, padding=1)
    assert torch.allclose(out[:, channel], alone, atol=1e-5)

# %% expanded-buffer hidden=true
for stored, loads in ((per_channel, False), (per_channel.clone(), True)):
    module = torch.nn.Module()
    module.register_buffer("kernel", stored)
    try:
        module.load_state_dict({"kernel": gauss.repeat(3, 1, 1, 1)})  # as read from a file
    except RuntimeError as error:
        assert not loads and "single memory location" in str(error)
    else:
        assert loads

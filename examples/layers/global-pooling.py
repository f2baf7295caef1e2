"""Global pooling: one number a channel, so that images may have any size."""

# %% fixed-size raises="RuntimeError"
import torch
from torch import nn

torch.manual_seed(0)
convs = nn.Conv2d(3, 16, 3, stride=2), nn.ReLU(), nn.Conv2d(16, 32, 3), nn.ReLU()
body = nn.Sequential(*convs)
fixed = nn.Sequential(body, nn.Flatten(), nn.Linear(32 * 13 * 13, 10))
print("32 x 32:", tuple(fixed(torch.randn(2, 3, 32, 32)).shape))
fixed(torch.randn(2, 3, 48, 40))

# %% any-size
net = nn.Sequential(body, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))
for size in ((32, 32), (48, 40), (7, 300)):
    print(f"{size}:", tuple(net(torch.randn(2, 3, *size)).shape))
before, after = fixed[-1].weight.numel(), net[-1].weight.numel()
print(f"weights of the last layer: {before} -> {after}")

# %% same-mean
features = torch.randn(2, 4, 5, 7)  # (batch, channels, height, width)
mean = features.mean(dim=(-2, -1))  # (batch, channels)
largest = features.amax(dim=(-2, -1))
for name, layer, by_hand in (
    ("average", nn.AdaptiveAvgPool2d(1), mean),
    ("max    ", nn.AdaptiveMaxPool2d(1), largest),
):
    pooled = layer(features)
    same = torch.allclose(pooled.flatten(1), by_hand, atol=1e-6)
    print(f"{name} {tuple(pooled.shape)}, as mean() or amax(): {same}")

# %% average-or-max
spot = torch.zeros(1, 1, 8, 8)
spot[..., 3, 5] = 1.0
large = nn.functional.pad(spot, (0, 24, 0, 24))  # the same spot, 32 x 32
for name, image in (("8 x 8  ", spot), ("32 x 32", large)):
    average = nn.functional.adaptive_avg_pool2d(image, 1).item()
    highest = nn.functional.adaptive_max_pool2d(image, 1).item()
    print(f"{name} average {average:.4f}, max {highest:.0f}")

# %% forgotten-flatten raises="RuntimeError"
no_flatten = nn.Sequential(body, nn.AdaptiveAvgPool2d(1), nn.Linear(32, 10))
no_flatten(torch.randn(2, 3, 32, 32))

# %% flatten-again
flat = nn.Sequential(body, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))
print(tuple(flat(torch.randn(2, 3, 32, 32)).shape))

# %% pyramid
grids = [nn.AdaptiveAvgPool2d(size) for size in (1, 2, 4)]
for size in ((9, 9), (20, 31)):
    features = torch.randn(2, 8, *size)
    parts = [grid(features).flatten(1) for grid in grids]  # 8 * (1 + 4 + 16)
    print(f"{size}:", tuple(torch.cat(parts, dim=1).shape))

# %% one-side
spectrogram = torch.randn(2, 8, 64, 500)  # (batch, channels, frequency, time)
print(tuple(nn.AdaptiveAvgPool2d((1, None))(spectrogram).shape))  # None: as it is

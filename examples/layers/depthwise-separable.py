"""A depthwise separable convolution filters each channel, then mixes channels by 1x1."""

# %% separable
import torch
from torch import nn

torch.manual_seed(0)


def separable(in_channels, out_channels, kernel_size=3, stride=1):
    padding = kernel_size // 2
    return nn.Sequential(
        nn.Conv2d(
            in_channels,
            in_channels,
            kernel_size,
            stride,
            padding,
            groups=in_channels,  # depthwise: one kernel per channel
            bias=False,
        ),
        nn.Conv2d(in_channels, out_channels, 1, bias=False),  # pointwise: mixes
    )


x = torch.randn(2, 32, 28, 28)  # (batch, channels, height, width)
net = separable(32, 64)
full = nn.Conv2d(32, 64, 3, padding=1, bias=False)
print("depthwise ", tuple(net[0].weight.shape))
print("pointwise ", tuple(net[1].weight.shape))
print("full      ", tuple(full.weight.shape))
print("output    ", tuple(net(x).shape), "and", tuple(full(x).shape))


# %% count
def count(module):
    return sum(p.numel() for p in module.parameters())


for c_in, c_out in (32, 64), (256, 256):
    full = nn.Conv2d(c_in, c_out, 3, bias=False)
    few, many = count(separable(c_in, c_out)), count(full)
    print(f"{c_in:3} -> {c_out}: {few} of {many}, {many / few:.1f} times fewer")

# %% by-hand
depthwise, pointwise = net[0].weight, net[1].weight[:, :, 0, 0]  # (out, in)
channels = []
for c in range(32):
    channel = nn.functional.conv2d(x[:, [c]], depthwise[[c]], padding=1)
    channels.append(channel)
mixed = torch.einsum("oc,bchw->bohw", pointwise, torch.cat(channels, dim=1))
difference = (mixed - net(x)).abs().max()
print("difference below 1e-5:", (difference < 1e-5).item())

# %% rank-one
combined = net[1].weight * net[0].weight[:, 0]  # (out, in, 3, 3)
full = nn.functional.conv2d(x, combined, padding=1)
print("one full convolution:", torch.allclose(full, net(x), atol=1e-5))

# %% multiplier
wide = nn.Conv2d(32, 64, 3, padding=1, groups=32, bias=False)  # two per channel
print("weight", tuple(wide.weight.shape), "output", tuple(wide(x).shape))

# %% groups raises="ValueError"
nn.Conv2d(32, 48, 3, groups=32)

# %% groups-fit
print("32 -> 96:", tuple(nn.Conv2d(32, 96, 3, groups=32).weight.shape))

# %% few-outputs hidden=true
ratios = [count(nn.Conv2d(32, n, 3, bias=False)) / count(separable(32, n)) for n in (1, 2, 8)]
assert ratios[0] < 1 < ratios[1] < 2 < 4 < ratios[2]

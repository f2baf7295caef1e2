"""The output size of a convolution: the formula against the run."""

# %% formula
import torch
from torch import nn


def out_size(size, kernel_size, stride=1, padding=0, dilation=1):
    return (size + 2 * padding - dilation * (kernel_size - 1) - 1) // stride + 1


image = torch.randn(1, 3, 32, 32)  # (batch, channels, height, width)
for options in (
    dict(kernel_size=3),
    dict(kernel_size=3, padding=1),
    dict(kernel_size=3, stride=2, padding=1),
    dict(kernel_size=7, stride=2, padding=3),
    dict(kernel_size=4, stride=4),
):
    out = nn.Conv2d(3, 8, **options)(image)
    print(tuple(out.shape), out_size(32, **options), options)

# %% pairs
conv = nn.Conv2d(3, 8, kernel_size=(5, 3), padding=(2, 1), stride=(1, 2))
print(tuple(conv(torch.randn(1, 3, 32, 48)).shape))
print(out_size(32, 5, padding=2), out_size(48, 3, padding=1, stride=2))

# %% drawing fold=true
import matplotlib.pyplot as plt

panels = (dict(), dict(padding=1), dict(stride=2, padding=1), dict(stride=2))
fig, axes = plt.subplots(len(panels), 1, figsize=(5.2, 5.6), sharex=True)
for ax, options in zip(axes, panels):
    conv = nn.Conv1d(1, 1, kernel_size=3, bias=False, **options)
    size, padding, stride = 8, options.get("padding", 0), options.get("stride", 1)
    reads = torch.autograd.functional.jacobian(conv, torch.zeros(1, 1, size))[0, 0, :, 0, 0] != 0  # (output, input)
    for i, read in enumerate(reads):
        center = i * stride + 1 - padding
        for j in (center - 1, center, center + 1):  # read[j] says so where j is in the input
            assert not 0 <= j < size or read[j]
            ax.plot((center, j), (1, 0), color="C0", linewidth=1)
        ax.plot(center, 1, "o", color="C1", markersize=8, zorder=3)
    unread = [j for j in range(size) if not reads[:, j].any()]
    ax.plot([j for j in range(size) if j not in unread], [0] * (size - len(unread)), "o", color="C0", markersize=8)
    ax.plot(unread, [0] * len(unread), "X", color="C3", markersize=9)
    for j in range(padding):
        ax.plot((-1 - j, size + j), (0, 0), "o", color="C0", markersize=8, fillstyle="none")
    words = ", ".join(f"{key}={value}" for key, value in options.items()) or "stride=1, padding=0"
    ax.set_title(f"{words}: 8 -> {len(reads)}", fontsize=10, loc="left")
    ax.set(xlim=(-1.5, 8.5), ylim=(-0.35, 1.35))
    ax.axis("off")

# %% same
for padding in ("same", 5 // 2, 0):
    conv = nn.Conv2d(3, 8, kernel_size=5, padding=padding)
    print(f"{padding=!s}", tuple(conv(image).shape))

# %% same-and-stride raises="ValueError"
nn.Conv2d(3, 8, kernel_size=3, stride=2, padding="same")

# %% channels raises="RuntimeError"
nn.Conv2d(3, 8, kernel_size=3)(torch.randn(1, 1, 32, 32))

# %% groups
for groups in (1, 4, 8):
    conv = nn.Conv2d(8, 8, kernel_size=3, groups=groups, bias=False)
    shape = tuple(conv.weight.shape)
    print(f"{groups=} weight {shape} {conv.weight.numel()} parameters")

# %% transposed
down = nn.Conv2d(3, 8, kernel_size=3, stride=2, padding=1)
up = nn.ConvTranspose2d(8, 3, kernel_size=3, stride=2, padding=1)
for size in (31, 32):
    small = down(torch.randn(1, 3, size, size))
    print(f"{size} -> {small.shape[-1]} -> {up(small).shape[-1]}")
print("output_size:", up(small, output_size=(32, 32)).shape[-1])

# %% flatten
convs = nn.Conv2d(3, 8, 3, stride=2), nn.ReLU(), nn.Conv2d(8, 4, 3, stride=2)
features = nn.Sequential(*convs, nn.Flatten())
side = out_size(out_size(32, 3, stride=2), 3, stride=2)
print("run:", features(image).shape[1], " formula:", 4 * side**2)

# %% transposed-formula hidden=true
for output_padding in (0, 1):
    layer = nn.ConvTranspose1d(1, 1, kernel_size=3, stride=2, padding=1, output_padding=output_padding)
    assert layer(torch.zeros(1, 1, 16)).shape[-1] == (16 - 1) * 2 - 2 * 1 + (3 - 1) + output_padding + 1

# %% remedies hidden=true
for size, padding in ((3, 1), (7, 3)):
    layer = nn.Conv2d(3, 4, size, padding=padding)
    assert layer(torch.zeros(1, 3, 9, 9)).shape[2:] == (9, 9)
    nn.Conv2d(3, 4, size, stride=2, padding=padding)(torch.zeros(1, 3, 9, 9))
    layer(torch.zeros(2, 1, 9, 9).expand(-1, 3, -1, -1))
    layer(torch.zeros(2, 9, 9, 3).permute(0, 3, 1, 2))
nn.Conv2d(1, 4, 3)(torch.zeros(2, 1, 9, 9))

# %% channels-last hidden=true
for kind, data, got in ((nn.Conv2d, torch.zeros(2, 9, 9, 3), 9), (nn.Conv3d, torch.zeros(2, 5, 3, 9, 9), 5)):
    try:
        kind(3, 4, 3)(data)
    except RuntimeError as error:
        assert f"but got {got} channels" in str(error)
    else:
        raise AssertionError(f"{kind} took {data.shape}")
    kind(got, 4, 3)(data)  # no error, but rows or frames are taken for channels
nn.Conv3d(3, 4, 3)(torch.zeros(2, 5, 3, 9, 9).transpose(1, 2))

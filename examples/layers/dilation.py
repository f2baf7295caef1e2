"""Dilation spreads a kernel's taps: a wider span with the same weights."""

# %% sizes
import torch
from torch import nn
from torch.nn import functional as F

image = torch.randn(1, 1, 32, 32)  # (batch, channels, height, width)
for dilation in (1, 2, 4):
    conv = nn.Conv2d(1, 1, kernel_size=3, dilation=dilation)
    span = dilation * (3 - 1) + 1
    parameters = sum(p.numel() for p in conv.parameters())
    shape = tuple(conv(image).shape[-2:])
    print(f"{dilation=} {span=} {parameters=} output {shape}")

# %% impulse
impulse = torch.zeros(1, 1, 7, 7, dtype=torch.int64)
impulse[0, 0, 3, 3] = 1
ones = torch.ones(1, 1, 3, 3, dtype=torch.int64)
for dilation in (1, 2):
    print(F.conv2d(impulse, ones, dilation=dilation, padding="same")[0, 0])


# %% reads
def reads(layers, size):
    """The gradient of the middle output: zero where nothing is read."""
    weight = next(layers.parameters())  # its dtype and device
    image = weight.new_zeros(1, 1, *size, requires_grad=True)
    layers(image)[0, 0][tuple(n // 2 for n in size)].backward()
    return image.grad[0, 0]


def dilated(dilation, conv=nn.Conv2d):
    layer = conv(1, 1, 3, dilation=dilation, padding="same", bias=False)
    nn.init.ones_(layer.weight)
    return layer


fields = {d: reads(dilated(d), size=(9, 9)) for d in (1, 2, 4)}
for dilation, field in fields.items():
    rows = field.any(dim=1).nonzero().flatten().tolist()
    print(f"{dilation=} pixels={field.count_nonzero()} {rows=}")

# %% fields fold=true
import matplotlib.pyplot as plt

edges = torch.arange(10) - 0.5
fig, axes = plt.subplots(1, 3, figsize=(4.8, 1.9))
for ax, (dilation, field) in zip(axes, fields.items()):
    ax.hlines(edges, -0.5, 8.5, color="C0", alpha=0.4, linewidth=0.8)
    ax.vlines(edges, -0.5, 8.5, color="C0", alpha=0.4, linewidth=0.8)
    y, x = field.nonzero().T
    ax.scatter(x, y, s=50, marker="s", color="C0", linewidth=0)
    ax.scatter(4, 4, s=9, color="C1")
    ax.set_title(f"dilation={dilation}", fontsize=10)
    ax.set_aspect("equal")
    ax.axis("off")

# %% padding
for padding in ("same", 4):
    conv = nn.Conv2d(1, 1, 3, dilation=4, padding=padding)
    print(f"{padding=!s}", tuple(conv(image).shape))

# %% same-and-stride raises="ValueError"
nn.Conv2d(1, 1, 3, dilation=4, padding="same", stride=2)

# %% too-small raises="RuntimeError"
nn.Conv2d(1, 1, 3, dilation=4)(torch.randn(1, 1, 8, 8))

# %% stacked
stacks = {}
for dilations in ((1, 1, 1), (1, 2, 4), (2, 2, 2)):
    layers = [dilated(d, conv=nn.Conv1d) for d in dilations]
    stacks[dilations] = nn.Sequential(*layers)
    read = reads(stacks[dilations], size=(17,)) != 0
    print(dilations, "".join(".x"[r] for r in read), read.sum().item(), "inputs")

# %% trees fold=true
fig, axes = plt.subplots(3, 1, figsize=(4.8, 4.4), sharex=True)
for ax, (dilations, stack) in zip(axes, stacks.items()):
    level, reached = len(stack), [8]  # the middle of the output, then what it reads, layer by layer
    ax.plot(reached, [level], "o", color="C1", zorder=3)
    for layer in reversed(stack):
        links = torch.autograd.functional.jacobian(layer, torch.zeros(1, 1, 17))[0, 0, :, 0, 0]  # (output, input)
        pairs = [(i, j) for i in reached for j in links[i].nonzero()[:, 0].tolist()]
        ends = [(x, y) for i, j in pairs for x, y in ((i, level), (j, level - 1), (None, None))]
        ax.plot(*zip(*ends), color="C0", linewidth=1)
        level, reached = level - 1, sorted({j for _, j in pairs})
        ax.plot(reached, [level] * len(reached), "o", color="C0", markersize=5)
    ax.plot(range(17), [0] * 17, "o", color="C0", markersize=5, alpha=0.35, zorder=0)
    ax.set_title(f"dilation {dilations}", fontsize=10)
    ax.axis("off")

# %% large-enough hidden=true
for options in (dict(dilation=4, padding=4), dict(dilation=2)):
    nn.Conv2d(1, 1, 3, **options)(torch.randn(1, 1, 8, 8))

# %% remedies hidden=true
for size in (3, 5):
    for dilation in (1, 2, 3):
        padding = dilation * (size - 1) // 2
        for stride, expected in ((1, 17), (2, 9)):
            layer = nn.Conv1d(1, 1, size, stride, padding, dilation)
            assert layer(torch.zeros(1, 1, 17)).shape[2] == expected

# %% counter-cases hidden=true
for kernel in (1, 3, (3, 5)):
    counts = set()
    for dilation in (1, 2, 5, 16):
        layer = nn.Conv2d(4, 6, kernel, dilation=dilation, groups=2)
        counts.add(sum(parameter.numel() for parameter in layer.parameters()))
    assert len(counts) == 1

# %% other-inputs hidden=true
for dtype in (torch.float64, torch.float16, torch.bfloat16):
    field = reads(dilated(2).to(dtype), size=(9, 9))
    assert field.dtype is dtype and torch.equal(field.float(), fields[2])
assert reads(dilated(2).to("meta"), size=(9, 9)).device.type == "meta"

# %% limits hidden=true
even = nn.Conv1d(1, 1, 4, 2, padding=3 // 2)
assert even(torch.zeros(1, 1, 17)).shape[2] == 8  # not 9, as with an odd kernel
assert reads(nn.Sequential(dilated(1), nn.ReLU()), size=(9, 9)).count_nonzero() == 0

# %% reads-too-much-or-little hidden=true
torch.manual_seed(0)
convs = [nn.Conv2d(*channels, 3, padding=1) for channels in ((1, 4), (4, 1))]
net = nn.Sequential(convs[0], nn.BatchNorm2d(4), convs[1])
assert reads(net.eval(), size=(9, 9)).count_nonzero() == 25
assert reads(net.train(), size=(9, 9)).count_nonzero() == 81  # the mean is of all pixels
assert reads(dilated(8), size=(8, 8)).count_nonzero() == 1

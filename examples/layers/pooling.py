"""Max, average and adaptive pooling."""

# %% max-and-mean
import torch
from torch import nn

image = torch.arange(16.0).view(1, 1, 4, 4)  # (batch, channels, height, width)
print(image[0, 0])
print(nn.MaxPool2d(2)(image)[0, 0])
print(nn.AvgPool2d(2)(image)[0, 0])

# %% stride
print("stride of MaxPool2d(2):", nn.MaxPool2d(2).stride)
print("stride of Conv2d:", nn.Conv2d(1, 1, 2).stride)
print(nn.MaxPool2d(3, stride=1)(image)[0, 0])

# %% odd
odd = torch.arange(25.0).view(1, 1, 5, 5)
print("default:  ", nn.MaxPool2d(2)(odd)[0, 0].tolist())
print("ceil_mode:", nn.MaxPool2d(2, ceil_mode=True)(odd)[0, 0].tolist())

# %% global
for size in (7, 8, 13):
    features = torch.randn(2, 16, size, size)
    pooled = nn.AdaptiveAvgPool2d(1)(features)
    mean = features.mean(dim=(2, 3))
    by_hand = torch.allclose(pooled.flatten(1), mean, atol=1e-6)
    print(f"{size} x {size}: {tuple(pooled.shape)}, the mean: {by_hand}")

# %% adaptive-windows
signal = torch.arange(7.0).view(1, 1, 7)
signal.requires_grad_()
pooled = nn.AdaptiveAvgPool1d(3)(signal)
print(pooled.detach())
for i in range(3):
    (gradient,) = torch.autograd.grad(pooled[0, 0, i], signal, retain_graph=True)
    print(f"output {i} reads", gradient.nonzero()[:, -1].tolist())

# %% padding asks=true
border = torch.full((1, 1, 2, 2), -4.0)
options = dict(kernel_size=3, stride=2, padding=1)
print("max", nn.MaxPool2d(**options)(border).item())
print("avg", round(nn.AvgPool2d(**options)(border).item(), 2))
without = nn.AvgPool2d(**options, count_include_pad=False)
print("avg without padding", without(border).item())

# %% too-much-padding raises="RuntimeError"
nn.MaxPool2d(2, padding=2)(image)

# %% functions
import torch.nn.functional as F

print("max, 2 x 2:", F.max_pool2d(image, 2)[0, 0].tolist())
print("avg, 2 x 2:", F.avg_pool2d(image, 2)[0, 0].tolist())
print("avg, int64:", F.avg_pool2d(image.long(), 2)[0, 0].tolist())
print("max, 3 x 3:", tuple(F.max_pool2d(image, 3).shape))
print("stride=1:  ", tuple(F.max_pool2d(image, 3, stride=1).shape))

# %% one-dimension raises="RuntimeError"
F.max_pool1d(image, 2)

# %% one-dimension-right
print(tuple(F.max_pool2d(image, (1, 2)).shape))
print(tuple(F.max_pool1d(image.flatten(0, 2), 2).shape))  # (rows, width)

# %% squeeze
single = nn.AdaptiveAvgPool2d(1)(torch.randn(1, 16, 7, 7))
print("squeeze()", tuple(single.squeeze().shape))
print("flatten(1)", tuple(single.flatten(1).shape))

# %% ties
flat = torch.zeros(1, 1, 2, 2, requires_grad=True)
nn.MaxPool2d(2)(flat).sum().backward()
print(flat.grad[0, 0])

# %% remedies hidden=true
large = torch.zeros(1, 1, 8, 8)
nn.MaxPool2d(3, padding=1)(large)
assert F.avg_pool2d(torch.tensor([[[[-1, -2], [-2, -2]]]]), 2).item() == -1  # not floor
try:
    F.avg_pool2d(image.int(), 2)
except RuntimeError as error:
    assert "not implemented" in str(error)
else:
    raise AssertionError
nn.MaxPool2d(2)(nn.functional.pad(large, (2, 2, 2, 2)))

# %% padded-with-zeros hidden=true
below = torch.full((1, 1, 2, 2), -4.0)
around = (1, 1, 1, 1)
assert F.max_pool2d(F.pad(below, around), 2).eq(0).all()  # the zeros win
assert F.max_pool2d(F.pad(below, around, value=-torch.inf), 2).eq(-4).all()

# %% whole-numbers-on-gpu needs="cuda" raises="NotImplementedError"
F.avg_pool2d(image.long().cuda(), 2)

# %% floats-on-gpu needs="cuda"
print("avg, float:", F.avg_pool2d(image.long().cuda().float(), 2)[0, 0].tolist())

# %% single-row hidden=true
row = torch.tensor([1.0, 3.0, 2.0, 0.0])
try:
    F.max_pool1d(row, 2)
except RuntimeError as error:
    assert "Expected 2D or 3D" in str(error)
else:
    raise AssertionError("one dimension is enough now")
assert F.max_pool1d(row[None], 2).tolist() == [[3.0, 2.0]]

"""mat1 and mat2 shapes cannot be multiplied: reading the two shapes."""

# %% forgot-to-flatten raises="RuntimeError"
import torch
from torch import nn

layer = nn.Linear(784, 10)
images = torch.rand(32, 1, 28, 28)  # (batch, channel, height, width)
layer(images)

# %% where-the-numbers-come-from
print("mat1:", images.reshape(-1, images.shape[-1]).shape)
print("mat2:", layer.weight.T.shape)

# %% flatten
print(layer(images.flatten(1)).shape)

# %% lost-the-batch raises="RuntimeError"
layer(images.flatten())

# %% batch-kept
print("flatten(1):", layer(images.flatten(1)).shape)
print("nn.Flatten:", layer(nn.Flatten()(images)).shape)

# %% ask-the-tensor
conv = nn.Conv2d(1, 8, kernel_size=3)
flat = conv(images).flatten(1)
print("features:", flat.shape)
print("output:  ", nn.Linear(flat.shape[1], 10)(flat).shape)

# %% lazy
model = nn.Sequential(conv, nn.Flatten(), nn.LazyLinear(10))
print(model(images).shape)
print(model[2])

# %% double-and-float raises="RuntimeError"
import numpy as np

samples = torch.from_numpy(np.zeros((32, 784)))  # float64, NumPy's default
layer(samples)

# %% to-float32
print(layer(samples.to(torch.float32)).dtype)

# %% lazy-is-not-ready hidden=true raises="ValueError"
nn.LazyLinear(10).weight.numel()

# %% half-and-inference hidden=true
half = nn.Linear(784, 10).bfloat16()
assert half(samples.to(half.weight.dtype)).dtype is torch.bfloat16
for data in (samples, samples.float()):
    try:
        half(data)
    except RuntimeError:
        continue
    raise AssertionError
lazy = nn.Sequential(nn.Linear(784, 4), nn.LazyLinear(2))
with torch.no_grad():
    lazy(images.flatten(1))
lazy(images.flatten(1)).sum().backward()
try:
    lazy = nn.Sequential(nn.Linear(784, 4), nn.LazyLinear(2))
    with torch.inference_mode():
        lazy(images.flatten(1))
    lazy(images.flatten(1)).sum().backward()
except RuntimeError as error:
    assert "nference" in str(error)
else:
    raise AssertionError

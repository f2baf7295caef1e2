"""BatchNorm has statistics for another number of channels than the input."""

# %% wrong-count raises="RuntimeError"
import torch
from torch import nn

torch.manual_seed(0)
image = torch.rand(2, 4, 8, 8)  # (batch, channels, height, width)
nn.BatchNorm2d(3)(image)

# %% after-a-layer
conv = nn.Conv2d(4, 6, kernel_size=3)
block = nn.Sequential(conv, nn.BatchNorm2d(conv.out_channels), nn.ReLU())
print(tuple(block(image).shape))

# %% lazy
lazy = nn.Sequential(conv, nn.LazyBatchNorm2d())
lazy(image)
print(lazy[1].num_features)

# %% no-statistics raises="RuntimeError"
nn.BatchNorm2d(3, track_running_stats=False)(image)

# %% channels-last raises="RuntimeError"
tokens = torch.rand(2, 5, 8)  # (batch, time, features)
norm = nn.BatchNorm1d(8)
norm(tokens)

# %% transposed
out = norm(tokens.transpose(1, 2)).transpose(1, 2)
print(tuple(out.shape))
flat = norm(tokens.flatten(0, 1)).view(2, 5, 8)
print("batch and time merged:", torch.allclose(flat, out, atol=1e-6))

# %% numpy-image
photo = torch.rand(2, 8, 8, 3)  # (batch, height, width, channels)
print(tuple(nn.BatchNorm2d(3)(photo.permute(0, 3, 1, 2)).shape))

# %% silent
square = torch.rand(2, 8, 8) * torch.arange(1.0, 9.0)  # (batch, time, features)
norm = nn.BatchNorm1d(8, momentum=None)  # stores the mean of all batches
norm(square)
print("mean per time step:", norm.running_mean.round(decimals=1))
norm.reset_running_stats()
norm(square.transpose(1, 2))
print("mean per feature:  ", norm.running_mean.round(decimals=1))

# %% weight-fits hidden=true
nn.BatchNorm2d(4, track_running_stats=False)(image)

# %% eval-too hidden=true
for layer in (nn.BatchNorm2d(3).eval(), nn.SyncBatchNorm(3).eval()):
    try:
        layer(image)
    except RuntimeError as error:
        assert "running_mean should contain 4 elements not 3" in str(error), error
    else:
        raise AssertionError("eval mode accepts another number of channels")
nn.BatchNorm2d(3, affine=False, track_running_stats=False)(image)  # nothing to compare

# %% time-first-number hidden=true
steps = torch.randn(8, 10, 6)  # (batch, time, features)
try:
    nn.BatchNorm1d(6, track_running_stats=False)(steps)
except RuntimeError as error:
    assert "weight should contain 10 elements not 6" in str(error)
else:
    raise AssertionError("accepted")
by_time = nn.BatchNorm1d(10, track_running_stats=False)(steps)  # no error, but normalized for each step
by_feature = nn.BatchNorm1d(6, track_running_stats=False)(steps.transpose(1, 2)).transpose(1, 2)
assert by_feature.mean(dim=(0, 1)).abs().max() < 1e-5 < by_time.mean(dim=(0, 1)).abs().max()

# %% batch-first-number hidden=true
try:
    nn.BatchNorm1d(6, track_running_stats=False)(torch.randn(10, 8, 6))  # (time, batch, features)
except RuntimeError as error:
    assert "weight should contain 8 elements not 6" in str(error)  # the batch
else:
    raise AssertionError("accepted")

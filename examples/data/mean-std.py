"""Mean and standard deviation of a dataset, in one pass."""

# %% images
import torch
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
photos = torch.randint(0, 200, (500, 3, 8, 8), dtype=torch.uint8)  # (N, C, H, W)
photos[:, 1] += 50  # the green channel is brighter
train, val = photos[:400], photos[400:]

# %% in-memory
pixels = train.float() / 255
mean = pixels.mean(dim=(0, 2, 3))  # (channels,)
std = pixels.std(dim=(0, 2, 3), correction=0)
print("mean", mean, " std", std)

# %% applied
channel = (slice(None), None, None)  # (channels, 1, 1)


def normalize(images):
    return (images.float() / 255 - mean[channel]) / std[channel]


for name, part in {"train": train, "val": val}.items():
    done = normalize(part)
    print(f"{name:5} mean", done.mean(dim=(0, 2, 3)).abs().round(decimals=2))
    print("      std ", done.std(dim=(0, 2, 3)).round(decimals=2))

# %% back
restored = normalize(val) * std[channel] + mean[channel]
print("same bytes:", torch.equal((restored * 255).round().byte(), val))


# %% streaming
def channel_statistics(loader):
    """Mean and standard deviation per channel, without keeping images."""
    count, mean, squares = 0, 0.0, 0.0  # squares: sum of squared deviations
    for images, *_ in loader:  # without the labels
        images = images.double()
        new = images.numel() // images.shape[1]  # values per channel
        batch_var, batch_mean = torch.var_mean(images, dim=(0, 2, 3), correction=0)
        delta = batch_mean - mean
        total = count + new
        squares = squares + batch_var * new + delta**2 * (count * new / total)
        mean = mean + delta * (new / total)
        count = total
    return mean.float(), (squares / count).sqrt().float()


loader = DataLoader(TensorDataset(pixels), batch_size=64)  # the last batch has 16
stream_mean, stream_std = channel_statistics(loader)
print("mean", stream_mean, " std", stream_std)
print("difference below 1e-6:", bool((stream_std - std).abs().max() < 1e-6))

# %% average-of-stds
ordered = pixels + torch.linspace(0, 1, 400)[:, None, None, None]  # ever brighter
stds = [part.std(dim=(0, 2, 3), correction=0) for part in ordered.split(64)]
print("mean of the batches' stds:", torch.stack(stds).mean(dim=0))
print("std of all:               ", ordered.std(dim=(0, 2, 3), correction=0))
merged = channel_statistics(DataLoader(TensorDataset(ordered), batch_size=64))[1]
print("merged:                   ", merged)

# %% squares
depth = 10_000 + torch.randn(10_000)  # float32, far from 0
variance = depth.square().mean() - depth.mean().square()
print(f"error of E[x²] - E[x]²: {abs(variance.item() - 1) > 0.5}")
print(f"torch.var: {depth.var():.1f}")

# %% columns
table = torch.tensor([[1.0, 200.0, 7.0], [3.0, 100.0, 7.0], [2.0, 600.0, 7.0]])
center, scale = table.mean(dim=0), table.std(dim=0, correction=0)
print((table - center) / scale)

# %% constant
constant = table.amax(dim=0) == table.amin(dim=0)
scale = torch.where(constant, 1.0, scale)
print((table - center) / scale)

# %% in-model
from torch import nn


class Normalize(nn.Module):
    def __init__(self, mean, std):
        super().__init__()
        self.register_buffer("mean", mean[channel].clone())
        self.register_buffer("std", std[channel].clone())

    def forward(self, images):
        return (images.to(self.mean.dtype) / 255 - self.mean) / self.std


model = nn.Sequential(Normalize(mean, std), nn.Conv2d(3, 4, 3))
print("saved with the model:", list(model.state_dict())[:2])
print("from bytes:", tuple(model(val[:2]).shape))

# %% remedies hidden=true
torch.testing.assert_close(stream_mean, mean)
torch.testing.assert_close(stream_std, std)
torch.testing.assert_close(merged, ordered.std(dim=(0, 2, 3), correction=0))
for value in (0.0, 0.1, 0.3, -123.456):  # with rounding, the scale is not exactly 0
    same = torch.full((1000,), value)
    assert same.std(correction=0) <= 1e-6 * same.mean().abs()
torch.testing.assert_close(model[0](val), normalize(val))
sizes = [torch.rand(1, 3, 5, 7), torch.rand(1, 3, 9, 4)]  # images of two sizes
both = torch.cat([image.flatten(2) for image in sizes], dim=2)
torch.testing.assert_close(channel_statistics([[image] for image in sizes])[1], both.std(dim=(0, 2), correction=0))

# %% constant-or-not hidden=true
stamps = 1.7e9 + 600 * torch.randn(1000, 1, dtype=torch.float64)  # far from 0, and not constant
tenths = torch.full((1000, 1), 0.1)
for column, is_constant in ((stamps, False), (tenths, True)):
    assert bool((column.amax(dim=0) == column.amin(dim=0)).all()) is is_constant

# %% own-numbers hidden=true
kept = mean.clone(), std.clone()
Normalize(mean, std).load_state_dict(Normalize(mean + 1, std + 1).state_dict())
assert torch.equal(mean, kept[0]) and torch.equal(std, kept[1])  # the script's own are as before

# %% kinds hidden=true
labelled = DataLoader(TensorDataset(pixels.half(), torch.zeros(400)), batch_size=64)
torch.testing.assert_close(channel_statistics(labelled)[1], std, atol=1e-3, rtol=1e-3)
for dtype in (torch.bfloat16, torch.float64):
    assert model.to(dtype)(val[:1]).dtype == dtype

"""What helps when BatchNorm's eval mode disagrees with training."""

# %% data
import torch
from torch import nn

torch.manual_seed(0)
hidden = torch.randn(1000, 1) * 3 + 10  # (sample, channel)
norm = nn.BatchNorm1d(1)
for batch in hidden[:40].split(8):  # five updates
    norm(batch)
print(norm.running_mean, norm.running_var)

# %% re-estimate
norm.reset_running_stats()
norm.momentum = None  # a plain average over all batches
norm.train()
with torch.no_grad():
    for batch in hidden.split(100):
        norm(batch)
print("running", norm.running_mean, norm.running_var)
print("data   ", hidden.mean(), hidden.var())

# %% sorted hidden=true
norm.reset_running_stats()
for batch in hidden.sort(dim=0).values.split(100):
    norm(batch)
assert norm.running_var < 0.1 * hidden.var()

# %% update-bn
from torch.optim.swa_utils import update_bn

net = nn.Sequential(nn.BatchNorm1d(1), nn.Linear(1, 1))
update_bn(hidden.split(100), net)  # any iterable of batches
print(net[0].running_mean, net[0].running_var, net[0].momentum)

# %% no-tracking
norm = nn.BatchNorm1d(1, track_running_stats=False)
print("running_mean:", norm.running_mean)
print("same in both modes:", torch.equal(norm.train()(hidden), norm.eval()(hidden)))

# %% no-tracking-price
for rows in (2, 100):
    print(f"first row in a batch of {rows}: {norm(hidden[:rows])[0].item():.2f}")

# %% no-tracking-one-row hidden=true raises="ValueError"
norm.eval()(hidden[:1])

# %% group-norm
image = torch.randn(2, 8, 4, 4)  # (batch, channels, height, width)
norm = nn.GroupNorm(num_groups=4, num_channels=8)
print("same in both modes:", torch.equal(norm.train()(image), norm.eval()(image)))
print("same alone:", torch.allclose(norm(image)[:1], norm(image[:1])))
print("state:", list(norm.state_dict()))

# %% batch-of-one raises="ValueError"
nn.BatchNorm1d(2)(torch.randn(1, 2))

# %% batch-of-one-image
print("image:", nn.BatchNorm2d(2)(torch.randn(1, 2, 4, 4)).shape)
print("eval(): ", nn.BatchNorm1d(2).eval()(torch.randn(1, 2)).shape)

# %% drop-last
from torch.utils.data import DataLoader

dataset = torch.randn(9, 2)
for drop_last in (False, True):
    loader = DataLoader(dataset, batch_size=4, drop_last=drop_last)
    print(f"{drop_last=!s:5} batch sizes {[len(batch) for batch in loader]}")

# %% remedies hidden=true
layer = nn.BatchNorm1d(3)
layer(torch.randn(2, 3))
layer.eval()(torch.randn(1, 3))
rows = torch.utils.data.DataLoader(torch.randn(9, 3), batch_size=4, drop_last=True)
assert [len(batch) for batch in rows] == [4, 4]

# %% set-later hidden=true
norm = nn.BatchNorm1d(1)
norm.track_running_stats = False  # the buffers stay, and eval mode uses them
assert not torch.equal(norm.train()(hidden), norm.eval()(hidden))
try:
    nn.GroupNorm(8, 8).eval()(torch.randn(1, 8))
except ValueError as error:
    assert "more than 1 value" in str(error)
else:
    raise AssertionError("one value in each group")
assert nn.GroupNorm(8, 8)(torch.randn(2, 8)).abs().max() < 0.05  # two samples: no error, and nothing of the input

"""Larger batches make BatchNorm's running statistics better, not worse."""

# %% errors
import torch
from torch import nn

torch.manual_seed(0)
true_mean, true_std = 10.0, 3.0
estimates = {}
for batch_size in (2, 8, 32, 256, 2048):
    norm = nn.BatchNorm1d(30)  # 30 channels: 30 independent repeats
    for _ in range(100):
        norm(torch.randn(batch_size, 30) * true_std + true_mean)
    estimates[batch_size] = norm.running_mean, norm.running_var

for batch_size, (mean, variance) in estimates.items():
    mean_error = (mean - true_mean).abs().mean()
    variance_error = (variance / true_std**2 - 1).abs().mean()
    errors = f"mean off by {mean_error:.3f}, var by {variance_error:.1%}"
    print(f"{batch_size:4}: {errors}")

# %% drawing fold=true
import matplotlib.pyplot as plt

sizes = list(estimates)
means, variances = zip(*estimates.values())
fig, axes = plt.subplots(1, 2, figsize=(6.0, 3.0))
for ax, name, values, target in zip(
    axes, ("running_mean", "running_var"), (means, variances), (true_mean, true_std**2)
):
    dashes = [(size, value) for size, channels in zip(sizes, values) for value in channels.tolist()]
    x = [end for size, _ in dashes for end in (size * 0.75, size * 1.33, None)]
    y = [end for _, value in dashes for end in (value, value, None)]
    ax.plot(x, y, linewidth=1.2, alpha=0.7)
    ax.axhline(target, color="C1", linewidth=1.5)
    ax.set_xscale("log")
    ax.set_xticks(sizes, sizes)
    ax.minorticks_off()
    ax.locator_params(axis="y", nbins=5)
    ax.set_title(name, fontsize=10)
    ax.set_xlabel("batch size")

# %% theory
for batch_size, (mean, _) in estimates.items():
    expected = true_std * (0.1 / (2 - 0.1) / batch_size) ** 0.5
    print(f"{batch_size:4}: spread {mean.std():.3f}, expected {expected:.3f}")

# %% output
torch.manual_seed(1)
test = torch.randn(10_000, 30) * true_std + true_mean
for batch_size, (mean, variance) in estimates.items():
    norm = nn.BatchNorm1d(30).eval()
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    gap = (norm(test) - norm.train()(test)).abs().mean()
    print(f"{batch_size:4}: mean |eval - train| {gap:.3f}")

# %% sync
net = nn.Sequential(nn.Conv2d(3, 8, kernel_size=3), nn.BatchNorm2d(8))
net = nn.SyncBatchNorm.convert_sync_batchnorm(net)
print([type(layer).__name__ for layer in net])

# %% small-momentum hidden=true
torch.manual_seed(2)
norm = nn.BatchNorm1d(30, momentum=0.01)
for _ in range(1000):
    out = norm(torch.randn(2, 30) * true_std + true_mean)
assert (norm.running_mean - true_mean).abs().mean() < 0.3
assert (out.abs() > 0.99).float().mean() > 0.9  # of two samples one is 1, one -1
assert (norm.eval()(test).abs() > 0.99).float().mean() < 0.4

"""Why BatchNorm's outputs differ between training and eval mode."""

# %% warm-up
import torch
from torch import nn


def gap(norm, hidden):
    frozen = norm.eval()(hidden)
    norm.momentum = 0.0  # look at the batch, do not learn from it
    return (norm.train()(hidden) - frozen).abs().mean().item()


def after(updates, batch_size):
    norm = nn.BatchNorm1d(16)
    for _ in range(updates):
        norm(torch.randn(batch_size, 16) * 3 + 10)
    return gap(norm, torch.randn(batch_size, 16) * 3 + 10)


torch.manual_seed(0)
for batch_size in (8, 64, 512):
    gaps = [round(after(updates, batch_size), 2) for updates in (1, 5, 50)]
    print(f"batch size {batch_size:3}: after 1, 5, 50 updates {gaps}")

# %% drawing fold=true
import matplotlib.pyplot as plt

torch.manual_seed(0)
counts = (1, 2, 3, 5, 8, 12, 20, 30, 50, 80)
fig, ax = plt.subplots(figsize=(5.6, 3))
for batch_size in (8, 64, 512):
    ax.plot(counts, [after(n, batch_size) for n in counts], "o-", markersize=4, label=f"batch size {batch_size}")
ax.set(xlabel="updates", ylabel="mean |train - eval|", xscale="log", yscale="log")
ax.set_xticks((1, 2, 5, 10, 20, 50), (1, 2, 5, 10, 20, 50))
ax.minorticks_off()
ax.legend(frameon=False, fontsize=9)

# %% constant-batch
norm = nn.BatchNorm1d(1)
hidden = torch.tensor([[7.0], [13.0]])
for updates in range(1, 51):
    norm(hidden)
    if updates in (1, 5, 50):
        expected = (1 - 0.9**updates) * 10
        running = norm.running_mean.item()
        print(f"{updates:2} updates: {running:.3f}, formula {expected:.3f}")

# %% shift
torch.manual_seed(1)
norm = nn.BatchNorm1d(1)
for _ in range(100):
    norm(torch.randn(256, 1) * 3 + 10)  # trained on N(10, 3)

shifted = torch.randn(1000, 1)  # tested on N(0, 1)
in_eval = norm.eval()(shifted).detach()
in_train = norm.train()(shifted).detach()
print(f"train mode: mean {in_train.mean():.2f}, std {in_train.std():.2f}")
print(f"eval mode: mean {in_eval.mean():.2f}, std {in_eval.std():.2f}")

# %% shift-drawing fold=true
familiar = norm.eval()(torch.randn(1000, 1) * 3 + 10).detach()
fig, ax = plt.subplots(figsize=(5.6, 2.6))
for values, label in ((familiar, "eval(), N(10, 3)"), (in_eval, "eval(), N(0, 1)"), (in_train, "train(), N(0, 1)")):
    ax.hist(values[:, 0].numpy(), bins=40, range=(-5, 4), histtype="step", linewidth=1.6, label=label)
ax.set(xlabel="output", ylabel="count")
ax.legend(frameon=False, fontsize=9)

# %% measured-while-training hidden=true
import copy

torch.manual_seed(0)
for measured, moves in ((lambda layer: layer, False), (copy.deepcopy, True)):
    layer = nn.BatchNorm1d(16)
    gaps, means = [], []
    for _ in range(3):
        for _ in range(10):
            layer(torch.randn(64, 16) * 3 + 10)
        gaps.append(gap(measured(layer), torch.randn(64, 16) * 3 + 10))
        means.append(layer.running_mean.clone())
    assert (layer.momentum == 0.1) is moves
    assert torch.equal(means[0], means[2]) is not moves
    assert (gaps[2] < gaps[0] / 2) is moves

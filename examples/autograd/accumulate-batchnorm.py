"""Accumulated micro-batches equal the large batch only under conditions."""

# %% setup
import torch
from torch import nn

torch.manual_seed(0)
features, targets = torch.randn(8, 3), torch.randn(8, 1)
plain = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
normed = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1))
loss_fn = nn.MSELoss()  # a mean


def gradient(net, sizes, weights):
    """The gradient of the first weight, accumulated over parts of these sizes."""
    net.zero_grad()
    for x, y, weight in zip(features.split(sizes), targets.split(sizes), weights):
        (weight * loss_fn(net(x), y)).backward()
    return net[0].weight.grad.clone()


# %% equal
def show(name, gradient):
    print(f"{name:24}", [f"{value:.4f}" for value in gradient[0].tolist()])  # the first row


whole = gradient(plain, [8], [1])
show("the whole batch", whole)
show("4 parts of 2, each / 4", gradient(plain, [2] * 4, [1 / 4] * 4))

# %% unequal
parts = [3, 3, 2]  # the last one is smaller
show("3 + 3 + 2, each / 3", gradient(plain, parts, [1 / 3] * 3))
show("3 + 3 + 2, each * n / 8", gradient(plain, parts, [n / 8 for n in parts]))

# %% unequal-exact hidden=true
assert torch.allclose(gradient(plain, [2] * 4, [1 / 4] * 4), whole, atol=1e-6)
assert torch.allclose(gradient(plain, parts, [n / 8 for n in parts]), whole, atol=1e-6)
assert not torch.allclose(gradient(plain, parts, [1 / 3] * 3), whole, atol=1e-3)

# %% batchnorm
show("training mode, whole", gradient(normed, [8], [1]))
show("training mode, 4 + 4", gradient(normed, [4, 4], [1 / 2] * 2))

normed.eval()  # fixed statistics
show("eval mode, whole", gradient(normed, [8], [1]))
show("eval mode, 4 + 4", gradient(normed, [4, 4], [1 / 2] * 2))

# %% groupnorm hidden=true
grouped = nn.Sequential(nn.Linear(3, 4), nn.GroupNorm(2, 4), nn.ReLU(), nn.Linear(4, 1))
assert torch.allclose(gradient(grouped, [2] * 4, [1 / 4] * 4), gradient(grouped, [8], [1]), atol=1e-6)

# %% tokens
import torch.nn.functional as F

logits = torch.randn(4, 5, 7, requires_grad=True)  # (batch, time, classes)
labels = torch.randint(7, (4, 5))
labels[0, 1:] = -100  # padding: this sequence has one token
mean = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
(whole,) = torch.autograd.grad(mean, logits)

total = (labels != -100).sum()
for name, reduction, divisor in (("mean of means", "mean", 4), ("sum / all tokens", "sum", total)):
    accumulated = torch.zeros_like(logits)
    for row in range(4):
        loss = F.cross_entropy(logits[row], labels[row], reduction=reduction) / divisor
        accumulated += torch.autograd.grad(loss, logits)[0]
    print(f"{name:17} equals the whole batch: {torch.allclose(accumulated, whole, atol=1e-6)}")

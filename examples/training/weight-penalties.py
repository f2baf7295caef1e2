"""L1, L2 and elastic penalties: added to the loss by hand, or left to the optimizer."""

# %% by-hand
import torch
import torch.nn.functional as F
from torch import nn


def penalty(params, l1=0.0, l2=0.0):
    """The elastic penalty: l1 · Σ|w| + l2 / 2 · Σw²."""
    params = list(params)  # parameters() can be gone through once only
    absolute = sum(param.abs().sum() for param in params)
    squared = sum(param.square().sum() for param in params)
    return l1 * absolute + l2 / 2 * squared


weight = nn.Parameter(torch.tensor([-2.0, 0.0, 0.5], dtype=torch.float64))
for name, options in {
    "L1     ": dict(l1=0.5),
    "L2     ": dict(l2=0.25),
    "elastic": dict(l1=0.5, l2=0.25),
}.items():
    value = penalty([weight], **options)
    (gradient,) = torch.autograd.grad(value, weight)
    print(f"{name} {value:.4f}  gradient {gradient.tolist()}")

# %% data
torch.manual_seed(0)
inputs = torch.randn(200, 10, dtype=torch.float64)  # (samples, features)
truth = torch.tensor([3.0, -2.0] + [0.0] * 8, dtype=torch.float64)
noise = torch.randn(200, dtype=torch.float64)
targets = (inputs @ truth + 1 + noise).unsqueeze(1)  # two features matter


def train(make_optimizer, extra=lambda net: 0.0, after=lambda net: None):
    torch.manual_seed(0)
    net = nn.Linear(10, 1).double()
    optimizer = make_optimizer(net)
    for _ in range(300):
        loss = F.mse_loss(net(inputs), targets) + extra(net)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        after(net)
    return net


def sgd(net, **options):
    return torch.optim.SGD(net.parameters(), lr=0.05, **options)


# %% equal
decay = train(lambda net: sgd(net, weight_decay=0.2))
half = train(sgd, lambda net: penalty(net.parameters(), l2=0.2))
whole = train(sgd, lambda net: 2 * penalty(net.parameters(), l2=0.2))
for name, net in {"weight_decay=0.2": decay, "0.2 / 2": half, "0.2": whole}.items():
    print(f"{name:17} w[0] {net.weight[0, 0]:.4f}  bias {net.bias.item():.4f}")


# %% left-out
def grouped(net):
    groups = [
        {"params": [net.weight], "weight_decay": 0.2},
        {"params": [net.bias], "weight_decay": 0.0},
    ]
    return torch.optim.SGD(groups, lr=0.05)


by_groups = train(grouped)
by_loss = train(sgd, lambda net: penalty([net.weight], l2=0.2))
for name, net in {"groups": by_groups, "in the loss": by_loss}.items():
    print(f"{name:11} w[0] {net.weight[0, 0]:.4f}  bias {net.bias.item():.4f}")

# %% no-zeros
l1 = train(sgd, lambda net: penalty([net.weight], l1=0.5))
print("exact zeros:", (l1.weight == 0).sum().item())
print("below 0.05: ", (l1.weight.abs() < 0.05).sum().item())


# %% soft-threshold
@torch.no_grad()
def shrink(net, l1=0.5, lr=0.05):
    net.weight.copy_(F.softshrink(net.weight, lr * l1))  # to 0, not past it


sparse = train(sgd, after=shrink)
print("exact zeros:", (sparse.weight == 0).sum().item())
print([round(weight, 2) for weight in sparse.weight[0].tolist()])

# %% report
net = train(sgd, lambda net: penalty([net.weight], l2=0.2))
data_term = F.mse_loss(net(inputs), targets)
extra = penalty([net.weight], l2=0.2)
print(f"mse {data_term:.2f}  penalty {extra:.2f}  sum {data_term + extra:.2f}")

# %% activations hidden=true
torch.manual_seed(0)
layer = nn.Sequential(nn.Linear(4, 8), nn.ReLU())
hidden = layer(torch.randn(16, 4))  # (batch, units)
extra = penalty([hidden], l1=0.01) / len(hidden)  # a mean over the samples
extra.backward()
assert layer[0].weight.grad.any()

# %% claims hidden=true
assert torch.allclose(decay.weight, half.weight, rtol=0, atol=1e-12)
assert torch.allclose(decay.bias, half.bias, rtol=0, atol=1e-12)
doubled = train(lambda net: sgd(net, weight_decay=0.4))
assert torch.allclose(doubled.weight, whole.weight, rtol=0, atol=1e-12)
assert torch.allclose(by_groups.weight, by_loss.weight, rtol=0, atol=1e-12)
assert torch.allclose(by_groups.bias, by_loss.bias, rtol=0, atol=1e-12)
assert (sparse.weight == 0).sum() == 8 and (l1.weight == 0).sum() == 0
clipped = []
for options, factor in ((dict(weight_decay=0.2), 0.0), ({}, 0.2)):  # clipping sees only what is in the gradient
    weight = nn.Parameter(torch.tensor([10.0]))
    optimizer = torch.optim.SGD([weight], lr=0.1, **options)
    (weight.sum() + penalty([weight], l2=factor)).backward()
    nn.utils.clip_grad_norm_([weight], 1.0)
    optimizer.step()
    clipped.append(round(weight.item(), 4))
assert clipped == [9.7, 9.9], clipped

# %% sixteen-bits hidden=true
weights = nn.Parameter(torch.full((1000,), 10.0, dtype=torch.float16))
assert penalty([weights], l2=0.1).isinf()
extra = penalty((param.float() for param in [weights]), l2=0.1)
extra.backward()
assert extra.item() == 5000 and weights.grad.dtype == torch.float16 and weights.grad.isfinite().all()


# %% accumulated hidden=true
def accumulated(parts, share):
    """The gradient of a batch in parts; the first one takes this share of the penalty."""
    weight = nn.Parameter(torch.ones(1, dtype=torch.float64))
    for part in range(parts):
        loss = (inputs[part::parts, :1] * weight - 1).square().mean() / parts
        loss = loss + share * penalty([weight], l2=0.2) if part == 0 else loss
        loss.backward()
    return weight.grad.item()


assert abs(accumulated(4, 1.0) - accumulated(1, 1.0)) < 1e-12
assert abs(accumulated(4, 1 / 4) - accumulated(1, 1.0)) > 0.1  # divided, as the loss is

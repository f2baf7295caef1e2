"""Batch, Layer, Group, Instance and RMS norm: which numbers share a mean."""

# %% by-hand
import torch
from torch import nn

torch.manual_seed(0)
image = torch.randn(4, 6, 5, 5) * 3 + 10  # (batch, channels, height, width)


def standardize(values, dim):
    mean = values.mean(dim, keepdim=True)
    variance = values.var(dim, correction=0, keepdim=True)
    return (values - mean) / (variance + 1e-5).sqrt()


grouped = image.view(4, 3, 2, 5, 5)  # (batch, group, channel, height, width)
by_hand = {
    nn.BatchNorm2d(6): standardize(image, (0, 2, 3)),
    nn.LayerNorm([6, 5, 5]): standardize(image, (1, 2, 3)),
    nn.GroupNorm(3, 6): standardize(grouped, (2, 3, 4)).view_as(image),
    nn.InstanceNorm2d(6): standardize(image, (2, 3)),
}
for norm, expected in by_hand.items():
    same = torch.allclose(norm(image), expected, atol=1e-4)
    print(f"{type(norm).__name__:15} as by hand: {same}")


# %% shared
def shared(norm):
    """What output [1, 2] depends on: (batch, channels)."""
    values = image.clone().requires_grad_()
    norm(values)[1, 2, 0, 0].backward()
    return (values.grad != 0).any(dim=3).any(dim=2)


for norm in by_hand:
    print(type(norm).__name__)
    for row in shared(norm):
        print("   ", "".join(".x"[used] for used in row))

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(2, 2, figsize=(5.2, 4.2))
for ax, norm in zip(axes.flat, by_hand):
    y, x = shared(norm).nonzero().T
    ax.hlines([n - 0.5 for n in range(5)], -0.5, 5.5, color="C0", alpha=0.5, linewidth=0.8)
    ax.vlines([n - 0.5 for n in range(7)], -0.5, 3.5, color="C0", alpha=0.5, linewidth=0.8)
    ax.scatter(x, y, s=330, marker="s", color="C0", linewidth=0)
    ax.scatter(2, 1, s=25, color="C1")
    ax.set_title(type(norm).__name__, fontsize=11)
    ax.set_xlabel("channels", fontsize=10)
    ax.set_ylabel("batch", fontsize=10)
    ax.set(xlim=(-0.6, 5.6), ylim=(3.6, -0.6), xticks=[], yticks=[])
    ax.set_aspect("equal")
    ax.spines[:].set_visible(False)

# %% modes
for norm in by_hand:
    same_modes = torch.equal(norm.train()(image), norm.eval()(image))
    alone = torch.allclose(norm.train()(image)[:1], norm(image[:1]), atol=1e-5)
    state = [name for name in norm.state_dict()]
    print(f"{type(norm).__name__:15} {same_modes=!s:5} {alone=!s:5} {state}")

# %% tokens
tokens = torch.randn(2, 3, 8) * 3 + 10  # (batch, time, features)
layer_norm, rms_norm = nn.LayerNorm(8), nn.RMSNorm(8, eps=1e-5)
for norm in (layer_norm, rms_norm):
    out = norm(tokens).detach()
    mean, rms = out.mean(dim=-1)[0, 0], out.square().mean(dim=-1).sqrt()[0, 0]
    names = [name for name, _ in norm.named_parameters()]
    print(f"{type(norm).__name__:9} {abs(mean):.2f} mean, {rms:.2f} rms, {names}")

# %% wrong-shape raises="RuntimeError"
nn.LayerNorm(6)(image)

# %% channels-last
channels_last = nn.LayerNorm(6)(image.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)
means = channels_last.mean(dim=1).abs()  # over the channels of each pixel
print(tuple(channels_last.shape), "means below 1e-5:", bool((means < 1e-5).all()))

# %% groups raises="ValueError"
nn.GroupNorm(num_groups=4, num_channels=6)

# %% functional
torch.manual_seed(0)
x = torch.randn(2, 4)
layer = nn.LayerNorm(4)
out = nn.functional.layer_norm(x, (4,), layer.weight, layer.bias, layer.eps)
print("as the module:", torch.allclose(out, layer(x)))
means = nn.functional.layer_norm(x, (4,)).mean(dim=1)
print("means below 1e-6:", bool((means.abs() < 1e-6).all()))

# %% without-weights
for options in ({}, dict(bias=False), dict(elementwise_affine=False)):
    print(options, list(nn.LayerNorm(4, **options).state_dict()))

# %% unexpected raises="RuntimeError"
nn.LayerNorm(4, elementwise_affine=False).load_state_dict(layer.state_dict())

# %% rms-by-hand hidden=true
rms = (tokens.square().mean(dim=-1, keepdim=True) + 1e-5).sqrt()
torch.testing.assert_close(rms_norm(tokens), tokens / rms)
torch.testing.assert_close(layer_norm(tokens), standardize(tokens, -1), atol=1e-4, rtol=1e-4)

# %% same-options hidden=true
nn.LayerNorm(4).load_state_dict(layer.state_dict())

# %% one-number hidden=true
for norm in (nn.InstanceNorm2d(8), nn.GroupNorm(8, 8), nn.GroupNorm(8, 8).eval()):
    try:
        norm(torch.randn(1, 8, 1, 1))
    except ValueError as error:
        assert "Expected more than 1" in str(error)
    else:
        raise AssertionError(f"{norm} normalizes a single number")
assert nn.GroupNorm(8, 8)(torch.randn(4, 8, 1, 1)).abs().max() < 1e-2  # nothing remains
assert nn.GroupNorm(4, 8)(torch.randn(1, 8, 1, 1)).any() and nn.LayerNorm(8)(torch.randn(1, 8)).any()
torch.testing.assert_close(nn.GroupNorm(1, 6)(image), nn.LayerNorm([6, 5, 5])(image), atol=1e-4, rtol=1e-4)

"""BatchNorm normalizes with the batch in training mode and with stored statistics in eval mode."""

# %% first-step
import torch
from torch import nn

torch.manual_seed(0)
norm = nn.BatchNorm1d(2)
hidden = torch.randn(8, 2) * 3 + 10  # (batch, channels)
print(norm.running_mean, norm.running_var, norm.num_batches_tracked)

out = norm(hidden)
print(norm.running_mean, norm.running_var, norm.num_batches_tracked)

# %% running
mean = hidden.mean(dim=0)
variance = hidden.var(dim=0)  # unbiased: divides by N - 1
print("momentum", norm.momentum)
print("mean", norm.running_mean, 0.9 * torch.zeros(2) + 0.1 * mean)
print("var ", norm.running_var, 0.9 * torch.ones(2) + 0.1 * variance)

# %% train-by-hand
biased = hidden.var(dim=0, correction=0)  # divides by N
by_hand = (hidden - mean) / (biased + norm.eps).sqrt()
unbiased_by_hand = (hidden - mean) / (variance + norm.eps).sqrt()
outputs = {"norm": out, "biased": by_hand, "unbiased": unbiased_by_hand}
for name, value in outputs.items():
    print(f"{name:8} {value[0].detach()}")

# %% biased-is-equal hidden=true
torch.testing.assert_close(out, by_hand)
assert not torch.allclose(out, unbiased_by_hand, atol=0.01)

# %% eval-by-hand
norm.eval()
out = norm(hidden)
by_hand = (hidden - norm.running_mean) / (norm.running_var + norm.eps).sqrt()
print(out[0].detach(), by_hand[0])
print("batches tracked:", norm.num_batches_tracked.item())


# %% one-row
def first_row(batch):
    return norm(batch)[0].detach()


norm.eval()
print("eval: ", first_row(hidden[:4]), first_row(hidden))
norm.train()
print("train:", first_row(hidden[:4]), first_row(hidden))

# %% alone-in-eval hidden=true
norm.eval()
torch.testing.assert_close(first_row(hidden[:1]), first_row(hidden))

# %% drawing fold=true
import matplotlib.pyplot as plt

torch.manual_seed(0)
norm = nn.BatchNorm1d(1)
batch = torch.randn(64, 1) * 3 + 10
fig, axes = plt.subplots(1, 3, figsize=(6.6, 2.2), sharey=True)
outputs = {"hidden": batch, "train()": norm.train()(batch), "eval(), 1 update": norm.eval()(batch)}
for ax, (title, values) in zip(axes, outputs.items()):
    ax.hist(values[:, 0].detach().numpy(), bins=16, histtype="stepfilled", alpha=0.8)
    ax.axvline(0, color="C1", linewidth=1.5)
    ax.set_title(title, fontsize=10)

# %% images
conv_norm = nn.BatchNorm2d(3)
image = torch.randn(4, 3, 5, 5)  # (batch, channels, height, width)
out = conv_norm(image)
print("running_mean:", conv_norm.running_mean.shape)
print("channel means below 1e-5:", (out.mean(dim=(0, 2, 3)).abs() < 1e-5).tolist())

# %% state
print("parameters:", [name for name, _ in norm.named_parameters()])
print("buffers:   ", [name for name, _ in norm.named_buffers()])

# %% frozen
norm.train().requires_grad_(False)
before = norm.num_batches_tracked.item()
norm(batch)
print("batches tracked:", before, "->", norm.num_batches_tracked.item())

# %% counter-cases hidden=true
torch.manual_seed(0)
for layer, shape in (
    (nn.BatchNorm1d(3), (20, 3)),
    (nn.BatchNorm2d(3), (20, 3, 4, 5)),
    (nn.BatchNorm3d(3), (9, 3, 2, 2, 2)),
):
    layer(torch.randn(shape) * 4 + 7)
    layer.eval()
    with torch.no_grad():
        layer.weight.uniform_()
        layer.bias.uniform_()
    before = {name: value.clone() for name, value in layer.state_dict().items()}
    for x in (torch.randn(shape), 1e3 * torch.randn(shape), torch.zeros(shape), torch.randn(shape)[:1]):
        channels = (1, 3, *[1] * (x.ndim - 2))
        mean, var, weight, bias = (
            value.view(channels) for value in (layer.running_mean, layer.running_var, layer.weight, layer.bias)
        )
        expected = (x - mean) / (var + layer.eps).sqrt() * weight + bias
        torch.testing.assert_close(layer(x), expected, rtol=1e-4, atol=1e-4)
    assert all(torch.equal(value, before[name]) for name, value in layer.state_dict().items())
untracked = nn.BatchNorm1d(3, track_running_stats=False)
x = torch.randn(20, 3)
assert torch.equal(untracked(x), untracked.eval()(x))  # the exception: the batch, in both modes

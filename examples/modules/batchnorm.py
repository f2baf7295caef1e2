"""BatchNorm normalises with the batch in training mode and with stored statistics in eval mode."""

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
print(norm.momentum)
print(torch.allclose(norm.running_mean, 0.9 * torch.zeros(2) + 0.1 * mean))
print(torch.allclose(norm.running_var, 0.9 * torch.ones(2) + 0.1 * variance))

# %% train-by-hand
biased = hidden.var(dim=0, correction=0)  # divides by N
by_hand = (hidden - mean) / (biased + norm.eps).sqrt()
unbiased_by_hand = (hidden - mean) / (variance + norm.eps).sqrt()
print(torch.allclose(out, by_hand, atol=1e-6))
print(torch.allclose(out, unbiased_by_hand, atol=1e-6))

# %% eval-by-hand
norm.eval()
out = norm(hidden)
by_hand = (hidden - norm.running_mean) / (norm.running_var + norm.eps).sqrt()
print(torch.allclose(out, by_hand))
print(norm.num_batches_tracked)

# %% one-row
print(torch.allclose(norm(hidden[:1]), out[:1]))
norm.train()
print(torch.allclose(norm(hidden[:4])[:1], norm(hidden)[:1]))

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
print(conv_norm.running_mean.shape)
print(out.mean(dim=(0, 2, 3)).abs().max() < 1e-6)

# %% state
print([name for name, _ in norm.named_parameters()])
print([name for name, _ in norm.named_buffers()])

# %% frozen
norm.train().requires_grad_(False)
before = norm.running_mean.clone()
norm(batch)
print(torch.equal(norm.running_mean, before))

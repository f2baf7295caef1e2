"""What goes wrong with activation checkpointing."""

# %% block
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
features = torch.randn(256, 64)  # (sample, feature)
layers = nn.Linear(64, 64), nn.GELU(), nn.Dropout(0.1), nn.Linear(64, 64)
block = nn.Sequential(*layers)

# %% reentrant warns="UserWarning"
out = checkpoint(block, features, use_reentrant=True)
print("requires grad:", out.requires_grad)

# %% not-reentrant
out = checkpoint(block, features, use_reentrant=False)
out.sum().backward()
print("requires grad:", out.requires_grad)
print("gradient of the weight:", block[0].weight.grad is not None)

# %% random
hidden = torch.randn(256, 64, requires_grad=True)


def gradient_and_output(preserve):
    torch.manual_seed(2)
    options = dict(use_reentrant=False, preserve_rng_state=preserve)
    out = checkpoint(block, hidden, **options)
    return torch.autograd.grad(out.sum(), hidden)[0]


torch.manual_seed(2)
(expected,) = torch.autograd.grad(block(hidden).sum(), hidden)
for preserve in (True, False):
    right = torch.allclose(gradient_and_output(preserve), expected)
    print(f"preserve_rng_state={preserve!s:5}  right: {right}")

# %% unnamed warns="UserWarning"
out = checkpoint(block, hidden)

# %% changed raises="CheckpointError"
block.train()
out = checkpoint(block, hidden, use_reentrant=False)
block.eval()  # the second run does not meet what the first one met
out.sum().backward()

# %% batch-norm
norm = nn.BatchNorm1d(64)
checkpoint(norm, features, use_reentrant=False).sum().backward()
print("batches seen:", norm.num_batches_tracked.item())

# %% other-metadata raises="CheckpointError"
normed = nn.Sequential(nn.Linear(64, 64), nn.BatchNorm1d(64))
out = checkpoint(normed, hidden, use_reentrant=False)
normed.eval()
out.sum().backward()

# %% other-weights
linear = nn.Linear(64, 64)
out = checkpoint(linear, hidden, use_reentrant=False)
with torch.no_grad():
    linear.weight.zero_()  # as a step would change it
(gradient,) = torch.autograd.grad(out.sum(), hidden)
print("largest gradient:", gradient.abs().max())

# %% unchanged hidden=true
for again in (block.train(), block.eval(), normed.train(), normed.eval()):
    checkpoint(again, hidden, use_reentrant=False).sum().backward()
for forward, backward in ((True, False), (False, True)):  # autocast is restored
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=forward):
        out = checkpoint(block, hidden, use_reentrant=False)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=backward):
        out.float().sum().backward()

"""Norm layers for small batches: how much one sample's output depends on the rest of its batch."""

# %% noise
import torch
from torch import nn

torch.manual_seed(0)
features = torch.randn(512, 32, 8, 8) * torch.rand(512, 1, 1, 1) + torch.randn(512, 1, 1, 1)
sample = features[:1]  # (1, channels, height, width)


def noise(norm, batch_size):
    """How much the sample's output varies with the others in its batch."""
    outputs = []
    for others in features[1:257].split(batch_size - 1)[:40]:
        if len(others) == batch_size - 1:
            outputs.append(norm(torch.cat([sample, others]))[0])
    return torch.stack(outputs).std(dim=0).mean().item()


batch_norm, group_norm = nn.BatchNorm2d(32), nn.GroupNorm(8, 32)
for batch_size in (2, 8, 32):
    batch, group = noise(batch_norm, batch_size), noise(group_norm, batch_size)
    print(f"batch of {batch_size:2}: BatchNorm {batch:.2f}, GroupNorm {group:.2f}")


# %% to-group-norm
def to_group_norm(module, groups=8):
    """Replace every BatchNorm in place by a GroupNorm with the same scale and shift."""
    for name, child in module.named_children():
        if isinstance(child, nn.modules.batchnorm._BatchNorm):
            norm = nn.GroupNorm(groups, child.num_features, child.eps, child.affine)
            if child.affine:
                norm.weight, norm.bias = child.weight, child.bias
            setattr(module, name, norm)
        else:
            to_group_norm(child, groups)


torch.manual_seed(0)
block = nn.Sequential(nn.Conv2d(3, 32, 3, bias=False), nn.BatchNorm2d(32), nn.ReLU())
net = nn.Sequential(block, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 2))
to_group_norm(net)
print(net[0][1])

# %% output-changes
trained = nn.BatchNorm2d(32)
for part in features.split(64):
    trained(part)
trained.eval()
difference = (trained(sample) - nn.GroupNorm(8, 32)(sample)).abs().mean()
print(f"mean difference {difference:.1f}, of outputs of {trained(sample).abs().mean():.1f}")

# %% convert-sync
block = nn.Sequential(nn.Conv2d(3, 32, 3, bias=False), nn.BatchNorm2d(32), nn.ReLU())
before = block.state_dict()
block = nn.SyncBatchNorm.convert_sync_batchnorm(block)
print(block[1])
print("same state:", all(torch.equal(block.state_dict()[key], before[key]) for key in before))
alone = nn.BatchNorm2d(32)
returned = nn.SyncBatchNorm.convert_sync_batchnorm(alone)
print("passed alone:", type(alone).__name__, " returned:", type(returned).__name__)

# %% one-process
print("without processes:", tuple(block(torch.randn(2, 3, 8, 8)).shape))

# %% cpu raises="ValueError"
import torch.distributed as dist

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
block(torch.randn(2, 3, 8, 8))

# %% back-to-batch-norm
def to_batch_norm(module):
    """Replace every SyncBatchNorm by a BatchNorm2d with the same state; return the module."""
    if isinstance(module, nn.SyncBatchNorm):
        norm = nn.BatchNorm2d(module.num_features, module.eps, module.momentum, module.affine)
        norm.load_state_dict(module.state_dict())
        return norm.train(module.training)
    for name, child in module.named_children():
        setattr(module, name, to_batch_norm(child))
    return module


block = to_batch_norm(block)
print(type(block[1]).__name__, tuple(block(torch.randn(2, 3, 8, 8)).shape))
dist.destroy_process_group()

# %% accumulation
large = features[:32]
for norm in (nn.BatchNorm2d(32), nn.GroupNorm(8, 32)):
    parts = torch.cat([norm(part) for part in large.split(4)])  # accumulated gradients
    difference = (parts - norm(large)).abs().max()
    print(f"{type(norm).__name__:11} 8 x 4 samples or 32: differs by up to {difference:.1f}")

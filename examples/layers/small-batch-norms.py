"""Norm layers for small batches: how much one sample's output depends on the rest of its batch."""

# %% noise
import torch
from torch import nn

torch.manual_seed(0)
scale, shift = torch.rand(512, 1, 1, 1), torch.randn(512, 1, 1, 1)
features = torch.randn(512, 32, 8, 8) * scale + shift  # images differ
sample = features[:1]  # (1, channels, height, width)


def noise(norm, batch_size):
    """How much the sample's output varies with the others in its batch."""
    outputs = []
    for k in range(16):
        others = features[1 + k * batch_size :][: batch_size - 1]
        outputs.append(norm(torch.cat([sample, others]))[0])
    return torch.stack(outputs).std(dim=0).mean().item()


batch_norm, group_norm = nn.BatchNorm2d(32), nn.GroupNorm(8, 32)
for batch_size in (2, 8, 32):
    batch, group = noise(batch_norm, batch_size), noise(group_norm, batch_size)
    print(f"batch {batch_size:2}: BatchNorm {batch:.2f}, GroupNorm {group:.2f}")


# %% to-group-norm
def to_group_norm(module, groups=8):
    """Replace every BatchNorm inside `module` by a GroupNorm."""
    for name, child in module.named_children():
        if isinstance(child, nn.modules.batchnorm._BatchNorm):
            options = {"affine": child.affine}
            norm = nn.GroupNorm(groups, child.num_features, **options)
            like = next(module.parameters(), torch.empty(0))
            setattr(module, name, norm.to(like))
        else:
            to_group_norm(child, groups)


torch.manual_seed(0)
block = nn.Sequential(nn.Conv2d(3, 32, 3, bias=False), nn.BatchNorm2d(32))
net = nn.Sequential(block, nn.ReLU(), nn.Conv2d(32, 2, 3))
to_group_norm(net)
print(net[0][1])

# %% output-changes
trained = nn.BatchNorm2d(32)
for part in features.split(64):
    trained(part)
trained.eval()
difference = (trained(sample) - nn.GroupNorm(8, 32)(sample)).abs().mean()
print(f"outputs {trained(sample).abs().mean():.1f}, difference {difference:.1f}")

# %% accumulation
large = features[:32]
for norm in (nn.BatchNorm2d(32), nn.GroupNorm(8, 32)):
    parts = torch.cat([norm(part) for part in large.split(4)])
    difference = (parts - norm(large)).abs().max()
    print(f"{type(norm).__name__:11} 8 x 4 or 32: up to {difference:.1f} apart")

# %% convert-sync
block = nn.Sequential(nn.Conv2d(3, 32, 3, bias=False), nn.BatchNorm2d(32))
before = block.state_dict()
block = nn.SyncBatchNorm.convert_sync_batchnorm(block)
print([type(layer).__name__ for layer in block])
after = block.state_dict()
print("state kept:", all(torch.equal(after[key], before[key]) for key in before))
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
    """Replace every SyncBatchNorm by a BatchNorm2d with its state."""
    if isinstance(module, nn.SyncBatchNorm):
        options = {"affine": module.affine, "eps": module.eps}
        options["momentum"] = module.momentum
        options["track_running_stats"] = module.track_running_stats
        norm = nn.BatchNorm2d(module.num_features, **options)
        for name in ("weight", "bias", *dict(module.named_buffers())):
            setattr(norm, name, getattr(module, name))  # the same parameters
        return norm.train(module.training)
    for name, child in module.named_children():
        setattr(module, name, to_batch_norm(child))
    return module


block = to_batch_norm(block)
print(type(block[1]).__name__, tuple(block(torch.randn(2, 3, 8, 8)).shape))
dist.destroy_process_group()

# %% conversions hidden=true
for affine in (True, False):
    for tracked in (True, False):
        plain = nn.BatchNorm2d(8, affine=affine, track_running_stats=tracked, momentum=None)
        plain = nn.Sequential(nn.Conv2d(3, 8, 1), plain).double().eval()
        back = to_batch_norm(nn.SyncBatchNorm.convert_sync_batchnorm(plain))
        assert back[1].momentum is None and back.state_dict().keys() == plain.state_dict().keys()
        images = torch.randn(4, 3, 5, 5, dtype=torch.float64)
        assert torch.equal(back(images), plain(images))
        to_group_norm(plain)
        assert plain(images).dtype is torch.float64 and plain[1].affine is affine

# %% frozen-and-shared hidden=true
plain = nn.Sequential(nn.BatchNorm2d(8)).requires_grad_(False)
scale = plain[0].weight
back = to_batch_norm(nn.SyncBatchNorm.convert_sync_batchnorm(plain))
assert back[0].weight is scale and not scale.requires_grad  # frozen, and still the optimizer's

# %% under-two-names hidden=true
twice = nn.BatchNorm2d(8)
both = nn.SyncBatchNorm.convert_sync_batchnorm(nn.Sequential(twice, nn.ReLU(), twice))
assert type(both[0]) is nn.SyncBatchNorm and type(both[2]) is nn.BatchNorm2d

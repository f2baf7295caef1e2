"""DDP: gradients in another memory layout, and a search for nothing."""

# %% group
import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel

# One process is enough here.
dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)


class Pointwise(nn.Module):
    """A 1×1 convolution on images that keep their channels last."""

    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(4, 3, 1, 1))
        self.bias = nn.Parameter(torch.zeros(4))

    def forward(self, x):  # (batch, height, width, channels)
        weight = self.weight.permute(0, 2, 3, 1)
        return (x[:, None] * weight).sum(dim=-1) + self.bias[:, None, None]


x = torch.ones(2, 5, 5, 3)

# %% strides warns="UserWarning"
model = DistributedDataParallel(Pointwise())
model(x).sum().backward()

# %% strides-cure
net = Pointwise().to(memory_format=torch.channels_last)
DistributedDataParallel(net)(x).sum().backward()
weight = net.weight
print("weight", weight.stride(), "gradient", weight.grad.stride())

# %% other-cure
images = torch.ones(2, 3, 5, 5).to(memory_format=torch.channels_last)
conv = DistributedDataParallel(nn.Conv2d(3, 4, kernel_size=1))
conv(images.contiguous()).sum().backward()
weight = conv.module.weight
print("weight", weight.stride(), "gradient", weight.grad.stride())

# %% layouts
plain = Pointwise()
plain(x).sum().backward()
for name, tensor in {"weight": plain.weight, "gradient": plain.weight.grad}.items():
    last = tensor.is_contiguous(memory_format=torch.channels_last)
    print(f"{name:8} {tensor.stride()} {tensor.is_contiguous()=} {last=}")
print("same gradient:", torch.equal(plain.weight.grad, model.module.weight.grad))

# %% unused
model = DistributedDataParallel(nn.Linear(2, 1), find_unused_parameters=True)
for step in range(2):
    model(torch.ones(4, 2)).sum().backward()

# %% unused-cure
model = DistributedDataParallel(nn.Linear(2, 1))
for step in range(2):
    model(torch.ones(4, 2)).sum().backward()

# %% end hidden=true
del model, conv  # before its group
dist.destroy_process_group()

# %% layout-after-wrapping hidden=true
import warnings

dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
photos = torch.randn(2, 3, 8, 8, generator=torch.Generator().manual_seed(0))
warnings.simplefilter("ignore")  # the same warning, shown above
for before in (True, False):
    convolution = nn.Conv2d(3, 4, kernel_size=3)
    if before:
        convolution.to(memory_format=torch.channels_last)
    wrapped = DistributedDataParallel(convolution)
    convolution.to(memory_format=torch.channels_last)  # too late, if not before
    wrapped(photos).square().mean().backward()
    (right,) = torch.autograd.grad(convolution(photos).square().mean(), convolution.weight)
    assert torch.allclose(convolution.weight.grad, right, atol=1e-5) is before
del wrapped  # before its group
dist.destroy_process_group()


# %% learned-scale hidden=true
class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, kernel_size=3, groups=4)
        self.scale = nn.Parameter(torch.ones(1, 4, 1, 1))

    def forward(self, x):
        return self.scale * self.conv(x)


for alone in (False, True):
    scaled = Scaled()
    (scaled.conv if alone else scaled).to(memory_format=torch.channels_last)
    scaled(torch.ones(2, 4, 8, 8).to(memory_format=torch.channels_last)).sum().backward()
    assert scaled.conv.weight.stride() == scaled.conv.weight.grad.stride()
    assert (scaled.scale.stride() == scaled.scale.grad.stride()) is alone  # else DDP warns

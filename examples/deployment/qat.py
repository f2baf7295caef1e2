"""Quantization-aware training: fake quantize in the forward pass, a gradient that passes through."""

# %% gradient
import torch
import torch.nn.functional as F
from torch import nn

values = torch.tensor([-3.0, -0.7, 0.2, 0.9, 3.0], requires_grad=True)
fake = torch.fake_quantize_per_tensor_affine(values, 0.5, 0, -4, 3)  # -2.0 to 1.5
(gradient,) = torch.autograd.grad(fake.sum(), values)
print("values  ", values.detach())
print("fake    ", fake.detach())
print("gradient", gradient)


# %% layer
def fake_quantize(weight, bits):
    largest = 2 ** (bits - 1) - 1  # 2 bits: -1, 0 and 1
    size = weight.detach().float().abs().amax(dim=1)  # (out,)
    scale = size.clamp(min=1e-8) / largest
    zeros = torch.zeros_like(scale, dtype=torch.int32)
    return torch.fake_quantize_per_channel_affine(
        weight,
        scale,
        zeros,
        0,
        -largest,
        largest,
    )


class FakeQuantLinear(nn.Linear):
    bits = None  # None: full precision

    def forward(self, x):
        weight = self.weight
        if self.bits is not None:
            weight = fake_quantize(weight, self.bits)
        return F.linear(x, weight, self.bias)


def set_bits(model, bits):
    for module in model.modules():
        if isinstance(module, FakeQuantLinear):
            module.bits = bits


# %% data
def rings(count):
    labels = torch.arange(count) % 3
    angle = 2 * torch.pi * torch.rand(count)
    radius = 1.0 + labels + 0.25 * torch.randn(count).clamp(-1.5, 1.5)
    return torch.stack((radius * angle.cos(), radius * angle.sin()), 1), labels


def train(model, steps):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        F.cross_entropy(model(points), labels).backward()
        optimizer.step()


@torch.no_grad()
def accuracy(model):
    return (model(test_points).argmax(1) == test_labels).float().mean().item()


torch.manual_seed(0)
points, labels = rings(600)
test_points, test_labels = rings(600)
model = nn.Sequential(
    FakeQuantLinear(2, 32),
    nn.ReLU(),
    FakeQuantLinear(32, 32),
    nn.ReLU(),
    FakeQuantLinear(32, 3),
)
train(model, 300)
full = accuracy(model)
set_bits(model, 2)
rounded = accuracy(model)

# %% train
train(model, 300)  # goes on with 2 bits in the forward pass
aware = accuracy(model)
for name, score, bound in (
    ("float32", full, 0.95),
    ("2 bits, rounded afterwards", rounded, 0.85),
    ("2 bits, trained", aware, 0.9),
):
    print(f"{name:27}", "above" if score > bound else "below", f"{bound:.0%}")


# %% convert
def convert(linear):
    weight = fake_quantize(linear.weight.detach().float(), linear.bits)
    largest = 2 ** (linear.bits - 1) - 1
    scale = weight.abs().amax(dim=1, keepdim=True).clamp(min=1e-8) / largest
    return (weight / scale).round().to(torch.int8), scale


linear = model[2]
codes, scale = convert(linear)
print("codes:", codes.unique().tolist(), codes.dtype)
hidden = torch.rand(5, 32)
by_codes = F.linear(hidden, codes * scale, linear.bias)
print("same outputs:", torch.allclose(by_codes, linear(hidden), atol=1e-5))
print("in training:", linear.weight.dtype, "distinct:", len(linear.weight.unique()))


# %% activations
class FakeQuantInput(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("reach", torch.tensor(0.0))

    def forward(self, x):
        if self.training:
            self.reach.copy_(torch.maximum(self.reach, x.detach().abs().max()))
        scale = self.reach.item() / 127
        return torch.fake_quantize_per_tensor_affine(x, scale, 0, -127, 127)


layer = FakeQuantInput()
layer(torch.tensor([0.5, -2.0]))
print("reach", layer.reach.item())
layer.eval()
print("eval: ", layer(torch.tensor([0.5, -20.0])), "reach", layer.reach.item())
layer.train()
layer(torch.tensor([0.5, -20.0]))
print("train: reach", layer.reach.item())

# %% quiet needs="torchao" hidden=true
import logging

for name in ("torch.utils._pytree", "torchao"):  # of what torchao's import does not find
    logging.getLogger(name).setLevel(logging.ERROR)

# %% torchao needs="torchao"
from torchao.quantization import IntxWeightOnlyConfig, quantize_
from torchao.quantization.granularity import PerGroup
from torchao.quantization.qat import QATConfig

torch.manual_seed(0)
network = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
int4 = IntxWeightOnlyConfig(weight_dtype=torch.int4, granularity=PerGroup(32))

quantize_(network, QATConfig(int4, step="prepare"))
print("prepared: ", type(network[0]).__name__, network[0].weight.dtype)
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
inputs = torch.randn(16, 64)
network(inputs).square().mean().backward()
optimizer.step()

network.eval()
with torch.no_grad():
    prepared = network(inputs)
    quantize_(network, QATConfig(int4, step="convert"))
    converted = network(inputs)
print("converted:", type(network[0]).__name__, type(network[0].weight).__name__)
print("largest difference:", f"{(prepared - converted).abs().max():.1g}")

# %% seeds hidden=true
assert full > 0.97 and rounded < 0.8 and aware > 0.93

# %% other-bits hidden=true
for bits in (2, 3, 4, 8):
    wide = FakeQuantLinear(32, 16)
    wide.bits = bits
    codes, scale = convert(wide)
    assert codes.abs().max() == 2 ** (bits - 1) - 1
    assert torch.allclose(F.linear(hidden, codes * scale, wide.bias), wide(hidden), atol=1e-5), bits
with torch.device("meta"):  # as if the layer were on another device than the default one
    assert wide(hidden).device.type == "cpu"

# %% dtypes hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    assert fake_quantize(wide.weight.to(dtype), 4).dtype is dtype
    for bits in (2, 4, 8):
        narrow = FakeQuantLinear(32, 16).to(dtype)
        narrow.bits = bits
        codes, scale = convert(narrow)
        assert codes.abs().max() == 2 ** (bits - 1) - 1  # 128 would be -128 as int8
        torch.testing.assert_close((codes * scale).to(dtype), fake_quantize(narrow.weight.detach(), bits))

# %% no-range-yet hidden=true
assert FakeQuantInput().eval()(torch.ones(3)).abs().sum() == 0

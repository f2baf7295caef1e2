"""A quantized model that is neither smaller nor faster: what is stored, and what multiplies."""

# %% model
import io

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 512)).eval()


def size(state):
    file = io.BytesIO()
    torch.save(state, file)
    return file.tell()


whole = size(net.state_dict())


# %% rounded-only
def scale_of(weight, bits):
    largest = weight.float().abs().amax(dim=1, keepdim=True)
    largest = largest.masked_fill(largest == 0, 1)  # a row of zeros
    return largest / (2 ** (bits - 1) - 1)


rounded, codes = {}, {}
for name, tensor in net.state_dict().items():
    if tensor.dim() == 1:  # biases stay as they are
        rounded[name] = codes[name] = tensor
        continue
    scale = scale_of(tensor, bits=8)
    code = (tensor / scale).round()
    rounded[name] = code * scale  # float32 again
    codes[name], codes[f"{name}_scale"] = code.to(torch.int8), scale
print(f"rounded: {rounded['0.weight'].dtype}, file × {size(rounded) / whole:.2f}")
print(f"codes:   {codes['0.weight'].dtype}, file × {size(codes) / whole:.2f}")

# %% four-bits
weight = net[0].weight.detach()
four = (weight / scale_of(weight, bits=4)).round().to(torch.int8)  # -7 to 7
packed = (four[:, ::2] & 15) | (four[:, 1::2] << 4)  # two codes in a byte
low, high = packed << 4 >> 4, packed >> 4
unpacked = torch.stack([low, high], dim=2).flatten(1)
print("bytes:", four.nbytes, "packed:", packed.nbytes, torch.equal(unpacked, four))

# %% which-layers
model = nn.ModuleDict(
    {
        "words": nn.Embedding(20000, 128),
        "conv": nn.Conv1d(128, 128, kernel_size=3),
        "head": nn.Linear(128, 128),
    }
)
total = sum(parameter.numel() for parameter in model.parameters())
for name, layer in model.items():
    print(f"{name:5} {layer.weight.numel() / total:4.0%} of the numbers")


# %% weight-only
class WeightOnly(nn.Module):
    def __init__(self, linear):
        super().__init__()
        weight = linear.weight.detach()
        scale = scale_of(weight, bits=8)
        self.register_buffer("codes", (weight / scale).round().to(torch.int8))
        self.register_buffer("scale", scale)
        self.bias = linear.bias

    def forward(self, x):
        weight = (self.codes * self.scale).to(x.dtype)  # all of it, in each call
        return F.linear(x, weight, self.bias)


from torch.utils.flop_counter import FlopCounterMode

x = torch.randn(8, 512)
for layer in (net[0], WeightOnly(net[0])):
    with torch.no_grad(), FlopCounterMode(display=False) as counter:
        layer(x)
    print(f"{type(layer).__name__:10} {counter.get_total_flops()} operations")

# %% row-of-zeros hidden=true
with torch.no_grad():
    net[0].weight[3] = 0
    assert torch.allclose(WeightOnly(net[0])(x), net[0](x), atol=1e-2)

# %% zeros-in-any-dtype hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float32):  # 1e-8 would be 0 in float16
    tensor = torch.randn(4, 8).to(dtype)
    tensor[1] = 0
    scale = scale_of(tensor, bits=8)
    assert ((tensor / scale).round() * scale - tensor).abs().max() < 0.03

# %% codes-fit-int8 hidden=true
for dtype, size in ((torch.float16, 2e-4), (torch.bfloat16, 1.0), (torch.float32, 1.0)):
    linear = nn.Linear(64, 512)
    nn.init.normal_(linear.weight, std=size)
    linear = linear.to(dtype)
    weight = linear.weight.detach()
    code = (weight / scale_of(weight, bits=8)).round()
    assert code.abs().max() == 127, dtype  # with a scale in bfloat16 it was 128, in int8 -128
    layer = WeightOnly(linear)
    assert ((layer.codes * layer.scale - weight).abs() < 0.01 * weight.abs().amax(dim=1, keepdim=True)).all()
    assert layer(torch.ones(1, 64, dtype=dtype)).dtype == dtype

# %% weights-in-training hidden=true
trained = torch.randn(4, 8, requires_grad=True)
optimizer = torch.optim.SGD([trained], lr=0.1)
for _ in range(3):  # quantization-aware training
    scale = scale_of(trained.detach(), bits=8)
    options = (scale.flatten(), torch.zeros(4, dtype=torch.int32), 0, -127, 127)
    fake = torch.fake_quantize_per_channel_affine(trained, *options)
    fake.square().sum().backward()
    on_grid = [(weight / scale - (weight / scale).round()).abs().max() for weight in (fake, trained)]
    assert on_grid[0] < 1e-3 and on_grid[1] > 0.1
    optimizer.step()
    optimizer.zero_grad()

# %% sign-in-uint8 hidden=true
byte = packed.view(torch.uint8)
assert torch.equal(low, four[:, ::2]) and not torch.equal((byte << 4 >> 4).to(torch.int8), four[:, ::2])

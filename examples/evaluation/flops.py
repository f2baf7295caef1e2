"""Count the floating-point operations of a model."""

# %% count
import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

net = nn.Sequential(
    nn.Conv2d(3, 16, 3, padding=1),
    nn.BatchNorm2d(16),
    nn.ReLU(),
    nn.Flatten(),
    nn.Linear(16 * 8 * 8, 10),
)
image = torch.randn(1, 3, 8, 8)  # (batch, channels, height, width)

with FlopCounterMode(display=False) as counter:
    net(image)
flops = counter.get_total_flops()
print(f"{flops} FLOPs, {flops // 2} MACs")

# %% by-hand
conv = 8 * 8 * 16 * 3 * 3 * 3  # outputs x weights of one output
linear = 16 * 8 * 8 * 10
print("MACs:", conv, "+", linear, "=", conv + linear)

# %% batch
with FlopCounterMode(display=False) as counter:
    net(torch.randn(32, 3, 8, 8))
print("per image:", counter.get_total_flops() // 32)

# %% table raises="ModuleNotFoundError"
from unittest.mock import patch

with patch("sys.path", []):  # as if nothing but torch were installed
    with FlopCounterMode() as counter:
        net(image)

# %% without-table
with FlopCounterMode(display=False) as counter:
    net(image)
for name, counts in sorted(counter.get_flop_counts().items()):
    print(f"{name:20}", {str(op): count for op, count in counts.items()})


# %% not-counted
def count(layer, *inputs):
    with FlopCounterMode(display=False) as counter:
        layer(*inputs)
    return counter.get_total_flops()


elementwise = nn.ReLU(), nn.BatchNorm2d(3), nn.MaxPool2d(2), nn.Softmax(dim=1)
for layer in elementwise:
    print(f"{type(layer).__name__:12} {count(layer, image)}")

# %% fused-on-cpu varies=true
attend = nn.functional.scaled_dot_product_attention
q = torch.randn(1, 8, 128, 64)  # (batch, heads, time, features)
lstm, steps = nn.LSTM(64, 64), torch.randn(10, 1, 64)
print("attention", count(attend, q, q, q))
print("LSTM     ", count(lstm, steps))

# %% meta
import copy

empty = copy.deepcopy(lstm).to("meta")  # a copy: to("meta") drops the weights
m = q.to("meta")
print("attention", count(attend, m, m, m), "=", 2 * 2 * 8 * 128 * 128 * 64)
print("LSTM     ", count(empty, steps.to("meta")), "=", 10 * 8 * 64 * 128)

# %% fast-path
layer = nn.TransformerEncoderLayer(64, 4, batch_first=True).eval()
tokens = torch.randn(1, 10, 64)
with torch.no_grad():
    print("eval, no_grad, CPU: ", count(layer, tokens))
    print("eval, no_grad, meta:", count(layer.to("meta"), tokens.to("meta")))
print("train, meta:        ", count(layer.train(), tokens.to("meta")))

# %% large
with torch.device("meta"):
    block = nn.TransformerEncoderLayer(4096, 32, 16384, batch_first=True)
    tokens = torch.empty(1, 2048, 4096)  # (batch, time, features)
weights = sum(p.numel() for p in block.parameters() if p.dim() == 2)
print(f"counted:              {count(block, tokens) / 1e9:.0f} GFLOPs")
print(f"2 x weights x tokens: {2 * weights * 2048 / 1e9:.0f} GFLOPs")

# %% backward
mlp = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 64))
data, hidden = torch.randn(8, 64), torch.randn(8, 64, requires_grad=True)
for name, inputs in {"data": data, "hidden": hidden}.items():
    with FlopCounterMode(display=False) as counter:
        mlp(inputs).sum().backward()
    ratio = counter.get_total_flops() / count(mlp, inputs)
    print(f"{name:6} {ratio:.2f} times forward")

# %% drops-the-weights hidden=true
assert lstm.weight_ih_l0.device.type == "cpu"
lost = nn.Linear(4, 4)
lost.to("meta")
assert lost.weight.device.type == "meta"
try:
    torch.ones(2, device="meta").max().item()
except RuntimeError:
    pass
else:
    raise AssertionError

# %% counter-cases hidden=true
assert count(attend, m, m, m, None, 0.0, True) == count(attend, m, m, m)  # causal
for layer, *inputs in (
    (nn.GRU(8, 8), torch.randn(5, 2, 8)),
    (nn.Conv2d(8, 8, 3, groups=8), torch.randn(2, 8, 9, 9)),
    (nn.ConvTranspose2d(8, 4, 3), torch.randn(2, 8, 9, 9)),
    (nn.Linear(8, 3), torch.randn(2, 5, 8)),
    (lambda a, b: torch.einsum("bij,bjk->bik", a, b), torch.randn(2, 3, 4), torch.randn(2, 4, 5)),
):
    on_cpu = count(layer, *inputs)
    on_meta = count(layer.to("meta") if isinstance(layer, nn.Module) else layer, *(x.to("meta") for x in inputs))
    assert on_cpu == on_meta > 0
for layer in elementwise:
    assert count(layer, image) == 0

# %% grouped-backward hidden=true
for groups in (1, 2, 8):  # the backward pass of a grouped convolution is counted as if it had one group
    conv = nn.Conv2d(8, 8, 3, groups=groups)
    inputs = torch.randn(1, 8, 8, 8, requires_grad=True)
    with FlopCounterMode(display=False) as counter:
        conv(inputs).sum().backward()
    backward = counter.get_total_flops() / count(conv, inputs) - 1
    assert (backward == 2) == (groups == 1), (groups, backward)

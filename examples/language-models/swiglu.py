"""SwiGLU and GEGLU: a feed-forward layer with a gate, and how wide it must be."""

# %% gated
import torch
import torch.nn.functional as F
from torch import nn


class GatedMLP(nn.Module):
    """SwiGLU; with F.gelu it is GEGLU, with F.relu ReGLU."""

    def __init__(self, width, inner=None, activation=F.silu, multiple=8):
        super().__init__()
        if inner is None:
            inner = 8 * width // 3  # 2/3 of the usual 4 * width
            inner = -(-inner // multiple) * multiple  # rounded up
        self.gate = nn.Linear(width, inner, bias=False)
        self.up = nn.Linear(width, inner, bias=False)
        self.down = nn.Linear(inner, width, bias=False)
        self.activation = activation

    def forward(self, hidden):
        return self.down(self.activation(self.gate(hidden)) * self.up(hidden))


torch.manual_seed(0)
hidden = torch.randn(2, 5, 48)  # (batch, time, features)
gated = GatedMLP(48)
print(gated(hidden).shape, "inner width", gated.gate.out_features)


# %% parameters
def count(module):
    return sum(parameter.numel() for parameter in module.parameters())


first, last = nn.Linear(48, 192, bias=False), nn.Linear(192, 48, bias=False)
plain = nn.Sequential(first, nn.GELU(), last)
print("plain, 4 * width:    ", count(plain))
print("gated, 4 * width:    ", count(GatedMLP(48, inner=192)))
print("gated, 2/3 * 4 width:", count(GatedMLP(48, inner=128)))

# %% widths
with torch.device("meta"):  # no memory for the weights
    for width, multiple in ((768, 64), (4096, 256), (5120, 256)):
        module = GatedMLP(width, multiple=multiple)
        exact, inner = 8 * width / 3, module.gate.out_features
        more = count(module) / (8 * width**2) - 1
        print(f"width {width}: {exact:8.1f} -> {inner:5}, parameters {more:+.1%}")

# %% one-product
both = nn.Linear(48, 2 * 128, bias=False)
with torch.no_grad():
    both.weight.copy_(torch.cat([gated.gate.weight, gated.up.weight]))
gate, up = both(hidden).chunk(2, dim=-1)
out = gated.down(F.silu(gate) * up)
print("equal:          ", torch.allclose(out, gated(hidden), atol=1e-6))
swapped = gated.down(F.silu(up) * gate)
print("halves swapped: ", torch.allclose(swapped, gated(hidden), atol=1e-6))

# %% glu
first, second = hidden.chunk(2, dim=-1)
glu = F.glu(hidden)
print("first * sigmoid(second):", torch.allclose(glu, first * second.sigmoid()))
print("sigmoid(first) * second:", torch.allclose(glu, first.sigmoid() * second))

# %% no-module
print([name for name in dir(nn) if name.lower().endswith("glu")])

# %% glu-as-activation raises="RuntimeError"
layer = nn.TransformerEncoderLayer(48, 4, 192, activation=F.glu, batch_first=True)
layer(hidden)

# %% replaced
layer = nn.TransformerEncoderLayer(48, 4, 192, activation=F.silu, batch_first=True)
layer.linear1, layer.linear2 = GatedMLP(48), nn.Identity()
layer.activation, layer.dropout = nn.Identity(), nn.Identity()
print(layer(hidden).shape)

# %% claims hidden=true
for width in (3, 48, 96, 768, 3000):
    assert count(GatedMLP(width, inner=8 * width // 3)) == 8 * width * width if width % 3 == 0 else True
for width in (5, 50, 64, 100, 1024, 5120):
    for multiple in (1, 8, 64, 256):
        with torch.device("meta"):
            inner = GatedMLP(width, multiple=multiple).gate.out_features
        assert inner % multiple == 0 and 0 <= inner - 8 * width // 3 < multiple
for activation in (F.silu, F.gelu, F.relu, torch.sigmoid):
    module = GatedMLP(48, activation=activation)
    by_hand = (activation(hidden @ module.gate.weight.T) * (hidden @ module.up.weight.T)) @ module.down.weight.T
    torch.testing.assert_close(module(hidden), by_hand, atol=1e-5, rtol=1e-4)
x = torch.randn(7, 6)
assert torch.allclose(nn.GLU()(x), F.glu(x))
for training in (True, False):
    with torch.no_grad():
        assert layer.train(training)(hidden).shape == hidden.shape
for activation, works in ((F.silu, True), (F.glu, True), (F.relu, False), (F.gelu, False)):
    layer = nn.TransformerEncoderLayer(48, 4, 192, activation=activation, batch_first=True).eval()
    layer.linear1, layer.linear2 = GatedMLP(48), nn.Identity()
    layer.activation, layer.dropout = nn.Identity(), nn.Identity()
    with torch.no_grad():
        try:
            layer(hidden)
        except AttributeError as error:
            assert not works and "weight" in str(error)
        else:
            assert works
for kind in (torch.float16, torch.bfloat16, torch.float64):
    assert GatedMLP(48).to(kind)(hidden[:0].to(kind)).shape == (0, 5, 48)

"""Which values a new layer has, and the functions of nn.init that fill it with others."""

# %% defaults
import torch
from torch import nn

torch.manual_seed(0)
layers = {
    "Linear(100, 50)": nn.Linear(100, 50),
    "Conv2d(16, 32, 3)": nn.Conv2d(16, 32, 3),
    "LSTM(100, 25)": nn.LSTM(100, 25),
    "Embedding(100, 50)": nn.Embedding(100, 50),
    "MultiheadAttention(64, 4)": nn.MultiheadAttention(64, 4),
}
for title, layer in layers.items():
    print(title)
    for name, values in layer.named_parameters():
        low, high = values.min(), values.max()
        print(f"    {name:16} {low:5.2f} to {high:4.2f}, std {values.std():.3f}")

# %% bound
for name, count in (
    ("Linear(100, 50)", 100),  # inputs
    ("Conv2d(16, 32, 3)", 16 * 3 * 3),  # inputs of one output
    ("LSTM(100, 25)", 25),  # hidden
):
    largest = max(values.abs().max() for values in layers[name].parameters())
    print(f"{name:18} 1 / sqrt({count}) = {count**-0.5:.3f}, largest {largest:.3f}")

# %% default-is-kaiming
torch.manual_seed(1)
weight = nn.Linear(100, 50).weight
torch.manual_seed(1)
same = nn.init.kaiming_uniform_(torch.empty(50, 100), a=5**0.5)
print("kaiming_uniform_ with a = sqrt(5):", torch.equal(weight, same))

# %% functions
from functools import partial

weight = torch.empty(50, 100)  # (out, in)
cut = dict(a=-0.04, b=0.04)
for name, fill in {
    "constant_(val=0.5)": partial(nn.init.constant_, val=0.5),
    "uniform_(a=-0.1, b=0.1)": partial(nn.init.uniform_, a=-0.1, b=0.1),
    "normal_(std=0.02)": partial(nn.init.normal_, std=0.02),
    "trunc_normal_(std=0.02)": partial(nn.init.trunc_normal_, std=0.02, **cut),
    "xavier_uniform_": nn.init.xavier_uniform_,
    "xavier_normal_": nn.init.xavier_normal_,
    "kaiming_uniform_": nn.init.kaiming_uniform_,
    "kaiming_normal_": nn.init.kaiming_normal_,
    "orthogonal_": nn.init.orthogonal_,
}.items():
    fill(weight)
    low, high = weight.min(), weight.max()
    print(f"{name:24} {low:5.2f} to {high:4.2f}, std {weight.std():.3f}")

# %% orthogonal
for fill in (nn.init.orthogonal_, nn.init.xavier_normal_):
    scales = torch.linalg.svdvals(fill(torch.empty(64, 64)))
    low, high = scales.min(), scales.max()
    print(f"{fill.__name__:14} stretches vectors by {low:.2f} to {high:.2f}")

# %% truncation
for bounds in (dict(a=-2, b=2), cut):  # the defaults, then two of std
    nn.init.trunc_normal_(weight, std=0.02, **bounds)
    print(f"{bounds}: up to {weight.abs().max() / 0.02:.1f} standard deviations")

# %% no-gain raises="ValueError"
nn.init.kaiming_normal_(weight, nonlinearity="gelu")

# %% gains
for name in ("linear", "tanh", "relu", "leaky_relu", "selu"):
    print(f"{name:10} {nn.init.calculate_gain(name):.3f}")

# %% relu-gain
nn.init.kaiming_normal_(weight, nonlinearity="relu")
x = torch.randn(100_000)
for function in (torch.relu, nn.functional.gelu, nn.functional.silu):
    print(f"{function.__name__:4} needs {function(x).square().mean() ** -0.5:.1f}")

# %% transposed
for layer, mode in (
    (nn.Conv2d(64, 8, 3), "fan_in"),
    (nn.ConvTranspose2d(64, 8, 3), "fan_in"),
    (nn.ConvTranspose2d(64, 8, 3), "fan_out"),
):
    nn.init.kaiming_normal_(layer.weight, mode=mode)
    print(f"{type(layer).__name__:16} {mode:7} std {layer.weight.std():.3f}")

# %% strided hidden=true
for stride in (1, 2):
    up = nn.ConvTranspose2d(64, 8, 3, stride=stride, bias=False)
    nn.init.kaiming_normal_(up.weight, mode="fan_out", nonlinearity="linear")
    inner = up(torch.randn(8, 64, 9, 9))[..., 3:-3, 3:-3]
    assert (inner.std() > 0.9) == (stride == 1)
assert 0.116 < nn.ConvTranspose2d(64, 8, 3).weight.abs().max() <= (8 * 9) ** -0.5 + 1e-6

# %% stds hidden=true
fan_in, fan_out = 100, 50
for fill, std in (
    (nn.init.xavier_normal_, (2 / (fan_in + fan_out)) ** 0.5),
    (nn.init.xavier_uniform_, (2 / (fan_in + fan_out)) ** 0.5),
    (nn.init.kaiming_normal_, (2 / fan_in) ** 0.5),
    (nn.init.kaiming_uniform_, (2 / fan_in) ** 0.5),
):
    assert abs(fill(weight).std() / std - 1) < 0.05
for norm in (nn.BatchNorm2d(4), nn.LayerNorm(4), nn.GroupNorm(2, 4)):
    assert (norm.weight == 1).all() and (norm.bias == 0).all()
assert abs(nn.init.kaiming_normal_(weight, mode="fan_out").std() / (2 / fan_out) ** 0.5 - 1) < 0.05

# %% padding-row hidden=true
embedding = nn.Embedding(9, 4, padding_idx=2)
nn.init.normal_(embedding.weight, std=0.02)
assert embedding.weight[2].any()
nn.init.zeros_(embedding.weight[embedding.padding_idx])
assert not embedding.weight[2].any() and embedding.weight[3].any()

# %% gates hidden=true
lstm = nn.LSTM(32, 32)
nn.init.orthogonal_(lstm.weight_hh_l0)  # all gates at once
assert torch.linalg.svdvals(lstm.weight_hh_l0.detach()[:32]).min() < 0.5
for gate in lstm.weight_hh_l0.chunk(4):
    nn.init.orthogonal_(gate)
for gate in lstm.weight_hh_l0.detach().chunk(4):
    torch.testing.assert_close(torch.linalg.svdvals(gate), torch.ones(32))

# %% grouped hidden=true
up = nn.ConvTranspose2d(64, 64, 3, groups=64, bias=False)
nn.init.kaiming_normal_(up.weight, mode="fan_out", nonlinearity="linear")
inner = up(torch.randn(8, 64, 9, 9))[..., 3:-3, 3:-3]
assert inner.std() < 0.2 and 0.8 < (inner * 64**0.5).std() < 1.2

# %% computed-weights hidden=true
layer = torch.nn.utils.parametrizations.spectral_norm(nn.Linear(8, 8)).eval()
before = layer(torch.ones(1, 8))
nn.init.zeros_(layer.weight)  # of a tensor that nobody keeps
assert torch.equal(layer(torch.ones(1, 8)), before)
if hasattr(torch.nn.utils.parametrizations, "weight_norm"):  # since 2.1
    layer = torch.nn.utils.parametrizations.weight_norm(nn.Linear(8, 8))
    before = layer(torch.ones(1, 8))
    nn.init.zeros_(layer.weight)
    assert torch.equal(layer(torch.ones(1, 8)), before)

# %% truncated-std hidden=true
large = torch.empty(500, 1000)
nn.init.trunc_normal_(large, std=0.02, **cut)
assert abs(large.std() / 0.02 - 0.88) < 0.005

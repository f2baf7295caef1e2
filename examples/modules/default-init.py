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
    "BatchNorm2d(16)": nn.BatchNorm2d(16),
    "MultiheadAttention(64, 4)": nn.MultiheadAttention(64, 4),
}
for title, layer in layers.items():
    print(title)
    for name, values in layer.named_parameters():
        low, high, std = values.min().item(), values.max().item(), values.std().item()
        print(f"    {name:18} {low:5.2f} to {high:4.2f}, std {std:.3f}")

# %% bound
for name, fan_in in (("Linear(100, 50)", 100), ("Conv2d(16, 32, 3)", 16 * 3 * 3)):
    largest = layers[name].weight.abs().max().item()
    print(f"{name:18} 1 / sqrt({fan_in}) = {fan_in**-0.5:.3f}, largest weight {largest:.3f}")
largest = max(parameter.abs().max().item() for parameter in layers["LSTM(100, 25)"].parameters())
print(f"{'LSTM(100, 25)':18} 1 / sqrt(25)  = {25**-0.5:.3f}, largest {largest:.3f}")

# %% default-is-kaiming
torch.manual_seed(1)
weight = nn.Linear(100, 50).weight
torch.manual_seed(1)
same = nn.init.kaiming_uniform_(torch.empty(50, 100), a=5**0.5)
print("kaiming_uniform_ with a = sqrt(5):", torch.equal(weight, same))

# %% functions
weight = torch.empty(50, 100)  # (out, in)
for name, fill in {
    "constant_(0.5)": lambda w: nn.init.constant_(w, 0.5),
    "uniform_(-0.1, 0.1)": lambda w: nn.init.uniform_(w, -0.1, 0.1),
    "normal_(std=0.02)": lambda w: nn.init.normal_(w, std=0.02),
    "trunc_normal_(std=0.02)": lambda w: nn.init.trunc_normal_(w, std=0.02, a=-0.04, b=0.04),
    "xavier_uniform_": nn.init.xavier_uniform_,
    "xavier_normal_": nn.init.xavier_normal_,
    "kaiming_uniform_": nn.init.kaiming_uniform_,
    "kaiming_normal_": nn.init.kaiming_normal_,
    "orthogonal_": nn.init.orthogonal_,
}.items():
    fill(weight)
    print(f"{name:24} {weight.min():5.2f} to {weight.max():4.2f}, std {weight.std():.3f}")

# %% stds hidden=true
fan_in, fan_out = 100, 50
for fill, std in (
    (nn.init.xavier_normal_, (2 / (fan_in + fan_out)) ** 0.5),
    (nn.init.xavier_uniform_, (2 / (fan_in + fan_out)) ** 0.5),
    (nn.init.kaiming_normal_, (2 / fan_in) ** 0.5),
    (nn.init.kaiming_uniform_, (2 / fan_in) ** 0.5),
):
    assert abs(fill(weight).std() / std - 1) < 0.05
assert abs(nn.init.kaiming_normal_(weight, mode="fan_out").std() / (2 / fan_out) ** 0.5 - 1) < 0.05

# %% orthogonal
square = nn.init.orthogonal_(torch.empty(64, 64))
random = nn.init.normal_(torch.empty(64, 64), std=64**-0.5)
for name, matrix in (("orthogonal_", square), ("normal_    ", random)):
    scales = torch.linalg.svdvals(matrix)
    print(f"{name} stretches vectors by {scales.min():.2f} to {scales.max():.2f}")

# %% truncation
nn.init.trunc_normal_(weight, std=0.02)  # a=-2, b=2: values, not standard deviations
print(f"default bounds: {weight.abs().max() / 0.02:.1f} standard deviations")
nn.init.trunc_normal_(weight, std=0.02, a=-0.04, b=0.04)
print(f"a and b given:  {weight.abs().max() / 0.02:.1f} standard deviations")

# %% gains
for name in ("linear", "tanh", "relu", "selu"):
    print(f"{name:7} {nn.init.calculate_gain(name):.3f}")
print(f"leaky_relu(0.2) {nn.init.calculate_gain('leaky_relu', 0.2):.3f}")

# %% no-gain raises="ValueError"
nn.init.kaiming_normal_(weight, nonlinearity="gelu")

# %% relu-gain
nn.init.kaiming_normal_(weight, nonlinearity="relu")
print(f"std {weight.std():.3f}")

# %% transposed
for layer, mode in (
    (nn.Conv2d(64, 8, 3), "fan_in"),
    (nn.ConvTranspose2d(64, 8, 3), "fan_in"),
    (nn.ConvTranspose2d(64, 8, 3), "fan_out"),
):
    std = nn.init.kaiming_normal_(layer.weight, mode=mode, nonlinearity="relu").std()
    print(f"{type(layer).__name__:16} {tuple(layer.weight.shape)} {mode:7} std {std:.3f}")

"""nn.Linear computes x @ W.T + b along the last dimension."""

# %% by-hand
import torch
from torch import nn

torch.manual_seed(0)
layer = nn.Linear(in_features=3, out_features=2)
x = torch.randn(4, 3)  # (batch, in_features)

by_hand = x @ layer.weight.T + layer.bias
print("layer:  ", layer(x)[0].detach())
print("by hand:", by_hand[0].detach())
difference = (layer(x) - by_hand).abs().max()
print("difference below 1e-6:", (difference < 1e-6).item())

# %% shapes
for name, parameter in layer.named_parameters():
    print(f"{name:7}{tuple(parameter.shape)}")
print("parameters:", sum(p.numel() for p in layer.parameters()))

# %% one-output
neuron = x[0] @ layer.weight[1] + layer.bias[1]  # a dot product and a number
print(f"output 1 of sample 0: {neuron:.4f}, layer: {layer(x)[0, 1]:.4f}")

# %% last-dimension
for shape in ((3,), (4, 3), (4, 5, 3), (4, 5, 6, 3)):
    print(f"{str(shape):15} -> {tuple(layer(torch.zeros(shape)).shape)}")

# %% every-position
tokens = torch.randn(4, 5, 3)  # (batch, time, features)
out = layer(tokens)
alone = layer(tokens[2, 3])
print("one position alone: ", alone.detach())
print("in the 3-D input:   ", out[2, 3].detach())

# %% not-nonlinear
two = nn.Sequential(nn.Linear(3, 8), nn.Linear(8, 2))
one = nn.Linear(3, 2)
with torch.no_grad():
    one.weight.copy_(two[1].weight @ two[0].weight)
    one.bias.copy_(two[1].weight @ two[0].bias + two[1].bias)
print("two layers:", two(x)[0].detach())
print("one layer: ", one(x)[0].detach())

# %% initial
wide = nn.Linear(400, 300)
bound = 1 / 400**0.5
print(f"1 / sqrt(in_features) = {bound:.3f}")
for name, parameter in wide.named_parameters():
    least, most = parameter.min().item(), parameter.max().item()
    print(f"{name:6} from {least:.3f} to {most:.3f}")

# %% no-bias
plain = nn.Linear(3, 2, bias=False)
print("bias:", plain.bias)
print("layer(0):", plain(torch.zeros(3)).detach())

# %% integers raises="RuntimeError"
layer(torch.tensor([[1, 2, 3]]))

# %% floats
whole = torch.tensor([[1, 2, 3]])
print("output:", tuple(layer(whole.float()).shape))

# %% counter-cases hidden=true
for features in (1, 7, 64):
    for shape in ((features,), (5, features), (2, 1, 3, features), (0, features)):
        module = nn.Linear(features, 4).double()
        values = torch.randn(shape, dtype=torch.float64)
        torch.testing.assert_close(module(values), values @ module.weight.T + module.bias)
        limit = features**-0.5
        assert module.weight.abs().max() <= limit and module.bias.abs().max() <= limit
torch.testing.assert_close(two(x), one(x))
torch.testing.assert_close(alone, out[2, 3])
assert sum(p.numel() for p in layer.parameters()) == 8

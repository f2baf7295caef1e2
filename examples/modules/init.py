"""The functions of nn.init end in an underscore and work in place."""

# %% whole-model
import torch
from torch import nn


def init_weights(module):
    if isinstance(module, (nn.Linear, nn.Conv2d)):
        nn.init.xavier_uniform_(module.weight)
        if module.bias is not None:
            nn.init.zeros_(module.bias)


net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
net.apply(init_weights)
print("biases:", net[0].bias.tolist(), net[2].bias.tolist())

# %% constant
nn.init.constant_(net[0].weight, 0.1)
nn.init.constant_(net[2].weight, 0.1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
inputs, targets = torch.randn(64, 4), torch.randn(64, 2)
for _ in range(100):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(inputs), targets).backward()
    optimizer.step()
trained = net[0].weight  # (8 units, 4 inputs)
print("trained:", not torch.allclose(trained, torch.full_like(trained, 0.1)))
alike = torch.allclose(trained, trained[0].expand_as(trained), atol=1e-5)
print("all 8 units are alike:", alike)

# %% no-underscore warns="FutureWarning"
import torch
from torch import nn

layer = nn.Linear(256, 128)
nn.init.xavier_uniform(layer.weight)

# %% underscore
torch.manual_seed(0)
gain = nn.init.calculate_gain("relu")
weight = nn.init.xavier_uniform_(layer.weight, gain=gain)
print("same object:", weight is layer.weight)
print("requires_grad:", weight.requires_grad, " grad_fn:", weight.grad_fn)

# %% bound
fan_out, fan_in = layer.weight.shape
bound = gain * (6 / (fan_in + fan_out)) ** 0.5
print(f"bound: formula {bound:.3f}, drawn {layer.weight.abs().max():.3f}")
print(f"std:   formula {bound / 3**0.5:.3f}, drawn {layer.weight.std():.3f}")

# %% bias raises="ValueError"
nn.init.xavier_uniform_(layer.bias)

# %% bias-zero
nn.init.zeros_(layer.bias)
print("nonzero:", layer.bias.count_nonzero().item())

# %% depth
from functools import partial

inits = {
    "default": lambda weight: weight,
    "xavier_uniform_": nn.init.xavier_uniform_,
    "xavier_uniform_, gain": partial(nn.init.xavier_uniform_, gain=gain),
    "kaiming_normal_": partial(nn.init.kaiming_normal_, nonlinearity="relu"),
}
spreads = {}
for name, init in inits.items():
    torch.manual_seed(0)
    hidden = torch.randn(512, 256)  # (batch, features)
    spreads[name] = []
    for _ in range(12):
        layer = nn.Linear(256, 256)
        init(layer.weight)
        hidden = layer(hidden).relu()
        spreads[name].append(hidden.std(dim=0).mean().item())
    print(f"{name:21} {spreads[name][0]:.2f} -> {spreads[name][-1]:.2g}")

# %% depth-drawing fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.0, 3.0))
for (name, values), line in zip(spreads.items(), ("-", "-", "-", "--")):
    ax.semilogy(range(1, 13), values, line, label=name)
ax.set(xlabel="layer", ylabel="std over the batch", xticks=(1, 4, 8, 12), yticks=(1, 1e-2, 1e-4))
ax.minorticks_off()
ax.legend()

# %% relu-halves hidden=true
samples = torch.randn(100_000)
kept = samples.relu().square().mean() / samples.square().mean()
assert abs(kept - 0.5) < 0.01

# %% remedies hidden=true
nn.init.xavier_uniform_(nn.Linear(2, 2).weight)

# %% last-layer-of-zeros hidden=true
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
nn.init.zeros_(net[2].weight)
nn.init.constant_(net[0].bias, 0.1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(50):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(inputs), targets).backward()
    optimizer.step()
assert not torch.allclose(net[2].weight, net[2].weight[:, :1], atol=1e-3)
assert not torch.allclose(net[0].weight, net[0].weight[:1], atol=1e-3)

# %% inputs-first hidden=true
torch.manual_seed(0)
weight = torch.empty(784, 10)  # (in, out), for x @ weight
assert nn.init.kaiming_normal_(weight).std() > 0.4
nn.init.kaiming_normal_(weight.T)
assert abs(weight.std() - (2 / 784) ** 0.5) < 0.002

# %% middle-layer-of-zeros hidden=true
torch.manual_seed(0)
layers = [nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8), nn.ReLU(), nn.Linear(8, 2)]
for position in (0, 2, 4):
    net = nn.Sequential(*layers)
    for layer in net[::2]:
        layer.reset_parameters()
        nn.init.zeros_(layer.bias)
    nn.init.zeros_(net[position].weight)
    nn.functional.mse_loss(net(inputs), targets).backward()
    assert net[position].weight.grad.any() == (position == 4)  # dead before a relu
    net.zero_grad()
recurrent = nn.LSTM(2, 2)
before = recurrent.weight_ih_l0.clone()
assert torch.equal(recurrent.apply(init_weights).weight_ih_l0, before)

# %% norm-weights-of-two-dimensions hidden=true
norm = nn.LayerNorm((4, 8))  # Xavier takes its weight, without an error
assert norm.weight.dim() == 2 and nn.init.xavier_uniform_(norm.weight).std() > 0.1

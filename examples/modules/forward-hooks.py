"""Forward hooks read or replace what a layer returns, without a change to the model."""

# %% model
import torch
from torch import nn

torch.manual_seed(0)
body = nn.Conv2d(3, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten()
net = nn.Sequential(*body, nn.Linear(8, 2))
image = torch.randn(4, 3, 8, 8)  # (batch, channels, height, width)

# %% keep
features = {}


def keep(name):
    def hook(module, args, output):
        features[name] = output.detach()

    return hook


handles = [net[i].register_forward_hook(keep(f"layer {i}")) for i in (0, 3)]
net(image)
for name, value in features.items():
    print(name, tuple(value.shape))

# %% remove
for handle in handles:
    handle.remove()

features.clear()
net(image)
print("kept:", features)


# %% report
def report(module, args, output):
    shapes = f"{tuple(args[0].shape)} -> {tuple(output.shape)}"
    print(f"{type(module).__name__:18}{shapes}")


handles = [layer.register_forward_hook(report) for layer in net]
net(image)
for handle in handles:
    handle.remove()

# %% cut
print(net[:4](image).shape)

# %% replace
handle = net[3].register_forward_hook(lambda module, args, output: output * 0)
print(net(image)[0].detach(), net[4].bias.detach())
handle.remove()


# %% pre-hook
expected = net(image / 255)
handle = net.register_forward_pre_hook(lambda module, args: (args[0] / 255,))
print("as if scaled before:", torch.equal(net(image), expected))
handle.remove()

# %% only-by-calling
handle = net.register_forward_hook(lambda module, args, output: print("hook"))
print("net(image)")
net(image)
print("net.forward(image)")
net.forward(image)
handle.remove()

# %% in-place-after
relu_in_place = nn.Sequential(nn.Linear(2, 4), nn.ReLU(inplace=True))
kept = {}


def keep(module, args, output):
    kept.update(alias=output.detach(), copy=output.detach().clone())


relu_in_place[0].register_forward_hook(keep)
relu_in_place(torch.randn(8, 2))
for name, value in kept.items():
    print(f"{name}: {(value < 0).sum()} negative values")

# %% never-called
attention = nn.MultiheadAttention(8, 2, batch_first=True)
ran = []
for name in ("whole", "out_proj"):
    layer = attention if name == "whole" else attention.out_proj
    layer.register_forward_hook(lambda *args, name=name: ran.append(name))
tokens = torch.randn(1, 3, 8)  # (batch, time, features)
attention(tokens, tokens, tokens)
print("hooks that ran:", ran)

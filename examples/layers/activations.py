"""Activation functions: their values, their gradients, and what inplace=True overwrites."""

# %% values
import torch
from torch import nn

activations = {
    "ReLU": nn.ReLU(),
    "LeakyReLU": nn.LeakyReLU(0.1),  # the default slope is 0.01
    "ELU": nn.ELU(),
    "Softplus": nn.Softplus(),
    "GELU": nn.GELU(),
    "SiLU": nn.SiLU(),  # also known as swish
    "Mish": nn.Mish(),
}
x = torch.tensor([-5.0, -1.0, 0.0, 1.0, 5.0])
print(" " * 9, "".join(f"{value:8.0f}" for value in x))
for name, activation in activations.items():
    print(f"{name:9}", "".join(f"{value:8.3f}" for value in activation(x)))


# %% gradients
def slopes(activation, values):
    values = values.clone().requires_grad_()
    return torch.autograd.grad(activation(values).sum(), values)[0]


for name, activation in activations.items():
    print(f"{name:9}", "".join(f"{slope:8.3f}" for slope in slopes(activation, x)))

# %% drawing fold=true
import matplotlib.pyplot as plt

line = torch.linspace(-4, 4, 201)
fig, axes = plt.subplots(1, 2, figsize=(6.4, 3.2))
for i, (name, activation) in enumerate(activations.items()):
    style = dict(color=f"C{i}", linewidth=1.6, linestyle=("-", "--", ":")[i % 3])
    axes[0].plot(line, activation(line), label=name, **style)
    axes[1].plot(line, slopes(activation, line), **style)
axes[0].set(title="value", ylim=(-1.3, 4), xticks=(-4, 0, 4), yticks=(0, 2, 4))
axes[1].set(title="gradient", ylim=(-0.3, 1.3), xticks=(-4, 0, 4), yticks=(0, 1))
axes[0].legend(fontsize=8, frameon=False)

# %% tanh-gelu
wide = torch.linspace(-6, 6, 1001)
exact, quick = nn.GELU(), nn.GELU(approximate="tanh")
difference = (exact(wide) - quick(wide)).abs().max()
print(f"largest difference: {difference:.4f}")

# %% prelu
prelu = nn.PReLU()
print("learned slope:", dict(prelu.named_parameters()))


# %% your-own
def squared_relu(x):  # any function of tensors; autograd does the rest
    return x.relu().square()


class Swish(nn.Module):  # a class if it has something to learn
    def __init__(self):
        super().__init__()
        self.beta = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return x * torch.sigmoid(self.beta * x)


net = nn.Sequential(nn.Linear(4, 8), Swish(), nn.Linear(8, 2))
squared_relu(net(torch.randn(3, 4))).sum().backward()
print("gradient of beta:", net[1].beta.grad is not None)

# %% dead
torch.manual_seed(0)
inputs = torch.randn(256, 4)
for name in ("ReLU", "LeakyReLU", "GELU"):
    layer = nn.Linear(4, 1)
    nn.init.constant_(layer.bias, -30.0)  # as after one step that was too long
    activations[name](layer(inputs)).sum().backward()
    print(f"{name:9} largest gradient {layer.weight.grad.abs().max():.2f}")

# %% inplace
hidden = torch.tensor([-2.0, 3.0])
print("residual:       ", hidden + nn.ReLU()(hidden))
print("residual, wrong:", hidden + nn.ReLU(inplace=True)(hidden))
print("hidden is now:  ", hidden)

# %% inplace-error raises="RuntimeError"
weight = torch.tensor([1.0, 2.0], requires_grad=True)
nn.ReLU(inplace=True)(weight.sigmoid()).sum().backward()

# %% inplace-after-linear
nn.ReLU()(weight.sigmoid()).sum().backward()
print(weight.grad)

linear = nn.Linear(2, 3)
nn.ReLU(inplace=True)(linear(weight.detach())).sum().backward()
print("Linear does not need its output:", tuple(linear.weight.grad.shape))

# %% module-of-tensor raises="TypeError"
hidden = torch.randn(8, 4)
linear = nn.Linear(4, 2)
linear(nn.ReLU(hidden))

# %% module-then-tensor
relu = nn.ReLU()
print("module:  ", tuple(linear(relu(hidden)).shape))
print("function:", tuple(linear(nn.functional.relu(hidden)).shape))

# %% clipped
mobile = {"ReLU6": nn.ReLU6(), "Hardswish": nn.Hardswish()}
x = torch.tensor([-2.0, -0.5, 0.0, 1.0, 5.0, 8.0])
for name, activation in mobile.items():
    print(f"{name:9}", "".join(f"{value:8.3f}" for value in activation(x)))

# %% formulas hidden=true
wide = torch.linspace(-6, 6, 49)
assert nn.Softplus()(torch.tensor(-100.0)) > 0 and nn.Softplus()(torch.tensor(-110.0)) == 0
for layer, shape in (
    (nn.Conv2d(2, 3, 3), (2, 2, 8, 8)),
    (nn.BatchNorm1d(4), (8, 4)),
    (nn.BatchNorm2d(2), (2, 2, 8, 8)),
):
    nn.ReLU(inplace=True)(layer(torch.randn(shape))).sum().backward()
torch.testing.assert_close(nn.SiLU()(wide), wide * wide.sigmoid())
torch.testing.assert_close(nn.GELU()(wide), wide * torch.distributions.Normal(0, 1).cdf(wide), atol=1e-5, rtol=1e-4)
torch.testing.assert_close(nn.Mish()(wide), wide * nn.Softplus()(wide).tanh())
torch.testing.assert_close(nn.Softplus()(wide), wide.exp().add(1).log(), atol=1e-5, rtol=1e-4)
for name in ("GELU", "SiLU", "Mish"):
    lowest = activations[name](torch.linspace(-6, 0, 6001)).min()
    assert -0.31 < lowest < -0.16, (name, lowest)
for name, activation in activations.items():
    rising = (slopes(activation, torch.linspace(-6, 6, 2001)) >= 0).all()
    assert rising == (name not in ("GELU", "SiLU", "Mish"))

# %% other-inputs hidden=true
x = torch.randn(3, 4)
for dtype in (torch.float64, torch.float16, torch.bfloat16):
    for function in (Swish().to(dtype), squared_relu):
        out = function(x.to(dtype))
        assert out.dtype is dtype
        wide = function.float() if isinstance(function, nn.Module) else function
        torch.testing.assert_close(out.float(), wide(x), rtol=0.02, atol=0.02)
for function in (Swish(), squared_relu):
    assert torch.equal(function(x.T), function(x).T) and function(x[:0]).shape == (0, 4)
bend = nn.Hardswish()(torch.arange(-3.0, 4)).diff(n=2)
torch.testing.assert_close(bend, torch.full((5,), 1 / 3))  # a parabola from -3 to 3

# %% dead-but-decayed hidden=true
dead = nn.Linear(4, 1)
nn.init.constant_(dead.bias, -30.0)
before = dead.weight.detach().clone()
torch.relu(dead(inputs)).sum().backward()
assert not dead.weight.grad.any()
torch.optim.AdamW(dead.parameters()).step()
assert not torch.equal(dead.weight, before)  # weight decay moves it all the same

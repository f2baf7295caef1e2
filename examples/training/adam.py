"""Adam: its arguments, their defaults, and what it does with a gradient."""

# %% signature
import inspect

import torch
from torch import nn

for name, parameter in inspect.signature(torch.optim.Adam).parameters.items():
    default = "" if parameter.default is parameter.empty else parameter.default
    print(f"{name:22} {default}".rstrip())

# %% defaults
net = nn.Linear(2, 1)
groups = [{"params": net.weight, "lr": 0.1}, {"params": net.bias}]
optimizer = torch.optim.Adam(groups, lr=0.01)
print(optimizer.defaults["lr"], [group["lr"] for group in optimizer.param_groups])
print({name: optimizer.defaults[name] for name in ("betas", "eps", "weight_decay")})

# %% negative raises="ValueError"
torch.optim.Adam(net.parameters(), lr=-0.01)

# %% beta raises="ValueError"
torch.optim.Adam(net.parameters(), betas=(0.9, 1.0))

# %% empty raises="ValueError"
torch.optim.Adam([])

# %% first-step
for gradient in (1e-3, 1.0, 1e3):
    weight = nn.Parameter(torch.tensor(10.0))
    optimizer = torch.optim.Adam([weight], lr=0.1)
    weight.grad = torch.tensor(gradient)
    optimizer.step()
    print(f"gradient {gradient:8g}  weight {weight.item():.4f}")

# %% changing-sign
for gradients in ([1.0, 1.0, 1.0, 1.0], [1.0, -1.0, 1.0, -1.0]):
    weight = nn.Parameter(torch.tensor(10.0))
    optimizer = torch.optim.Adam([weight], lr=0.1)
    steps = []
    for gradient in gradients:
        before = weight.item()
        weight.grad = torch.tensor(gradient)
        optimizer.step()
        steps.append(round(before - weight.item(), 3))
    print(gradients, "steps", steps)


# %% by-hand
def adam(weight, gradients, lr=0.1, beta1=0.9, beta2=0.999, eps=1e-8):
    mean = square = 0.0
    for step, gradient in enumerate(gradients, start=1):
        mean = beta1 * mean + (1 - beta1) * gradient
        square = beta2 * square + (1 - beta2) * gradient**2
        corrected = mean / (1 - beta1**step)
        spread = (square / (1 - beta2**step)) ** 0.5
        weight -= lr * corrected / (spread + eps)
    return weight


gradients = (1.0, -0.5, 2.0, 0.0)
weight = nn.Parameter(torch.tensor(10.0, dtype=torch.float64))
optimizer = torch.optim.Adam([weight], lr=0.1)
for gradient in gradients:
    weight.grad = torch.tensor(gradient, dtype=torch.float64)
    optimizer.step()
print(f"{weight.item():.10f}\n{adam(10.0, gradients):.10f}")

# %% tensor-lr
optimizer = torch.optim.Adam(net.parameters(), lr=torch.tensor(0.01))
print(optimizer.param_groups[0]["lr"])

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

# %% tensor-lr
optimizer = torch.optim.Adam(net.parameters(), lr=torch.tensor(0.01))
print(optimizer.param_groups[0]["lr"])

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
print(f"torch.optim.Adam {weight.item():.10f}")
print(f"by hand          {adam(10.0, gradients):.10f}")


# %% spike
def longest_step(gradients, lr=0.1, **options):
    weight = nn.Parameter(torch.tensor(10.0))
    optimizer = torch.optim.Adam([weight], lr=lr, **options)
    steps = []
    for gradient in gradients:
        before = weight.item()
        weight.grad = torch.tensor(gradient)
        optimizer.step()
        steps.append(abs(before - weight.item()))
    return max(steps)


gradients = [0.01, -0.01] * 500 + [1.0]
for beta2 in (0.999, 0.95):
    longest = longest_step(gradients, betas=(0.9, beta2))
    print(f"{beta2=:.3f}  longest step {longest:.2f}")

# %% spikes
quiet = [0.01, -0.01] * 500
for count in (1, 5, 12):
    longest = longest_step(quiet + [1000.0] * count, lr=1.0)
    print(f"{count:2} spikes: {longest:.1f} times lr")


# %% claims hidden=true
def steps(gradients, beta2=0.999):
    path = [adam(0.0, gradients[:end], beta2=beta2) for end in range(len(gradients) + 1)]
    return [abs(after - before) for before, after in zip(path, path[1:])]


bound = 0.1 * (1 - 0.9) / (1 - 0.999) ** 0.5  # of the paper, section 2.1
assert 0.3 < bound < 0.32
of_any = bound / (1 - 0.9**2 / 0.999) ** 0.5
assert 0.72 < of_any < 0.73
worst = [1e-9] * 3000 + [1e-3 * 1.11**step for step in range(60)]  # each larger than the one before
places = [adam(0.0, worst[:end]) for end in range(3000, 3061)]
assert 0.7 < max(abs(after - before) for before, after in zip(places, places[1:])) < of_any
torch.manual_seed(0)
for scale in (1e-3, 1.0, 1e3):
    for sparsity in (0.0, 0.9, 0.99):
        noise = scale * torch.randn(100) * (torch.rand(100) >= sparsity)
        assert max(steps([gradient or 1e-12 for gradient in noise.tolist()])) < bound
for spike in (1.0, 100.0, 1e6):
    quiet = [1e-6, -1e-6] * 2000
    last = {}
    for beta2 in (0.999, 0.95):
        ends = [adam(0.0, end, beta2=beta2) for end in (quiet, [*quiet, spike])]
        last[beta2] = abs(ends[1] - ends[0])
    assert 0.29 < last[0.999] < bound and last[0.95] < 0.1
for valid in (dict(lr=0.0), dict(betas=(0.0, 0.0))):
    torch.optim.Adam([weight], **valid)

# %% remedies hidden=true
torch.optim.Adam(net.parameters(), lr=0.0, betas=(0.0, 0.999))
parameters = net.parameters()
assert len(list(parameters)) == 2 and not list(parameters)  # used up
torch.optim.Adam(net.parameters())

# %% half hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float32):
    for gradient in (0.0, 1e-3):
        weight = nn.Parameter(torch.ones(2, dtype=dtype))
        weight.grad = torch.full_like(weight, gradient)
        torch.optim.Adam([weight], lr=0.1).step()
        assert weight.isfinite().all() == (dtype is not torch.float16)

# %% bfloat16-stands-still hidden=true
for dtype in (torch.bfloat16, torch.float32):
    weight = nn.Parameter(torch.ones(1, dtype=dtype))
    optimizer = torch.optim.Adam([weight], lr=1e-3)
    for _ in range(100):
        weight.grad = torch.ones_like(weight)
        optimizer.step()
    assert (weight.item() == 1) is (dtype is torch.bfloat16)

# %% ascend hidden=true
for maximize in (False, True):
    weight = nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.Adam([weight], lr=0.1, maximize=maximize)
    weight.sum().backward()
    optimizer.step()
    assert (weight > 0).item() == maximize

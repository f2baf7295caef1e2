"""foreach and fused: the same update in fewer kernels."""

# %% same
import torch
from torch import nn

variants = {"for loop": dict(foreach=False), "foreach": dict(foreach=True), "fused": dict(fused=True)}


def train(options, steps=5):
    torch.manual_seed(0)
    net = nn.Sequential(*(nn.Linear(16, 16) for _ in range(4)))
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01, **options)
    for _ in range(steps):
        loss = net(torch.randn(8, 16)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return nn.utils.parameters_to_vector(net.parameters()).detach()


expected = train({})
for name, options in variants.items():
    print(f"{name:8} {torch.allclose(train(options), expected, atol=1e-5)}")

# %% speed varies=true
from torch.utils.benchmark import Timer


def seconds(options):
    parameters = [nn.Parameter(torch.randn(64)) for _ in range(300)]  # many and small
    for parameter in parameters:
        parameter.grad = torch.randn(64)
    optimizer = torch.optim.AdamW(parameters, **options)
    return Timer("optimizer.step()", globals={"optimizer": optimizer}).blocked_autorange(min_run_time=0.1).median


times = {name: seconds(options) for name, options in variants.items()}
for name, time in times.items():
    print(f"{name:8} {time / times['for loop']:.2f}")

# %% who-has-it
import inspect

for optimizer_class in (torch.optim.SGD, torch.optim.Adagrad, torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop):
    names = inspect.signature(optimizer_class).parameters
    print(f"{optimizer_class.__name__:8} foreach {'foreach' in names!s:5} fused {'fused' in names}")

# %% both raises="RuntimeError"
torch.optim.AdamW([nn.Parameter(torch.zeros(2))], foreach=True, fused=True)

# %% unknown raises="TypeError"
torch.optim.RMSprop([nn.Parameter(torch.zeros(2))], fused=True)

# %% resumed
weight = nn.Parameter(torch.ones(2))
saved = torch.optim.AdamW([weight]).state_dict()
optimizer = torch.optim.AdamW([weight], fused=True)
print("before:", optimizer.param_groups[0]["fused"])
optimizer.load_state_dict(saved)
print("after: ", optimizer.param_groups[0]["fused"])

# %% set-again
for group in optimizer.param_groups:
    group["fused"] = True
weight.grad = torch.ones(2)
optimizer.step()
print(optimizer.param_groups[0]["fused"])

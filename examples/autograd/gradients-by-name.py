"""After backward, every gradient can be read under its parameter's name."""

# %% frozen
import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))
model[0].bias.requires_grad = False  # frozen

model(torch.ones(4, 2)).square().mean().backward()
for name, param in model.named_parameters():
    norm = None if param.grad is None else torch.linalg.vector_norm(param.grad)
    print(f"{name:9}{param.requires_grad!s:6}", norm)

# %% without-gradient
print([name for name, param in model.named_parameters() if param.grad is None])

# %% total
grads = [param.grad for param in model.parameters() if param.grad is not None]
print(nn.utils.get_total_norm(grads))

# %% deep fold=true
import matplotlib.pyplot as plt

layers = [part for _ in range(8) for part in (nn.Linear(16, 16), nn.Sigmoid())]
deep = nn.Sequential(*layers)
deep(torch.randn(32, 16)).sum().backward()
grads = [layer.weight.grad for layer in deep if isinstance(layer, nn.Linear)]
norms = [torch.linalg.vector_norm(grad).item() for grad in grads]

fig, ax = plt.subplots(figsize=(5.2, 2.6))
ax.bar(range(len(norms)), norms)
ax.set_yscale("log")
ax.minorticks_off()
ax.set_xlabel("linear layer")
ax.set_ylabel("vector_norm(weight.grad)")
ax.grid(axis="y")

# %% quarter hidden=true
points = torch.linspace(-8, 8, 1001, requires_grad=True)
(slope,) = torch.autograd.grad(points.sigmoid().sum(), points)
assert slope.max() <= 0.25
assert norms == sorted(norms) and norms[-1] > 1000 * norms[0]

# %% sparse hidden=true
table = nn.Embedding(3, 2, sparse=True)
table(torch.tensor([1, 1])).sum().backward()
try:
    torch.linalg.vector_norm(table.weight.grad)
except NotImplementedError:
    pass
else:
    raise AssertionError("sparse gradients have a norm now")
assert torch.linalg.vector_norm(table.weight.grad.coalesce().values()) == 8**0.5

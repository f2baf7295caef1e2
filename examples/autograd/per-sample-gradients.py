"""vmap(grad(...)) gives the gradient of every sample in one call."""

# %% setup
import torch
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)
net = torch.nn.Linear(3, 1)
features, targets = torch.randn(5, 3), torch.randn(5, 1)  # a batch of 5
params = {name: param.detach() for name, param in net.named_parameters()}


# %% vmap
def loss_of_one(params, x, y):  # one sample, without the batch dimension
    return F.mse_loss(functional_call(net, params, (x,)), y)


per_sample = vmap(grad(loss_of_one), in_dims=(None, 0, 0))(params, features, targets)
for name, gradient in per_sample.items():
    print(f"{name:7}", tuple(gradient.shape))
print("norms: ", [f"{norm:.1f}" for norm in per_sample["weight"].norm(dim=(1, 2))])

# %% loop
rows = []
for x, y in zip(features, targets):
    net.zero_grad()
    F.mse_loss(net(x), y).backward()
    rows.append(net.weight.grad.clone())
print("equals the loop:", torch.allclose(per_sample["weight"], torch.stack(rows), atol=1e-6))

# %% mean
net.zero_grad()
F.mse_loss(net(features), targets).backward()
print("their mean is .grad:", torch.allclose(per_sample["weight"].mean(dim=0), net.weight.grad, atol=1e-6))


# %% randomness raises="RuntimeError"
rows = torch.ones(4, 100)
vmap(lambda row: F.dropout(row, 0.5))(rows)

# %% randomness-different
for randomness in ("same", "different"):
    dropped = vmap(lambda row: F.dropout(row, 0.5), randomness=randomness)(rows)
    print(f"{randomness:10} all rows equal: {(dropped == dropped[0]).all().item()}")

# %% condition raises="RuntimeError"
vmap(lambda row: row * 2 if row.sum() > 0 else row)(features)

# %% where
doubled = vmap(lambda row: torch.where(row.sum() > 0, row * 2, row))(features)
print((doubled / features).round().int())

# %% batchnorm raises="ValueError"
norm = torch.nn.BatchNorm1d(3)
vmap(lambda row: norm(row[None]))(features)

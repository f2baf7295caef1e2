"""The loss does not fall: a checklist that runs."""

# %% data
import torch
from torch import nn

torch.manual_seed(0)
points = torch.randn(64, 5)
targets = points @ torch.tensor([1.0, -2.0, 3.0, 0.0, 0.5])  # (batch,)


# %% overfit-one-batch
def fit(net, lr, steps=60):
    optimizer = torch.optim.Adam(net.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        loss = nn.functional.mse_loss(net(points[:8]).squeeze(1), targets[:8])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def new_net():
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 1))


nets = {"right": new_net(), "ReLU last": nn.Sequential(*new_net(), nn.ReLU())}
for name, net in nets.items():
    losses = fit(net, lr=0.02)
    print(f"{name:9} from {losses[0]:.1f} to {losses[-1]:.2f}")

# %% shapes warns="UserWarning"
predicted = targets[:, None]  # (batch, 1): every prediction is right
wrong = nn.functional.mse_loss(predicted, targets)
right = nn.functional.mse_loss(predicted.squeeze(1), targets)
print(f"(64, 1) and (64,): {wrong:.1f}\n(64,) and (64,):   {right:.1f}")


# %% all-in-the-optimizer
def forgotten(net, optimizer):
    groups = optimizer.param_groups
    known = {id(parameter) for group in groups for parameter in group["params"]}
    for name, parameter in net.named_parameters():
        if id(parameter) not in known:
            print(name, "is not in the optimizer")
        elif not parameter.requires_grad:
            print(name, "is frozen")


net = nn.Sequential(nn.Linear(5, 32), nn.ReLU(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(net[2].parameters())
forgotten(net, optimizer)


# %% gradients-by-layer
def deep(activation):
    torch.manual_seed(0)
    layers = []
    for _ in range(8):
        layers += [nn.Linear(16, 16), activation()]
    return nn.Sequential(nn.Linear(5, 16), *layers, nn.Linear(16, 1))


for activation in (nn.Sigmoid, nn.ReLU):
    net = deep(activation)
    nn.functional.mse_loss(net(points).squeeze(1), targets).backward()
    gradients = [layer.weight.grad for layer in net if isinstance(layer, nn.Linear)]
    norms = [f"{torch.linalg.vector_norm(g):.0e}" for g in gradients[::3]]
    print(f"{activation.__name__:7}", *norms)

# %% scale
for factor in (1.0, 1000.0):
    net = nn.Linear(5, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(50):
        loss = nn.functional.mse_loss(net(points * factor).squeeze(1), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    value = f"{loss.item():.2f}" if loss.isfinite() else "not finite"
    print(f"inputs times {factor:g}: loss {value}")

# %% sweep
rates = [10 ** (exponent / 2) for exponent in range(-10, 3)]
curves = [fit(new_net(), lr) for lr in rates]
for lr, losses in list(zip(rates, curves))[::3]:
    print(f"lr {lr:.0e}: from {losses[0]:.2g} to {losses[-1]:.2g}")

# %% sweep-drawn fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.4, 3.0))
for steps in (20, 60):
    values = [losses[steps - 1] for losses in curves]
    ax.loglog(rates, values, "o-", label=f"step {steps}", linewidth=2, markersize=4)
ax.axhline(curves[0][0], color="C2", linestyle=":", label="step 1")
ax.set(xlabel="lr", ylabel="loss")
ax.legend(fontsize=9)

# %% remedies hidden=true
column = nn.functional.mse_loss(predicted, targets[:, None])
assert column == right == 0

# %% constant-feature hidden=true
features = torch.randn(8, 2)
features[:, 1] = 5.0  # the same in every sample
scaled = (features - features.mean(dim=0)) / features.std(dim=0)
assert scaled.isnan().any(dim=0).tolist() == [False, True]
net(points).sum().backward()
optimizer.zero_grad()
assert net.weight.grad is None

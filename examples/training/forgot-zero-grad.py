"""Without zero_grad, plain SGD becomes SGD with momentum 1, which never comes to rest."""

# %% data
import torch
from torch import nn

torch.manual_seed(0)
true_weight = torch.tensor([[2.0], [-1.0]])
points = torch.randn(64, 2)  # (batch, features)
labels = points @ true_weight + 0.5  # (batch, 1)


# %% with-and-without
def train(clear, steps=24, **options):
    torch.manual_seed(0)
    net = nn.Linear(2, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1, **options)
    losses, path = [], []
    for _ in range(steps):
        path.append(net.weight.detach().clone())
        loss = nn.functional.mse_loss(net(points), labels)
        if clear:
            optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, torch.cat(path)


cleared, cleared_path = train(clear=True)
forgotten, forgotten_path = train(clear=False)
print(f"with zero_grad()    {cleared[-1]:.2e}")
print(f"without zero_grad() {forgotten[-1]:.2e}")

# %% curves fold=true
import matplotlib.pyplot as plt

fig, (left, right) = plt.subplots(1, 2, figsize=(6.4, 2.9))
runs = {"zero_grad()": (cleared, cleared_path), "(forgotten)": (forgotten, forgotten_path)}
for name, (losses, path) in runs.items():
    left.plot(losses, label=name)
    right.plot(*path[0], "o", color="C2")
    right.plot(*path.T, "-", linewidth=1.3)
right.plot(*true_weight, "*", color="C3", markersize=12)
left.set(xlabel="step", ylabel="loss", ylim=(-0.3, 8))
right.set(xlabel="weight[0]", ylabel="weight[1]")
left.legend(loc="upper right")
for ax in (left, right):
    ax.locator_params(nbins=4)

# %% momentum-one
rolling, _ = train(clear=True, momentum=1.0)
difference = max(abs(a - b) for a, b in zip(forgotten, rolling))
print(f"largest difference of the losses: {difference}")

# %% longer
for steps in (24, 100, 300):
    losses, _ = train(clear=False, steps=steps)
    print(f"{steps:3} steps: lowest {min(losses):.3f}, last {losses[-1]:.3f}")

# %% growing-gradient
torch.manual_seed(0)
net = nn.Linear(2, 1)
for call in range(3):  # the same loss three times, no step in between
    nn.functional.mse_loss(net(points), labels).backward()
    print(net.bias.grad)

# %% counter-cases hidden=true
for rate in (1e-3, 1e-2, 0.1):  # gradients that add up: an oscillation without friction
    for curvature in (0.5, 2.0):
        position = torch.tensor(3.0, dtype=torch.float64, requires_grad=True)
        path = []
        for _ in range(4000):
            (0.5 * curvature * position**2).backward()  # never cleared
            with torch.no_grad():
                position -= rate * position.grad
            path.append(abs(position.item()))
        assert max(path[-2000:]) > 1.0  # it has not settled

# %% with-momentum hidden=true
losses, _ = train(clear=False, steps=300, momentum=0.9)
assert not losses[-1] < float("inf")

# %% own-loop hidden=true
for clear, sizes in ((True, [1, 1, 1]), (False, [1, 2, 3])):
    net, gradients = nn.Linear(2, 1), []
    optimizer = torch.optim.AdamW(net.parameters())
    for _ in range(3):
        loss = nn.functional.mse_loss(net(points), labels)
        if clear:
            optimizer.zero_grad()
        loss.backward()
        gradients.append(net.bias.grad.clone())  # no step(): a scheduler or a group may replace lr=0
    for size, gradient in zip(sizes, gradients):
        torch.testing.assert_close(gradient, size * gradients[0])
optimizer = torch.optim.SGD(net.parameters(), lr=0.0)
torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, total_steps=9)
assert optimizer.param_groups[0]["lr"] > 0

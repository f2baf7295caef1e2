"""EMA and SWA: averages of the weights."""

# %% ema
import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

torch.manual_seed(0)
true_weight = torch.tensor([[1.0, -2.0, 3.0]])


def draw_batch(samples=8):
    inputs = torch.randn(samples, 3)
    return inputs, inputs @ true_weight.T + torch.randn(samples, 1)


net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(decay=0.98))
history = []
for step in range(400):
    inputs, targets = draw_batch()
    loss = nn.functional.mse_loss(net(inputs), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ema.update_parameters(net)  # after each step
    history.append(net.weight.detach().clone())


def error(weight):
    return torch.linalg.vector_norm(weight - true_weight).item()


late = torch.stack(history[200:])
typical = sum(error(weight) for weight in late) / len(late)
print(f"last 200 weights, mean error {typical:.2f}")
print(f"averaged weight              {error(ema.module.weight):.2f}")

# %% by-hand
average = history[0]
for weight in history[1:]:
    average = 0.98 * average + 0.02 * weight
print("equal:", torch.allclose(average, ema.module.weight, atol=1e-5))

# %% drawn fold=true varies=true
import matplotlib.pyplot as plt

averages, average = [], history[0]
for weight in history:
    average = 0.98 * average + 0.02 * weight
    averages.append(average)
fig, ax = plt.subplots(figsize=(5.6, 3.0))
ax.plot([weight[0, 0] for weight in history], linewidth=1, label="net.weight[0, 0]")
ax.plot([weight[0, 0] for weight in averages], linewidth=2, label="ema.module.weight[0, 0]")
ax.axhline(true_weight[0, 0], linestyle=":", color="C2", label="true_weight[0, 0]")
ax.set(xlabel="step")
ax.legend(fontsize=9)

# %% swa
from torch.optim.swa_utils import SWALR

net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.2)
swa = AveragedModel(net)  # without a function: the plain mean
scheduler = SWALR(optimizer, swa_lr=0.05, anneal_epochs=5)
collected = []
for epoch in range(30):
    for _ in range(10):
        inputs, targets = draw_batch()
        loss = nn.functional.mse_loss(net(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if epoch >= 10:  # the first epochs are far off
        swa.update_parameters(net)
        scheduler.step()
        collected.append(net.weight.detach().clone())
rate = scheduler.get_last_lr()
print("averaged:", swa.n_averaged.item(), " learning rate:", rate)
mean = torch.stack(collected).mean(dim=0)
print("the mean:", torch.allclose(mean, swa.module.weight, atol=1e-5))

# %% batch-norm
from torch.optim.swa_utils import update_bn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
swa = AveragedModel(net)
loader = [draw_batch(64) for _ in range(20)]
for _ in range(5):
    for inputs, targets in loader:
        loss = nn.functional.mse_loss(net(inputs), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        swa.update_parameters(net)


def gap():  # between the statistics in the layer and those of its inputs
    hidden = swa.module[0](torch.cat([inputs for inputs, _ in loader]))
    return (swa.module[1].running_var - hidden.var(dim=0)).abs().max().item()


before = gap()
update_bn(loader, swa)
print("closer after update_bn:", gap() < before / 2)

# %% state-dict
print(list(swa.state_dict())[:3])
print(list(swa.module.state_dict())[:2])

# %% buffers hidden=true
ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.5), use_buffers=True)
ema.update_parameters(net)  # copies
before = net[1].running_mean.clone()
net(loader[0][0])
ema.update_parameters(net)  # mixes
assert torch.allclose(ema.module[1].running_mean, (before + net[1].running_mean) / 2, atol=1e-6)

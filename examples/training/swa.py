"""SWA: the mean of the last weights, its learning rate, and BatchNorm."""

# %% swa
import torch
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel

torch.manual_seed(0)
true_weight = torch.tensor([[1.0, -2.0, 3.0]])


def draw_batch(samples=8):
    inputs = torch.randn(samples, 3)
    return inputs, inputs @ true_weight.T + torch.randn(samples, 1)


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

# %% constant
for _ in range(3):
    optimizer.step()
    scheduler.step()
    print(scheduler.get_last_lr())

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

# %% buffers hidden=true
from torch.optim.swa_utils import get_ema_multi_avg_fn

ema = AveragedModel(net, multi_avg_fn=get_ema_multi_avg_fn(0.5), use_buffers=True)
ema.update_parameters(net)  # copies
before = net[1].running_mean.clone()
net(loader[0][0])
ema.update_parameters(net)  # mixes
assert torch.allclose(ema.module[1].running_mean, (before + net[1].running_mean) / 2, atol=1e-6)

# %% bfloat16 hidden=true
half = nn.Linear(1, 1, bias=False).bfloat16()
plain = AveragedModel(half)
exact = AveragedModel(half, avg_fn=lambda mean, new, n: mean + (new - mean) / (n + 1)).float()
for i in range(1000):
    with torch.no_grad():
        half.weight.fill_(1 + i / 1000)
    plain.update_parameters(half)
    exact.update_parameters(half)
assert abs(exact.module.weight.item() - 1.5) < 0.01 < abs(plain.module.weight.item() - 1.5)

# %% instance-norm hidden=true
layer = nn.InstanceNorm1d(4, track_running_stats=True)
update_bn([torch.randn(8, 4, 5) + 5 for _ in range(9)], layer)
assert torch.equal(layer.running_mean, torch.zeros(4))


# %% device-of-batches hidden=true
class Noting(nn.BatchNorm1d):
    def forward(self, inputs):
        devices.append(inputs.device.type)
        return inputs


devices = []
for device in (None, "meta"):
    update_bn([torch.randn(8, 3)], Noting(3).to("meta"), device=device)
assert devices == ["cpu", "meta"]

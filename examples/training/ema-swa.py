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

# %% by-hand
average = history[0]
for weight in history[1:]:
    average = 0.98 * average + 0.02 * weight
print("equal:", torch.allclose(average, ema.module.weight, atol=1e-5))

# %% state-dict
print(list(ema.state_dict())[:3])
print(list(ema.module.state_dict())[:2])

# %% counter-cases hidden=true
for decay in (0.5, 0.9, 0.999):
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2)).double()
    running = AveragedModel(model, multi_avg_fn=get_ema_multi_avg_fn(decay))
    expected = None
    for _ in range(20):
        with torch.no_grad():
            for parameter in model.parameters():
                parameter.add_(torch.randn_like(parameter))
        running.update_parameters(model)
        now = nn.utils.parameters_to_vector(model.parameters())
        expected = now if expected is None else decay * expected + (1 - decay) * now
        torch.testing.assert_close(nn.utils.parameters_to_vector(running.module.parameters()), expected)
assert error(ema.module.weight) < typical / 3  # several times closer

# %% in-bfloat16 hidden=true
from torch.optim.swa_utils import get_ema_avg_fn

half = nn.Linear(1, 1, bias=False).bfloat16()
kinds = (
    AveragedModel(half, multi_avg_fn=get_ema_multi_avg_fn(0.999)),
    AveragedModel(half, avg_fn=get_ema_avg_fn(0.999)).float(),
)
for value, updates in ((1.0, 1), (2.0, 1000)):
    nn.init.constant_(half.weight, value)
    for kind in kinds:
        for _ in range(updates):
            kind.update_parameters(half)
assert kinds[0].module.weight == 1  # stuck
assert abs(kinds[1].module.weight - (2 - 0.999**1000)) < 1e-3
half.eval()
assert kinds[1].module.training  # eval() of the model does not reach it

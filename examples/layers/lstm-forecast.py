"""Forecast a series with an LSTM: windows, scaling from the training part, several steps."""

# %% series
import torch
from torch import nn

torch.manual_seed(0)
t = torch.arange(600.0)
season = 10 * torch.sin(torch.pi * t / 12.5) + 4 * torch.sin(torch.pi * t / 20)
series = 50 + season + 0.5 * torch.randn(600)  # (time,)

window, horizon = 40, 10  # read 40 values, forecast the next 10
train, valid = series[:480], series[480 - window :]
mean, std = train.mean(), train.std()  # of the training part alone
print("train", tuple(train.shape), "valid", tuple(valid.shape))
print(f"mean {mean:.1f}, std {std:.1f}")


# %% windows
def windows(values):
    parts = values.unfold(0, window + horizon, 1)  # (windows, window + horizon)
    past, future = parts.split([window, horizon], dim=1)
    return past[..., None], future  # (windows, time, features), (windows, horizon)


x, y = windows((train - mean) / std)
x_valid, y_valid = windows((valid - mean) / std)
print("x", tuple(x.shape), "y", tuple(y.shape), "valid", tuple(x_valid.shape))
print("y follows x:", torch.equal(x[1, -1, 0], y[0, 0]))


# %% model
class Forecaster(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, horizon)

    def forward(self, past):
        _, (h, _) = self.lstm(past)  # h: (layers, windows, hidden)
        return past[:, -1] + self.head(h[-1])  # changes from the last value


# %% train
net = Forecaster()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(25):
    for index in torch.randperm(len(x)).split(64):
        loss = nn.functional.mse_loss(net(x[index]), y[index])
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()


# %% judge
def rmse(forecast):  # in the unit of the series
    return (forecast - y_valid).square().mean().sqrt().item() * std.item()


with torch.no_grad():
    forecast = net(x_valid)
last = x_valid[:, -1].expand(-1, horizon)  # "as now"
period = x_valid[:, -25 : -25 + horizon, 0]  # "as 25 steps ago"
print("half the RMSE of the last value: ", rmse(forecast) < 0.5 * rmse(last))
print("half the RMSE of one period ago: ", rmse(forecast) < 0.5 * rmse(period))

# %% figure fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(6.2, 2.6))
ax.plot(t[480 - 40 :], series[480 - 40 :], color="C0", linewidth=1)
for start in (5, 30, 55):
    steps = 480 + start + torch.arange(horizon)
    ax.plot(steps, forecast[start] * std + mean, "-o", color="C1", markersize=3)
ax.axvline(480, linestyle=":")

# %% longer
past, steps = x_valid[:1], []
with torch.no_grad():
    for _ in range(4):
        ahead = net(past)  # (1, horizon)
        steps.append(ahead)
        past = torch.cat([past, ahead[..., None]], dim=1)[:, -window:]
print("40 steps from 10:", tuple(torch.cat(steps, dim=1).shape))

# %% leak
starts = torch.randperm(len(series) - window - horizon + 1)
starts = starts[: len(starts) * 8 // 10]  # 80% of all windows, at random
seen = torch.zeros(600, dtype=torch.bool)
for offset in range(window + horizon):
    seen[starts + offset] = True
print(f"values in some training window: {seen.sum()} of {len(seen)}")

# %% no-features raises="RuntimeError"
net.lstm(x[..., 0])

# %% with-features
out, _ = net.lstm(x[..., 0].unsqueeze(-1))
print("output:", tuple(out.shape))

# %% claims hidden=true
assert torch.corrcoef(torch.stack([series[:-1], series[1:]]))[0, 1] > 0.9  # "as one step ago" looks good
past, steps = x_valid[:60], []
with torch.no_grad():
    for _ in range(4):
        steps.append(net(past))
        past = torch.cat([past, steps[-1][..., None]], dim=1)[:, -window:]
wanted = ((valid - mean) / std).unfold(0, 40, 1)[window : window + 60]
errors = (torch.cat(steps, dim=1) - wanted).square().mean(dim=0).view(4, 10).mean(dim=1)
assert errors[-1] > 2 * errors[0]

# %% any-seed hidden=true
for seed in range(20):
    torch.manual_seed(seed)
    drawn = torch.randperm(len(series) - window - horizon + 1)[:440]
    covered = torch.zeros(600, dtype=torch.bool)
    covered[(drawn[:, None] + torch.arange(window + horizon)).flatten()] = True
    assert covered.sum() > 590  # the first and last values are in few windows

# %% trend hidden=true
rising = series + 0.2 * t
center, spread = rising[:480].mean(), rising[:480].std()
seen, _ = windows((rising[:480] - center) / spread)
later, later_y = windows((rising[480 - window :] - center) / spread)
assert later.max() > seen.max() + 0.5  # the input leaves the range of the training part
changes, later_changes = seen - seen[:, -1:], later - later[:, -1:]
assert later_changes.min() > 1.1 * changes.min() and later_changes.max() < 1.1 * changes.max()  # changes do not

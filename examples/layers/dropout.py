"""nn.Dropout follows the module's mode; no_grad does not matter to it."""

# %% modes
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
dropout = nn.Dropout(0.5)
hidden = torch.ones(8)

print("train:", dropout.train()(hidden))
print("eval: ", dropout.eval()(hidden))

# %% no-grad
dropout.train()
with torch.no_grad():
    print(dropout(hidden))

# %% functional
torch.manual_seed(0)
dropout.eval()
with torch.no_grad():
    print("nn.Dropout      ", dropout(hidden))
    print("F.dropout       ", F.dropout(hidden))
    print("training=False  ", F.dropout(hidden, training=False))


# %% in-forward
class Careless(nn.Module):
    def forward(self, hidden):
        return F.dropout(hidden, 0.5)


class Careful(nn.Module):
    def forward(self, hidden):
        return F.dropout(hidden, 0.5, training=self.training)


torch.manual_seed(0)
for net in (Careless().eval(), Careful().eval()):
    print(f"{type(net).__name__:8}", net(hidden))

# %% scale
torch.manual_seed(0)
for p in (0.2, 0.5, 0.8):
    dropped = F.dropout(torch.ones(100_000), p)
    zeros = (dropped == 0).float().mean()
    values = [round(value, 2) for value in dropped.unique().tolist()]
    print(f"{p=} values {values}, zeros {zeros:.1%}, mean {dropped.mean():.2f}")

# %% gradient
hidden = torch.ones(8, requires_grad=True)
dropped = dropout.train()(hidden)
dropped.sum().backward()
print("output  ", dropped.detach())
print("gradient", hidden.grad)

# %% averages
torch.manual_seed(0)
linear = nn.Linear(64, 1)
net = nn.Sequential(nn.Dropout(0.5), linear)
image = torch.randn(1, 64)

with torch.no_grad():
    sampled = net.train()(image.expand(4000, 64))[:, 0]  # one mask per row
    fixed = net.eval()(image)[0, 0]
print(f"train mode: mean {sampled.mean():.2f}, std {sampled.std():.2f}")
print(f"eval mode: {fixed:.2f}")

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.6, 2.6))
ax.hist(sampled.numpy(), bins=40, histtype="stepfilled", alpha=0.6, label="train(), 4000 masks")
ax.axvline(fixed.item(), color="C1", linewidth=2, label="eval()")
ax.set(xlabel="output", ylabel="count")
ax.set_ylim(top=ax.get_ylim()[1] * 1.35)
ax.legend(frameon=False, fontsize=9, loc="upper left")


# %% monte-carlo
DROPOUTS = nn.Dropout, nn.Dropout1d, nn.Dropout2d, nn.Dropout3d, nn.AlphaDropout
INSIDE = nn.RNNBase, nn.MultiheadAttention, nn.TransformerEncoderLayer


def sample_predictions(net, image, samples):
    for module in net.modules():
        module.training = isinstance(module, DROPOUTS + INSIDE)
    with torch.no_grad():
        predictions = torch.stack([net(image.clone()) for _ in range(samples)])
    net.eval()  # or dropout stays on
    return predictions


torch.manual_seed(0)
predictions = sample_predictions(net, image, 1000)
print(f"mean {predictions.mean():.1f}, std {predictions.std():.1f}")

# %% channels
torch.manual_seed(1)
maps = torch.ones(1, 4, 2, 3)  # (batch, channels, height, width)
for layer in (nn.Dropout(0.5), nn.Dropout2d(0.5)):
    print(type(layer).__name__, layer(maps)[0].flatten(1), sep="\n")

# %% channels-3d warns="UserWarning"
dropped = nn.Dropout2d(0.5)(torch.ones(4, 5, 6))

# %% channels-1d
print(nn.Dropout1d(0.5)(torch.ones(1, 4, 3))[0])

# %% no-layer-inside hidden=true
for module in (nn.LSTM(2, 2, num_layers=2, dropout=0.5), nn.MultiheadAttention(4, 1, dropout=0.5)):
    assert not any(isinstance(part, DROPOUTS) for part in module.modules())

# %% off-again hidden=true
assert not any(module.training for module in net.modules())

# %% inside hidden=true
layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.5, batch_first=True)
attended = torch.randn(1, 3, 8)
assert sample_predictions(nn.TransformerEncoder(layer, 2), attended, 20).std(dim=0).min() > 0

# %% shared hidden=true
shared = nn.Dropout(0.5)  # one module below two parents
halves = (nn.Sequential(nn.Linear(8, 8), shared) for _ in range(2))
assert sample_predictions(nn.Sequential(*halves), attended, 20).std(dim=0).min() > 0


# %% made-in-forward hidden=true
class Remade(nn.Module):
    def forward(self, hidden):
        return nn.Dropout(0.5)(hidden)


class Made(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.5)

    def forward(self, hidden):
        return self.dropout(hidden)


ones = torch.ones(100)
assert not torch.equal(Remade().eval()(ones), ones) and torch.equal(Made().eval()(ones), ones)


# %% in-a-list hidden=true
class Listed(nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.dropouts = kind([nn.Dropout(0.5)])

    def forward(self, hidden):
        return self.dropouts[0](hidden)


for kind in (list, nn.ModuleList):
    assert torch.equal(Listed(kind).eval()(ones), ones) is (kind is nn.ModuleList)

# %% in-place hidden=true
head = nn.Sequential(nn.Dropout(0.5, inplace=True), nn.Linear(8, 8))  # writes into its input
image = torch.randn(1, 8)
before = image.clone()
spread = sample_predictions(head, image, 50).std(dim=0)
assert torch.equal(image, before) and spread.min() > 0

"""A training script with torch.compile, to copy."""

# %% data
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

device = torch.device("cpu")
if torch.accelerator.is_available():
    device = torch.accelerator.current_accelerator()

torch.manual_seed(0)
points = torch.rand(1280, 2)
labels = ((points - 0.5).square().sum(dim=1) < 0.15).long()  # inside a circle
train_set = TensorDataset(points[:1024], labels[:1024])
val_set = TensorDataset(points[1024:], labels[1024:])
loader = DataLoader(train_set, batch_size=64, shuffle=True, drop_last=True)
val_loader = DataLoader(val_set, batch_size=64)


# %% model
class Net(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.first = nn.Linear(2, width)
        self.second = nn.Linear(width, width)
        self.last = nn.Linear(width, 2)

    def forward(self, points):
        hidden = self.first(points).relu()
        hidden = hidden + self.second(hidden).relu()
        return self.last(hidden)


net = Net().to(device)
optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
compiled = torch.compile(net)  # after .to(device); has the parameters of net


# %% functions
def train_epoch():
    compiled.train()
    for points, labels in loader:
        logits = compiled(points.to(device, non_blocking=True))
        loss = nn.functional.cross_entropy(logits, labels.to(device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@torch.no_grad()
def evaluate():
    net.eval()  # the model itself: evaluation is one pass, not worth compiling
    right = seen = 0
    for points, labels in val_loader:
        predicted = net(points.to(device)).argmax(dim=1)
        right += (predicted == labels.to(device)).sum()
        seen += len(labels)
    return right.item() / seen


# %% train needs="compiler"
for epoch in range(6):
    train_epoch()
print("accuracy above 0.9:", evaluate() > 0.9)

# %% graphs needs="compiler"
from torch._dynamo.utils import counters

print("graphs compiled:", counters["stats"]["unique_graphs"])
print("graph breaks:   ", sum(counters["graph_break"].values()))

# %% save needs="compiler"
import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "weights.pt"
torch.save(net.state_dict(), path)  # of net: no prefix in its names

fresh = Net()
fresh.load_state_dict(torch.load(path, map_location="cpu"))
batch = points[:64]
same = torch.allclose(fresh(batch), compiled(batch.to(device)).cpu(), atol=1e-4)
print("same output without compiling:", same)

# %% sizes hidden=true
assert {len(points) for points, _ in loader} == {64}
uneven = TensorDataset(points[:0].new_zeros(150, 2))
assert [len(batch) for (batch,) in DataLoader(uneven, 64, drop_last=True)] == [64, 64]
assert all(one is other for one, other in zip(net.parameters(), compiled.parameters()))


# %% lstm-on-cpu hidden=true
class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.lstm = nn.LSTM(3, 3)

    def forward(self, x):
        return self.lstm(x)[0]


with torch._dynamo.config.patch(allow_rnn=True):
    try:
        torch.compile(Reader(), backend="aot_eager")(torch.ones(2, 1, 3))
    except (AssertionError, TypeError) as error:
        assert "Tensor" in str(error), error
    else:
        raise AssertionError("an LSTM on a CPU is compiled for training now")

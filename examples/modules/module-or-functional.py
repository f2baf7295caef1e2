"""nn.ReLU or F.relu: the same numbers; a module also keeps weights, buffers and the mode."""

# %% same-numbers
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
x = torch.tensor([-1.0, 0.5, 2.0])
print("nn.ReLU()(x):  ", nn.ReLU()(x))
print("F.relu(x):     ", F.relu(x))
print("torch.relu(x): ", torch.relu(x))

# %% keeps-weights
images = torch.randn(2, 3, 8, 8)  # (batch, channels, height, width)
conv = nn.Conv2d(3, 4, kernel_size=3)
by_function = F.conv2d(images, conv.weight, conv.bias)
print("equal:", torch.equal(conv(images), by_function))


# %% weightless
class Modules(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)
        self.relu = nn.ReLU()

    def forward(self, x):
        return self.relu(self.layer(x))


class Functions(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(4, 2)

    def forward(self, x):
        return F.relu(self.layer(x))


one, other = Modules(), Functions()
print("keys:", list(one.state_dict()), list(other.state_dict()))
other.load_state_dict(one.state_dict())
batch = torch.randn(3, 4)
print("equal:", torch.equal(one(batch), other(batch)))
print("print(model):", one, other, sep="\n")


# %% sequential
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
print("model(batch):", tuple(model(batch).shape))
print("ReLU modules:", sum(isinstance(m, nn.ReLU) for m in model.modules()))


# %% dropout
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.dropout = nn.Dropout(0.5)

    def forward(self, x):
        a = self.dropout(x)
        b = F.dropout(x, 0.5)  # training=True by default
        c = F.dropout(x, 0.5, training=self.training)
        return a, b, c


net = Net().eval()
names = "nn.Dropout", "F.dropout", "training=self.training"
for name, out in zip(names, net(torch.ones(1000))):
    print(f"{name:23} zeros: {(out == 0).any().item()}")


# %% created-in-forward
class New(nn.Module):
    def forward(self, x):
        return nn.Linear(4, 2)(x)  # new weights in every call


new = New()
print("parameters:", len(list(new.parameters())))
print("same output twice:", torch.equal(new(batch), new(batch)))

# %% batch-norm raises="TypeError"
F.batch_norm(torch.randn(8, 4))

# %% batch-norm-module
norm = nn.BatchNorm1d(4)
out = norm(torch.randn(8, 4))
print("kept by the module:", list(norm.state_dict()))

# %% class-for-object raises="TypeError"
nn.Linear(torch.randn(3, 4), 2)

# %% object
print("nn.Linear(4, 2)(batch):", tuple(nn.Linear(4, 2)(batch).shape))

# %% relu-class raises="AttributeError"
nn.ReLU(batch).sum()

# %% relu-object
print("sum:", nn.ReLU()(torch.ones(3, 4)).sum())

# %% counter-cases hidden=true
pairs = {
    nn.GELU(): F.gelu,
    nn.SiLU(): F.silu,
    nn.LeakyReLU(0.2): lambda x: F.leaky_relu(x, 0.2),
    nn.Softmax(dim=-1): lambda x: F.softmax(x, dim=-1),
    nn.MaxPool1d(2): lambda x: F.max_pool1d(x, 2),
    nn.Flatten(): lambda x: x.flatten(1),
}
values = torch.randn(2, 3, 8)
for module, function in pairs.items():
    assert torch.equal(module(values), function(values))
    assert not module.state_dict()
for training in (True, False):
    inputs = torch.randn(16, 4)
    norm = nn.BatchNorm1d(4).train(training)
    mean, var = norm.running_mean.clone(), norm.running_var.clone()
    by_hand = F.batch_norm(inputs, mean, var, norm.weight, norm.bias, training)
    assert torch.equal(norm(inputs), by_hand) and torch.equal(norm.running_mean, mean)
assert "training" not in F.relu.__code__.co_varnames

# %% off-by-default hidden=true
ones = -torch.ones(1000)
assert torch.equal(F.alpha_dropout(ones, 0.5), ones)
assert F.rrelu(ones).unique().numel() == 1 and nn.RReLU().train()(ones).unique().numel() > 1

# %% float-size hidden=true
try:
    nn.Linear(8 / 2, 2)
except TypeError as error:
    assert "failed to unpack" in str(error) and "got float" in str(error), error
else:
    raise AssertionError
assert nn.Linear(8 // 2, 2)(batch).shape == (3, 2)

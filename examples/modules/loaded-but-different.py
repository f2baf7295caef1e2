"""A loaded model answers differently each time: three tests that find the reason."""

# %% twice
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Dropout(0.5))
        self.head = nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.body(x))


torch.manual_seed(0)
trained, x = Net(), torch.randn(3, 4)
torch.save(trained.state_dict(), "net.pt")
expected = trained.eval()(x)

loaded = Net()
loaded.load_state_dict(torch.load("net.pt"))
print("one model, asked twice, the same:", torch.equal(loaded(x), loaded(x)))
loaded.eval()
print("after eval():                    ", torch.equal(loaded(x), loaded(x)))
print("as before saving:                ", torch.equal(loaded(x), expected))


# %% batchnorm
def with_norm():
    return nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Linear(8, 2))


model = with_norm()
model(torch.randn(64, 4) + 1)  # training goes through the statistics
answer = model.eval()(x)
loaded = with_norm()
loaded.load_state_dict(model.state_dict())
print("training:                        ", loaded.training)
print("one model, asked twice, the same:", torch.equal(loaded(x), loaded(x)))
print("as before saving:                ", torch.allclose(loaded(x), answer))

# %% loaded-twice
state = {f"module.{name}": value for name, value in trained.state_dict().items()}
torch.save(state, "parallel.pt")  # as DataParallel writes it


def load(path):
    model = Net().eval()
    model.load_state_dict(torch.load(path), strict=False)
    return model


one, two = load("parallel.pt"), load("parallel.pt")
print("one model, asked twice, the same:", torch.equal(one(x), one(x)))
print("the file, loaded twice, the same:", torch.equal(one(x), two(x)))

# %% which
twin = two.state_dict()
own = one.state_dict()
different = [name for name in own if not own[name].equal(twin[name])]
print("not from the file:", different)

# %% strict raises="RuntimeError"
Net().load_state_dict(torch.load("parallel.pt"))

# %% prefix
state = torch.load("parallel.pt")
nn.modules.utils.consume_prefix_in_state_dict_if_present(state, "module.")
loaded = Net().eval()
loaded.load_state_dict(state)
print("as before saving:", torch.equal(loaded(x), expected))

# %% seed
models = []
for _ in range(2):
    torch.manual_seed(1)
    models.append(load("parallel.pt"))
one, two = models
print("with a seed, loaded twice, the same:", torch.equal(one(x), two(x)))
print("as before saving:                   ", torch.equal(one(x), expected))


# %% plain-list
class Listed(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(4, 2)]  # not registered

    def forward(self, x):
        return self.layers[0](x)


state = Listed().state_dict()
one, two = Listed(), Listed()
print(one.load_state_dict(state), "from a file with", len(state), "tensors")
print("loaded twice, the same:", torch.equal(one(x), two(x)))

# %% claims hidden=true
normed = nn.utils.parametrizations.spectral_norm(nn.Linear(20, 20))
rows = torch.randn(2, 20)
assert not torch.equal(normed(rows), normed(rows))
normed.eval()
assert torch.equal(normed(rows), normed(rows))
loaded = with_norm().eval()
loaded.load_state_dict(model.state_dict())
assert torch.allclose(loaded(x), answer)


class Functional(nn.Module):
    def __init__(self, passed):
        super().__init__()
        self.passed = passed

    def forward(self, x):
        return nn.functional.dropout(x, 0.5, **({"training": self.training} if self.passed else {}))


many = torch.ones(64)
for passed in (True, False):
    functional = Functional(passed).eval()
    assert torch.equal(functional(many), functional(many)) is passed

# %% after-a-test hidden=true
changed = with_norm()
changed.load_state_dict(model.state_dict())
assert torch.equal(changed(x), changed(x))  # one model asked twice, in training mode
assert not torch.allclose(changed.eval()(x), answer)
changed.load_state_dict(model.state_dict())
assert torch.allclose(changed(x), answer)

pretrained = nn.Linear(4, 8).state_dict()
prefixed = {f"module.{name}": value for name, value in trained.state_dict().items()}


class Pretrained(Net):
    def __init__(self):
        super().__init__()
        self.body[0].load_state_dict(pretrained)


one, two = Pretrained(), Pretrained()
for each in (one, two):
    each.load_state_dict(prefixed, strict=False)  # no name fits
twin, states = two.state_dict(), trained.state_dict()
assert [name for name, value in one.state_dict().items() if not value.equal(twin[name])] == ["head.weight", "head.bias"]
assert not twin["body.0.weight"].equal(states["body.0.weight"])  # and yet not from the file

for network in (trained, model):  # dropout; BatchNorm
    while_training = network.train()(x)
    assert not torch.allclose(network.eval()(x), while_training)
    assert torch.equal(network(x), network(x))

"""apply() visits every module; check for a bias before filling it."""

# %% no-bias raises="AttributeError"
import torch
from torch import nn

conv = nn.Conv2d(3, 8, kernel_size=3, bias=False)
net = nn.Sequential(
    nn.Sequential(conv, nn.BatchNorm2d(8), nn.ReLU()),
    nn.Flatten(),
    nn.Linear(8, 2),
)


def init_weights(module):
    if isinstance(module, (nn.Conv2d, nn.Linear)):
        module.bias.data.zero_()


net.apply(init_weights)

# %% none
print("bias:", conv.bias, " hasattr:", hasattr(conv, "bias"))


# %% guarded
def init_weights(module):
    if isinstance(module, (nn.Conv2d, nn.Linear)):
        nn.init.kaiming_normal_(module.weight, nonlinearity="relu")
        if module.bias is not None:
            nn.init.zeros_(module.bias)


net.apply(init_weights)
print(net[2].bias)

# %% order
visited = []
net.apply(lambda module: visited.append(type(module).__name__))
print(visited)
print([type(module).__name__ for module in net.modules()])

# %% bias-before-batch-norm hidden=true
features = torch.randn(16, 8)
batch_norm = nn.BatchNorm1d(8)
torch.testing.assert_close(batch_norm(features + 5), batch_norm(features))

# %% computed-weights hidden=true
normed = nn.utils.parametrizations.weight_norm(nn.Linear(2, 2))
before = normed.weight.detach().clone()
normed.apply(init_weights)
assert torch.equal(normed.weight, before)
try:
    nn.LazyLinear(2).apply(init_weights)
except RuntimeError as error:
    assert "uninitialized" in str(error)
else:
    raise AssertionError("a lazy layer has a shape now")

# %% remedies hidden=true
for layer in (nn.Linear(2, 2), nn.Linear(2, 2, bias=False)):
    if layer.bias is not None:
        nn.init.zeros_(layer.bias)

# %% another-number hidden=true
for layer in (nn.Linear(2, 2), nn.Linear(2, 2, bias=False)):
    if layer.bias is not None:
        nn.init.constant_(layer.bias, 1.0)
        assert (layer.bias == 1).all() and layer.bias.requires_grad

"""DropPath (stochastic depth), LayerScale, squeeze-and-excitation."""

# %% drop-path
import torch
import torch.nn.functional as F
from torch import nn


class DropPath(nn.Module):
    """Leave a branch out, for each sample with probability `rate`."""

    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, branch):  # (batch, …)
        if not self.training or self.rate == 0.0:
            return branch
        keep = 1.0 - self.rate
        mask = branch.new_empty(len(branch), *[1] * (branch.ndim - 1))
        return branch * mask.bernoulli_(keep) / keep


torch.manual_seed(0)
drop = DropPath(0.2)
branch = torch.ones(8, 3)  # (batch, features)
print(drop(branch)[:, 0])

# %% expectation
mean = torch.stack([drop(branch) for _ in range(5000)]).mean()
print(f"training, mean of many: {mean:.2f}")
print("eval, unchanged:", torch.equal(drop.eval()(branch), branch))


# %% whole-sum
class Block(nn.Module):
    def __init__(self, width, rate, scale=1e-5):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        layers = nn.Linear(width, width), nn.GELU(), nn.Linear(width, width)
        self.layers = nn.Sequential(*layers)
        self.scale = nn.Parameter(torch.full((width,), scale))  # LayerScale
        self.drop = DropPath(rate)

    def forward(self, x):
        return x + self.drop(self.scale * self.layers(self.norm(x)))


x = torch.randn(6, 16)
right = Block(16, rate=0.5)(x)
wrong = DropPath(0.5)(x)  # of the sum, not of the branch
for name, out in (("x + drop(branch)", right), ("drop(x + branch)", wrong)):
    print(name, "samples lost:", (out == 0).all(dim=1).sum().item())

# %% rates
rates = torch.linspace(0, 0.2, steps=5).tolist()
net = nn.Sequential(*[Block(16, rate) for rate in rates])
print([round(block.drop.rate, 2) for block in net])

# %% layer-scale
net.eval()
for scale in (1e-5, 1.0):
    torch.manual_seed(0)
    blocks = nn.Sequential(*[Block(16, 0.0, scale) for _ in range(24)])
    change = (blocks(x) - x).norm() / x.norm()
    print(f"scale {scale:.0e}: changed by more than 1 %: {(change > 0.01).item()}")


# %% squeeze-excite
class SqueezeExcite(nn.Module):
    """Weigh each channel by what the whole image looks like."""

    def __init__(self, channels, reduction=16):
        super().__init__()
        hidden = max(channels // reduction, 8)
        self.down = nn.Conv2d(channels, hidden, kernel_size=1)
        self.up = nn.Conv2d(hidden, channels, kernel_size=1)

    def forward(self, x):  # (batch, channels, height, width)
        means = x.mean(dim=(2, 3), keepdim=True)  # (batch, channels, 1, 1)
        return x * self.up(self.down(means).relu()).sigmoid()


torch.manual_seed(0)
maps = torch.randn(2, 32, 8, 8)
squeeze = SqueezeExcite(32)
factors = squeeze(maps) / maps
low, high = factors.flatten(2).aminmax(dim=2)  # of each sample and channel
print("one factor for each channel:", torch.allclose(low, high, rtol=1e-4))
print("between 0 and 1:", bool((low > 0).all() and (high < 1).all()))

# %% no-hidden warns="UserWarning"
nn.Conv2d(8, 8 // 16, kernel_size=1)

# %% checks hidden=true
for shape in ((4, 3), (4, 5, 3), (4, 3, 6, 6)):
    ones = torch.ones(shape)
    out = DropPath(0.25)(ones).flatten(1)
    assert (out == out[:, :1]).all() and set(out.unique().tolist()) <= {0.0, ones[0].new_tensor(1 / 0.75).item()}
    torch.manual_seed(1)
    mask = F.dropout(torch.ones(len(ones), *[1] * (ones.ndim - 1)), 0.25)
    torch.manual_seed(1)
    assert all(min(abs(x), abs(x - 4 / 3)) < 1e-6 for x in (ones * mask).unique().tolist())
assert DropPath(0.0)(branch) is branch
assert DropPath(1.0)(branch).isnan().all()  # 0 / 0
half = DropPath(0.5)(torch.ones(64, 2, dtype=torch.bfloat16))
assert half.dtype == torch.bfloat16
tile = squeeze(maps[..., :4, :4])
assert not torch.allclose(tile, squeeze(maps)[..., :4, :4], rtol=1e-3)  # the mean of a tile is another
torch.testing.assert_close(squeeze(maps)[:1], squeeze(maps[:1]))  # other samples do not matter
block = Block(16, 0.0)
block(x).square().sum().backward()
other = Block(16, 0.0, scale=1.0)
other.load_state_dict({**block.state_dict(), "scale": torch.ones(16)})
other(x).square().sum().backward()
assert block.layers[2].weight.grad.norm() < 1e-3 * other.layers[2].weight.grad.norm()
assert DropPath(0.5)(torch.full((64, 1), torch.inf)).isnan().any()  # inf * 0
assert DropPath(0.5)(torch.ones(0, 3)).shape == (0, 3) and DropPath(0.5)(torch.ones(64)).unique().numel() == 2
none_hidden = nn.Conv2d(8, 8, kernel_size=1)
none_hidden.weight = nn.Parameter(torch.empty(0, 8, 1, 1))  # what the page's warning leaves
none_hidden.bias = None
try:
    none_hidden(torch.randn(2, 8, 1, 1))
except RuntimeError as error:
    assert "expected weight to be at least 1" in str(error)
else:
    raise AssertionError("no error")

# %% scale-of-maps hidden=true
factors = torch.arange(1.0, 33.0)
square = torch.ones(2, 32, 32, 32)  # as wide as it has channels
assert torch.equal((factors * square)[0, 0, 0], factors)  # the columns, without an error
assert torch.equal((factors[:, None, None] * square)[0, :, 0, 0], factors)
frozen = Block(16, rate=0.5, scale=1.0).requires_grad_(False)
x = torch.randn(64, 16)
assert not torch.equal(frozen(x), frozen(x)) and torch.equal(frozen.eval()(x), frozen(x))

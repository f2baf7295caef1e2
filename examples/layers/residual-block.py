"""A residual block adds its input to what its layers compute, so both need one shape."""

# %% block
import torch
from torch import nn


class ResidualBlock(nn.Module):
    def __init__(self, c_in, c_out, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(c_in, c_out, 3, stride, padding=1, bias=False)
        self.norm1 = nn.BatchNorm2d(c_out)
        self.conv2 = nn.Conv2d(c_out, c_out, 3, padding=1, bias=False)
        self.norm2 = nn.BatchNorm2d(c_out)
        self.relu = nn.ReLU()
        self.shortcut = nn.Identity()
        if stride != 1 or c_in != c_out:
            self.shortcut = nn.Sequential(
                nn.Conv2d(c_in, c_out, 1, stride, bias=False),
                nn.BatchNorm2d(c_out),
            )

    def forward(self, x):
        out = self.relu(self.norm1(self.conv1(x)))
        out = self.norm2(self.conv2(out))
        return self.relu(out + self.shortcut(x))


# %% shapes
torch.manual_seed(0)
x = torch.randn(2, 16, 32, 32)  # (batch, channels, height, width)
blocks = {
    "16 -> 16, stride 1": ResidualBlock(16, 16),
    "16 -> 32, stride 1": ResidualBlock(16, 32),
    "16 -> 16, stride 2": ResidualBlock(16, 16, stride=2),
    "16 -> 32, stride 2": ResidualBlock(16, 32, stride=2),
}
for name, block in blocks.items():
    kind = type(block.shortcut).__name__
    print(f"{name}: {kind:10} {tuple(block(x).shape)}")

# %% channels raises="RuntimeError"
conv = nn.Conv2d(16, 32, 3, padding=1)
x + conv(x)

# %% sizes raises="RuntimeError"
conv = nn.Conv2d(16, 16, 3, stride=2, padding=1)
x + conv(x)

# %% one-by-one
conv = nn.Conv2d(16, 32, 3, stride=2, padding=1)
shortcut = nn.Conv2d(16, 32, kernel_size=1, stride=2, bias=False)
print("sum:", tuple((shortcut(x) + conv(x)).shape))

# %% broadcasts
gray = torch.randn(2, 1, 32, 32)
conv = nn.Conv2d(1, 16, 3, padding=1)
print("no error:", tuple((gray + conv(gray)).shape))


# %% gradients
def first_gradient(residual, depth=40):
    torch.manual_seed(0)
    layers = [nn.Linear(32, 32) for _ in range(depth)]
    h = torch.randn(64, 32)
    for layer in layers:
        h = h + layer(h).relu() if residual else layer(h).relu()
    h.mean().backward()
    return layers[0].weight.grad.abs().mean().item()


plain, residual = first_gradient(False), first_gradient(True)
print("plain:    below 1e-12:", plain < 1e-12)
print("residual: above 1e-6: ", residual > 1e-6)

# %% identity-at-start
block = ResidualBlock(16, 16)
nn.init.zeros_(block.norm2.weight)  # the branch begins as 0
positive = x.relu()
print("block(x) is x:", torch.equal(block(positive), positive))

# %% in-place raises="RuntimeError"
h = nn.Linear(8, 8)(torch.randn(4, 8))
h += nn.Linear(8, 8)(h)  # the layer has saved h
h.sum().backward()

# %% out-of-place
h = nn.Linear(8, 8)(torch.randn(4, 8))
h = h + nn.Linear(8, 8)(h)
h.sum().backward()
print("backward works:", h.requires_grad)

# %% counter-cases hidden=true
source = torch.randn(4, 8, requires_grad=True)
out = nn.BatchNorm1d(8)(nn.Linear(8, 8)(source))
out += source
out.relu_().sum().backward()
assert source.grad is not None
for size in (7, 8, 32, 33):
    image = torch.randn(2, 16, size, size)
    for stride in (1, 2, 3):
        for channels in (16, 24):
            out = ResidualBlock(16, channels, stride)(image)
            side = (size - 1) // stride + 1
            assert out.shape == (2, channels, side, side)

# %% other-inputs hidden=true
block = ResidualBlock(3, 6, 2).eval()
image = torch.randn(2, 3, 8, 8)
expected = block(image)
torch.testing.assert_close(block(image[:1]), expected[:1])  # a batch of one
torch.testing.assert_close(block(image.to(memory_format=torch.channels_last)), expected)
assert block(image[:0]).shape == (0, 6, 4, 4)
for dtype in (torch.float64, torch.float16, torch.bfloat16):
    other = ResidualBlock(3, 6, 2).eval().to(dtype)
    other.load_state_dict(block.state_dict())
    torch.testing.assert_close(other(image.to(dtype)).float(), expected, rtol=0.05, atol=0.05)

"""Sine and cosine positions: the table, odd widths, what a shift does."""

# %% table
import torch
from torch import nn


def sinusoidal_positions(length, width):
    """Return (length, width): sines in even columns, cosines in odd ones."""
    speeds = 10_000.0 ** (-torch.arange(0, width, 2) / width)
    angles = torch.arange(length)[:, None] * speeds  # (length, half the width)
    table = torch.zeros(length, width)
    table[:, 0::2] = angles.sin()
    table[:, 1::2] = angles.cos()[:, : width // 2]
    return table


torch.set_printoptions(precision=3, sci_mode=False)
print(sinusoidal_positions(4, 6))
print(sinusoidal_positions(4, 5))

# %% figure fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(6.8, 3.0))
image = axes[0].imshow(sinusoidal_positions(64, 64), cmap="viridis", aspect="auto")
axes[0].set(xlabel="column", ylabel="position")
for column in (0, 8, 16):
    axes[1].plot(sinusoidal_positions(64, 64)[:, column], label=f"column {column}")
axes[1].set(xlabel="position")
axes[1].legend(frameon=False, labelcolor="linecolor", fontsize=8, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))

# %% odd raises="RuntimeError"
speeds = 10_000.0 ** (-torch.arange(0, 5, 2) / 5)
angles = torch.arange(4)[:, None] * speeds
table = torch.zeros(4, 5)
table[:, 1::2] = angles.cos()

# %% odd-cut
table[:, 1::2] = angles.cos()[:, : 5 // 2]
print(table.shape)


# %% module
class Positions(nn.Module):
    def __init__(self, width, length=512):
        super().__init__()
        table = sinusoidal_positions(length, width)
        self.register_buffer("table", table, persistent=False)

    def forward(self, hidden):  # (batch, time, width)
        return hidden + self.table[: hidden.shape[1]]


net = nn.Sequential(nn.Embedding(100, 6), Positions(6))
print(net(torch.zeros(2, 4, dtype=torch.long)).shape)
print(list(net.state_dict()), sum(p.numel() for p in net.parameters()))

# %% too-long raises="RuntimeError"
Positions(6, length=8)(torch.zeros(1, 9, 6))

# %% longer
print(Positions(6, length=9)(torch.zeros(1, 9, 6)).shape)

# %% distance
table = sinusoidal_positions(512, 64)
products = table @ table.T
for first in (0, 100, 400):
    print(f"{first} and {first + 5}: {products[first, first + 5].item():.2f}")

# %% shift
step = 5
speeds = 10_000.0 ** (-torch.arange(0, 64, 2) / 64)
cos, sin = (step * speeds).cos(), (step * speeds).sin()
sines, cosines = table[:, 0::2], table[:, 1::2]
moved = sines * cos + cosines * sin  # turned by the same angle at every position
print("sines 5 later:", torch.allclose(moved[:-step], sines[step:], atol=1e-4))

# %% no-order
attention = nn.MultiheadAttention(6, 2, batch_first=True)
tokens, order = torch.randn(1, 4, 6), torch.tensor([2, 0, 3, 1])
for name, places in (("without", nn.Identity()), ("with", Positions(6))):
    rows = places(tokens), places(tokens[:, order])
    outputs = [attention(row, row, row)[0] for row in rows]
    same = torch.allclose(outputs[0][:, order], outputs[1], atol=1e-5)
    print(f"{name:8} shuffled input gives shuffled output: {same}")

# %% scale
embedding = nn.Embedding(100, 64)
nn.init.normal_(embedding.weight, std=64**-0.5)
for name, factor in (("as it is", 1), ("times sqrt(width)", 64**0.5)):
    size = (embedding.weight * factor).norm(dim=1).mean().item()
    print(f"{name:18} token {size:.0f}, position {table[7].norm().item():.1f}")

# %% claims hidden=true
import math

for width in (1, 2, 5, 8, 33):
    whole = sinusoidal_positions(20, width)
    assert whole.shape == (20, width)
    for position in (0, 3, 19):
        for column in range(width):
            angle = position / 10_000 ** ((column - column % 2) / width)
            wanted = math.cos(angle) if column % 2 else math.sin(angle)
            assert abs(whole[position, column].item() - wanted) < 1e-4
assert table.norm(dim=1).sub(32**0.5).abs().max() < 1e-3
for start in range(0, 500, 50):
    torch.testing.assert_close(products[start, start : start + 12], products[0, :12], atol=1e-3, rtol=0)

# %% other-causes hidden=true
for shape, rows, length, dimension in (
    ((8, 4, 9), Positions(8, length=4).table, 8, 2),  # another width
    ((8, 9, 6), Positions(6).table[:8], 8, 1),  # as many rows as the batch has samples
    ((8, 9, 6), Positions(6).table, 512, 1),  # the whole table, not a slice
):
    try:
        torch.zeros(shape) + rows
    except RuntimeError as error:
        wanted = f"(9) must match the size of tensor b ({length}) at non-singleton dimension {dimension}"
        assert wanted in str(error), error
    else:
        raise AssertionError(shape)

# %% time-comes-first hidden=true
hidden = torch.zeros(9, 4, 6)  # (time, batch, width)
try:
    hidden + Positions(6).table[:9]
except RuntimeError as error:
    assert "(4) must match the size of tensor b (9) at non-singleton dimension 1" in str(error), error
else:
    raise AssertionError
placed = Positions(6)(hidden)  # sliced by hidden.shape[1]: no error
assert torch.equal(placed[0], placed[8]) and not torch.equal(placed[:, 0], placed[:, 1])

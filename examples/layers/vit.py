"""A Vision Transformer by hand, and its position embeddings for another image size."""

# %% model
import torch
import torch.nn.functional as F
from torch import nn


class ViT(nn.Module):
    def __init__(self, size=32, patch=4, width=64, depth=4, heads=4, classes=10):
        super().__init__()
        self.patches = nn.Conv2d(3, width, kernel_size=patch, stride=patch)
        self.cls_token = nn.Parameter(torch.zeros(1, 1, width))
        places = 1 + (size // patch) ** 2  # the cls token has one, too
        self.pos_embed = nn.Parameter(0.02 * torch.randn(1, places, width))
        options = dict(activation="gelu", norm_first=True, batch_first=True)
        make = nn.TransformerEncoderLayer
        sizes = width, heads, 4 * width, 0.0  # no dropout
        blocks = [make(*sizes, **options) for _ in range(depth)]
        self.blocks = nn.Sequential(*blocks)
        self.norm = nn.LayerNorm(width)
        self.head = nn.Linear(width, classes)

    def forward(self, images):  # (batch, 3, height, width)
        columns = self.patches(images).flatten(2)  # (batch, width, patch)
        tokens = columns.transpose(1, 2)  # (batch, patch, width)
        cls_token = self.cls_token.expand(len(images), -1, -1)
        tokens = torch.cat([cls_token, tokens], dim=1) + self.pos_embed
        return self.head(self.norm(self.blocks(tokens))[:, 0])


torch.manual_seed(0)
net = ViT()
print(tuple(net(torch.randn(2, 3, 32, 32)).shape))

# %% parameters
with torch.device("meta"):  # shapes without memory
    base = ViT(size=224, patch=16, width=768, depth=12, heads=12, classes=1000)
print("position embeddings:", base.pos_embed.numel())
print("all parameters:     ", sum(p.numel() for p in base.parameters()))

# %% order
images = torch.randn(2, 3, 32, 32)
shuffled = images.unflatten(2, (8, 4)).flip(2).flatten(2, 3)  # rows of patches
with torch.no_grad():
    print("with positions:", torch.allclose(net(images), net(shuffled), atol=1e-5))
    without = ViT()
    without.pos_embed.zero_()
    same = torch.allclose(without(images), without(shuffled), atol=1e-5)
    print("without:       ", same)

# %% other-size raises="RuntimeError"
larger = torch.randn(2, 3, 48, 48)
net(larger)


# %% resize
def resize_positions(pos_embed, old, new):
    """From a grid of `old` (rows, columns) of patches to one of `new`."""
    cls_token, grid = pos_embed[:, :1], pos_embed[:, 1:]
    grid = grid.transpose(1, 2).unflatten(2, old)  # (1, width, rows, columns)
    grid = grid.float()  # on a CPU, antialias takes no float16
    grid = F.interpolate(grid, size=new, mode="bicubic", antialias=True)
    grid = grid.flatten(2).transpose(1, 2).to(cls_token.dtype)
    return torch.cat([cls_token, grid], dim=1)


resized = resize_positions(net.pos_embed.detach(), old=(8, 8), new=(12, 12))
net.pos_embed = nn.Parameter(resized)
print(tuple(net.pos_embed.shape), tuple(net(larger).shape))

# %% figure fold=true
import matplotlib.pyplot as plt

axis = torch.arange(8)[:, None] * torch.arange(1, 9) / 4  # (place, rate)
waves = torch.cat([axis.sin(), axis.cos()], dim=1)  # (8, 16)
pairs = [waves[:, None].expand(8, 8, 16), waves[None].expand(8, 8, 16)]
known = torch.cat([torch.zeros(1, 32), torch.cat(pairs, dim=2).flatten(0, 1)])[None]
in_two = resize_positions(known, (8, 8), (12, 12))[0, 1:].unflatten(0, (12, 12))
in_one = F.interpolate(known[:, 1:].transpose(1, 2), size=144, mode="linear")[0].T.unflatten(0, (12, 12))
panels = [(known[0, 1:].unflatten(0, (8, 8)), 2, 5), (in_two, 3, 8), (in_one, 3, 8)]
fig, axes = plt.subplots(1, 3, figsize=(6.4, 2.3))
for ax, (grid, row, column), title in zip(axes, panels, ("8 x 8", "12 x 12", "flat, as a line")):
    ax.imshow(F.cosine_similarity(grid, grid[row, column].expand_as(grid), dim=-1).numpy(), vmin=0, vmax=1)
    ax.set_title(title, fontsize=10)
    ax.set(xticks=[], yticks=[])

# %% checks hidden=true
assert sum(p.numel() for p in base.parameters()) == 86_567_656
for old, new in (((8, 8), (8, 8)), ((4, 6), (8, 12)), ((12, 12), (7, 5))):
    embedded = torch.randn(1, 1 + old[0] * old[1], 16)
    again = resize_positions(embedded, old, new)
    assert again.shape == (1, 1 + new[0] * new[1], 16) and torch.equal(again[:, :1], embedded[:, :1])
    if old == new:
        torch.testing.assert_close(again, embedded)
constant = torch.ones(1, 1 + 64, 16)
torch.testing.assert_close(resize_positions(constant, (8, 8), (12, 12)), torch.ones(1, 145, 16))


def alike(grid, row, column):
    return F.cosine_similarity(grid, grid[row, column].expand_as(grid), dim=-1)


assert alike(in_two, 3, 8)[2:5, 7:10].min() > 0.4 and alike(in_two, 3, 8)[[2, 4], 8].min() > 0.6
assert alike(in_one, 3, 8)[[2, 4], 8].max() < 0.5
uneven = ViT()(torch.randn(1, 3, 34, 35))  # what does not fill a patch is left out
assert uneven.shape == (1, 10)

# %% other-inputs hidden=true
for dtype in (torch.float64, torch.float16, torch.bfloat16):
    other = resize_positions(known.to(dtype), (8, 8), (12, 12))
    assert other.dtype is dtype
    torch.testing.assert_close(other.float(), resize_positions(known, (8, 8), (12, 12)), rtol=0.02, atol=0.02)
assert ViT()(torch.randn(2, 3, 16, 64)).shape == (2, 10)  # another shape with as many patches: no error
copied = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, batch_first=True), 3).layers
assert torch.equal(copied[0].linear1.weight, copied[2].linear1.weight)
first, last = ViT().blocks[0], ViT().blocks[3]
assert not torch.equal(first.linear1.weight, last.linear1.weight)

# %% reshaped-only hidden=true
rows = known[:, 1:]
assert torch.equal(rows.transpose(1, 2).reshape(1, -1, 8, 8)[0, :, 2, 5], rows[0, 8 * 2 + 5])
assert not torch.equal(rows.reshape(1, -1, 8, 8)[0, :, 2, 5], rows[0, 8 * 2 + 5])

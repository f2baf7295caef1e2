"""nn.Unfold cuts images into patches, nn.Fold adds them up again."""

# %% tokens
import torch
from torch import nn

torch.manual_seed(0)
image = torch.randn(2, 3, 32, 48)  # (batch, channels, height, width)
unfold = nn.Unfold(kernel_size=16, stride=16)
columns = unfold(image)  # (batch, channels * 16 * 16, patches)
patches = columns.transpose(1, 2)  # (batch, patches, values)
print(tuple(columns.shape), "->", tuple(patches.shape))

# %% one-patch
upper_middle = image[0, :, :16, 16:32]  # (channels, height, width)
print("patch 1:", torch.equal(patches[0, 1].view(3, 16, 16), upper_middle))

# %% embedding
embed = nn.Linear(3 * 16 * 16, 8)
conv = nn.Conv2d(3, 8, kernel_size=16, stride=16)
weight = embed.weight.view(8, 3, 16, 16)
conv.load_state_dict({"weight": weight, "bias": embed.bias})
tokens = conv(image).flatten(2).transpose(1, 2)  # (batch, patches, 8)
print("Linear:", [round(x, 2) for x in embed(patches)[0, 1, :4].tolist()])
print("Conv2d:", [round(x, 2) for x in tokens[0, 1, :4].tolist()])

# %% back
fold = nn.Fold(output_size=(32, 48), kernel_size=16, stride=16)
print("the image again:", torch.equal(fold(columns), image))

# %% overlap
half = dict(kernel_size=16, stride=8)  # overlapping by half
pieces = nn.functional.unfold(image, **half)
counted = nn.functional.unfold(torch.ones_like(image), **half)
summed = nn.functional.fold(pieces, (32, 48), **half)
counts = nn.functional.fold(counted, (32, 48), **half)  # of each pixel
print("counts:", counts.unique().tolist())
print("the image again:", torch.allclose(summed / counts, image, atol=1e-6))

# %% wrong-count raises="RuntimeError"
fold(patches)

# %% wrong-size raises="RuntimeError"
nn.Fold(output_size=(48, 48), kernel_size=16, stride=16)(columns)

# %% right-size
print(tuple(fold(patches.transpose(1, 2)).shape))
print(tuple(nn.Fold((32, 48), kernel_size=16, stride=16)(columns).shape))

# %% does-not-divide
odd = torch.randn(1, 3, 40, 50)
count = unfold(odd).shape[-1]
print(f"patches: {count}, pixels used: {count * 16 * 16} of {40 * 50}")
height, width = odd.shape[-2:]
padded = nn.functional.pad(odd, (0, -width % 16, 0, -height % 16))
print("padded:", tuple(padded.shape), "patches:", unfold(padded).shape[-1])

# %% tiles
first, second = nn.Conv2d(3, 4, 3, padding=1), nn.Conv2d(4, 1, 3, padding=1)
net = nn.Sequential(first, nn.ReLU(), second)
large = torch.randn(1, 3, 64, 96)
size = 32
options = dict(kernel_size=size, stride=size // 2)  # overlapping by half

with torch.no_grad():
    tiles = nn.functional.unfold(large, **options)  # (1, 3 * 32 * 32, tiles)
    tiles = tiles[0].T.unflatten(1, (3, size, size))  # (tiles, 3, 32, 32)
    results = torch.cat([net(part) for part in tiles.split(4)])  # four at a time
    whole = net(large)
print("tiles:", tuple(tiles.shape), " results:", tuple(results.shape))


# %% merge
def merge(results, window, output_size):
    """Means of overlapping tiles (tiles, channels, size, size), by `window`."""
    columns = (results * window).flatten(1).T[None]  # (1, values of a tile, tiles)
    weights = window.expand_as(results).flatten(1).T[None]
    summed = nn.functional.fold(columns, output_size, **options)
    return summed / nn.functional.fold(weights, output_size, **options)


edge = torch.ones(size)
edge[:2] = edge[-2:] = 1e-6  # two 3 x 3 convolutions see two pixels far
plain = torch.ones(size, size)
for name, window in (("mean    ", plain), ("weighted", edge.outer(edge))):
    difference = (merge(results, window, (64, 96)) - whole).abs().max()
    print(f"{name} largest difference {difference:.3f}")

# %% how-far hidden=true
for sees in (8, 9):  # half of the overlap, and more
    single = nn.Conv2d(3, 1, 2 * sees + 1, padding=sees)
    edge = torch.ones(size)
    edge[:sees] = edge[-sees:] = 1e-6
    with torch.no_grad():
        difference = (merge(single(tiles), edge.outer(edge), (64, 96)) - single(large)).abs().max()
    assert (difference < 1e-3) == (sees <= size // 4), (sees, difference)

# %% not-covered hidden=true
uneven = torch.randn(1, 3, 70, 100)
pieces, ones = (nn.functional.unfold(each, **options) for each in (uneven, torch.ones_like(uneven)))
quotient = nn.functional.fold(pieces, (70, 100), **options) / nn.functional.fold(ones, (70, 100), **options)
assert quotient[..., :64, :96].isfinite().all() and quotient[..., 64:, :].isnan().all()
rest = nn.Fold((70, 100), 16, stride=16)(unfold(uneven))
assert torch.equal(rest[..., :64, :96], uneven[..., :64, :96]) and not rest[..., 64:, :].any()
tiny = torch.full((1,), 1e-6)
assert tiny * tiny > 0 and (tiny.half() * tiny.half()) == 0  # a corner's only weight: 0 / 0
with torch.no_grad():
    wide = nn.functional.pad(uneven, (0, -100 % 16, 0, -70 % 16))
    parts = nn.functional.unfold(wide, **options)[0].T.unflatten(1, (3, size, size))
    edge = torch.ones(size)
    edge[:2] = edge[-2:] = 1e-6
    cropped = merge(net(parts), edge.outer(edge), wide.shape[-2:])[..., :70, :100]
    assert torch.allclose(cropped[..., :68, :98], net(uneven)[..., :68, :98], atol=1e-5)

# %% several-classes hidden=true
segment = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(), nn.Conv2d(4, 5, 3, padding=1))
edge = torch.ones(size)
edge[:2] = edge[-2:] = 1e-6
with torch.no_grad():
    five = merge(segment(tiles), edge.outer(edge), (64, 96))
    torch.testing.assert_close(five, segment(large), atol=1e-4, rtol=1e-4)

# %% channels-last-tokens hidden=true
small = torch.arange(96.0).view(2, 3, 4, 4)
cells = small.view(2, 3, 2, 2, 2, 2)  # (batch, channels, row of patches, row, column of patches, column)
join = nn.Fold((4, 4), kernel_size=2, stride=2)
channels_first = cells.permute(0, 2, 4, 1, 3, 5).reshape(2, 4, 12)
channels_last = cells.permute(0, 2, 4, 3, 5, 1).reshape(2, 4, 12)
assert torch.equal(join(channels_first.transpose(1, 2)), small)
assert not torch.equal(join(channels_last.transpose(1, 2)), small)  # no error
reordered = channels_last.unflatten(2, (4, 3)).transpose(2, 3).flatten(2)
assert torch.equal(join(reordered.transpose(1, 2)), small)

# %% class-token hidden=true
head = torch.zeros(2, 1, patches.shape[2])
with_class = torch.cat([head, patches], dim=1)  # one token in front
assert torch.equal(fold(with_class[:, 1:].transpose(1, 2)), image)
for wrong, message in ((with_class.transpose(1, 2), "sliding blocks"), (torch.zeros(2, 192, 6), "be divisible")):
    try:
        fold(wrong)
    except RuntimeError as error:
        assert message in str(error), error
    else:
        raise AssertionError(message)

# %% eval-mode hidden=true
torch.manual_seed(0)
normed = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4), nn.Conv2d(4, 1, 3, padding=1))
edge = torch.ones(size)
edge[:2] = edge[-2:] = 1e-6
for training in (True, False):
    normed.train(training)
    with torch.no_grad():
        merged = merge(torch.cat([normed(part) for part in tiles.split(4)]), edge.outer(edge), (64, 96))
        assert torch.allclose(merged, normed(large), atol=1e-4) is not training

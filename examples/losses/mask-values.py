"""Masks from image files as targets: 0 and 255, class numbers, borders."""

# %% in-a-folder hidden=true
import os
import tempfile

os.chdir(tempfile.mkdtemp())

# %% from-png
import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

drawn = np.array([[0, 255, 255], [0, 0, 255]], dtype=np.uint8)
Image.fromarray(drawn).save("mask.png")
pixels = torch.from_numpy(np.array(Image.open("mask.png")))  # (height, width)
print(pixels, pixels.unique().tolist())

# %% out-of-bounds raises="IndexError"
torch.manual_seed(0)
logits = torch.randn(1, 2, 2, 3)  # (batch, classes, height, width)
F.cross_entropy(logits, pixels[None].long())

# %% two-classes
target = (pixels > 127).long()
print(target)
print(f"loss: {F.cross_entropy(logits, target[None]):.2f}")

# %% divided
print("as floats:", (pixels / 255).unique().tolist())
several = torch.tensor([[0, 1, 7], [7, 0, 1]])  # class numbers in a mask
print("class numbers / 255, as integers:", (several / 255).long().unique().tolist())

# %% byte raises="RuntimeError"
F.cross_entropy(logits, target[None].byte())

# %% border
bordered = torch.tensor([[0, 255, 1], [0, 255, 1]])  # 255: no class
loss = F.cross_entropy(logits, bordered[None], ignore_index=255)
sides = F.cross_entropy(logits[..., [0, 2]], bordered[None, :, [0, 2]])
print(f"255 ignored: {loss:.2f}  without those pixels: {sides:.2f}")

# %% renumber
stored = torch.tensor([[0, 76, 150], [150, 255, 0]])  # three grays and a border
table = torch.full((256,), 255)
for number, gray in enumerate((0, 76, 150)):
    table[gray] = number
print(table[stored])

# %% palette
numbers = np.array([[0, 1, 2], [255, 0, 1]], dtype=np.uint8)
painted = Image.fromarray(numbers, mode="P")
painted.putpalette([0, 0, 0, 128, 0, 0, 0, 128, 0] + [224, 224, 192] * 253)
painted.save("palette.png")
for mode in ("as it is", "L", "RGB"):
    image = Image.open("palette.png")
    values = np.array(image if mode == "as it is" else image.convert(mode))
    print(f"{mode:8} {values.shape}", np.unique(values).tolist())

# %% channel raises="RuntimeError"
F.cross_entropy(logits, target[None, None])  # (batch, 1, height, width)

# %% channel-removed
no_channel = target[None, None].squeeze(1)
print(f"loss: {F.cross_entropy(logits, no_channel):.2f}")

# %% colors
red, black = torch.tensor([255, 0, 0]), torch.tensor([0, 0, 0])
photo = torch.stack([black, red, red, black]).view(2, 2, 3)  # (height, width, RGB)
palette = torch.stack([black, red])  # (classes, 3)
numbers = (photo[..., None, :] == palette).all(dim=-1).int().argmax(dim=-1)
print(numbers)

# %% other-size raises="RuntimeError"
F.cross_entropy(logits, torch.zeros(1, 4, 6, dtype=torch.long))

# %% logits-resized
larger = torch.zeros(1, 4, 6, dtype=torch.long)
resized = F.interpolate(logits, size=larger.shape[-2:], mode="bilinear")
print(f"loss: {F.cross_entropy(resized, larger):.2f}")

# %% binary raises="RuntimeError"
foreground = torch.randn(1, 2, 3)  # one logit per pixel
F.binary_cross_entropy(foreground.sigmoid(), pixels[None].float())

# %% binary-silent
for name, values in (("0 and 255", pixels), ("0 and 1", target)):
    loss = F.binary_cross_entropy_with_logits(foreground, values[None].float())
    print(f"{name}: {loss:.1f}")

# %% checks hidden=true
assert torch.equal(F.cross_entropy(logits, target[None].byte().long()), F.cross_entropy(logits, target[None]))
assert F.cross_entropy(logits, torch.full((1, 2, 3), 255), ignore_index=255).isnan()
F.cross_entropy(torch.randn(3, 2), torch.tensor([0, 1, 1], dtype=torch.uint8))  # of one dimension
assert torch.equal(table[stored] == 255, stored == 255)
far = F.binary_cross_entropy_with_logits(torch.full((1, 2, 3), 20.0), torch.full((1, 2, 3), 255.0))
assert far < -1000  # the loss has no bottom

# %% palette-lost
again = Image.open("palette.png").convert("RGB").convert("P")
print("RGB, then P:", np.unique(np.array(again)).tolist())


def read_mask(path):
    """Class numbers as int64 (height, width)."""
    with Image.open(path) as image:
        if image.mode not in ("P", "L", "1", "I", "I;16"):
            raise ValueError(f"{path}: mode {image.mode} holds no class numbers")
        return torch.from_numpy(np.array(image)).long()


print(read_mask("palette.png"))

# %% palette-checks hidden=true
assert torch.equal(read_mask("palette.png"), torch.tensor([[0, 1, 2], [255, 0, 1]]))
small = Image.open("palette.png").resize((9, 6))  # a palette image is never interpolated
assert small.mode == "P" and set(np.unique(np.array(small))) == {0, 1, 2, 255}
smooth = Image.fromarray(np.array([[0, 2], [2, 0]], dtype=np.uint8)).resize((6, 6))
assert 1 in np.array(smooth)  # gray values are: a class that was not there
Image.open("palette.png").save("copy.png")
assert torch.equal(read_mask("copy.png"), read_mask("palette.png"))
Image.open("palette.png").convert("RGB").save("rgb.png")
try:
    read_mask("rgb.png")
except ValueError as error:
    assert "rgb.png: mode RGB" in str(error)
else:
    raise AssertionError("an RGB mask was read")
Image.fromarray(np.array([[True, False]])).save("bits.png")
assert read_mask("bits.png").unique().tolist() == [0, 1]
Image.fromarray(np.array([[0, 300]], dtype=np.uint16)).save("many.png")  # more than 256 classes
assert read_mask("many.png").tolist() == [[0, 300]]
few = Image.new("P", (2, 1))
few.putpalette([0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255])
few.putdata([3, 1])
few.save("few.gif")
few.save("few.png", optimize=True)
assert read_mask("few.png").tolist() == [[3, 1]] != read_mask("few.gif").tolist()
os.chdir("/")

# %% negative
torch.manual_seed(0)
truth = torch.zeros(1, 1, 16, 16, dtype=torch.float64)
truth[..., 4:12, 4:12] = 1  # (batch, 1, height, width)
photo = truth + 0.3 * torch.randn_like(truth)


def fit(target):
    torch.manual_seed(0)
    net = torch.nn.Conv2d(1, 1, 3, padding=1).double()
    optimizer = torch.optim.Adam(net.parameters(), lr=0.05)
    for _ in range(100):
        optimizer.zero_grad()
        loss = F.binary_cross_entropy_with_logits(net(photo), target)
        loss.backward()
        optimizer.step()
    found = net(photo) > 0
    share = found.double().mean()
    right = (found == (truth > 0)).double().mean()
    return f"loss {loss:7.1f}  foreground {share:3.0%}  right {right:3.0%}"


print("0 and 255:", fit(255 * truth))
print("0 and 1:  ", fit(truth))


# %% check-target
def within(target):
    low, high = target.aminmax()
    return bool(low >= 0 and high <= 1)  # False for NaN, too


targets = {"0 and 255": 255 * truth, "-1 and 1": 2 * truth - 1, "0 and 1": truth}
for name, target in targets.items():
    print(f"{name:9} {within(target)}")

# %% negative-counter-cases hidden=true
for dtype in (torch.float64, torch.float32, torch.float16, torch.bfloat16):
    z = torch.cat([30 * torch.randn(5000), torch.tensor([0.0, 1e4, -1e4])]).to(dtype)
    for y in (torch.rand_like(z), torch.ones_like(z), torch.zeros_like(z)):
        for positive in (None, torch.tensor(0.0, dtype=dtype), torch.tensor(7.0, dtype=dtype)):
            each = F.binary_cross_entropy_with_logits(z, y, pos_weight=positive, reduction="none")
            assert each.min() >= 0
for outside, logit in ((-1.0, -20.0), (1.5, 20.0), (2.0, 20.0), (255.0, 20.0)):
    assert F.binary_cross_entropy_with_logits(torch.tensor(logit), torch.tensor(outside)) < 0
for wrong in (torch.tensor([0.0, float("nan")]), torch.tensor([-1.0, 1.0]), torch.tensor([0, 255])):
    assert not within(wrong)
for fine in (torch.tensor([0, 1]), torch.tensor([False, True]), torch.tensor([0.3])):
    assert within(fine)

# %% palette-kept hidden=true
os.chdir(tempfile.mkdtemp())
several = Image.fromarray(np.array([[0, 1, 2], [2, 0, 1]], dtype=np.uint8), mode="P")
several.putpalette([v for i in range(256) for v in (i, 7 * i % 256, 13 * i % 256)])
several.save("whole.gif")  # without gaps: the same numbers
assert torch.equal(read_mask("whole.gif"), torch.from_numpy(np.array(several)).long())
os.chdir("/")

# %% byte-index hidden=true
try:
    table[stored.to(torch.uint8)]
except IndexError:
    pass
else:
    raise AssertionError("bytes are indices now")
assert torch.equal(table[stored.to(torch.uint8).long()], table[stored])

# %% similar-colors hidden=true
similar = Image.fromarray(np.array([[0, 1, 2]], dtype=np.uint8), mode="P")
similar.putpalette([0, 0, 0, 1, 1, 1, 255, 255, 255])
photo = similar.convert("RGB")
assert np.array(photo.quantize(palette=similar, dither=0)).tolist() == [[0, 0, 2]]
palette = torch.tensor([[0, 0, 0], [1, 1, 1], [255, 255, 255]])
seen = (torch.from_numpy(np.array(photo))[..., None, :] == palette).all(dim=-1).int().argmax(dim=-1)
assert seen.tolist() == [[0, 1, 2]]

# %% negative-either-way hidden=true
for target, toward_background in ((255 * truth, False), (2 * truth - 1, True)):
    for level in (-20.0, 0.0, 20.0):  # the same logit everywhere
        flat = torch.full_like(truth, level, requires_grad=True)
        loss = F.binary_cross_entropy_with_logits(flat, target)
        loss.backward()
        assert bool(flat.grad.sum() > 0) == toward_background
        if level == (-20.0 if toward_background else 20.0):
            assert loss < 0

# %% classes-last-resized hidden=true
classes_last, numbers = torch.randn(1, 10, 10, 5), torch.randint(5, (1, 10, 10))
try:
    F.cross_entropy(classes_last, numbers)
except RuntimeError as error:
    assert "size mismatch" in str(error)
else:
    raise AssertionError("classes may be last")
resized = F.interpolate(classes_last, size=numbers.shape[-2:])
assert F.cross_entropy(resized, numbers) != F.cross_entropy(classes_last.movedim(-1, 1), numbers)  # no error

# %% one-hot-mask hidden=true
classes = torch.tensor([[[0, 2], [1, 1]]])
one_hot = F.one_hot(classes, 3).movedim(-1, 1)
log_probs = torch.randn(1, 3, 2, 2).log_softmax(1)
try:
    F.nll_loss(log_probs, one_hot)
except RuntimeError as error:
    assert "only batches of spatial targets" in str(error)
else:
    raise AssertionError
assert torch.equal(one_hot.argmax(1), classes)
assert F.nll_loss(log_probs, one_hot.argmax(1)).isfinite()

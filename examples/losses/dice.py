"""Dice loss for segmentation: overlap instead of pixels."""

# %% dice
import torch
import torch.nn.functional as F
from torch import nn


def dice_loss(logits, target, smooth=1.0):
    """1 - 2·|P∩T| / (|P| + |T|) for each image, averaged; shapes (N, H, W)."""
    prob = logits.float().sigmoid().flatten(1)
    target = target.float().flatten(1)
    overlap = (prob * target).sum(dim=1)
    size = prob.sum(dim=1) + target.sum(dim=1)
    return (1 - (2 * overlap + smooth) / (size + smooth)).mean()


target = torch.zeros(1, 32, 32)
target[:, 4:8, 4:8] = 1  # 16 of 1024 pixels
nothing = torch.full((1, 32, 32), -6.0)  # “background” everywhere
half = nothing.masked_fill(target.bool(), 6.0)
half[:, 4:6] = -6.0  # finds one half of the object
for name, logits in {"nothing": nothing, "half": half}.items():
    right = ((logits > 0) == target.bool()).float().mean()
    bce = F.binary_cross_entropy_with_logits(logits, target)
    dice = dice_loss(logits, target)
    print(f"{name:7} accuracy {right:.1%}  bce {bce:.3f}  dice {dice:.2f}")

# %% empty asks=true
empty = torch.zeros(1, 32, 32)
sure = torch.full((1, 32, 32), -200.0)  # sigmoid is exactly 0
for smooth in (0.0, 1.0):
    print(f"smooth {smooth}: {dice_loss(sure, empty, smooth):.2f}")

# %% saturated
for name, loss_fn in {
    "dice": dice_loss,
    "bce": F.binary_cross_entropy_with_logits,
}.items():
    logits = torch.full((1, 32, 32), -20.0, requires_grad=True)
    (gradient,) = torch.autograd.grad(loss_fn(logits, target), logits)
    print(f"{name:4} largest gradient {gradient.abs().max():.0e}")


# %% classes
def multiclass_dice(logits, target, smooth=1.0):
    """Mean over classes; logits (N, C, ...), target (N, ...) of class numbers."""
    prob = logits.float().softmax(dim=1)
    one_hot = F.one_hot(target, logits.shape[1]).movedim(-1, 1)  # (N, C, ...)
    overlap = (prob * one_hot).flatten(2).sum(dim=2)
    size = (prob + one_hot).flatten(2).sum(dim=2)
    return (1 - (2 * overlap + smooth) / (size + smooth)).mean()


classes = torch.randint(3, (2, 8, 8), generator=torch.manual_seed(0))
perfect = 20.0 * F.one_hot(classes, 3).movedim(-1, 1)
print(f"right {multiclass_dice(perfect, classes):.2f}", end="  ")
print(f"wrong {multiclass_dice(perfect.roll(1, dims=1), classes):.2f}")

# %% train
torch.manual_seed(0)
masks = torch.zeros(16, 32, 32)
for mask in masks:
    row, column = torch.randint(26, (2,)).tolist()
    mask[row : row + 6, column : column + 6] = 1
images = (masks + 0.3 * torch.randn(16, 32, 32)).unsqueeze(1)  # (N, 1, H, W)

first, last = nn.Conv2d(1, 8, 3, padding=1), nn.Conv2d(8, 1, 3, padding=1)
net = nn.Sequential(first, nn.ReLU(), last)
optimizer = torch.optim.Adam(net.parameters(), lr=0.02)
for step in range(60):
    logits = net(images).squeeze(1)
    bce = F.binary_cross_entropy_with_logits(logits, masks)
    optimizer.zero_grad()
    (bce + dice_loss(logits, masks)).backward()
    optimizer.step()
found = (net(images).squeeze(1) > 0).float()
score = 2 * (found * masks).sum() / (found.sum() + masks.sum())
print(f"Dice score above 0.9: {score.item() > 0.9}")

# %% iou hidden=true
prob, mask = torch.rand(50, 64, generator=torch.manual_seed(0)), (torch.rand(50, 64) < 0.3).float()
for prediction in (prob, (prob > 0.5).float()):
    overlap, size = (prediction * mask).sum(dim=1), (prediction + mask).sum(dim=1)
    dice = 2 * overlap / size
    torch.testing.assert_close(overlap / (size - overlap), dice / (2 - dice))

# %% half hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float32, torch.float64):
    big = torch.full((2, 512, 512), 20.0, dtype=dtype)  # 262144 pixels: too many for float16
    assert dice_loss(big, torch.ones(2, 512, 512, dtype=dtype)).abs() < 1e-4
    classes = torch.zeros(1, 512, 512, dtype=torch.long)
    assert multiclass_dice(torch.stack([big[:1], -big[:1]], dim=1), classes).abs() < 1e-4
one, other = torch.tensor([1.0, 0.0]), torch.tensor([0.50, 0.52])  # Dice of two images
assert one.mean() < other.mean() and (one / (2 - one)).mean() > (other / (2 - other)).mean()

# %% f1 hidden=true needs="sklearn"
from sklearn.metrics import f1_score

assert abs(score.item() - f1_score(masks.flatten(), found.flatten())) < 1e-5

# %% large-images hidden=true
none, background = torch.zeros(1, 512, 512), torch.full((1, 512, 512), -6.0)
assert dice_loss(background, none) > 0.99  # smooth is little beside the sum of the probabilities
right = nothing.masked_fill(target.bool(), 6.0)
assert dice_loss(right, 255 * target) < 0 < dice_loss(right, 255 * target > 0)
volume = torch.randn(2, 3, 4, 8, 8, generator=torch.Generator().manual_seed(0))
labels = torch.randint(3, (2, 4, 8, 8), generator=torch.Generator().manual_seed(0))
as_image = multiclass_dice(volume.flatten(2, 3), labels.flatten(1, 2))
torch.testing.assert_close(multiclass_dice(volume, labels), as_image)

# %% small-object hidden=true
small = torch.zeros(1, 512, 512)
small[:, 4:8, 4:8] = 1  # 16 pixels
for background, high in ((-6.0, True), (-20.0, False)):
    found = torch.where(small.bool(), 6.0, background)
    assert torch.equal(found > 0, small.bool()) and (dice_loss(found, small) > 0.9) == high

# %% no-class hidden=true
target = torch.randint(3, (2, 8, 8), generator=torch.Generator().manual_seed(1))
target[:, :, 6:] = 255  # no class
logits, valid = torch.randn(2, 3, 8, 8, generator=torch.Generator().manual_seed(2)), target != 255
prob = logits.softmax(dim=1) * valid[:, None]
one_hot = F.one_hot(target.masked_fill(~valid, 0), 3).movedim(-1, 1) * valid[:, None]
overlap, size = (each.flatten(2).sum(dim=2) for each in (prob * one_hot, prob + one_hot))
loss = (1 - (2 * overlap + 1) / (size + 1)).mean()
torch.testing.assert_close(loss, multiclass_dice(logits[..., :6], target[..., :6]))

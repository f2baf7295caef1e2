"""mixup and CutMix: mix the samples of a batch, and their labels with them."""

# %% mixup
import torch
import torch.nn.functional as F
from torch import nn


def mixup(images, labels, classes, alpha=0.2):
    """Images (N, C, H, W), class numbers (N,) to mixed images and soft labels."""
    share = torch.distributions.Beta(alpha, alpha).sample().item()
    order = torch.randperm(len(images), device=images.device)
    soft = F.one_hot(labels, classes).to(images.dtype)
    images = share * images + (1 - share) * images[order]
    return images, share * soft + (1 - share) * soft[order]


# %% cutmix
def cutmix(images, labels, classes, alpha=1.0):
    """The same with a rectangle of another image pasted in."""
    share = torch.distributions.Beta(alpha, alpha).sample().item()
    height, width = images.shape[-2:]
    cut_height = round(height * (1 - share) ** 0.5)
    cut_width = round(width * (1 - share) ** 0.5)
    top = torch.randint(height - cut_height + 1, ()).item()
    left = torch.randint(width - cut_width + 1, ()).item()
    order = torch.randperm(len(images), device=images.device)
    box = (..., slice(top, top + cut_height), slice(left, left + cut_width))
    mixed = images.clone()  # leaves the batch as it is
    mixed[box] = images[order][box]
    share = 1 - cut_height * cut_width / (height * width)  # after rounding
    soft = F.one_hot(labels, classes).to(images.dtype)
    return mixed, share * soft + (1 - share) * soft[order]


# %% labels
torch.manual_seed(0)
images = torch.zeros(3, 1, 8, 8)
for number, image in enumerate(images):
    image += number  # all pixels of image 2 are 2
labels = torch.tensor([0, 1, 2])
mixed, soft = cutmix(images, labels, classes=3)
print(soft)
pixels = torch.bincount(mixed[0].long().flatten(), minlength=3)
print("pixels of 0, 1, 2 in image 0:", (pixels / 64).tolist())

# %% pictures
rows = torch.linspace(-1, 1, 16)
y, x = torch.meshgrid(rows, rows, indexing="ij")
disc, stripes = (x**2 + y**2 < 0.5).float(), (x * 4).floor() % 2
shapes = torch.stack([disc, stripes, stripes.T]).unsqueeze(1)  # (3, 1, 16, 16)

# %% draw fold=true
import matplotlib.pyplot as plt

torch.manual_seed(4)
kinds = torch.arange(3)
batches = {"images": (shapes, F.one_hot(kinds, 3).float())}
batches["mixup"] = mixup(shapes, kinds, classes=3, alpha=5.0)
batches["CutMix"] = cutmix(shapes, kinds, classes=3, alpha=5.0)
fig, axes = plt.subplots(3, 3, figsize=(5.0, 5.6))
for row, (name, (batch, soft)) in zip(axes, batches.items()):
    row[0].set_ylabel(name, fontsize=10)
    for ax, picture, label in zip(row, batch[:, 0], soft):
        ax.imshow(picture, vmin=0, vmax=1, cmap="viridis")
        ax.set_title(" ".join(f"{part:.2f}" for part in label.tolist()), fontsize=9)
        ax.set(xticks=[], yticks=[])

# %% equal
torch.manual_seed(0)
logits, order = torch.randn(3, 5), torch.tensor([1, 2, 0])
labels, share = torch.tensor([4, 0, 2]), 0.3
soft = share * F.one_hot(labels, 5) + (1 - share) * F.one_hot(labels[order], 5)
two = share * F.cross_entropy(logits, labels)
two = two + (1 - share) * F.cross_entropy(logits, labels[order])
print(f"soft labels {F.cross_entropy(logits, soft):.4f}, two losses {two:.4f}")

# %% nll raises="RuntimeError"
nn.NLLLoss()(logits.log_softmax(dim=1), soft)

# %% nll-remedy
print(f"{nn.CrossEntropyLoss()(logits, soft):.4f}")

# %% train
torch.manual_seed(0)
numbers = torch.arange(300) % 3
data = shapes[numbers] + torch.randn(300, 1, 16, 16)


def train(mix):
    torch.manual_seed(0)
    first, last = nn.Linear(256, 32), nn.Linear(32, 3)
    net = nn.Sequential(nn.Flatten(), first, nn.ReLU(), last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.005)
    losses = []
    for step in range(150):
        batch, targets = data[:150], numbers[:150]
        if mix is not None:
            batch, targets = mix(batch, targets, classes=3, alpha=1.0)
        loss = F.cross_entropy(net(batch), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    right = net(data[150:]).argmax(dim=1) == numbers[150:]
    return sum(losses[-50:]) / 50, right.float().mean().item()


for name, mix in {"plain": None, "mixup": mixup, "CutMix": cutmix}.items():
    loss, accuracy = train(mix)
    print(f"{name:6} training loss {loss:.1f}, accuracy > 0.9: {accuracy > 0.9}")

# %% claims hidden=true
for mix in (mixup, cutmix):
    for seed in range(20):
        torch.manual_seed(seed)
        batch = torch.rand(4, 1, 9, 7)
        copy = batch.clone()
        mixed, soft = mix(batch, torch.tensor([0, 1, 2, 1]), classes=3)
        assert torch.equal(batch, copy) and mixed.shape == batch.shape
        torch.testing.assert_close(soft.sum(dim=1), torch.ones(4))
labels, weight = torch.tensor([4, 0, 2]), torch.arange(1.0, 6.0)
soft = share * F.one_hot(labels, 5) + (1 - share) * F.one_hot(labels[order], 5)


def both(**options):
    two = share * F.cross_entropy(logits, labels, **options)
    two = two + (1 - share) * F.cross_entropy(logits, labels[order], **options)
    return F.cross_entropy(logits, soft, **options), two


torch.testing.assert_close(*both(label_smoothing=0.1))
one, two = both(weight=weight)
assert abs(one - two) > 0.01
try:
    F.cross_entropy(logits, soft, ignore_index=2)
    raise AssertionError
except RuntimeError as error:
    assert "ignore_index is not supported" in str(error), error
try:
    F.cross_entropy(logits, labels.unsqueeze(1))
    raise AssertionError
except RuntimeError as error:
    assert "0D or 1D target tensor expected" in str(error), error

# %% negative-ignore-index hidden=true
assert torch.equal(F.cross_entropy(logits, soft, ignore_index=-1), F.cross_entropy(logits, soft))

# %% other-inputs hidden=true
for function in (mixup, cutmix):
    for dtype in (torch.float64, torch.float16, torch.bfloat16):
        for size in (0, 1, 5):
            photos = torch.rand(size, 3, 8, 6).to(dtype)
            kept = photos.clone()
            mixed, targets = function(photos, torch.arange(size), classes=5)
            assert torch.equal(photos, kept) and mixed.dtype is targets.dtype is dtype
            assert mixed.shape == photos.shape and targets.shape == (size, 5)
            torch.testing.assert_close(targets.float().sum(dim=1), torch.ones(size), rtol=0.01, atol=0.01)
            if size == 1:  # mixed with itself
                torch.testing.assert_close(mixed, photos, rtol=0.01, atol=0.01)

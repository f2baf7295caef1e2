"""Augmenting images as tensors, with their boxes and masks."""

# %% sample
import torch
import torch.nn.functional as F

rows, columns = torch.meshgrid(torch.arange(40), torch.arange(40), indexing="ij")
mask = ((rows - 14) ** 2 + (columns - 11) ** 2 < 64).long()  # (height, width)
image = torch.stack([columns / 40, rows / 40, mask])  # (channel, height, width)
box = torch.tensor([4, 7, 19, 22])  # left, top, right, bottom; the ends are outside


def box_of(mask):
    height, width = mask.nonzero(as_tuple=True)
    corners = [width.min(), height.min(), width.max() + 1, height.max() + 1]
    return torch.stack(corners)


print("box:", box.tolist(), " of the mask:", box_of(mask).tolist())


# %% augment
def augment(image, mask, box, size=32):
    """Mirror half of the images, crop at random, vary brightness and contrast."""
    if torch.rand(()) < 0.5:
        image, mask = image.flip(-1), mask.flip(-1)
        left, top, right, bottom = box.unbind(-1)  # of (4,) or (boxes, 4)
        width = image.shape[-1]
        box = torch.stack([width - right, top, width - left, bottom], dim=-1)

    top = int(torch.randint(image.shape[-2] - size + 1, ()))
    left = int(torch.randint(image.shape[-1] - size + 1, ()))
    image = image[..., top : top + size, left : left + size]
    mask = mask[..., top : top + size, left : left + size]  # one, or one per object
    box = (box - box.new_tensor([left, top, left, top])).clamp(0, size)

    contrast, brightness = torch.empty(2).uniform_(0.8, 1.2)
    middle = image.mean()
    image = (image - middle) * contrast + middle * brightness
    return image.clamp(0, 1), mask, box  # mask and box keep their values


torch.manual_seed(0)
for _ in range(3):
    new_image, new_mask, new_box = augment(image, mask, box)
    print(tuple(new_image.shape), new_box.tolist(), box_of(new_mask).tolist())

# %% drawn fold=true
import matplotlib.pyplot as plt
from matplotlib.patches import Rectangle

torch.manual_seed(0)
figure, axes = plt.subplots(1, 5, figsize=(6.4, 1.6))
for ax, number in zip(axes, range(5)):
    picture, shape, (left, top, right, bottom) = augment(image, mask, box) if number else (image, mask, box)
    ax.imshow(picture.permute(1, 2, 0))
    ax.contour(shape, levels=[0.5], colors="C1", linewidths=2)
    ax.add_patch(Rectangle((left - 0.5, top - 0.5), right - left, bottom - top, fill=False, color="C9", linewidth=2))
    ax.set_title(f"augmented {number}" if number else "image", fontsize=9)
    ax.axis("off")

# %% apart
torch.manual_seed(1)
moved, _, _ = augment(image, mask, box)
_, drawn_again, _ = augment(image, mask, box)  # other random numbers
wrong = (moved[2] > moved[2].mean()) != drawn_again.bool()
print(f"wrong pixels: {wrong.float().mean():.0%}")

# %% resized-mask
classes = torch.tensor([[0, 0, 2, 2]])[None, None].float()  # classes 0 and 2
for mode in ("bilinear", "nearest-exact"):
    print(mode, F.interpolate(classes, (1, 6), mode=mode).flatten())


# %% batch varies=true
def augment_batch(images):
    """Mirror and brighten each image by itself: (batch, channel, height, width)."""
    options = dict(device=images.device, dtype=images.dtype)  # floats from 0 to 1
    draw = torch.rand(2, len(images), 1, 1, 1, **options)
    images = torch.where(draw[0] < 0.5, images.flip(-1), images)
    return (images * (0.8 + 0.4 * draw[1])).clamp(0, 1)


device = torch.device("cpu")
if torch.accelerator.is_available():
    device = torch.accelerator.current_accelerator()
images = image.expand(8, -1, -1, -1).to(device)
torch.manual_seed(0)
batch = augment_batch(images)
mirrored = batch[:, 0, 0, 0] > batch[:, 0, 0, -1]  # the left edge is brighter
print("mirrored:", int(mirrored.sum()), "of", len(batch))

# %% one-draw
torch.manual_seed(0)
for _ in range(4):
    batch = images.flip(-1) if torch.rand(()) < 0.5 else images
    mirrored = batch[:, 0, 0, 0] > batch[:, 0, 0, -1]
    print("one draw for all:", int(mirrored.sum()), "of", len(batch))

# %% loaders
from torch.utils.data import Dataset, random_split


class Photos(Dataset):
    def __init__(self, images, indices, training):
        self.images, self.indices, self.training = images, indices, training

    def __len__(self):
        return len(self.indices)

    def __getitem__(self, i):
        photo = self.images[self.indices[i]]
        if self.training:
            return augment(photo, mask, box)[0]
        return photo[:, 4:36, 4:36]  # the middle, the same every time


photos = image.expand(10, -1, -1, -1)
train_part, val_part = random_split(range(10), [8, 2])
train_set = Photos(photos, list(train_part), training=True)
val_set = Photos(photos, list(val_part), training=False)
for name, dataset in {"train": train_set, "val": val_set}.items():
    print(f"{name}: the same image twice: {torch.equal(dataset[0], dataset[0])}")

# %% torchvision needs="torchvision"
from torchvision import tv_tensors
from torchvision.transforms import v2

transform = v2.Compose(
    [
        v2.RandomHorizontalFlip(),
        v2.RandomCrop(32),
        v2.ColorJitter(brightness=0.2, contrast=0.2),
    ]
)
boxes = tv_tensors.BoundingBoxes(box[None], format="XYXY", canvas_size=(40, 40))
torch.manual_seed(0)
new_image, new_mask, new_boxes = transform(image, tv_tensors.Mask(mask), boxes)
print(tuple(new_image.shape), new_boxes[0].tolist(), box_of(new_mask).tolist())

# %% plain-mask needs="torchvision"
flip = v2.RandomHorizontalFlip(p=1)
for name, given in {"tensor": mask, "Mask": tv_tensors.Mask(mask)}.items():
    flipped_image, flipped_mask = flip(image, given)
    print(f"{name}: flipped with the image: {not torch.equal(flipped_mask, mask)}")

# %% remedies hidden=true
for seed in range(50):
    torch.manual_seed(seed)
    new_image, new_mask, new_box = augment(image, mask, box)
    assert torch.equal(new_box, box_of(new_mask)), seed
    assert set(new_mask.unique().tolist()) <= {0, 1}

# %% kinds hidden=true
for seed in range(4):
    torch.manual_seed(seed)
    two = augment(image.bfloat16(), mask, torch.stack([box, box]))
    torch.manual_seed(seed)
    assert two[0].dtype == torch.bfloat16 and torch.equal(two[2], augment(image, mask, box)[2].expand(2, -1))
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    assert augment_batch(image[None].to(dtype)).dtype == dtype
assert augment_batch(image[None][:0]).shape == (0, 3, 40, 40)
try:
    augment_batch((image[None] * 255).byte())  # would be white
except RuntimeError:
    pass
else:
    raise AssertionError("bytes are no floats from 0 to 1")

# %% a-mask-per-object hidden=true
masks = torch.stack([mask, mask.flip(-2)])
for seed in range(8):
    several = []
    for given in (masks, masks[0], masks[1]):
        torch.manual_seed(seed)
        several.append(augment(image, given, box)[1])
    assert torch.equal(several[0], torch.stack(several[1:])), seed

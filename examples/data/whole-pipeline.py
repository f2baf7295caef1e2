"""From a table of files to batches on the device: a data pipeline to copy."""

# %% one-core hidden=true
import warnings

# A machine with one core warns of two workers.
warnings.filterwarnings("ignore", message="This DataLoader will create")

# %% files fold=true
import csv
import random
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw

folder = Path(tempfile.mkdtemp())
draws = random.Random(0)
with open(folder / "table.csv", "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["file", "class"])
    for number in range(120):
        kind = "circle" if number % 4 else "square"  # three circles to one square
        image = Image.new("RGB", (36, 36), "steelblue")
        x, y = draws.randrange(4, 16), draws.randrange(4, 16)
        draw = ImageDraw.Draw(image)
        (draw.ellipse if kind == "circle" else draw.rectangle)((x, y, x + 14, y + 14), "gold")
        image.save(folder / f"{number:03}.png")
        table.writerow([f"{number:03}.png", kind])

# %% dataset
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class ImageTable(Dataset):
    """Images by the rows of a table: (channel, height, width), class number."""

    def __init__(self, rows, classes, transform):
        self.rows, self.classes, self.transform = rows, classes, transform

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        with Image.open(folder / row["file"]) as image:
            pixels = np.array(image.convert("RGB"))  # (height, width, channel)
        image = torch.from_numpy(pixels).permute(2, 0, 1).float() / 255
        return self.transform(image), self.classes.index(row["class"])


# %% split
with open(folder / "table.csv", newline="") as file:
    rows = list(csv.DictReader(file))
classes = sorted({row["class"] for row in rows})

generator = torch.Generator().manual_seed(0)
train_rows, val_rows = [], []
for name in classes:  # the same share of each class
    of_class = [row for row in rows if row["class"] == name]
    order = torch.randperm(len(of_class), generator=generator).tolist()
    cut = round(0.8 * len(of_class))
    train_rows += [of_class[i] for i in order[:cut]]
    val_rows += [of_class[i] for i in order[cut:]]
print(classes, len(train_rows), len(val_rows))

# %% statistics
plain = ImageTable(train_rows, classes, transform=lambda image: image)
images = torch.stack([image for image, _ in plain])  # of the training part alone
mean = images.mean(dim=(0, 2, 3))[:, None, None]  # (channel, 1, 1)
std = images.std(dim=(0, 2, 3))[:, None, None]
print("mean", mean.flatten(), " std", std.flatten())


# %% transforms
def normalize(image):
    return (image - mean) / std


def augment(image):  # a random crop of 32 × 32, mirrored half of the time
    top, left = torch.randint(5, (2,)).tolist()
    image = image[:, top : top + 32, left : left + 32]
    return normalize(image.flip(-1) if torch.rand(()) < 0.5 else image)


def crop(image):
    return normalize(image[:, 2:34, 2:34])


# %% loaders
def new_loader(rows, transform, training):
    return DataLoader(
        ImageTable(rows, classes, transform),
        batch_size=16,
        shuffle=training,
        drop_last=training,
        num_workers=2,
        persistent_workers=True,  # not started again in each epoch
        pin_memory=torch.accelerator.is_available(),
        generator=torch.Generator().manual_seed(0),  # order and workers' seeds
    )


train_loader = new_loader(train_rows, augment, training=True)
val_loader = new_loader(val_rows, crop, training=False)
print(len(train_loader), "batches for training,", len(val_loader), "for validation")

# %% epoch
device = torch.device("cpu")
if torch.accelerator.is_available():
    device = torch.accelerator.current_accelerator()
for images, labels in train_loader:
    images = images.to(device, non_blocking=True)  # (batch, channel, height, width)
    labels = labels.to(device, non_blocking=True)
print(tuple(images.shape), images.dtype, tuple(labels.shape), labels.dtype)
print(f"mean {images.mean():.1f}  std {images.std():.1f}")

# %% checks
files = [{row["file"] for row in part} for part in (train_rows, val_rows)]
print("in both parts:", len(files[0] & files[1]))
labels = torch.cat([labels for _, labels in val_loader])
print("classes in validation:", torch.bincount(labels).tolist())

orders = []
for _ in range(2):
    loader = new_loader(train_rows, augment, training=True)
    orders.append(torch.cat([labels for _, labels in loader]))
print("same order again:", torch.equal(*orders))

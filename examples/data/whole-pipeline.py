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

    def __init__(self, folder, rows, classes, transform):
        self.folder, self.rows, self.classes = folder, rows, classes
        self.transform = transform

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        with Image.open(self.folder / row["file"]) as image:
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
plain = ImageTable(folder, train_rows, classes, lambda image: image)
images = torch.stack([image for image, _ in plain])  # of the training part alone
mean = images.mean(dim=(0, 2, 3))[:, None, None]  # (channel, 1, 1)
std = images.std(dim=(0, 2, 3))[:, None, None]
print("mean", mean.flatten(), " std", std.flatten())


# %% transforms
class Transform:
    """A normalized crop of 32 × 32; for training at random, half mirrored."""

    def __init__(self, mean, std, training):
        self.mean, self.std, self.training = mean, std, training

    def __call__(self, image):
        top, left = torch.randint(5, (2,)).tolist() if self.training else (2, 2)
        image = image[:, top : top + 32, left : left + 32]
        if self.training and torch.rand(()) < 0.5:
            image = image.flip(-1)
        return (image - self.mean) / self.std


# %% loaders
def new_loader(rows, training):
    return DataLoader(
        ImageTable(folder, rows, classes, Transform(mean, std, training)),
        batch_size=16,
        shuffle=training,
        drop_last=training,
        num_workers=2,
        persistent_workers=True,  # not started again in each epoch
        pin_memory=torch.accelerator.is_available(),
        generator=torch.Generator().manual_seed(0),  # order and workers' seeds
    )


train_loader = new_loader(train_rows, training=True)
val_loader = new_loader(val_rows, training=False)
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
    loader = new_loader(train_rows, training=True)
    orders.append(torch.cat([labels for _, labels in loader]))
print("same order again:", torch.equal(*orders))

# %% spawned hidden=true
import re
import subprocess
import sys

# The page's code as a script whose workers are spawned: definitions at the top, the rest below the guard.
cells = re.split(r"^# %% (\S+).*$", Path(__file__).read_text(encoding="utf-8"), flags=re.M)[1:]
code = dict(zip(cells[::2], cells[1::2], strict=True))
top = ["import csv\nfrom pathlib import Path\nfrom PIL import Image", code["dataset"], code["transforms"]]
loader, rest = code["loaders"].split("\n\n\n")
main = [f"folder = Path({str(folder)!r})", code["split"], code["statistics"], loader, rest, code["epoch"]]
main = "\n".join(main).replace("num_workers=2", 'num_workers=1, multiprocessing_context="spawn"')
main = main.replace("train_rows, training=True", "train_rows[:32], training=True")
script = Path("spawned.py")
body = "\n".join("    " + line for line in main.splitlines())
script.write_text("\n".join(top) + "\n\nif __name__ == '__main__':\n" + body + "\n", encoding="utf-8")
run = subprocess.run([sys.executable, script], capture_output=True, text=True)
assert run.returncode == 0, run.stderr
assert run.stdout.count("96 24") == 1, run.stdout  # the workers do not read the data again

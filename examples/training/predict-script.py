"""A whole image classifier: from a folder of images to a prediction."""

# %% script
import sys
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageOps
from torch import nn
from torch.utils.data import DataLoader, Dataset, random_split

SIZE = 32
TYPES = {".png", ".jpg", ".jpeg", ".webp", ".bmp"}


def load_image(path):
    """Read an image as uint8 (channel, height, width)."""
    with Image.open(path) as image:
        upright = ImageOps.exif_transpose(image)  # photos of phones
        pixels = np.array(upright.convert("RGB").resize((SIZE, SIZE)))
    return torch.from_numpy(pixels).permute(2, 0, 1)


class Folder(Dataset):
    """One subfolder per class: folder/cat/1.jpg, folder/dog/1.jpg …"""

    def __init__(self, folder):
        folders = sorted(p for p in Path(folder).glob("[!.]*") if p.is_dir())
        self.classes = [path.name for path in folders]
        self.files = [
            (path, label)
            for label, folder_of_class in enumerate(folders)
            for path in sorted(folder_of_class.glob("[!.]*"))  # nothing hidden
            if path.suffix.lower() in TYPES
        ]
        if len(self.classes) < 2 or len(self.files) < 10:
            raise SystemExit(f"{folder}: {len(self.files)} images, {self.classes}")

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        path, label = self.files[i]
        return load_image(path), label


class Net(nn.Module):
    def __init__(self, classes):
        super().__init__()
        widths = (3, 32, 64, 128)
        parts = []
        for width, wider in zip(widths, widths[1:]):
            parts += [nn.Conv2d(width, wider, 3, stride=2, padding=1, bias=False)]
            parts += [nn.BatchNorm2d(wider), nn.ReLU()]
        self.features = nn.Sequential(*parts)
        self.head = nn.Linear(widths[-1], classes)

    def forward(self, images):  # uint8 (batch, channel, height, width)
        images = images.float() / 127.5 - 1  # from -1 to 1: here, not in a loader
        return self.head(self.features(images).mean(dim=(2, 3)))


@torch.no_grad()
def accuracy(net, loader, device):
    net.eval()
    right = []
    for images, labels in loader:
        right.append(net(images.to(device)).argmax(dim=1).cpu() == labels)
    return torch.cat(right).float().mean().item()


def train(folder, checkpoint, device, epochs=10):
    torch.manual_seed(0)
    dataset = Folder(folder)
    train_set, val_set = random_split(dataset, [0.8, 0.2])
    loader = DataLoader(train_set, batch_size=16, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=64)
    net = Net(len(dataset.classes)).to(device)
    optimizer = torch.optim.AdamW(net.parameters(), lr=3e-3)
    best = -1.0
    for epoch in range(epochs):
        net.train()
        for images, labels in loader:
            flipped = torch.rand(len(images), 1, 1, 1) < 0.5  # not for text
            images = torch.where(flipped, images.flip(-1), images)
            logits = net(images.to(device))
            loss = nn.functional.cross_entropy(logits, labels.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        right = accuracy(net, val_loader, device)
        if right > best:
            best = right
            state = {"net": net.state_dict(), "classes": dataset.classes}
            torch.save(state, checkpoint)
    print(f"{len(train_set)} images for training, validation accuracy {best:.1f}")


def predict(picture, checkpoint, device):
    saved = torch.load(checkpoint, map_location=device)
    net = Net(len(saved["classes"])).to(device)
    net.load_state_dict(saved["net"])
    net.eval()
    with torch.inference_mode():
        logits = net(load_image(picture)[None].to(device))  # a batch of one
        probabilities = logits.softmax(dim=1)[0].tolist()
    return sorted(zip(probabilities, saved["classes"]), reverse=True)


def main(folder, picture, checkpoint="classifier.pt"):
    device = torch.device("cpu")
    if torch.accelerator.is_available():
        device = torch.accelerator.current_accelerator()
    if not Path(checkpoint).exists():
        train(folder, checkpoint, device)
    for probability, name in predict(picture, checkpoint, device):
        print(f"{name}: {probability:.0%}")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        sys.exit(main(*sys.argv[1:]))
    print("usage: python classify.py FOLDER PICTURE")

# %% draw-images fold=true
import random
import tempfile

from PIL import ImageDraw

draws = random.Random(0)


def draw(name, path):
    image = Image.new("RGB", (48, 40), draws.choice(["steelblue", "seagreen", "indigo"]))
    x, y, size = draws.randrange(2, 20), draws.randrange(2, 14), draws.randrange(18, 24)
    pen = ImageDraw.Draw(image)
    if name == "circle":
        pen.ellipse((x, y, x + size, y + size), "gold")
    elif name == "cross":
        pen.line((x, y, x + size, y + size), "gold", 5)
        pen.line((x, y + size, x + size, y), "gold", 5)
    else:
        pen.polygon([(x, y + size), (x + size / 2, y), (x + size, y + size)], "gold")
    path.parent.mkdir(parents=True, exist_ok=True)
    image.save(path)


place = Path(tempfile.mkdtemp())
for number in range(180):
    name = ("circle", "cross", "triangle")[number % 3]
    draw(name, place / "photos" / name / f"{number:03}.png")
draw("triangle", place / "new.png")

# %% try varies=true
main(place / "photos", place / "new.png", place / "classifier.pt")

# %% again varies=true
main(place / "photos", place / "new.png", place / "classifier.pt")

# %% unseen
draw("circle", place / "other.png")
device = torch.device("cpu")
for name in ("new", "other"):
    best, *_ = predict(place / f"{name}.png", place / "classifier.pt", device)
    print(f"{name}.png: {best[1]}")

# %% too-few raises="SystemExit"
(place / "empty" / "cat").mkdir(parents=True)
(place / "empty" / "dog").mkdir()
Folder(place / "empty")

# %% as-a-file hidden=true
import subprocess

(place / "photos" / ".ipynb_checkpoints").mkdir()  # no class
(place / "photos" / "circle" / "._000.png").write_bytes(b"not an image")
assert Folder(place / "photos").classes == ["circle", "cross", "triangle"]
assert len(Folder(place / "photos")) == 180  # the right path, one subfolder per class
if "__file__" in globals() and len(sys.argv) == 1:
    command = [sys.executable, __file__, place / "photos", place / "new.png"]
    (place / "elsewhere").mkdir()
    run = subprocess.run(command, cwd=place / "elsewhere", capture_output=True, text=True)
    report, first, *_ = run.stdout.splitlines() or [run.stderr, ""]
    assert report.startswith("144 images") and first.startswith("triangle"), run.stdout + run.stderr
    assert len(run.stdout.splitlines()) == 4

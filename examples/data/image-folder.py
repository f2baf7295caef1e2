"""A dataset from a folder of images, one subfolder per class."""

# %% draw-images fold=true
import tempfile
from pathlib import Path

from PIL import Image, ImageDraw

root = Path(tempfile.mkdtemp())
for number in range(6):
    name = ("circle", "square")[number % 2]
    image = Image.new("RGB", (40 + 4 * number, 40), "steelblue")
    draw = ImageDraw.Draw(image)
    (draw.ellipse if name == "circle" else draw.rectangle)((8, 8, 30, 30), "gold")
    path = root / name / f"{number}.png"
    path.parent.mkdir(exist_ok=True)
    image.save(path)
print(sorted(path.relative_to(root).as_posix() for path in root.rglob("*.png")))

# %% dataset
import numpy as np
import torch
from torch.utils.data import DataLoader, Dataset


class FolderOfImages(Dataset):
    def __init__(self, root, transform):
        self.transform = transform
        self.classes = sorted(path.name for path in root.iterdir() if path.is_dir())
        self.samples = []
        for label, name in enumerate(self.classes):
            for path in sorted((root / name).glob("*.png")):
                self.samples.append((path, label))

    def __len__(self):
        return len(self.samples)

    def __getitem__(self, i):
        path, label = self.samples[i]
        with Image.open(path) as image:
            return self.transform(image.convert("RGB")), label


def to_tensor(image):
    pixels = np.array(image.resize((32, 32)))  # (height, width, channels), uint8
    return torch.from_numpy(pixels).permute(2, 0, 1).float() / 255


dataset = FolderOfImages(root, to_tensor)
print(dataset.classes, len(dataset))
images, labels = next(iter(DataLoader(dataset, batch_size=6)))
print(tuple(images.shape), images.dtype, labels)

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 6, figsize=(6.0, 1.4))
for ax, image, label in zip(axes, images, labels):
    ax.imshow(image.permute(1, 2, 0))  # back to (height, width, channels)
    ax.set_title(f"{int(label)} {dataset.classes[label]}", fontsize=9)
    ax.axis("off")

# %% missing-class
test_root = Path(tempfile.mkdtemp())
(test_root / "square").mkdir()
content = (root / "square" / "1.png").read_bytes()
(test_root / "square" / "0.png").write_bytes(content)
_, label = FolderOfImages(test_root, to_tensor)[0]
print("training:", dataset.classes.index("square"), "test:", label)

# %% modes
for mode in ("RGB", "L", "RGBA", "P"):
    image = Image.new(mode, (32, 32))
    colour = np.array(image.convert("RGB"))
    print(f"{mode:4}", np.array(image).shape, "->", colour.shape)

# %% modes-error raises="RuntimeError"
Image.new("RGBA", (32, 32)).save(root / "square" / "transparent.png")


class NotConverted(FolderOfImages):
    def __getitem__(self, i):
        path, label = self.samples[i]
        with Image.open(path) as image:
            return self.transform(image), label


next(iter(DataLoader(NotConverted(root, to_tensor), batch_size=7)))


# %% remedies hidden=true
class Gray(FolderOfImages):
    def __getitem__(self, i):
        path, label = self.samples[i]
        with Image.open(path) as image:
            return torch.from_numpy(np.array(image.convert("L").resize((32, 32))))[None], label


for kind, channels in ((FolderOfImages, 3), (Gray, 1)):
    images, labels = next(iter(DataLoader(kind(root, to_tensor), batch_size=7)))
    assert images.shape == (7, channels, 32, 32)

# %% turned hidden=true
from PIL import ImageOps

exif = Image.Exif()
exif[0x0112] = 6  # the orientation: turn it by 90 degrees
Image.new("RGB", (40, 20)).save(test_root / "phone.jpg", exif=exif)
with Image.open(test_root / "phone.jpg") as photo:
    assert photo.size == (40, 20) and ImageOps.exif_transpose(photo).size == (20, 40)

# %% torchvision needs="torchvision"
from torchvision.datasets import ImageFolder
from torchvision.transforms import v2

transform = v2.Compose(
    [
        v2.ToImage(),
        v2.Resize((32, 32)),
        v2.ToDtype(torch.float32, scale=True),
    ]
)
folder = ImageFolder(root, transform)
print(folder.classes, folder.class_to_idx, len(folder))
images, labels = next(iter(DataLoader(folder, batch_size=8)))
print(tuple(images.shape), images.dtype, labels)

# %% torchvision-no-folders needs="torchvision" raises="FileNotFoundError" varies=true
ImageFolder(root / "circle")

# %% other-files hidden=true
other_root = Path(tempfile.mkdtemp())
(other_root / "scan").mkdir()
Image.fromarray(np.array([[0, 255], [256, 65535]], dtype=np.uint16)).save(other_root / "deep.png")
with Image.open(other_root / "deep.png") as image:
    assert image.mode == "I;16"
    assert np.array(image.convert("RGB"))[..., 0].tolist() == [[0, 255], [255, 255]]
    assert (np.array(image, dtype=np.float32) / 65535).max() == 1
Image.new("RGB", (4, 4)).save(other_root / "scan" / "0.JPG")
assert len(FolderOfImages(other_root, to_tensor)) == 0
endings = {".jpg", ".jpeg", ".png"}
assert [path.name for path in (other_root / "scan").iterdir() if path.suffix.lower() in endings] == ["0.JPG"]

# %% names-as-text hidden=true
numbered = Path(tempfile.mkdtemp())
for name in ("2", "10", ".ipynb_checkpoints"):
    (numbered / name).mkdir()
assert FolderOfImages(numbered, to_tensor).classes == [".ipynb_checkpoints", "10", "2"]
for values in (np.array([[0, 256]], dtype=np.int32), np.array([[0.5, 300]], dtype=np.float32)):
    assert np.array(Image.fromarray(values).convert("RGB")).max(axis=-1).tolist() == [[0, 255]]

# %% palette-mask hidden=true
mask = Image.fromarray(np.array([[0, 1, 2]], dtype=np.uint8), mode="P")
mask.putpalette([0, 0, 0, 128, 0, 0, 0, 128, 0])
assert np.array(mask).tolist() == [[0, 1, 2]]
assert np.array(mask.convert("L")).max() > 2

# %% no-folder-per-class hidden=true
assert len(FolderOfImages(root / "circle", to_tensor)) == 0  # no error
assert list((root / "circle").glob("*.png"))

"""Photos that lie on their side, and files that are truncated or no images."""

# %% in-a-folder hidden=true
import os
import tempfile

os.chdir(tempfile.mkdtemp())

# %% photo
from pathlib import Path

import numpy as np
from PIL import Image, ImageFile, ImageOps

scene = Image.new("RGB", (400, 600), "seagreen")  # upright
scene.paste("gold", (0, 0, 400, 200))  # the sky
exif = Image.Exif()
exif[0x0112] = 6  # the orientation: turn by 90 degrees to see it
scene.rotate(90, expand=True).save("phone.jpg", exif=exif)

image = Image.open("phone.jpg")
upright = ImageOps.exif_transpose(image)
print("as opened:     ", image.size, image.getexif().get(0x0112))
print("exif_transpose:", upright.size, upright.getexif().get(0x0112))

# %% seen fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(4.4, 2.0))
for ax, title, picture in zip(axes, ("Image.open", "exif_transpose"), (image, upright)):
    ax.imshow(np.array(picture))
    ax.set_title(title, fontsize=10)
    ax.axis("off")

# %% lost
image.save("again.jpg")  # without the orientation, and the pixels still lie
print("saved again:", Image.open("again.jpg").getexif().get(0x0112))
array = Image.fromarray(np.array(image))
print("as an array:", ImageOps.exif_transpose(array).size)

# %% truncated raises="OSError" varies=true
content = Path("phone.jpg").read_bytes()
Path("cut.jpg").write_bytes(content[: len(content) // 2])  # a broken download
Image.open("cut.jpg").convert("RGB")

# %% unidentified raises="UnidentifiedImageError"
Path("page.jpg").write_text("<html>404 Not Found</html>")
Image.open("page.jpg")

# %% find
TYPES = set(".jpg .jpeg .png .webp .bmp .gif .tif .tiff .ppm .pgm".split())


def broken_images(folder):
    for path in sorted(Path(folder).rglob("*")):
        if path.suffix.lower() in TYPES:
            try:
                with Image.open(path) as image:
                    image.load()  # open() reads the beginning alone
            except Exception as error:
                yield path, error


for path, error in broken_images("."):
    print(path, type(error).__name__)

# %% verify
with Image.open("cut.jpg") as image:
    image.verify()
print("verify() found nothing")

# %% load-truncated
ImageFile.LOAD_TRUNCATED_IMAGES = True
pixels = np.array(Image.open("cut.jpg"))  # (row, column, channel)
ImageFile.LOAD_TRUNCATED_IMAGES = False
gray = (pixels == 128).all(axis=(1, 2)).mean()
print(f"one gray in more than a fifth of the rows: {gray > 0.2}")

# %% checks hidden=true
for change in (lambda i: i.convert("L"), lambda i: i.resize((30, 20)), lambda i: i.copy()):
    kept = change(Image.open("phone.jpg"))  # the orientation goes along
    assert ImageOps.exif_transpose(kept).size == kept.size[::-1]
assert np.array(upright)[0].mean(axis=0).round().tolist()[2] < 30  # the gold is on top
assert np.abs(np.array(upright).astype(int) - np.array(scene)).mean() < 1
assert ImageOps.exif_transpose(upright).size == upright.size  # once is enough
upright.save("upright.jpg")
assert ImageOps.exif_transpose(Image.open("upright.jpg")).size == (400, 600)
noise = Image.fromarray(np.random.default_rng(0).integers(0, 255, (64, 64, 3), dtype=np.uint8))
noise.save("noise.jpg")
damaged = bytearray(Path("noise.jpg").read_bytes())
damaged[len(damaged) // 2] ^= 255
Path("damaged.jpg").write_bytes(damaged)
with Image.open("damaged.jpg") as image:  # some damage is no error: other pixels
    assert not np.array_equal(np.array(image), np.array(Image.open("noise.jpg")))
noise.save("noise.png")
Path("short.png").write_bytes(Path("noise.png").read_bytes()[:-100])
Path("empty.jpg").touch()
assert {path.name for path, _ in broken_images(".")} == {"cut.jpg", "page.jpg", "short.png", "empty.jpg"}
for path, _ in list(broken_images(".")):
    path.unlink()
assert not list(broken_images("."))
os.chdir("/")

# %% missed-otherwise hidden=true
with tempfile.TemporaryDirectory() as folder:
    for kind in ("jpg", "ppm", "tif"):
        noise.save(Path(folder, f"whole.{kind}"))
        content = Path(folder, f"whole.{kind}").read_bytes()
        Path(folder, f"cut.{kind}").write_bytes(content[: len(content) // 2])
    assert [path.name for path, _ in broken_images(folder)] == ["cut.jpg", "cut.ppm", "cut.tif"]
    ImageFile.LOAD_TRUNCATED_IMAGES = True
    assert not list(broken_images(folder))
    ImageFile.LOAD_TRUNCATED_IMAGES = False

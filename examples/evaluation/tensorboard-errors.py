"""What add_image and add_histogram refuse: layouts, batches, a missing gradient."""

# %% hwc needs="tensorboard" raises="TypeError"
import tempfile
from pathlib import Path

import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter

runs = Path(tempfile.mkdtemp()) / "runs"
torch.manual_seed(0)
photo = torch.rand(16, 24, 3)  # (height, width, channels), as from PIL or OpenCV
with SummaryWriter(runs / "photo") as writer:
    writer.add_image("photo", photo)

# %% batch needs="tensorboard" raises="AssertionError"
images = torch.rand(8, 3, 16, 24)  # (batch, channels, height, width)
with SummaryWriter(runs / "photo") as writer:
    writer.add_image("inputs", images)

# %% dataformats needs="tensorboard"
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

with SummaryWriter(runs / "right") as writer:
    writer.add_image("photo", photo, dataformats="HWC")
    writer.add_image("gray", photo[..., 0], dataformats="HW")
    writer.add_images("inputs", images)
events = EventAccumulator(str(runs / "right")).Reload()
for tag in events.Tags()["images"]:
    (picture,) = events.Images(tag)
    print(f"{tag}: {picture.width} x {picture.height}")

# %% colors needs="tensorboard"
import io

import numpy as np
from PIL import Image

whole = 255 * photo
kinds = {"0 to 1": photo, "0 to 255": whole, "uint8": whole.byte()}
for name, image in kinds.items():
    with SummaryWriter(runs / name) as writer:
        writer.add_image("photo", image, dataformats="HWC")
    (picture,) = EventAccumulator(str(runs / name)).Reload().Images("photo")
    pixels = np.asarray(Image.open(io.BytesIO(picture.encoded_image_string)))
    print(f"{name:9} white: {(pixels == 255).mean():.0%}")

# %% scalar needs="tensorboard" raises="AssertionError"
with SummaryWriter(runs / "scalar") as writer:
    writer.add_scalar("loss", torch.ones(2), 0)

# %% scalars needs="tensorboard"
with SummaryWriter(runs / "losses") as writer:
    for name, value in {"a": 1.0, "b": 2.0}.items():
        writer.add_scalar(f"loss/{name}", value, 0)
events = EventAccumulator(str(runs / "losses")).Reload()
print("scalars:", events.Tags()["scalars"])

# %% no-gradient needs="tensorboard" raises="NotImplementedError"
net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
net[0].requires_grad_(False)
net(torch.randn(64, 4)).sum().backward()
with SummaryWriter(runs / "grad") as writer:
    for name, parameter in net.named_parameters():
        writer.add_histogram(name, parameter.grad)

# %% with-gradient needs="tensorboard"
with SummaryWriter(runs / "some") as writer:
    for name, parameter in net.named_parameters():
        if parameter.grad is not None:
            writer.add_histogram(name, parameter.grad)
events = EventAccumulator(str(runs / "some")).Reload()
print("histograms:", events.Tags()["histograms"])

# %% counter-cases hidden=true needs="tensorboard"
bgr = np.zeros((4, 4, 3), dtype=np.uint8)
bgr[..., 0] = 200  # blue, as OpenCV has it
kinds = {"int64": np.full((4, 4, 3), 100), "rgb": bgr[..., ::-1]}
with SummaryWriter(runs / "cases") as writer:
    for name, image in kinds.items():
        writer.add_image(name, image, dataformats="HWC")
events = EventAccumulator(str(runs / "cases")).Reload()
for name, corner in {"int64": [255, 255, 255], "rgb": [0, 0, 200]}.items():
    (picture,) = events.Images(name)
    assert np.asarray(Image.open(io.BytesIO(picture.encoded_image_string)))[0, 0].tolist() == corner

# %% nan-histogram needs="tensorboard" raises="ValueError"
with SummaryWriter(runs / "nan") as writer:
    writer.add_histogram("gradient", torch.full((3,), torch.nan))

# %% finite-histogram needs="tensorboard" hidden=true
gradients = {"all": torch.full((3,), torch.nan), "one": torch.tensor([1.0, torch.nan]), "none": torch.ones(3)}
gradients["huge"] = torch.full((3,), 1e21)  # beyond the last bin
with SummaryWriter(runs / "finite") as writer:
    for name, gradient in gradients.items():
        if (gradient.abs() < 1e19).any():
            writer.add_histogram(name, gradient)
events = EventAccumulator(str(runs / "finite")).Reload()
assert events.Tags()["histograms"] == ["one", "none"]

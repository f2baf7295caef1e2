"""What a convolution expects: channels, perhaps a batch, and enough pixels."""

# %% too-few raises="RuntimeError"
import torch
from torch import nn

conv = nn.Conv2d(1, 4, kernel_size=3)
image = torch.zeros(28, 28)  # (height, width)
conv(image)

# %% add-dims
print("one image: ", tuple(conv(image[None]).shape))  # (channels, height, width)
images = torch.zeros(8, 28, 28)  # (batch, height, width)
print("a batch:   ", tuple(conv(images[:, None]).shape))
rows = torch.zeros(8, 784)  # flattened images
print("flattened: ", tuple(conv(rows.view(-1, 1, 28, 28)).shape))

# %% too-many raises="RuntimeError"
video = torch.zeros(2, 5, 1, 28, 28)  # (batch, time, channels, height, width)
conv(video)

# %% frames
frames = conv(video.flatten(0, 1))  # time joins the batch
print("frames:", tuple(frames.shape))
print("video: ", tuple(frames.unflatten(0, (2, 5)).shape))

# %% conv1d raises="RuntimeError"
nn.Conv1d(1, 4, kernel_size=3)(torch.zeros(2, 1, 5, 100))

# %% array raises="TypeError"
import numpy as np

pixels = np.zeros((28, 28, 3), np.uint8)  # as a library for images reads them
rgb_conv = nn.Conv2d(3, 4, kernel_size=3)
rgb_conv(pixels)

# %% array-cure
image = torch.from_numpy(pixels).permute(2, 0, 1).float() / 255
print(tuple(rgb_conv(image).shape))

# %% one-image-of-three
three_images = torch.zeros(3, 28, 28)  # (batch, height, width)
rgb_conv = nn.Conv2d(3, 4, kernel_size=3)
print("taken as one RGB image:", tuple(rgb_conv(three_images).shape))

# %% pooled-away raises="RuntimeError"
features = torch.zeros(1, 4, 4, 4)
for block in range(3):
    features = nn.MaxPool2d(2)(features)
    print("after the pooling:", tuple(features.shape))

# %% kernel-too-large raises="RuntimeError"
conv(torch.zeros(1, 1, 2, 2))

# %% trace
import copy

network = nn.Sequential(
    *[nn.Conv2d(1, 4, 3), nn.ReLU(), nn.MaxPool2d(2)],
    *[nn.Conv2d(4, 8, 3), nn.ReLU(), nn.MaxPool2d(2)],
)


shapes_only = copy.deepcopy(network).to("meta")  # a copy: it loses its weights


def sizes(side):
    features = torch.zeros(1, 1, side, side, device="meta")
    for layer in shapes_only:
        features = layer(features)
        yield f"{type(layer).__name__} {features.shape[-1]}"


print(*sizes(28), sep=", ")


# %% smallest
def works(side):
    try:
        list(sizes(side))
    except RuntimeError:
        return False
    return True


print("smallest image:", next(side for side in range(1, 28) if works(side)))

# %% conv1d-fits hidden=true
merged = torch.zeros(2, 1, 5, 100).transpose(1, 2).flatten(0, 1)  # (batch * 5, channels, length)
assert nn.Conv1d(1, 4, kernel_size=3)(merged).shape == (10, 4, 98)

# %% pooled-in-time hidden=true
for side, last in ((8, nn.MaxPool2d(2)), (4, nn.AdaptiveAvgPool2d(1)), (4, nn.Identity())):
    nn.Sequential(nn.MaxPool2d(2), nn.MaxPool2d(2), last)(torch.zeros(1, 4, side, side))
for passed in (torch.zeros(2, 4, 28, 1), torch.zeros(2, 28, 28, 1)):  # a signal; channels last
    try:
        nn.MaxPool2d(2)(passed)
    except RuntimeError as error:
        assert "Output size is too small" in str(error)
    else:
        raise AssertionError("a side of 1 is pooled now")
assert nn.MaxPool2d((2, 1))(torch.zeros(2, 4, 28, 1)).shape == (2, 4, 14, 1)
assert nn.MaxPool2d(2)(torch.zeros(2, 28, 28, 1).permute(0, 3, 1, 2)).shape == (2, 1, 14, 14)

# %% remedies hidden=true
assert not any(parameter.is_meta for parameter in network.parameters())
assert network(torch.zeros(1, 1, 28, 28)).isfinite().all()
assert not any(works(side) for side in range(1, 10)) and all(works(side) for side in range(10, 40))
assert nn.MaxPool2d(2, ceil_mode=True)(torch.zeros(1, 4, 1, 1)).shape[-1] == 1
assert nn.Conv2d(1, 4, 3, padding=1)(torch.zeros(1, 1, 2, 2)).shape[-2:] == (2, 2)
try:
    conv(images)
except RuntimeError as error:
    assert "to have 1 channels, but got 8 channels" in str(error)
else:
    raise AssertionError("a batch without channels runs now")

# %% several-images hidden=true
assert rgb_conv(torch.stack([torch.zeros(3, 9, 9)] * 2)).shape == (2, 4, 7, 7)
assert conv(rows[None]).shape == (4, 6, 782)  # eight flattened images as one

# %% other-arguments hidden=true
for wrong in ((image,), [image], pixels, None):
    try:
        rgb_conv(wrong)
    except TypeError as error:
        assert "received an invalid combination of arguments" in str(error) or "must be Tensor" in str(error), error
    else:
        raise AssertionError(f"takes {type(wrong)}")
for layer in (nn.Linear(3, 2), nn.ConvTranspose2d(3, 2, 3)):
    try:
        layer(pixels)
    except TypeError as error:
        assert "argument 'input' (position 1) must be Tensor, not numpy.ndarray" in str(error), error

"""A transform is an object, made once and called on each image."""

# %% torchvision needs="torchvision"
import torch
from torchvision.transforms import v2

torch.manual_seed(0)
photo = torch.rand(3, 6, 6)  # (channels, height, width)
normalize = v2.Normalize([0.5] * 3, [0.25] * 3)
transform = v2.Compose([v2.RandomCrop(4), v2.RandomHorizontalFlip(), normalize])
print(tuple(photo.shape), "->", tuple(transform(photo).shape))

# %% classes
import torch


class CenterCrop:
    def __init__(self, size):
        self.size = size

    def __call__(self, image):  # (channels, height, width)
        if min(image.shape[-2:]) < self.size:
            raise ValueError(f"{tuple(image.shape)} is smaller than {self.size}")
        top, left = ((side - self.size) // 2 for side in image.shape[-2:])
        return image[..., top : top + self.size, left : left + self.size]


class Normalize:
    def __init__(self, mean, std):
        self.mean = torch.tensor(mean)[:, None, None]  # (channels, 1, 1)
        self.std = torch.tensor(std)[:, None, None]

    def __call__(self, image):
        return (image - self.mean) / self.std


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, image):
        for transform in self.transforms:
            image = transform(image)
        return image


# %% pipeline
image = torch.arange(16.0).reshape(1, 4, 4)
transform = Compose([CenterCrop(2), Normalize([7.5], [2.5])])
print("before", image, sep="\n")
print("after", transform(image), sep="\n")


# %% functions
def random_flip(image):
    return image.flip(-1) if torch.rand(()) < 0.5 else image


torch.manual_seed(0)
print(Compose([random_flip, CenterCrop(2), torch.square])(image))

# %% dataset
from torch.utils.data import DataLoader, Dataset


class Photos(Dataset):
    def __init__(self, images, transform=None):
        self.images, self.transform = images, transform

    def __len__(self):
        return len(self.images)

    def __getitem__(self, i):
        image = self.images[i]
        return self.transform(image) if self.transform else image


photos = Photos(torch.rand(8, 1, 4, 4), transform)
print(tuple(next(iter(DataLoader(photos, batch_size=8))).shape))

# %% not-made raises="TypeError"
Normalize(image)

# %% silent
print(type(CenterCrop(image)).__name__)

# %% not-called raises="AttributeError"
Compose([CenterCrop, lambda image: image.flip(-1)])(image)

# %% made hidden=true
assert Compose([CenterCrop(2), lambda image: image.flip(-1)])(image).shape == (1, 2, 2)
for size, shape in ((1, (5, 4)), (4, (4, 4)), (3, (9, 6))):
    assert CenterCrop(size)(torch.zeros(2, 3, *shape, dtype=torch.uint8)).shape == (2, 3, size, size)
try:
    CenterCrop(6)(image)  # a slice would be empty or wrong
except ValueError as error:
    assert "smaller than 6" in str(error)
else:
    raise AssertionError("a crop larger than its image")

# %% torchvision-not-made needs="torchvision" raises="ValueError"
v2.RandomCrop(photo)

# %% made-first hidden=true needs="torchvision"
assert v2.RandomCrop(4)(photo).shape == (3, 4, 4)

# %% class-at-the-end hidden=true
assert type(Compose([torch.square, CenterCrop])(image)) is CenterCrop  # no error

# %% passed-through hidden=true needs="torchvision"
for last in (v2.CenterCrop(2), v2.RandomVerticalFlip(), v2.Normalize([0.5], [0.25])):
    assert type(v2.Compose([v2.Grayscale, last])(photo)) is v2.Grayscale  # no error

"""A transform is an object, made once and called on each image."""

# %% classes
import torch


class CenterCrop:
    def __init__(self, size):
        self.size = size

    def __call__(self, image):  # (channels, height, width)
        top, left = ((side - self.size) // 2 for side in image.shape[-2:])
        return image[..., top : top + self.size, left : left + self.size]


class RandomFlip:
    def __init__(self, p=0.5):
        self.p = p

    def __call__(self, image):
        return image.flip(-1) if torch.rand(()) < self.p else image


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
torch.manual_seed(0)
image = torch.rand(3, 4, 4)
normalize = Normalize([0.5] * 3, [0.25] * 3)
transform = Compose([CenterCrop(2), RandomFlip(), normalize])
print(transform(image).shape)

# %% functions
print(Compose([lambda image: image.flip(-1), torch.square])(image).shape)

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


photos = Photos(torch.rand(8, 3, 4, 4), transform)
print(next(iter(DataLoader(photos, batch_size=8))).shape)

# %% not-made raises="TypeError"
Normalize(image)

# %% silent
print(CenterCrop(image))

# %% not-called raises="AttributeError"
Compose([CenterCrop, RandomFlip(p=1)])(image)

# %% torchvision needs="torchvision"
from torchvision.transforms import v2

normalize = v2.Normalize([0.5] * 3, [0.25] * 3)
transform = v2.Compose([v2.CenterCrop(2), v2.RandomHorizontalFlip(), normalize])
print(transform(image).shape)

# %% torchvision-not-made needs="torchvision" raises="ValueError"
v2.RandomCrop(image)

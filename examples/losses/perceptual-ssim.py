"""SSIM as a loss, and a perceptual loss from frozen features."""

# %% ssim
import torch
import torch.nn.functional as F
from torch import nn


def gaussian(size=11, sigma=1.5):
    offset = torch.arange(size) - (size - 1) / 2
    weight = torch.exp(-(offset**2) / (2 * sigma**2))
    weight = weight / weight.sum()
    return torch.outer(weight, weight)  # adds up to 1


def ssim(image, other, data_range=1.0, size=11, sigma=1.5):
    """Mean SSIM of each pair of images (N, C, H, W)."""
    channels = image.shape[1]
    window = gaussian(size, sigma).to(image).expand(channels, 1, size, size)

    def local_mean(x):
        return F.conv2d(x, window, groups=channels)

    mean, other_mean = local_mean(image), local_mean(other)
    variance = local_mean(image * image) - mean**2
    other_variance = local_mean(other * other) - other_mean**2
    covariance = local_mean(image * other) - mean * other_mean
    c1, c2 = (0.01 * data_range) ** 2, (0.03 * data_range) ** 2
    luminance = (2 * mean * other_mean + c1) / (mean**2 + other_mean**2 + c1)
    structure = (2 * covariance + c2) / (variance + other_variance + c2)
    return (luminance * structure).mean(dim=(1, 2, 3))


torch.manual_seed(0)
place = torch.arange(64.0)
wave = 0.25 * (place / 3).sin() + 0.25 * (place[:, None] / 5).cos()
photo = (0.5 + wave)[None, None]  # (1, 1, 64, 64), from 0 to 1
brighter = photo + 0.1
noisy = photo + 0.1 * torch.randn_like(photo).sign()
blurred = F.avg_pool2d(F.pad(photo, (4, 4, 4, 4), mode="reflect"), 9, stride=1)
others = {"same": photo, "brighter": brighter, "noisy": noisy, "blurred": blurred}
for name, other in others.items():
    error = F.mse_loss(other, photo)
    print(f"{name:9} MSE {error:.4f}  SSIM {ssim(other, photo).item():.2f}")

# %% range
faint = photo + 0.01 * torch.randn_like(photo).sign()
flat = torch.full_like(photo, 0.5)  # nothing but the noise
flat_noisy = flat + 0.01 * torch.randn_like(flat).sign()
pairs = {"photo": (photo, faint), "flat": (flat, flat_noisy)}
for name, (one, two) in pairs.items():
    for data_range in (255, 1):
        value = round(ssim(255 * two, 255 * one, data_range).item(), 2) + 0.0
        print(f"{name:5} 0…255, data_range={data_range:3}: {value:.2f}")

# %% restore
guess = torch.full_like(photo, 0.5).requires_grad_()
optimizer = torch.optim.Adam([guess], lr=0.02)
for step in range(1, 101):
    optimizer.zero_grad()
    loss = (1 - ssim(guess, photo)).mean()
    loss.backward()
    optimizer.step()
    if step in (1, 100):
        print(f"step {step:3}: SSIM {1 - loss.item():.2f}")

# %% perceptual
features = nn.Sequential(  # stands in for the first layers of a trained VGG
    nn.Conv2d(1, 8, 3, padding=1),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(8, 16, 3, padding=1),
    nn.ReLU(),
)


class PerceptualLoss(nn.Module):
    def __init__(self, features, layers):
        super().__init__()
        self.features = features.eval().requires_grad_(False)
        self.layers = set(layers)

    def train(self, mode=True):
        return super().train(False)  # statistics and dropout stay as in eval()

    def forward(self, image, target):
        loss = 0.0
        for number, layer in enumerate(self.features):
            image = layer(image)  # gradients flow through
            with torch.no_grad():
                target = layer(target)
            if number in self.layers:
                loss = loss + F.mse_loss(image, target)
        return loss


perceptual = PerceptualLoss(features, layers=(1, 4))
guess = noisy.clone().requires_grad_()
loss = perceptual(guess, photo)
loss.backward()
print("gradient reaches the image:", guess.grad.abs().sum().item() > 0)
print("gradient of the features:", features[0].weight.grad)
print("parameters to train:", sum(p.requires_grad for p in perceptual.parameters()))

# %% counter-cases hidden=true
for dtype in (torch.float32, torch.float64):
    for shape in ((1, 1, 11, 11), (2, 3, 16, 20)):
        one, two = torch.rand(shape, dtype=dtype), torch.rand(shape, dtype=dtype)
        assert ssim(one, one).allclose(torch.ones(shape[0], dtype=dtype), atol=1e-4)
        assert ssim(one, two).allclose(ssim(two, one)) and (ssim(one, two) <= 1).all()
one, two = torch.rand(1, 1, 11, 11, dtype=torch.float64), torch.rand(1, 1, 11, 11, dtype=torch.float64)
window = gaussian().double()
m1, m2 = (window * one).sum(), (window * two).sum()
v1, v2 = (window * (one - m1) ** 2).sum(), (window * (two - m2) ** 2).sum()
v12 = (window * (one - m1) * (two - m2)).sum()
formula = (2 * m1 * m2 + 1e-4) * (2 * v12 + 9e-4) / ((m1**2 + m2**2 + 1e-4) * (v1 + v2 + 9e-4))
torch.testing.assert_close(ssim(one, two)[0], formula, rtol=1e-5, atol=1e-5)
perceptual.train()
assert not perceptual.features.training
dark = torch.zeros(1, 1, 16, 16)
assert ssim(dark, dark + 0.1) < 0.05  # the same shift as of "brighter"
with torch.autocast("cpu"):
    assert ssim(photo, brighter).dtype == torch.bfloat16

# %% bytes hidden=true
one, two = ((255 * x.clamp(0, 1)).round().to(torch.uint8) for x in (photo, noisy))
assert ssim(one.float(), two.float(), 255) < 0.7
assert gaussian().to(one).sum() == 0  # the window of integers
signed = ssim(2 * brighter - 1, 2 * photo - 1, 2)
assert signed < 0.6 < 0.9 < ssim(brighter, photo)

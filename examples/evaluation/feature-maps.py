"""Look into a CNN: filters, feature maps, saliency and Grad-CAM."""

# %% data fold=true
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


def draw(count):
    """Noisy images, each with a square (class 0) or a cross (class 1) somewhere."""
    noise = torch.randn(count, 1, 32, 32, dtype=torch.float64)
    images, classes = 0.3 * noise, torch.arange(count) % 2
    centers = torch.randint(6, 26, (count, 2))
    for image, kind, (y, x) in zip(images[:, 0], classes, centers):
        if kind == 0:
            image[y - 4 : y + 5, x - 4 : x + 5] += 1
            image[y - 2 : y + 3, x - 2 : x + 3] -= 1
        else:
            image[y - 4 : y + 5, x - 1 : x + 2] += 1
            image[y - 1 : y + 2, x - 4 : x + 5] += 1
    return images, classes, centers


# %% train fold=true
net = nn.Sequential(
    nn.Conv2d(1, 8, 5, padding=2),
    nn.ReLU(),
    nn.MaxPool2d(2),
    nn.Conv2d(8, 16, 3, padding=1),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(16, 2),
).double()  # so that the figure is the same on every processor
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(60):
    images, classes, _ = draw(64)
    loss = F.cross_entropy(net(images), classes)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
net.eval()
images, classes, centers = draw(100)
accuracy = (net(images).argmax(dim=1) == classes).float().mean().item()
print("accuracy above 0.9:", accuracy > 0.9)

# %% maps
kept = {}


def keep(module, args, output):
    kept["maps"] = output.detach().clone()  # ReLU(inplace=True) may follow


handle = net[4].register_forward_hook(keep)
with torch.no_grad():
    net(images[1:2])
handle.remove()
print("feature maps:", tuple(kept["maps"].shape))
print("filters:     ", tuple(net[0].weight.shape))

# %% all-maps fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(2, 8, figsize=(7, 1.9))
for ax, values in zip(axes.flat, kept["maps"][0]):  # (channels, height, width)
    ax.imshow(values)
    ax.axis("off")


# %% saliency
def saliency(net, image, kind):
    image = image.clone().requires_grad_()
    logits = net(image)
    scores = logits[torch.arange(len(logits)), kind]  # one class, or one for each
    (gradient,) = torch.autograd.grad(scores.sum(), image)
    return gradient.abs().amax(dim=1)  # over the channels: (batch, height, width)


print("saliency:", tuple(saliency(net, images[1:2], 1).shape))


# %% cam
def grad_cam(net, layer, image, kind):
    """Where `layer`'s maps speak for class `kind`: (batch, height, width)."""
    kept = []
    hook = lambda module, args, output: kept.append(output)
    handle = layer.register_forward_hook(hook)
    try:
        logits = net(image.clone().requires_grad_())  # for a frozen net, too
    finally:
        handle.remove()
    (maps,) = kept
    scores = logits[torch.arange(len(logits)), kind]  # one class, or one for each
    (gradient,) = torch.autograd.grad(scores.sum(), maps)
    weights = gradient.mean(dim=(2, 3), keepdim=True)  # one per map
    cam = (weights * maps).sum(dim=1, keepdim=True).relu()
    cam = F.interpolate(cam, image.shape[2:], mode="bilinear", align_corners=False)
    return cam[:, 0].detach()


cross = classes == 1
cam = grad_cam(net, net[4], images[cross], 1)
peak = cam.flatten(1).argmax(dim=1)
peak = torch.stack([peak // 32, peak % 32], dim=1)  # (row, column)
near = (peak - centers[cross]).abs().amax(dim=1) <= 5
print("peak on the cross in 90%:", near.float().mean().item() > 0.9)

# %% figure fold=true
i = 1
panels = {
    "image": images[i, 0],
    "filter 0": net[0].weight[0, 0].detach(),
    "map 0": kept["maps"][0, 0],
    "saliency": saliency(net, images[i : i + 1], 1)[0],
    "Grad-CAM": grad_cam(net, net[4], images[i : i + 1], 1)[0],
}
fig, axes = plt.subplots(1, 5, figsize=(7, 1.7))
for ax, (name, values) in zip(axes, panels.items()):
    ax.imshow(values)
    ax.set_title(name, fontsize=10)
    ax.axis("off")

# %% overlay
fig, ax = plt.subplots(figsize=(1.7, 1.7))
ax.imshow(images[i, 0], cmap="gray")
ax.imshow(panels["Grad-CAM"], cmap="jet", alpha=0.5)
ax.axis("off")

# %% no-grad raises="RuntimeError"
with torch.no_grad():
    saliency(net, images[:1], 0)

# %% enable-grad
print("outside no_grad:", tuple(saliency(net, images[:1], 0).shape))

# %% detached raises="RuntimeError"
handle = net[4].register_forward_hook(keep)
logits = net(images[:1])
handle.remove()
torch.autograd.grad(logits[0, 0], kept["maps"])

# %% not-detached


def keep(module, args, output):
    kept["maps"] = output


handle = net[4].register_forward_hook(keep)
logits = net(images[:1])
handle.remove()
(gradient,) = torch.autograd.grad(logits[0, 0], kept["maps"])
print("gradient:", tuple(gradient.shape))

# %% certain-softmax hidden=true
ratios = []
for certainty in (1, 10):  # the same model, with larger logits
    shares = nn.Sequential(net, nn.Softmax(dim=1))
    net[-1].weight.data *= certainty
    net[-1].bias.data *= certainty
    ratios.append(saliency(shares, images[cross], 1).mean() / saliency(net, images[cross], 1).mean())
net[-1].weight.data /= 10
net[-1].bias.data /= 10
assert ratios[1] < 0.05 < ratios[0], ratios

# %% saliency-peak hidden=true
marks = saliency(net, images[cross], 1)
place = marks.flatten(1).argmax(dim=1)
place = torch.stack([place // 32, place % 32], dim=1)
assert ((place - centers[cross]).abs().amax(dim=1) <= 7).float().mean() > 0.8

# %% frozen hidden=true
trained = grad_cam(net, net[4], images[cross], 1)
for part in (net[:5], net):  # the backbone, then all of it
    part.requires_grad_(False)
    torch.testing.assert_close(grad_cam(net, net[4], images[cross], 1), trained)

# %% limits hidden=true
for dtype in (torch.float16, torch.bfloat16, torch.float32):
    same = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.ReLU(inplace=True), nn.Flatten(), nn.Linear(140, 2)).to(
        dtype
    )
    assert grad_cam(same, same[0], torch.rand(2, 3, 7, 5, dtype=dtype), 1).shape == (2, 7, 5)
twice = nn.Conv2d(3, 3, 3, padding=1)
try:
    grad_cam(nn.Sequential(twice, twice, nn.Flatten(), nn.Linear(192, 2)), twice, torch.rand(1, 3, 8, 8), 0)
except ValueError:
    pass
else:
    raise AssertionError("a layer that runs twice has one map")

# %% a-class-for-each hidden=true
for function in (saliency, lambda *arguments: grad_cam(arguments[0], net[4], *arguments[1:])):
    together = function(net, images[:4], torch.tensor([0, 1, 1, 0]))
    for i, kind in enumerate((0, 1, 1, 0)):
        torch.testing.assert_close(together[i : i + 1], function(net, images[i : i + 1], kind))

# %% all-frozen hidden=true
net.requires_grad_(False)
for wants, fails in ((False, True), (True, False)):
    try:
        net(images[:1].clone().requires_grad_(wants)).sum().backward()
    except RuntimeError as error:
        assert fails and "element 0 of tensors does not require grad" in str(error)
    else:
        assert not fails
net.requires_grad_(True)

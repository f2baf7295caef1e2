"""FGSM: a small step along the sign of the input's gradient deceives a model."""

# %% train fold=true
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
patterns = 0.5 + 0.1 * torch.randn(4, 1, 16, 16)  # four classes


def draw(count):
    classes = torch.arange(count) % 4
    images = patterns[classes] + 0.1 * torch.randn(count, 1, 16, 16)
    return images.clamp(0, 1), classes


def fit(attack=None):
    torch.manual_seed(1)
    net = nn.Sequential(nn.Flatten(), nn.Linear(256, 64), nn.ReLU(), nn.Linear(64, 4))
    optimizer = torch.optim.Adam(net.parameters(), lr=0.003)
    for step in range(100):
        images, classes = draw(64)
        if attack is not None:
            images = attack(net, images, classes)
        loss = F.cross_entropy(net(images), classes)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.eval()


net = fit()


# %% fgsm
def fgsm(net, images, classes, eps=0.1):
    """Images that differ from `images` by at most eps per pixel."""
    images = images.clone().requires_grad_()
    loss = F.cross_entropy(net(images), classes)
    (gradient,) = torch.autograd.grad(loss, images)  # the weights get none
    return (images + eps * gradient.sign()).clamp(0, 1).detach()


def accuracy(net, images, classes):
    with torch.no_grad():
        return (net(images).argmax(dim=1) == classes).float().mean().item()


# %% attack varies=true
images, classes = draw(400)
attacked = fgsm(net, images, classes)
noise = (images + 0.1 * torch.randn_like(images).sign()).clamp(0, 1)
print(f"largest change {(attacked - images).abs().max():.3f}")
batches = {"clean": images, "noise": noise, "FGSM": attacked}
for name, batch in batches.items():
    print(f"{name:6} accuracy {accuracy(net, batch, classes):.2f}")

# %% figure fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 4, figsize=(6.4, 1.9), layout="constrained")
panels = {"image": images[0, 0], "change": (attacked - images)[0, 0], "attacked": attacked[0, 0]}
for ax, (name, values) in zip(axes, panels.items()):
    low, colors = (-0.2, "RdBu") if name == "change" else (0, "viridis")
    ax.imshow(values, cmap=colors, vmin=low, vmax=-low or 1)
    ax.set_title(name, fontsize=10)
    ax.axis("off")
strengths = 0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.12
curve = [accuracy(net, fgsm(net, images, classes, eps), classes) for eps in strengths]
axes[3].plot(strengths, curve, "-o", markersize=3)
axes[3].set(xlabel="eps", title="accuracy", ylim=(-0.05, 1.05))
axes[3].title.set_fontsize(10)


# %% targeted varies=true
def towards(net, images, wanted, eps=0.1):
    images = images.clone().requires_grad_()
    loss = F.cross_entropy(net(images), wanted)
    (gradient,) = torch.autograd.grad(loss, images)
    return (images - eps * gradient.sign()).clamp(0, 1).detach()  # minus: descend


wanted = torch.zeros_like(classes)
fooled = towards(net, images, wanted)
print(f"predicted as class 0: {accuracy(net, images, wanted):.2f} before,")
print(f"                      {accuracy(net, fooled, wanted):.2f} after")


# %% pgd
def pgd(net, images, classes, eps=0.1, step=0.02, steps=10):
    attacked = images
    for _ in range(steps):
        attacked = fgsm(net, attacked, classes, step)
        attacked = attacked.clamp(images - eps, images + eps)
    return attacked


# %% defend varies=true
robust = fit(attack=fgsm)
for name, model in {"plain": net, "trained on FGSM": robust}.items():
    clean = accuracy(model, images, classes)
    weak = accuracy(model, fgsm(model, images, classes), classes)
    strong = accuracy(model, pgd(model, images, classes), classes)
    print(f"{name:16} clean {clean:.2f}  FGSM {weak:.2f}  PGD {strong:.2f}")

# %% weights-untouched
net.zero_grad()
fgsm(net, images, classes)
print("gradients of weights:", [p.grad for p in net.parameters()])

# %% no-grad raises="RuntimeError"
with torch.no_grad():
    fgsm(net, images, classes)

# %% enable-grad
with torch.no_grad():
    with torch.enable_grad():
        attacked = fgsm(net, images, classes)
    print("attacked:", tuple(attacked.shape))

# %% bounds hidden=true
assert accuracy(net, images, classes) > 0.95 and accuracy(net, noise, classes) > 0.9
assert accuracy(net, attacked, classes) < 0.4
assert (attacked - images).abs().max() < 0.1001 and 0 <= attacked.min() <= attacked.max() <= 1

# %% defend-bounds hidden=true
assert accuracy(net, towards(net, images, wanted), wanted) > 0.8
assert accuracy(robust, fgsm(robust, images, classes), classes) > 0.6
assert accuracy(net, pgd(net, images, classes), classes) < 0.3
assert (pgd(net, images, classes) - images).abs().max() < 0.1001

# %% inference-mode hidden=true
with torch.inference_mode():
    try:
        with torch.enable_grad():
            fgsm(net, images, classes)
    except RuntimeError as error:
        assert "does not require grad" in str(error)
    else:
        raise AssertionError
    with torch.inference_mode(False):
        fgsm(net, images, classes)

# %% float16 hidden=true
sure = nn.Sequential(nn.Flatten(), nn.Linear(256, 4))  # certain of most images
with torch.no_grad():
    sure[1].weight.copy_(8 * (patterns - patterns.mean(dim=0)).flatten(1))
    sure[1].bias.copy_(-4 * (patterns - 0.5).square().flatten(1).sum(dim=1))
image = images[:64].clone().requires_grad_()
(gradient,) = torch.autograd.grad(F.cross_entropy(sure(image), classes[:64]), image)
assert (gradient != 0).float().mean() > 0.9 > 0.5 > (gradient.half() != 0).float().mean()

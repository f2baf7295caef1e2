"""A transposed convolution: the size goes back, the values do not."""

# %% doubles
import torch
from torch import nn

torch.manual_seed(0)
image = torch.randn(1, 8, 16, 16)  # (batch, channels, height, width)
for options in (
    dict(kernel_size=2, stride=2),
    dict(kernel_size=4, stride=2, padding=1),
    dict(kernel_size=3, stride=2, padding=1, output_padding=1),
    dict(kernel_size=3, stride=2, padding=1),
):
    up = nn.ConvTranspose2d(8, 4, **options)
    print(tuple(up(image).shape), options)

# %% weight
print("ConvTranspose2d(8, 4, 3):", tuple(nn.ConvTranspose2d(8, 4, 3).weight.shape))
print("Conv2d(8, 4, 3):         ", tuple(nn.Conv2d(8, 4, 3).weight.shape))

# %% adds
up = nn.ConvTranspose1d(1, 1, kernel_size=3, stride=2, bias=False)
with torch.no_grad():
    up.weight.copy_(torch.tensor([[[1.0, 10.0, 100.0]]]))
    print(up(torch.tensor([[[1.0, 0.0, 0.0]]])))
    print(up(torch.tensor([[[1.0, 2.0, 0.0]]])))

# %% padding-crops
cropped = nn.ConvTranspose1d(1, 1, kernel_size=3, stride=2, padding=1, bias=False)
cropped.load_state_dict(up.state_dict())  # the same kernel
print("padding=0:", up(torch.tensor([[[1.0, 2.0, 0.0]]]))[0, 0].int().tolist())
print("padding=1:", cropped(torch.tensor([[[1.0, 2.0, 0.0]]]))[0, 0].int().tolist())

# %% not-inverse
down = nn.Conv2d(1, 1, kernel_size=4, stride=2, padding=1, bias=False)
up = nn.ConvTranspose2d(1, 1, kernel_size=4, stride=2, padding=1, bias=False)
up.load_state_dict(down.state_dict())  # the same kernel
photo = torch.rand(1, 1, 8, 8, requires_grad=True)
back = up(down(photo))
print(tuple(photo.shape), "->", tuple(down(photo).shape), "->", tuple(back.shape))
for name, values in (("before", photo), ("after ", back)):
    print(name, [round(value, 2) for value in values[0, 0, 3, 1:5].tolist()])

# %% is-the-gradient
small = torch.randn(1, 1, 4, 4)
(gradient,) = torch.autograd.grad(down(photo), photo, grad_outputs=small)
print("the gradient of Conv2d:", torch.allclose(up(small), gradient, atol=1e-6))

# %% output-padding
up = nn.ConvTranspose1d(1, 1, kernel_size=3, stride=2, padding=1, output_padding=1)
nn.init.ones_(up.weight)
nn.init.constant_(up.bias, 0.5)
with torch.no_grad():
    print(up(torch.full((1, 1, 3), 10.0)))
    up.output_padding = (0,)
    print(up(torch.full((1, 1, 3), 10.0)))

# %% output-padding-error raises="RuntimeError"
nn.ConvTranspose2d(8, 4, kernel_size=3, stride=2, output_padding=2)(image)

# %% larger-stride
up = nn.ConvTranspose2d(8, 4, kernel_size=3, stride=3, output_padding=2)
print(tuple(up(image).shape))


# %% checkerboard
def coverage(kernel_size, **options):
    up = nn.ConvTranspose2d(1, 1, kernel_size, bias=False, **options)
    nn.init.ones_(up.weight)
    return up(torch.ones(1, 1, 6, 6))[0, 0].detach().int()


uneven = coverage(3, stride=2, padding=1, output_padding=1)
even = coverage(4, stride=2, padding=1)
print("kernel 3, stride 2:", uneven[4:6, 4:6].tolist())
print("kernel 4, stride 2:", even[4:6, 4:6].tolist())

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(5.8, 2.9))
for ax, counts, title in ((axes[0], uneven, "kernel 3, stride 2"), (axes[1], even, "kernel 4, stride 2")):
    ax.imshow(counts, cmap="Blues", vmin=0, vmax=4, alpha=0.5)
    for i in range(len(counts)):
        for j in range(len(counts)):
            ax.text(j, i, counts[i, j].item(), ha="center", va="center", fontsize=8)
    ax.set_title(title, fontsize=10)
    ax.axis("off")

# %% resize-then-convolve
resize = nn.Upsample(scale_factor=2, mode="nearest")
conv = nn.Conv2d(1, 1, kernel_size=3, padding=1, bias=False)
nn.init.ones_(conv.weight)
with torch.no_grad():
    resized = conv(resize(torch.ones(1, 1, 6, 6)))
    print("Upsample, Conv2d:", resized[0, 0, 4:6, 4:6].tolist())

# %% exact-size hidden=true
for kernel_size, stride in ((2, 2), (4, 2), (6, 2), (3, 3), (6, 3), (3, 2), (5, 2), (4, 3), (5, 3)):
    inner = coverage(kernel_size, stride=stride)[kernel_size:-kernel_size, kernel_size:-kernel_size]
    assert (inner.unique().numel() == 1) == (kernel_size % stride == 0), (kernel_size, stride)

small = torch.zeros(1, 1, 5, 7)
for options in (dict(kernel_size=2, stride=2), dict(kernel_size=4, stride=2, padding=1)):
    assert nn.ConvTranspose2d(1, 1, **options)(small).shape[-2:] == (10, 14)
bias_only = nn.ConvTranspose1d(1, 1, kernel_size=2, stride=2, output_padding=1)
nn.init.constant_(bias_only.bias, 0.5)
assert bias_only(torch.ones(1, 1, 3))[0, 0, -1] == 0.5  # the kernel does not reach it

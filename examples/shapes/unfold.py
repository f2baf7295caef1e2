"""unfold: sliding windows as a view; F.unfold: patches of images."""

# %% windows
import torch

x = torch.arange(7)
windows = x.unfold(0, size=3, step=2)  # (windows, size)
print(windows)
print("stride:", windows.stride())
print("shares memory:", windows.data_ptr() == x.data_ptr())

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.6, 2.9))


def cell(place, y, color, alpha):
    ax.add_patch(plt.Rectangle((place, y), 1, 0.9, facecolor=color, alpha=alpha))
    ax.text(place + 0.5, y + 0.45, place, ha="center", va="center")


for place in x.tolist():
    cell(place, 0, "C0", 0.25)
for i, window in enumerate(windows.tolist()):
    for place in window:
        cell(place, 1.4 + i, f"C{i + 1}", 0.5)
ax.set_yticks([0.45, *(1.85 + i for i in range(len(windows)))], ["x", *(f"windows[{i}]" for i in range(len(windows)))])
ax.set(xlim=(-0.1, 7.1), ylim=(1.4 + len(windows), -0.1), xticks=[])
ax.spines[:].set_visible(False)
ax.tick_params(length=0)

# %% moving-average
prices = torch.tensor([1.0, 2.0, 6.0, 4.0, 5.0])
print(prices.unfold(0, 3, 1).mean(-1))

# %% no-rest
print(x.unfold(0, 3, 3))  # the 6 does not fill a window

# %% too-long raises="RuntimeError"
x.unfold(0, 8, 1)

# %% fits
import torch.nn.functional as F

print("smaller:", x.unfold(0, 7, 1))
print("padded: ", F.pad(x, (0, 1)).unfold(0, 8, 1))

# %% write
before = torch.arange(5)
overlap = before.unfold(0, 3, 1)
overlap[0, 2] = 100
print(overlap)

# %% patches
image = torch.arange(16).view(4, 4)
patches = image.unfold(0, 2, 2).unfold(1, 2, 2)  # (rows, columns, 2, 2)
print(patches.shape)
print(patches[0, 1])

# %% patches-drawn fold=true
fig, axes = plt.subplots(1, 2, figsize=(5.6, 3))
for ax, name in zip(axes, ("image", "patches")):
    gap = 0.5 if name == "patches" else 0
    for i in range(2):
        for j in range(2):
            for row in range(2):
                for column in range(2):
                    left, top = j * (2 + gap) + column, i * (2 + gap) + row
                    ax.add_patch(plt.Rectangle((left, top), 1, 1, facecolor=f"C{2 * i + j}", alpha=0.45))
                    value = patches[i, j, row, column].item()
                    ax.text(left + 0.5, top + 0.5, value, ha="center", va="center")
    ax.set_title(f"{name} {tuple((image if name == 'image' else patches).shape)}", fontsize=10)
    ax.set(xlim=(-0.1, 4.6), ylim=(4.6, -0.1), aspect="equal")
    ax.axis("off")

# %% for-images
batch = torch.arange(32.0).view(1, 2, 4, 4)  # (batch, channel, height, width)
columns = F.unfold(batch, kernel_size=2, stride=2)  # (batch, 2 * 2 * 2, patches)
print(columns.shape)
print(columns[0, :, 1])  # the second patch: both channels

# %% is-a-convolution
kernel = torch.ones(3, 2, 2, 2)  # (out, in, height, width)
product = kernel.view(3, -1) @ columns  # (batch, out, patches)
convolved = F.conv2d(batch, kernel, stride=2)
print("columns:", product.view(1, 3, 2, 2)[0, 0].tolist())
print("conv2d: ", convolved[0, 0].tolist())

# %% fold
overlapping = F.unfold(batch, kernel_size=3)
summed = F.fold(overlapping, output_size=(4, 4), kernel_size=3)
ones = F.unfold(torch.ones_like(batch), kernel_size=3)
count = F.fold(ones, output_size=(4, 4), kernel_size=3)
print(count[0, 0])  # how many patches each pixel was in
print("the image again:", torch.allclose(summed / count, batch))

# %% convolution-everywhere hidden=true
assert torch.allclose(product.view(1, 3, 2, 2), convolved)

# %% skipped-pixels hidden=true
count = F.fold(F.unfold(torch.ones(1, 1, 5, 5), 2, stride=3), (5, 5), 2, stride=3)
assert (count == 0).sum() == 9 and (count / count).isnan().sum() == 9

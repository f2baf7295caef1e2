"""permute, transpose, movedim, mT: other dimensions first, nothing moved."""

# %% permute
import torch

image = torch.arange(12).view(2, 2, 3)  # (height, width, channel)
planes = image.permute(2, 0, 1)  # (channel, height, width)
print("image:", image, sep="\n")
print("planes:", planes, sep="\n")

# %% strides
for name, tensor in {"image": image, "planes": planes}.items():
    print(f"{name:7} shape {tuple(tensor.shape)} stride {tensor.stride()}")
print("one storage:", planes.data_ptr() == image.data_ptr())

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.6, 2.8))
colors = ("C3", "C2", "C0")  # one for each channel


def cell(x, y, value, channel):
    ax.add_patch(plt.Rectangle((x, y), 1, 1, facecolor=colors[channel], alpha=0.45))
    ax.text(x + 0.5, y + 0.5, int(value), ha="center", va="center", fontsize=10)


for row in range(2):
    for column in range(2):
        for channel in range(3):
            cell(3.4 * column + channel, 1.4 * row, image[row, column, channel], channel)
            cell(8.6 + 2.5 * channel + column, 1.4 * row, planes[channel, row, column], channel)
for place in range(12):
    cell(2 + place, 4.9, image.flatten()[place], place % 3)
for x, name, tensor in ((0, "image", image), (8.6, "planes", planes)):
    ax.text(x, -0.4, f"{name} {tuple(tensor.shape)}", fontsize=10)
    ax.text(x, 3.4, f"stride {tensor.stride()}", fontsize=10)
ax.text(2, 4.6, "storage", fontsize=10)
ax.set(xlim=(-0.2, 15.8), ylim=(6, -1), aspect="equal")
ax.axis("off")

# %% relatives
batch = torch.zeros(8, 4, 9)  # (batch, time, features)
print("transpose(1, 2):", tuple(batch.transpose(1, 2).shape))
print("mT:             ", tuple(batch.mT.shape))
print("movedim(-1, 0): ", tuple(batch.movedim(-1, 0).shape))
print("t():            ", tuple(batch[0].t().shape))

# %% back
print("permute(1, 2, 0):", torch.equal(planes.permute(1, 2, 0), image))
print("movedim(0, -1):  ", torch.equal(planes.movedim(0, -1), image))

# %% merge
tens = 10 * torch.arange(3)[:, None, None]
images = torch.arange(4).view(2, 2) + tens  # (image, height, width)
print("below each other:", images.reshape(6, 2), sep="\n")
print("side by side:", images.permute(1, 0, 2).reshape(2, 6), sep="\n")

# %% split
tokens = torch.zeros(8, 4, 12)  # (batch, time, features)
heads = tokens.view(8, 4, 3, 4).transpose(1, 2)  # (batch, head, time, features)
joined = heads.transpose(1, 2).reshape(8, 4, 12)
print(tuple(tokens.shape), "->", tuple(heads.shape), "->", tuple(joined.shape))

# %% view-fails raises="RuntimeError"
planes.view(12)

# %% reshape
print(planes.reshape(12))
print("stride after contiguous():", planes.contiguous().stride())

# %% all-dimensions raises="RuntimeError"
batch.permute(1, 0)

# %% all-listed
print("permute(1, 0, 2):", batch.permute(1, 0, 2).shape)
print("transpose(0, 1): ", batch.transpose(0, 1).shape)

# %% big-t warns="UserWarning"
print(batch.T.shape)

# %% with-and-without-batch hidden=true
pictures = torch.rand(2, 4, 5, 3)
assert torch.equal(pictures.permute(0, 3, 1, 2)[0], pictures[0].permute(2, 0, 1))
pictures = torch.rand(2, 3, 4, 5)
assert torch.equal(pictures.permute(0, 2, 3, 1)[0], pictures[0].permute(1, 2, 0))
gray = torch.rand(2, 4, 5, 1)
assert torch.equal(gray.permute(0, 3, 1, 2), gray[..., 0].unsqueeze(1))
assert torch.equal(gray[0].permute(2, 0, 1), gray[0, ..., 0].unsqueeze(0))

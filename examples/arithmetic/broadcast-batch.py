"""One matrix against a batch of matrices: every slice gets the same one."""

# %% every-slice
import torch

mask = torch.tensor([[1, 0], [0, 1]])  # (2, 2)
batch = torch.arange(1, 13).reshape(3, 2, 2)  # (batch, height, width)

masked = mask * batch
print(masked)
same = [torch.equal(masked[i], mask * batch[i]) for i in range(3)]
print("slice by slice:", same)

# %% slices fold=true
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(4.6, 3.9))
ax.set(xlim=(-0.1, 9.1), ylim=(7.7, -0.1), aspect="equal")
ax.axis("off")


def draw(left, top, matrix, color, own=True):
    """Draw a matrix; what is repeated is pale and dotted."""
    for i, values in enumerate(matrix.tolist()):
        for j, value in enumerate(values):
            x, y = left + j, top + i
            box = plt.Rectangle((x, y), 1, 1, edgecolor=color, clip_on=False)
            box.set(facecolor=(color, 0.4 if own else 0.08), linestyle="-" if own else ":")
            ax.add_patch(box)
            ax.text(x + 0.5, y + 0.5, value, ha="center", va="center_baseline")


for n in range(len(batch)):
    top = 2.4 * n
    draw(0, top, mask, "C0", own=n == 0)
    draw(3.5, top, batch[n], "C1")
    draw(7, top, masked[n], "C2")
    for x, sign in ((2.75, "*"), (6.25, "=")):
        ax.text(x, top + 1, sign, ha="center", va="center", fontsize=14)
names = {"mask": mask, "batch": batch, "masked": masked}
for x, (name, tensor) in zip((1, 4.5, 8), names.items()):
    ax.text(x, 7.4, f"{name} {tuple(tensor.shape)}", ha="center", va="center")

# %% no-copy
repeated = mask.expand(3, 2, 2)
print("strides:", repeated.stride())
print("same memory:", repeated.data_ptr() == mask.data_ptr())

# %% one-number-per-image raises="RuntimeError"
brightness = torch.tensor([1, 10, 100])  # one per image
batch * brightness

# %% per-image
print("indexing:", (batch * brightness[:, None, None])[:, 0].tolist())
print("view:    ", (batch * brightness.view(-1, 1, 1))[:, 0].tolist())

# %% fits-by-accident
pair = torch.ones(2, 2, 2)  # two images of size (2, 2)
print("columns scaled:", (pair * torch.tensor([1, 10])).tolist())

# %% move-to-the-left
per_image = torch.tensor([1, 10])[:, None, None]  # (2, 1, 1)
print("images scaled:", (pair * per_image).tolist())

# %% one-number-per-channel
torch.manual_seed(0)
images = torch.rand(8, 3, 4, 4)  # (batch, channel, height, width)
mean = images.mean(dim=(0, 2, 3))  # (3,)

centered = images - mean[:, None, None]  # (3, 1, 1)
print("means are 0:", bool(centered.mean(dim=(0, 2, 3)).abs().max() < 1e-6))

kept = images.mean(dim=(0, 2, 3), keepdim=True)
print(kept.shape, "same result:", torch.allclose(centered, images - kept))

# %% one-number-per-row hidden=true
square, factors = torch.ones(3, 3, 4), torch.tensor([1, 10, 100])  # three images of three rows
assert torch.equal((square * factors[:, None])[0, :, 0], factors.float())
assert torch.equal((square * factors[:, None, None])[:, 0, 0], factors.float())  # each image, no error
own = torch.tensor([[1.0, 10], [100, 1000]])  # for each image its own rows: one dimension in front scales the columns
assert torch.equal((torch.ones(2, 2, 2) * own[:, None])[:, 0], own)

# %% counter-cases hidden=true
for shape, count in (((2, 2), 3), ((1, 4), 5), ((3, 1), 2), ((2, 3), 1)):
    one, many = torch.randn(shape), torch.randn(count, *shape)
    together = one * many
    assert all(torch.equal(together[i], one * many[i]) for i in range(count))

# %% factors-in-a-column hidden=true
column = torch.tensor([[1], [10], [100]])  # (N, 1)
assert torch.equal(batch * column.view(-1, 1, 1), batch * brightness.view(-1, 1, 1))
assert (batch * column[:, None, None]).shape == (3, 3, 2, 2)  # each factor with each image

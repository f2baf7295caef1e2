"""view() looks at the same memory through another shape."""

# %% shares-storage
import torch

flat = torch.zeros(4)
grid = flat.view(2, 2)
grid[0, 0] = 7.0
print(flat)
print("one storage:", flat.data_ptr() == grid.data_ptr())

# %% wrong-count-view raises="RuntimeError"
flat.view(3)

# %% right-count
print("flat:", tuple(flat.shape), "->", tuple(flat.view(2, -1).shape))

# %% wrong-count-reshape raises="RuntimeError"
flat.reshape(3)

# %% row-major
x = torch.arange(6)
m = x.view(2, 3)
print("m:", m, sep="\n")
print("x.view(3, 2):", x.view(3, 2), sep="\n")

# %% not-transpose
print("m.t():", m.t(), sep="\n")
print("m.view(3, 2):", m.view(3, 2), sep="\n")

# %% refill fold=true
import matplotlib.pyplot as plt

_, ax = plt.subplots(figsize=(6.4, 2.4))
left = 0
for title, tensor in {"m": m, "m.view(3, 2)": m.view(3, 2), "m.t()": m.t()}.items():
    (rows, columns), (down, right) = tensor.shape, tensor.stride()
    center = {}  # storage address: where it is drawn
    for i in range(rows):
        for j in range(columns):
            value = int(tensor[i, j])
            x0 = left + j
            center[i * down + j * right] = (x0 + 0.5, i + 0.5)
            ax.add_patch(plt.Rectangle((x0, i), 1, 1, facecolor=f"C{value // 3}", alpha=0.4))
            ax.text(x0 + 0.5, i + 0.5, value, ha="center", va="center", fontsize=13)
    for k in range(5):
        arrow = dict(arrowstyle="->", color="C3", lw=1.6, shrinkA=10, shrinkB=10)
        ax.annotate("", center[k + 1], center[k], arrowprops=arrow)
    ax.text(left + columns / 2, -0.2, title, ha="center")
    left += columns + 1
ax.set(xlim=(-0.1, left - 0.9), ylim=(3.1, -0.6), aspect="equal")
ax.axis("off")

# %% image
image = torch.tensor([1, 2, 3]).repeat(2, 2, 1)  # (height, width, channel)
print("view:   ", image.view(3, 2, 2)[0].tolist())
print("permute:", image.permute(2, 0, 1)[0].tolist())

# %% minus-one
print(x.view(2, -1).shape)

# %% impossible-minus-one raises="RuntimeError"
x.view(4, -1)

# %% divides
print("x:", tuple(x.shape), "->", tuple(x.view(3, -1).shape))

# %% like-another
other = torch.zeros(3, 2)  # float32
print(x.view_as(other).shape, x.view_as(other).dtype)
print(m.t().reshape_as(x))

# %% view-as-fails raises="RuntimeError"
m.t().view_as(x)

# %% one-minus-one-only raises="RuntimeError" hidden=true
x.view(-1, -1)

# %% counter-cases hidden=true
base = torch.arange(24)
for shape in ((24,), (4, 6), (2, 3, 4), (2, -1), (1, 24, 1), (3, 2, 2, 2)):
    seen = base.view(shape)
    assert seen.data_ptr() == base.data_ptr() and torch.equal(seen.flatten(), base)
    seen.view(-1)[5] += 1
    assert base[5] == seen.flatten()[5]

# %% batch-of-none hidden=true
nothing = torch.zeros(0, 3, 4)
assert nothing.flatten(1).shape == (0, 12)
try:
    nothing.view(0, -1)
except RuntimeError as error:
    assert "ambiguous" in str(error)
else:
    raise AssertionError

# %% batch-of-sixteen hidden=true
rows = torch.arange(160).view(16, 10)
assert rows.view(32, -1).shape == (32, 5)  # half a sample each
assert torch.equal(rows.view(rows.shape[0], -1), rows)

# %% merged-or-swapped hidden=true
heads = torch.arange(24).view(2, 3, 4).transpose(1, 2)  # (batch, time, head)
features = torch.arange(48).view(2, 3, 8)
apart = features.view(2, 3, 2, 4).transpose(1, 2)  # in another order, to be merged as well
for swapped, like in ((heads, torch.zeros(2, 12)), (heads, torch.zeros(2, 3, 4)), (apart, features)):
    try:
        swapped.view_as(like)
    except RuntimeError as error:
        assert "view size is not compatible" in str(error)
    else:
        raise AssertionError
assert torch.equal(heads.reshape_as(torch.zeros(2, 12)), torch.stack([one.flatten() for one in heads]))
assert not torch.equal(heads.reshape_as(torch.zeros(2, 3, 4)), heads.transpose(1, 2))
assert not torch.equal(apart.reshape_as(features), features)
assert torch.equal(apart.transpose(1, 2).reshape_as(features), features)

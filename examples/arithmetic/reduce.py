"""sum, mean and std along dimensions: which dimension disappears, and keepdim."""

# %% dims
import torch

x = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])  # (2, 3)
print("all  ", x.sum())
print("dim=0", x.sum(dim=0))  # the 2 disappears
print("dim=1", x.sum(dim=1))  # the 3 disappears

# %% picture fold=true
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(5.4, 3.2))
ax.set(xlim=(-0.3, 9.6), ylim=(4.9, -0.8), aspect="equal")
ax.axis("off")


def draw(left, top, values, color, name):
    """Draw a table of numbers; color(i, j) is the color of a cell."""
    for i, line in enumerate(values.tolist()):
        for j, value in enumerate(line):
            box = plt.Rectangle((left + j, top + i), 1, 1, edgecolor=color(i, j), clip_on=False)
            box.set_facecolor((color(i, j), 0.4))
            ax.add_patch(box)
            ax.text(left + j + 0.5, top + i + 0.5, f"{value:g}", ha="center", va="center_baseline")
    ax.text(left + values.shape[1] / 2, top - 0.4, name, ha="center", va="center", family="monospace", size=9)


arrow = dict(arrowstyle="->", linewidth=1.6)
for left, dim in ((0, 0), (4.6, 1)):
    total = x.sum(dim=dim, keepdim=True)
    draw(left, 0, x, lambda i, j: f"C{j if dim == 0 else i}", "x")
    if dim == 0:
        draw(left, 3.1, total, lambda i, j: f"C{j}", "")
        ax.text(left + 1.5, 4.5, "x.sum(dim=0)", ha="center", va="center", family="monospace", size=9)
        for j in range(3):
            ax.annotate("", (left + j + 0.5, 2.95), (left + j + 0.5, 2.05), arrowprops=arrow | dict(color=f"C{j}"))
    else:
        draw(left + 3.7, 0, total, lambda i, j: f"C{i}", "")
        ax.text(left + 4.2, 2.5, "x.sum(dim=1)", ha="center", va="center", family="monospace", size=9)
        for i in range(2):
            ax.annotate("", (left + 3.65, i + 0.5), (left + 3.05, i + 0.5), arrowprops=arrow | dict(color=f"C{i}"))

# %% functions
print("sum ", torch.sum(x, dim=1))  # the same as x.sum(dim=1)
print("mean", torch.mean(x, dim=1))
print("std ", torch.std(x, dim=1))
print("var ", torch.var(x, dim=1))
print("prod", torch.prod(x, dim=1))
print("all ", torch.all(x > 1, dim=1))
print("any ", torch.any(x > 5, dim=1))

# %% several
batch = torch.arange(24.0).view(2, 3, 4)
print("two dimensions:", batch.mean(dim=(1, 2)))
print("the last one:  ", batch.mean(dim=-1).tolist())

# %% lost-dimension raises="RuntimeError"
x - x.mean(dim=1)  # (2, 3) and (2,)

# %% keepdim
print("means:     ", x.mean(dim=1, keepdim=True).tolist())
print("difference:", (x - x.mean(dim=1, keepdim=True)).tolist())

# %% mean-of-integers raises="RuntimeError"
torch.arange(4).mean()

# %% mean-of-integers-fixed
print("converted:", torch.arange(4).float().mean())
print("dtype=:   ", torch.arange(4).mean(dtype=torch.float32))

# %% std
print("N - 1:", x.std(dim=1))
print("N:    ", x.std(dim=1, correction=0))

# %% std-of-one warns="UserWarning"
print(torch.tensor([3.0]).std())

# %% std-of-one-fixed
print(torch.tensor([3.0]).std(correction=0))

# %% dtypes
print("uint8:", torch.tensor([200, 100], dtype=torch.uint8).sum())
print("bool: ", torch.tensor([True, False, True]).sum())

half = torch.full((1000,), 100.0, dtype=torch.float16)
print("float16:", half.sum(), "float32:", half.sum(dtype=torch.float32))

# %% nan-and-empty
reading = torch.tensor([1.0, float("nan"), 3.0])
print("mean:", reading.mean(), "nanmean:", reading.nanmean())
print("empty sum:", torch.empty(0).sum(), "empty mean:", torch.empty(0).mean())

# %% wrong-dim raises="IndexError"
x.sum(dim=2)

# %% dims-in-range
print("dim=1: ", x.sum(dim=1))
print("dim=-1:", x.sum(dim=-1))

# %% divides-by-n hidden=true
import numpy as np

assert np.allclose(np.std(x.numpy(), axis=1), x.std(dim=1, correction=0))
normalized = torch.nn.functional.batch_norm(x, None, None, training=True, eps=1e-12)
assert torch.allclose(normalized, (x - x.mean(dim=0)) / x.std(dim=0, correction=0))

# %% differences-of-bytes hidden=true
a, b = torch.tensor([[10, 200], [20, 100]], dtype=torch.uint8)
assert (a - b).abs().float().mean() == 173
assert (a.float() - b.float()).abs().mean() == 55

# %% a-dimension-missing hidden=true
scores = torch.tensor([[1.0], [2.0]]).squeeze()  # of two samples, one class
assert scores.softmax(dim=0).sum() == 1  # another dim mixes the samples
assert scores[:, None].softmax(dim=1).tolist() == [[1.0], [1.0]]
rows = torch.arange(10.0).view(5, 2)
try:
    rows - rows.mean(dim=1)  # meant: of each column
except RuntimeError as error:
    assert "must match the size" in str(error)
else:
    raise AssertionError
assert (rows - rows.mean(dim=1, keepdim=True)).mean(dim=0).tolist() == [-0.5, 0.5]  # no error, not centered

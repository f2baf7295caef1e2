"""A matrix times a 1-D vector: the vector is a row, whatever you meant."""

# %% scales-columns
import torch

features = torch.tensor([[1, 2, 3], [4, 5, 6]])  # (2, 3)
print(features * torch.tensor([1, 10, 100]))

# %% length-does-not-fit raises="RuntimeError"
features * torch.tensor([1, 10])

# %% length-one
print(features * torch.tensor([10]))

# %% scales-rows
per_row = torch.tensor([1, 10])  # (2,)
print(features * per_row.unsqueeze(1))  # (2, 3) * (2, 1)

# %% square
square = torch.tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
factors = torch.tensor([1, 10, 100])

by_column = square * factors
by_row = square * factors.unsqueeze(1)
print("by column:", by_column, sep="\n")
print("by row:", by_row, sep="\n")

# %% grids fold=true
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(4.8, 3.5))
ax.set(xlim=(-0.1, 11.6), ylim=(7.8, -0.1), aspect="equal")
ax.axis("off")


def draw(left, top, tensor, dim=None, repeats=False):
    """Draw (3, 3) cells, a color for each factor along `dim`; repetitions are pale."""
    for i, values in enumerate(tensor.tolist()):
        for j, value in enumerate(values):
            x, y = left + j, top + i
            if dim is not None:
                color = f"C{(i, j)[dim]}"
                pale = repeats and (i, j)[1 - dim] > 0
                box = plt.Rectangle((x, y), 1, 1, edgecolor=color, clip_on=False)
                box.set(facecolor=(color, 0.08 if pale else 0.4), linestyle=":" if pale else "-")
                ax.add_patch(box)
            ax.text(x + 0.5, y + 0.5, value, ha="center", va="center_baseline")


cases = (factors, 1, by_column), (factors.unsqueeze(1), 0, by_row)
for top, (vector, dim, product) in zip((0, 4.1), cases):
    draw(0, top, square)
    draw(4.25, top, vector.expand(3, 3), dim, repeats=True)
    draw(8.5, top, product, dim)
    ax.text(5.75, top + 3.45, tuple(vector.shape), ha="center", va="center")
    for x, sign in ((3.625, "*"), (7.875, "=")):
        ax.text(x, top + 1.5, sign, ha="center", va="center", fontsize=14)

# %% strides
print("as a row:   ", factors.expand(3, 3).stride())
print("as a column:", factors.unsqueeze(1).expand(3, 3).stride())

# %% row-sums
scores = torch.tensor([[1.0, 1.0, 2.0], [1.0, 2.0, 2.0], [5.0, 3.0, 2.0]])

wrong = scores / scores.sum(dim=1)
right = scores / scores.sum(dim=1, keepdim=True)
print("without keepdim:", wrong.sum(dim=1))
print("with keepdim:   ", right.sum(dim=1))
print("shapes:", scores.sum(dim=1).shape, scores.sum(dim=1, keepdim=True).shape)

# %% counter-cases hidden=true
for rows, columns in ((2, 3), (3, 3), (1, 4), (4, 1)):
    table, scale = torch.randn(rows, columns), torch.randn(columns)
    for i in range(rows):
        for j in range(columns):
            assert (table * scale)[i, j] == table[i, j] * scale[j]  # a square one, too

# %% zero-sum hidden=true
empty = torch.tensor([[0.0, 0.0], [1.0, -1.0]])
assert not (empty / empty.sum(dim=1, keepdim=True)).isfinite().any()

# %% batch-of-matrices hidden=true
batch, factors = torch.ones(3, 3, 4), torch.tensor([1.0, 2.0, 3.0])
assert torch.equal((batch * factors.unsqueeze(1))[:, :, 0], factors.expand(3, 3))  # rows, not matrices
assert torch.equal((batch * factors.view(-1, 1, 1))[:, 0, 0], factors)

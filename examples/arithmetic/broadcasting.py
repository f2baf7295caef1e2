"""Shapes are compared from the right, and a size of 1 fits everything."""

# %% table fold=true
import matplotlib.pyplot as plt
import torch

pairs = (
    ((8, 1, 6, 1), (7, 1, 5)),
    ((3, 1), (1, 4)),
    ((2, 3), (3,)),
    ((2, 3), (2,)),
)

figure, axes = plt.subplots(2, 2, figsize=(5.4, 3.3))
for ax, (first, second) in zip(axes.flat, pairs):
    try:
        result = tuple((torch.ones(first) + torch.ones(second)).shape)
    except RuntimeError:
        result = ()
    for row, shape in enumerate((first, second, result)):
        top = row + (0.25 if row == 2 else 0)
        ax.text(-0.3, top + 0.5, shape or "RuntimeError", ha="right", va="center_baseline", size=9)
        for place, size in enumerate(shape, start=4 - len(shape)):  # aligned on the right
            sizes = [s[place - 4] for s in (first, second) if len(s) >= 4 - place]
            clash = len({s for s in sizes if s != 1}) > 1
            repeated = row < 2 and size == 1
            color = "C3" if clash else "C2" if row == 2 else "C0"
            box = plt.Rectangle((place, top), 1, 1, edgecolor=color, clip_on=False)
            box.set(facecolor=(color, 0.08 if repeated else 0.4), linestyle=":" if repeated else "-")
            ax.add_patch(box)
            ax.text(place + 0.5, top + 0.5, size, ha="center", va="center_baseline", size=13)
    ax.set(xlim=(-3, 4.1), ylim=(3.4, -0.2), aspect="equal")
    ax.axis("off")

# %% column-times-row
column = torch.tensor([[1], [2], [3]])  # (3, 1)
row = torch.tensor([[1, 2, 3, 4]])  # (1, 4)

print(column * row)

# %% grids fold=true
figure, ax = plt.subplots(figsize=(5.2, 1.7))
ax.set(xlim=(-0.1, 15.1), ylim=(4.1, -0.1), aspect="equal")
ax.axis("off")


def draw(left, source, color, label):
    """Draw a tensor broadcast to (3, 4); what is repeated is pale and dotted."""
    for i, values in enumerate(source.expand(3, 4).tolist()):
        for j, value in enumerate(values):
            own = i < source.shape[0] and j < source.shape[1]
            box = plt.Rectangle((left + j, i), 1, 1, edgecolor=color, clip_on=False)
            box.set(facecolor=(color, 0.4 if own else 0.08), linestyle="-" if own else ":")
            ax.add_patch(box)
            ax.text(left + j + 0.5, i + 0.5, value, ha="center", va="center_baseline")
    ax.text(left + 2, 3.7, f"{label} {tuple(source.shape)}", ha="center", va="center")


draw(0, column, "C0", "column")
draw(5.5, row, "C1", "row")
draw(11, column * row, "C2", "product")
for x, sign in ((4.75, "*"), (10.25, "=")):
    ax.text(x, 1.5, sign, ha="center", va="center", fontsize=14)

# %% shapes-differ
print(column.shape, row.shape, (column * row).shape)

# %% not-broadcastable raises="RuntimeError"
torch.ones(3, 2) * torch.ones(2, 3)

# %% transposed
print("transposed:", (torch.ones(3, 2) * torch.ones(2, 3).T).shape)
print("reshaped:  ", (torch.ones(3, 2) * torch.ones(2, 3).reshape(3, 2)).shape)

# %% rule
print(torch.broadcast_shapes((3, 1), (1, 4)))
print(torch.broadcast_shapes((5, 1, 4), (3, 1)))
print(torch.broadcast_shapes((2, 3), ()))

# %% rule-broken raises="RuntimeError"
torch.broadcast_shapes((2, 3), (3, 2))

# %% rule-kept
print(torch.broadcast_shapes((2, 3), (2, 1)))

# %% stride-zero
wide = column.expand(3, 4)
print("strides:", wide.stride())
print("same memory:", wide.data_ptr() == column.data_ptr())
stored = wide.untyped_storage().nbytes() // wide.element_size()
print("elements:", wide.numel(), "stored:", stored)

# %% gradient-is-summed
scale = torch.ones(3, 1, requires_grad=True)
(scale * row).sum().backward()
print("gradient:  ", scale.grad.tolist())
print("sum of row:", row.sum())

# %% left-side-cannot-grow raises="RuntimeError"
column += row

# %% new-tensor
column = column + row
print(column.shape)

# %% accidental-square
prediction = torch.tensor([[1.0], [2.0], [3.0]])  # (3, 1), from a Linear
target = torch.tensor([1.0, 2.0, 3.0])  # (3,)

print("difference:", prediction - target, sep="\n")
print("wrong:", ((prediction - target) ** 2).mean())
print("right:", ((prediction.squeeze(1) - target) ** 2).mean())

# %% too-large
torch.manual_seed(0)
points = torch.randn(1000, 16, dtype=torch.float64)
codes = torch.randn(500, 16, dtype=torch.float64)
differences = points[:, None] - codes  # (1000, 1, 16) - (500, 16)
nearest = differences.square().sum(dim=-1).argmin(dim=1)

tensors = {"points": points, "codes": codes, "differences": differences}
for name, tensor in tensors.items():
    print(f"{name:11} {tuple(tensor.shape)!s:15} {tensor.nbytes // 1024:6} KiB")
by_cdist = torch.cdist(points, codes).argmin(dim=1)
print("cdist agrees:", torch.equal(nearest, by_cdist))

# %% every-operator hidden=true
for result in (column + row, column - row, column / row, column < row):
    assert result.shape == (3, 4)

# %% counter-cases hidden=true
import itertools

sizes = list(itertools.product((1, 2, 3), repeat=2)) + [(), (1,), (2,), (3,)]
for left, right in itertools.product(sizes, repeat=2):
    pairs = zip(reversed(left), reversed(right))
    fits = all(a == b or 1 in (a, b) for a, b in pairs)
    try:
        shape = (torch.zeros(left) + torch.zeros(right)).shape
    except RuntimeError:
        assert not fits
        continue
    aligned = itertools.zip_longest(reversed(left), reversed(right), fillvalue=1)
    assert fits and shape == tuple(max(pair) for pair in aligned)[::-1]

# %% reshape-is-no-transpose hidden=true
numbers = torch.arange(6).view(2, 3)
assert numbers.T.shape == numbers.reshape(3, 2).shape
assert not torch.equal(numbers.T, numbers.reshape(3, 2))

# %% two-lengths hidden=true
assert (torch.ones(10)[:, None] - torch.ones(9)).shape == (10, 9)  # each with each

# %% running-total hidden=true
means = torch.tensor([[1.0, 2.0, 3.0], [3.0, 4.0, 5.0]])  # of each image and channel
for total, right in ((torch.zeros(3), means.sum(dim=0)), (torch.zeros(1), means.sum())):
    try:
        total += means
    except RuntimeError as error:
        assert "doesn't match the broadcast shape" in str(error)
    else:
        raise AssertionError("the left side grew")
    total += means.sum(dim=0) if len(total) == 3 else means.sum()
    assert (total == right).all()
assert (torch.zeros(3) + means.sum()).tolist() == [18, 18, 18]  # the sum of all would go to every channel

"""expand repeats without memory, repeat and tile copy, also element by element."""

# %% memory
import torch

row = torch.tensor([[1, 2, 3]])  # (1, 3)
expanded = row.expand(4, 3)
repeated = row.repeat(4, 1)
for name, tensor in {"expand": expanded, "repeat": repeated}.items():
    stored = tensor.untyped_storage().nbytes()
    print(f"{name}: stride {tensor.stride()}, {stored} bytes")
print("same values:", torch.equal(expanded, repeated))

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.6, 4))


def cells(tensor, x0, y0, alpha=0.45):
    for i, values in enumerate(tensor.tolist()):
        for j, value in enumerate(values):
            ax.add_patch(plt.Rectangle((x0 + j, y0 + i), 1, 1, facecolor=f"C{value - 1}", alpha=alpha, linewidth=0))
            ax.text(x0 + j + 0.5, y0 + i + 0.5, value, ha="center", va="center")


for x0, name, tensor in ((0, "row.expand(4, 3)", expanded), (7, "row.repeat(4, 1)", repeated)):
    down = tensor.stride(0) // 3  # 0 or 1: does the next row lie further on?
    cells(tensor, x0, 0, alpha=0.2)
    cells(tensor[: 1 + 3 * down], x0, 5.6)
    ax.text(x0 + 1.5, -0.3, name, ha="center")
    ax.text(x0 - 0.2, 5.3, "storage", fontsize=9)
    for i in range(4):
        arrow = dict(arrowstyle="->", linewidth=1.3, color="C4", connectionstyle=f"arc3,rad={0.1 * i - 0.55}")
        ax.annotate("", (x0 + 3.1, 6.1 + i * down), (x0 + 3.1, 0.5 + i), arrowprops=arrow)
ax.set(xlim=(-0.4, 12.4), ylim=(9.8, -1), aspect="equal")
ax.axis("off")

# %% sizes
print("minus one keeps:", tuple(row.expand(4, -1).shape))
print("new on the left:", tuple(row.expand(2, 4, 3).shape))
print("expand_as:      ", tuple(row.expand_as(repeated).shape))

# %% contiguous
print("contiguous:", expanded.is_contiguous())
print("as a copy: ", expanded.contiguous().stride())

# %% expand-error raises="RuntimeError"
torch.tensor([1, 2, 3]).expand(6)

# %% longer
x = torch.tensor([1, 2, 3])
print("new dimension:", x[None].expand(2, 3).tolist())
print("longer:       ", x.repeat(2).tolist())

# %% orders
x = torch.tensor([1, 2, 3])
print("repeat(2):           ", x.repeat(2))
print("tile((2,)):          ", x.tile((2,)))
print("repeat_interleave(2):", x.repeat_interleave(2))
print("roll(1):             ", x.roll(1))

# %% orders-drawn fold=true
fig, ax = plt.subplots(figsize=(5.6, 2))
lines = {"x": x, "repeat(2)": x.repeat(2), "repeat_interleave(2)": x.repeat_interleave(2)}
for k, tensor in enumerate(lines.values()):
    cells(tensor[None], 0, 1.4 * k)
ax.set_yticks([1.4 * k + 0.5 for k in range(3)], list(lines))
ax.set(xlim=(-0.1, 6.1), ylim=(3.9, -0.1), xticks=[])
ax.spines[:].set_visible(False)
ax.tick_params(length=0)

# %% counts
print(x.repeat_interleave(torch.tensor([2, 0, 3])))

# %% rows-and-columns
grid = torch.tensor([[1, 2], [3, 4]])
print("repeat(1, 2):", grid.repeat(1, 2), sep="\n")
print("repeat_interleave(2, dim=0):", grid.repeat_interleave(2, dim=0), sep="\n")

# %% repeat-error raises="RuntimeError"
grid.repeat(2)

# %% tile-is-patient
print(grid.tile((2,)))

# %% refused
new_rows = torch.zeros(4, 3, dtype=torch.int64)
for name, argument in {"add_": 1, "mul_": 2, "copy_": new_rows}.items():
    try:
        getattr(row.clone().expand(4, 3), name)(argument)
    except RuntimeError as error:
        print(f"{name:5} {str(error).split('.')[0]}")

# %% silent
expanded = row.clone().expand(4, 3)
expanded[0, 0] = 9
print("one element:", expanded, sep="\n")
expanded[1:].fill_(7)  # rows 1 to 3 only?
print("three rows:", expanded, sep="\n")

# %% copied-first
own = row.expand(4, 3).clone()
own[0, 0] = 9
print(own)

# %% gradient
bias = torch.zeros(1, 3, requires_grad=True)
bias.expand(4, 3).sum().backward()
print(bias.grad)

# %% also-silent hidden=true
for name, arguments in {"fill_": (7,), "zero_": ()}.items():
    base = row.clone()
    getattr(base.expand(4, 3), name)(*arguments)
    assert not torch.equal(base, row)

# %% which-assignments hidden=true
base = row.clone()
base.expand(4, 3)[0] = torch.tensor([4, 5, 6])  # one row
assert base.tolist() == [[4, 5, 6]]
try:
    base.expand(4, 3)[:2] = torch.zeros(3, dtype=torch.int64)  # two rows
except RuntimeError:
    pass
else:
    raise AssertionError

# %% batch-of-one hidden=true
for copied, own in {"contiguous": False, "clone": True}.items():
    base = row.clone()
    getattr(base.expand(1, 3), copied)()[0, 0] = 9
    assert torch.equal(base, row) is own  # nothing repeats, so contiguous() copies nothing
base = row.clone()
base.repeat(1, 1)[0, 0] = 9
assert torch.equal(base, row)

# %% in-arithmetic hidden=true
many, few = torch.arange(6), torch.arange(3)
assert torch.equal(few[:, None] + many, few[:, None].expand(3, 6) + many)  # broadcasting does what expand does
assert (many + few.repeat(2)).tolist() == [0, 2, 4, 3, 5, 7]
try:
    many + few  # it does not do what repeat does
except RuntimeError:
    pass
else:
    raise AssertionError

# %% says-an-assignment hidden=true
taken = torch.zeros(4)
try:
    taken[:2] = torch.ones(3)
except RuntimeError as error:
    assert "must match the existing size" in str(error)
else:
    raise AssertionError
taken[:2] = torch.ones(3)[:2]

# %% grouped-heads hidden=true
keys = torch.arange(2).view(1, 2, 1, 1)  # two heads for eight queries
assert keys.repeat_interleave(4, dim=1).flatten().tolist() == [0, 0, 0, 0, 1, 1, 1, 1]
assert keys.repeat(1, 4, 1, 1).flatten().tolist() == [0, 1] * 4
assert grid.repeat(2, 1).tolist() == [[1, 2], [3, 4], [1, 2], [3, 4]]

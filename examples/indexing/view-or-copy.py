"""Reading a slice gives a view, reading with a list of indices gives a copy."""

# %% read
import torch

t = torch.arange(8)
view = t[1:7:2]
copy = t[[6, 2, 2]]

view += 100
copy += 1000
print("t:   ", t)
print("view:", view, view._is_view())
print("copy:", copy, copy._is_view())

# %% picture fold=true
import matplotlib.pyplot as plt
from matplotlib.colors import to_rgba

first = view.storage_offset()
touched = [first + i * view.stride(0) for i in range(view.numel())]
index = [6, 2, 2]
assert (copy - 1000).tolist() == t[index].tolist()

figure, axes = plt.subplots(figsize=(5.6, 2.7))


def boxes(row, columns, values, face, edge="none", **style):
    for column, value in zip(columns, values.tolist()):
        place = (column - 0.45, row - 0.32)
        axes.add_patch(plt.Rectangle(place, 0.9, 0.64, facecolor=face, edgecolor=edge, **style))
        axes.text(column, row, str(value), ha="center", va="center")


rest = [i for i in range(t.numel()) if i not in touched]
boxes(1.5, rest, t[rest], to_rgba("C4", 0.3))
boxes(1.5, touched, t[touched], to_rgba("C0", 0.4))
boxes(3, touched, view, "none", "C0", linestyle="--", linewidth=1.6)
boxes(0, [3, 4, 5], copy, to_rgba("C1", 0.4))
for column in touched:
    axes.plot([column, column], [1.85, 2.65], color="C0", linestyle="--")
for source, column in zip(index, [3, 4, 5]):
    axes.annotate("", (column, 0.35), (source, 1.15), arrowprops=dict(arrowstyle="->", color="C1", linewidth=1.6))
for row, name, color in ((3, "t[1:7:2]", "C0"), (1.5, "t", "C4"), (0, "t[[6, 2, 2]]", "C1")):
    axes.text(-0.8, row, name, ha="right", va="center", color=color, family="monospace")
axes.set(xlim=(-2.9, 7.5), ylim=(-0.4, 3.4))
axes.axis("off")

# %% one-storage
for part in (t, view, copy):
    first = (part.data_ptr() - t.data_ptr()) // t.element_size()
    shared = part.untyped_storage().data_ptr() == t.untyped_storage().data_ptr()
    offset = first if shared else "-"
    print("shared:", shared, "offset:", offset, "stride:", part.stride())

# %% assign
t = torch.arange(5)
t[1:3] = 100
t[[3, 4]] = 200
print(t)

# %% chained
t[[0, 1]][0] = 55  # writes into a copy that is dropped
print("list: ", t)

t[1:3][0] = 55  # writes through a view
print("slice:", t)

# %% chained-mask
t[t > 50][:2] = 0
print("two brackets:", t)

t[(t > 50).nonzero()[:2, 0]] = 0  # one index, one assignment
print("one bracket: ", t)

# %% which
matrix = torch.arange(12).view(3, 4)
index = torch.tensor([0, 2])
reads = {
    "matrix[1]": matrix[1],
    "matrix[1:, ::2]": matrix[1:, ::2],
    "matrix[..., -1]": matrix[..., -1],
    "matrix[:, None]": matrix[:, None],
    "matrix[index[1]]": matrix[index[1]],
    "matrix[[1, 2]]": matrix[[1, 2]],
    "matrix[index]": matrix[index],
    "matrix[1:, index]": matrix[1:, index],
    "matrix[matrix > 5]": matrix[matrix > 5],
}
for code, result in reads.items():
    kind = "view" if result._is_view() else "copy"  # private: for looking only
    print(f"{code:20}{kind}  {tuple(result.shape)}")

# %% matrix-pairs hidden=true
matrix = torch.arange(12).view(3, 4)
by_rows, by_pairs = matrix.clone(), matrix.clone()
by_rows[(matrix > 5).nonzero()[:2, 0]] = 0
rows, columns = (matrix > 5).nonzero(as_tuple=True)
by_pairs[rows[:2], columns[:2]] = 0
assert (by_rows != matrix).sum() == 4 and (by_pairs != matrix).sum() == 2
with torch.inference_mode():
    row = torch.zeros(3)[1:]
assert not row._is_view() and row.storage_offset() == 1

# %% rows-and-columns hidden=true
lost, pairs, block = matrix.clone(), matrix.clone(), matrix.clone()
lost[[0, 1]][:, [0, 2]] = -1
pairs[[0, 1], [0, 2]] = -1
block[[[0], [1]], [0, 2]] = -1
assert torch.equal(lost, matrix) and (pairs == -1).sum() == 2
assert (block[:2, ::2] == -1).all() and (block == -1).sum() == 4

# %% in-inference-mode hidden=true
ordinary = torch.zeros(3)
with torch.inference_mode():
    assert ordinary[1:]._is_view() and not torch.zeros(3)[1:]._is_view()

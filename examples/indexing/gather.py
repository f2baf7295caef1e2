"""gather picks one element per index along a dimension."""

# %% rule
import torch

t = torch.tensor([[10, 11, 12], [20, 21, 22]])  # (2, 3)
index = torch.tensor([[2, 0], [1, 1]])  # (2, 2): column numbers

out = t.gather(1, index)
print("gather:", out.tolist())
print("loops: ", [[t[i, index[i, j]].item() for j in range(2)] for i in range(2)])

# %% other-dim
rows = torch.tensor([[0, 1, 0]])  # (1, 3): row numbers
print(t.gather(0, rows))

# %% picture fold=true
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(5.4, 3.5))
ax.set(xlim=(-0.6, 11.1), ylim=(6.4, -1.1), aspect="equal")
ax.axis("off")
ink = plt.rcParams["text.color"]


def draw(left, top, table, colors, name):
    """Draw a table; colors[i][j] is None for a cell that is not picked."""
    for i, values in enumerate(table.tolist()):
        for j, value in enumerate(values):
            color = colors[i][j]
            box = plt.Rectangle((left + j, top + i), 1, 1, clip_on=False, edgecolor=color or ink, linewidth=0.8)
            box.set(facecolor=(color, 0.4) if color else "none", zorder=2 if color else 1)
            ax.add_patch(box)
            ax.text(left + j + 0.5, top + i + 0.5, value, ha="center", va="center_baseline")
    ax.text(left + table.shape[1] / 2, top - 0.4, name, ha="center", va="center", family="monospace", size=9)


for top, dim, positions, name in ((0, 1, index, "index"), (4.2, 0, rows, "rows")):
    picked = [[None] * 3 for _ in range(2)]
    tint = [[f"C{(i, j)[1 - dim]}" for j in range(positions.shape[1])] for i in range(positions.shape[0])]
    for i, line in enumerate(positions.tolist()):
        for j, position in enumerate(line):
            source = (i, position) if dim == 1 else (position, j)
            picked[source[0]][source[1]] = tint[i][j]
    draw(0, top, t, picked, "t")
    draw(4, top, positions, tint, name)
    draw(8, top, t.gather(dim, positions), tint, f"t.gather({dim}, {name})")
    for k in range(t.shape[dim]):  # the numbers that an index names
        x, y = (k + 0.5, 2.3) if dim == 1 else (-0.3, k + 0.5)
        ax.text(x, top + y, k, ha="center", va="center", size=9, style="italic")

# %% one-per-row
logits = torch.tensor([[2.0, 0.5, 1.0], [0.1, 3.0, 0.2]])  # (batch, classes)
label = torch.tensor([0, 2])  # (batch,)
print("gather:   ", logits.gather(1, label.unsqueeze(1)).squeeze(1))
print("two lists:", logits[torch.arange(2), label])

# %% forgot-unsqueeze raises="RuntimeError"
logits.gather(1, label)

# %% fewer-rows asks=true
column = torch.tensor([[2]])  # (1, 1), meant for every row
print("gather:", t.gather(1, column).tolist())
print("take_along_dim:", t.take_along_dim(column, dim=1).tolist())

# %% take-along-dim
order = logits.argsort(dim=1, descending=True)
print(logits.take_along_dim(order, dim=1))

# %% more-rows raises="RuntimeError"
t.gather(1, torch.tensor([[0], [1], [2]]))

# %% transposed
print(t.gather(1, torch.tensor([[0], [1], [2]]).T))  # (1, 3)

# %% last-step
states = torch.arange(24).view(2, 4, 3)  # (batch, time, features)
last = torch.tensor([1, 3])  # the last real step of each sequence
index = last[:, None, None].expand(-1, 1, 3)  # (batch, 1, features)
print("gather:", states.gather(1, index).squeeze(1), sep="\n")
same = states.take_along_dim(last[:, None, None], dim=1).squeeze(1)
print("take_along_dim:", same, sep="\n")

# %% out-of-range raises="RuntimeError"
t.gather(1, torch.tensor([[3], [0]]))

# %% padding-masked
targets = torch.tensor([0, -100])  # -100 marks padding
picked = logits.gather(1, targets.clamp(min=0).unsqueeze(1)).squeeze(1)
print(picked.masked_fill(targets < 0, 0.0))

# %% negative raises="RuntimeError" hidden=true
t.gather(1, torch.tensor([[-1], [0]]))

# %% counter-cases hidden=true
for shape, columns in (((3, 4), 2), ((5, 5), 5), ((2, 7), 1)):
    table, index = torch.randn(shape), torch.randint(shape[1], (shape[0], columns))
    picked = table.gather(1, index)
    for i in range(shape[0]):
        for j in range(columns):
            assert picked[i, j] == table[i, index[i, j]]
    assert torch.equal(picked, torch.take_along_dim(table, index, dim=1))
    one_row = torch.randint(shape[1], (1, columns))
    broadcast = torch.take_along_dim(table, one_row, dim=1)
    assert torch.equal(broadcast, table.gather(1, one_row.expand(shape[0], -1)))

# %% take-along-dim-wraps hidden=true
for wrong in (-100, -1, 3, 7):
    try:
        picked = t.take_along_dim(torch.tensor([[wrong]]), dim=1)
    except (IndexError, RuntimeError) as error:  # other releases
        assert "out of bounds" in str(error)
    else:
        assert picked.tolist() == [[10 + wrong % 3], [20 + wrong % 3]]

# %% labels-of-steps hidden=true
scores, classes = torch.randn(2, 5, 7), torch.randint(5, (2, 5))  # (batch, time, classes), (batch, time)
picked = scores.gather(-1, classes.unsqueeze(-1)).squeeze(-1)
assert picked.tolist() == [[scores[i, j, classes[i, j]].item() for j in range(5)] for i in range(2)]
assert scores.gather(1, classes.unsqueeze(1)).shape == (2, 1, 5)  # of other elements, without an error

# %% whole-steps hidden=true
features, places = torch.randn(2, 5, 4), torch.tensor([[0, 3], [1, 2]])
assert features.gather(1, places.unsqueeze(-1)).shape == (2, 2, 1)  # the first feature alone
whole = features.gather(1, places.unsqueeze(-1).expand(-1, -1, 4))
assert torch.equal(whole, features[torch.arange(2)[:, None], places])

# %% where-the-dimension-goes hidden=true
rows = torch.tensor([0, 1, 1])  # a row for each column
assert t.gather(0, rows.unsqueeze(0)).tolist() == [[10, 21, 22]]
assert t.gather(0, label[:1].unsqueeze(0)).tolist() == [[10]] and t[label[:1]].tolist() == [[10, 11, 12]]
assert t.T.gather(0, label.unsqueeze(1)).shape == (2, 1)  # of the first column alone, without an error
columns = torch.tensor([[0], [1], [2]])
assert t.gather(1, columns.T).shape == (1, 3)  # of the first row alone
assert torch.equal(t.take_along_dim(columns.T, dim=1), t)

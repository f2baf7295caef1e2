"""scatter_ writes where gather reads; one_hot is its commonest use."""

# %% inverse
import torch
import torch.nn.functional as F

values = torch.tensor([[5, 6], [7, 8]])
index = torch.tensor([[2, 0], [1, 0]])  # column numbers

board = torch.zeros(2, 3, dtype=torch.int64)
board.scatter_(1, index, values)  # board[i][index[i][j]] = values[i][j]
print("board:", board, sep="\n")
print("read back:", board.gather(1, index), sep="\n")

# %% picture fold=true
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(5.4, 1.9))
ax.set(xlim=(-0.1, 10.6), ylim=(2.8, -0.9), aspect="equal")
ax.axis("off")
ink = plt.rcParams["text.color"]
written = torch.zeros_like(board, dtype=torch.bool).scatter_(1, index, True)
tables = (
    (0, "index", index, lambda i, j: f"C{i}"),
    (3.2, "values", values, lambda i, j: f"C{i}"),
    (7.4, "board", board, lambda i, j: f"C{i}" if written[i, j] else None),
)
for left, name, table, color in tables:
    for i, line in enumerate(table.tolist()):
        for j, value in enumerate(line):
            tint = color(i, j)
            box = plt.Rectangle((left + j, i), 1, 1, edgecolor=tint or ink, linewidth=0.8, clip_on=False)
            box.set(facecolor=(tint, 0.4) if tint else "none", zorder=2 if tint else 1)
            ax.add_patch(box)
            ax.text(left + j + 0.5, i + 0.5, value, ha="center", va="center_baseline", zorder=3)
    ax.text(left + table.shape[1] / 2, -0.4, name, ha="center", va="center", family="monospace", size=9)
for j in range(board.shape[1]):
    ax.text(7.4 + j + 0.5, 2.35, j, ha="center", va="center", size=9, style="italic")
ax.annotate("", (7.1, 1), (5.5, 1), arrowprops=dict(arrowstyle="->", color="C2", linewidth=1.6))

# %% one-hot
label = torch.tensor([2, 0, 1])
print("one_hot:", F.one_hot(label, num_classes=4), sep="\n")
floats = torch.zeros(3, 4).scatter_(1, label.unsqueeze(1), 1.0)
print("scatter_:", floats, sep="\n")

# %% width
print(F.one_hot(torch.tensor([2, 0])).shape, F.one_hot(torch.tensor([1, 0])).shape)

# %% int-labels raises="RuntimeError"
F.one_hot(label.int(), num_classes=4)

# %% int-labels-cure
print(F.one_hot(label.int().long(), num_classes=4).shape)

# %% long-target raises="RuntimeError"
logits = torch.zeros(3, 4)
F.cross_entropy(logits, F.one_hot(label, 4))

# %% float-target
print("class numbers:", F.cross_entropy(logits, label))
print("floats:       ", F.cross_entropy(logits, F.one_hot(label, 4).float()))

# %% too-large raises="RuntimeError"
F.one_hot(torch.tensor([0, 4]), num_classes=4)

# %% wider
print(F.one_hot(torch.tensor([0, 4]), num_classes=5))

# %% duplicates
slots = torch.tensor([0, 0, 2])  # slot 0 twice
points = torch.tensor([1.0, 2.0, 4.0])
written = torch.zeros(3).scatter_(0, slots, points)
print("1 or 2:", written[0].item() in (1.0, 2.0))
print(torch.zeros(3).scatter_add_(0, slots, points))

# %% add-along-rows
amounts = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
account = torch.tensor([[0, 1, 0], [1, 1, 1]])
print(torch.zeros(2, 2).scatter_add_(1, account, amounts))

# %% mixed-dtypes raises="RuntimeError"
torch.zeros(2, 3).scatter_(1, index, values)

# %% values-converted
print(torch.zeros(2, 3).scatter_(1, index, values.float()))

# %% fewer-dims raises="RuntimeError"
column = torch.tensor([2, 0, 1])
torch.zeros(3, 4).scatter_(1, column, 1.0)

# %% fewer-dims-source raises="IndexError"
chances = torch.tensor([0.5, 0.6, 0.7])
torch.zeros(3, 4).scatter_(1, column[:, None], chances)

# %% fewer-dims-cure
print(torch.zeros(3, 4).scatter_(1, column[:, None], chances[:, None]))

# %% rows-by-group
group = torch.tensor([0, 1, 0])
steps = torch.ones(3, 4)
print("group[:, None]:", torch.zeros(2, 4).scatter_add_(0, group[:, None], steps))
wide = group[:, None].expand_as(steps)
print("expand_as:     ", torch.zeros(2, 4).scatter_add_(0, wide, steps))
print("index_add_:    ", torch.zeros(2, 4).index_add_(0, group, steps))

# %% sizes raises="RuntimeError"
torch.zeros(3, 4).scatter_(1, torch.zeros(3, 1, dtype=torch.long), torch.ones(2, 5))

# %% other-labels hidden=true
for dtype in (torch.uint8, torch.int16, torch.float32, torch.float64):
    try:
        F.one_hot(label.to(dtype), num_classes=4)
    except RuntimeError as error:
        assert "LongTensor" in str(error), error
    else:
        raise AssertionError(f"one_hot accepts {dtype}")

# %% counter-cases hidden=true
torch.manual_seed(0)
for classes in (2, 5, 50):
    z, numbers = torch.randn(30, classes, dtype=torch.float64), torch.randint(classes, (30,))
    hot = torch.nn.functional.one_hot(numbers, classes).double()
    losses = [torch.nn.functional.cross_entropy(z, target) for target in (hot, numbers)]
    torch.testing.assert_close(*losses)

# %% counter-cases-dims hidden=true
torch.zeros(3, 4).scatter_(1, torch.zeros(3, 1, dtype=torch.long), torch.ones(3, 5))
for dtype in (torch.float32, torch.float64, torch.long, torch.bool):
    for few in (torch.tensor(0), torch.tensor([0, 1])):
        for call in (
            lambda t: t.scatter(1, few, 1),
            lambda t: t.scatter_add(1, few, t),
            lambda t: t.scatter_reduce(1, few, t, "amax"),
        ):
            try:
                call(torch.zeros(2, 3, dtype=dtype))
            except RuntimeError as error:
                assert "Index tensor must have the same number of dimensions as self tensor" in str(error)
            else:
                raise AssertionError("fewer dimensions are fine now")
torch.zeros(2, 3).scatter_(1, torch.tensor([], dtype=torch.long), 1.0)  # an empty index may have any
torch.zeros(3).scatter_(0, torch.tensor(1), 1.0)  # and a 0-D one counts as 1-D

# %% classes-in-dim-1 hidden=true
z, numbers = torch.randn(2, 3, 3, 3), torch.randint(3, (2, 3, 3))
last, second = F.one_hot(numbers, 3).float(), F.one_hot(numbers, 3).movedim(-1, 1).float()
torch.testing.assert_close(F.cross_entropy(z, second), F.cross_entropy(z, numbers))
assert not torch.allclose(F.cross_entropy(z, last), F.cross_entropy(z, numbers))  # runs, and is wrong
weight = torch.tensor([1.0, 2.0, 9.0])
divided = weight[numbers].sum() / numbers.numel()
with_numbers, with_chances = (F.cross_entropy(z, target, weight=weight) for target in (numbers, second))
torch.testing.assert_close(with_numbers * divided, with_chances)

# %% fractions hidden=true
counts, shares = torch.zeros(2, 3, dtype=torch.int64), torch.full((2, 2), 0.7)
assert not counts.scatter(1, index, shares.to(counts.dtype)).any()
assert counts.float().scatter(1, index, shares).sum() > 2.7
assert torch.tensor([300]).to(torch.uint8) == 44

# %% one-logit hidden=true
one, answer = torch.randn(4, 1, requires_grad=True), torch.tensor([[0], [1], [1], [0]])
try:
    F.cross_entropy(one, answer)
except RuntimeError as error:
    assert "class probabilities" in str(error), error
else:
    raise AssertionError
F.cross_entropy(one, answer.float()).backward()
assert F.cross_entropy(one, answer.float()) == 0 and not one.grad.any()
F.binary_cross_entropy_with_logits(one, answer.float()).backward()
assert one.grad.all()

# %% last-dim hidden=true
words = torch.tensor([[0, 1, 2], [2, 1, 0]])  # (batch, time)
try:
    torch.zeros(2, 3, 3).scatter_(2, words, 1.0)
except RuntimeError as error:
    assert "same number of dimensions" in str(error), error
else:
    raise AssertionError
assert torch.equal(torch.zeros(2, 3, 3).scatter_(2, words[..., None], 1.0), F.one_hot(words, 3).float())
assert torch.zeros(2, 3, 3).scatter_(2, words[:, None], 1.0)[:, 1:].eq(0).all()  # runs, and is wrong

# %% any-dim hidden=true
pixels = torch.tensor([[[0, 1], [2, 1]]])  # (batch, height, width)
for dim in (1, 2, 3, -1, -2):
    put = torch.zeros(1, 2, 2).unsqueeze(dim).repeat_interleave(3, dim=dim)
    put.scatter_(dim, pixels.unsqueeze(dim), 1.0)
    assert torch.equal(put, F.one_hot(pixels, 3).movedim(-1, dim).float())

# %% wrong-dim-cut hidden=true
group = torch.tensor([0, 1, 2, 0, 1, 2])[:, None].expand(6, 4)
right = torch.zeros(3, 4).scatter_add_(0, group, torch.ones(6, 4))
wrong = torch.zeros(3, 4).scatter_add_(1, group[:3], torch.ones(6, 4))  # no error
assert right.eq(2).all() and not torch.equal(right, wrong)
several = torch.tensor([[1, 1, 0], [0, 1, 1]]).float()
assert F.cross_entropy(torch.zeros(2, 3), several) > 2  # runs, with two classes a row

# %% rows-of-each-sample hidden=true
steps = torch.tensor([[4, 0, 2], [1, 3, 0]])  # (batch, rows)
written = torch.arange(24.0).reshape(2, 3, 4) + 1
batch = torch.zeros(2, 5, 4)
right = torch.zeros(2, 5, 4).scatter_(1, steps[..., None].expand_as(written), written)
for sample, numbers, lines in zip(batch, steps, written):
    sample.index_copy_(0, numbers, lines)
assert torch.equal(batch, right)
wrong = torch.zeros(2, 5, 4).scatter_(1, steps.unsqueeze(1), written)  # no error
assert not torch.equal(batch, wrong)

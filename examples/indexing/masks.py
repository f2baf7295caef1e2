"""What a boolean mask picks, writes and refuses."""

# %% picks
import torch

torch.manual_seed(0)
scores = (torch.randperm(12) - 6).view(3, 4)
mask = scores > 0
print("scores:", scores, sep="\n")
print("mask:", mask, sep="\n")
print("scores[mask]: ", scores[mask], "count:", mask.sum())
print("masked_select:", scores.masked_select(mask))

# %% picture fold=true
import matplotlib.pyplot as plt
from matplotlib.colors import to_rgba

figure, axes = plt.subplots(figsize=(5.2, 3.1))
ink = plt.rcParams["text.color"]


def table(left, top, name, values, on):
    for row, line in enumerate(values.tolist()):
        for column, value in enumerate(line):
            face = to_rgba("C0", 0.4) if on[row][column] else "none"
            axes.add_patch(
                plt.Rectangle((left + column, top + row), 1, 1, facecolor=face, edgecolor=ink, linewidth=0.6)
            )
            axes.text(left + column + 0.5, top + row + 0.5, str(value), ha="center", va="center")
    axes.text(left, top - 0.3, name, family="monospace")


table(0, 0, "scores", scores, mask)
table(5, 0, "mask = scores > 0", mask.int(), mask)
picked = scores[mask][None]
table(0, 4, "scores[mask]", picked, torch.ones_like(picked))
axes.set(xlim=(-0.1, 9.1), ylim=(5.1, -0.9))
axes.axis("off")

# %% assign
clipped = scores.clone()
clipped[~mask] = 0
print(clipped)
print("masked_fill agrees:", scores.masked_fill(~mask, 0).equal(clipped))

# %% scatter
words = torch.zeros(5, 2)  # (time, features)
image = torch.arange(1.0, 5).view(2, 2)  # two vectors
places = torch.tensor([False, True, True, False, False])  # the image tokens
merged = words.masked_scatter(places[:, None], image)
print(merged.tolist())
merged[places] = -image
print(merged.tolist())

# %% number-mask raises="RuntimeError"
keep = torch.tensor([1, 0, 1, 1])  # numbers, not booleans
scores.masked_fill(keep, 0)

# %% number-mask-cure
print(scores.masked_fill(keep.bool(), 0)[0], scores.masked_fill(keep == 0, 0)[0])

# %% wrong-shape raises="IndexError"
scores[torch.tensor([True, False, True, True])]  # (4,) into (3, 4)

# %% column-mask
print(scores[:, torch.tensor([True, False, True, True])])

# %% aligned-left
rows = torch.tensor([True, False, True])  # (3,), one per row
print(scores[rows])

# %% aligned-right raises="RuntimeError"
scores.masked_fill(rows, 0)  # (3, 4) and (3,)

# %% aligned-both
print(scores.masked_fill(rows[:, None], 0))  # (3, 1)

# %% combine
ages = torch.tensor([15, 22, 31, 67, 40, 80])
print("and:", (ages >= 18) & (ages < 65))
print("or: ", (ages < 18) | ~(ages < 65))

# %% and raises="RuntimeError"
(ages >= 18) and (ages < 65)

# %% parentheses raises="RuntimeError"
ages >= 18 & ages < 65

# %% minus raises="RuntimeError"
padding = torch.tensor([False, False, True])
1 - padding

# %% not
print("~:           ", ~padding)
print("logical_not: ", padding.logical_not())
print("as a number: ", 1 - padding.int())

# %% two-masks raises="RuntimeError"
seen = torch.tensor([True, True, True])
seen - padding

# %% without
print("in one only:     ", seen ^ padding)
print("the first without the second:", seen & ~padding)

# %% negated raises="RuntimeError"
-padding

# %% not-of-numbers
zeros_and_ones = torch.tensor([0, 1])
print("~ of integers:", ~zeros_and_ones)
print("~ of booleans:", ~zeros_and_ones.bool())

# %% number-index hidden=true
assert torch.equal(scores[keep], torch.stack([scores[i] for i in (1, 0, 1, 1)]))

# %% scatter-claims hidden=true
more = torch.arange(1.0, 9).view(4, 2)
assert torch.equal(words.masked_scatter(places[:, None], more)[places], more[:2])  # the rest is left out
assert torch.equal(words.masked_scatter(places[:, None], image.T)[places], image.T)  # not contiguous
for wrong, write in (
    (image[:1], lambda source: words.masked_scatter(places[:, None], source)),
    (image.double(), lambda source: words.masked_scatter(places[:, None], source)),
    (image.half(), lambda source: words.clone().__setitem__(places, source)),
    (more, lambda source: words.clone().__setitem__(places, source)),
):
    try:
        write(wrong)
    except (RuntimeError, IndexError):
        pass
    else:
        raise AssertionError((wrong.shape, wrong.dtype))
words.clone()[places] = image[:1]  # one row is broadcast
into, source = torch.zeros(5, 2, requires_grad=True), more.clone().requires_grad_()
into.masked_scatter(places[:, None], source).sum().backward()
assert into.grad.sum() == 6 and source.grad.flatten().tolist() == [1, 1, 1, 1, 0, 0, 0, 0]
into.grad = source.grad = None
copy = into.clone()
copy[places] = source[:2]
copy.sum().backward()
assert into.grad.sum() == 6 and source.grad.sum() == 4

# %% one-pair-missing hidden=true
assert ((ages >= 18) & ages < 65).all()  # (1 & age) < 65
assert not ((ages >= 18) & (ages < 65)).all()
for numbers in (ages, ages.float()):
    assert (numbers >= 18 & (numbers < 65)).all()  # 18 & True is 0
for numbers in (ages.float(), ages.double()):
    for compare in (lambda a: a >= 18 & a < 65, lambda a: (a >= 18) & a < 65):
        try:
            compare(numbers)
        except (RuntimeError, TypeError) as error:
            assert "truth value" not in str(error) and "ambiguous" not in str(error)
        else:
            raise AssertionError("floats have & now")

# %% integer-masks hidden=true
seen = torch.tensor([1, 0, 1])
assert (~seen).tolist() == [-2, -1, -2] and (~(seen != 0)).tolist() == [False, True, False]
assert (torch.tensor([1, 2]) & torch.tensor([2, 2])).tolist() == [0, 2]

"""einsum: a letter per dimension; repeated ones are multiplied, others summed."""

# %% rule
import torch

a = torch.arange(6.0).view(2, 3)
b = torch.arange(12.0).view(3, 4)
print("einsum:", torch.einsum("ik,kj->ij", a, b), sep="\n")
print("a @ b:", a @ b, sep="\n")

# %% loops
out = torch.zeros(2, 4)
for i in range(2):
    for j in range(4):
        for k in range(3):  # not to the right of ->: summed
            out[i, j] += a[i, k] * b[k, j]
print(out)

# %% table fold=true
import matplotlib.pyplot as plt

sizes = {"b": 5, "i": 2, "j": 4, "k": 3, "q": 2, "d": 8}
equations = "ij->j", "i,j->ij", "ij,ij->", "ik,kj->ij", "bik,bkj->bij", "bqd,bkd->bqk"

figure, axes = plt.subplots(2, 3, figsize=(5.8, 4.2))
for ax, equation in zip(axes.flat, equations):
    left, right = equation.split("->")
    operands = left.split(",")
    shapes = [tuple(sizes[c] for c in letters) for letters in operands]
    result = torch.einsum(equation, *(torch.ones(shape) for shape in shapes))
    letters = sorted(set(left) - {","}, key=lambda c: "biqkjd".index(c))
    colors = {c: f"C{'ikjbqd'.index(c)}" for c in letters}
    for row, names in enumerate([*operands, right]):
        top = row + (0.3 if row == len(operands) else 0)
        for place, letter in enumerate(letters):
            present = letter in names
            if not present and row < len(operands):
                continue
            size = result.shape[right.index(letter)] if row == len(operands) and present else sizes[letter]
            color = colors[letter]
            box = plt.Rectangle((place, top), 1, 1, edgecolor=color, clip_on=False)
            box.set(facecolor=(color, 0.4) if present else "none", linestyle="-" if present else ":")
            ax.add_patch(box)
            ax.text(place + 0.5, top + 0.5, size if present else "Σ", ha="center", va="center_baseline", size=12)
    for place, letter in enumerate(letters):
        ax.text(place + 0.5, -0.35, letter, color=colors[letter], ha="center", va="center", size=12)
    ax.set_title(equation, fontsize=10, family="monospace")
    ax.set(xlim=(-0.1, 4.1), ylim=(3.5, -0.7), aspect="equal", anchor="N")
    ax.axis("off")

# %% patterns
square = torch.arange(9.0).view(3, 3)
x, y = torch.ones(2, 1, 3), torch.arange(12.0).view(2, 3, 2)  # (batch, row, column)
query = torch.ones(2, 1, 3)  # (batch, time, features)
key = torch.arange(12.0).view(2, 2, 3)
patterns = (
    ("ii->", (square,), square.trace()),
    ("ii->i", (square,), square.diagonal()),
    ("ij->ji", (a,), a.T),
    ("ij->i", (a,), a.sum(dim=1)),
    ("i,j->ij", (a[0], b[0]), torch.outer(a[0], b[0])),
    ("ik,kj->ij", (a, b), a @ b),
    ("bik,bkj->bij", (x, y), torch.bmm(x, y)),
    ("bqd,bkd->bqk", (query, key), query @ key.mT),
)
for equation, operands, expected in patterns:
    result = torch.einsum(equation, *operands)
    assert torch.equal(result, expected)
    print(f"{equation:14} {result.int().tolist()}")

# %% ellipsis
torch.manual_seed(0)
heads = torch.randn(5, 6, 2, 8)  # (batch, head, time, features)
scores = torch.einsum("...qd,...kd->...qk", heads, heads)
print("shape:", scores.shape)
print("same as @:", torch.allclose(scores, heads @ heads.mT, atol=1e-5))

# %% three-inputs
user = torch.arange(6.0).view(2, 3)  # (batch, features)
item = torch.arange(8.0).view(2, 4)
weight = torch.arange(12.0).view(3, 4)
print("einsum: ", torch.einsum("bi,ij,bj->b", user, weight, item))
print("by hand:", ((user @ weight) * item).sum(dim=1))

# %% no-arrow
print("ji:    ", torch.einsum("ji", a).tolist())  # sorted letters: ji->ij
print("ji->ji:", torch.einsum("ji->ji", a).tolist())

# %% sizes raises="RuntimeError"
torch.einsum("ij,jk->ik", a, a)

# %% letters raises="RuntimeError"
torch.einsum("ijk->i", a)

# %% shared-letter
print(torch.einsum("ij,kj->ik", a, a))

# %% ellipsis-is-summed hidden=true
assert torch.einsum("...i->i", torch.ones(2, 3, 4)).tolist() == [6, 6, 6, 6]

# %% counter-cases hidden=true
first, second = torch.randn(3, 4, 5, dtype=torch.float64), torch.randn(4, 5, 6, dtype=torch.float64)
full = first[..., None] * second  # one dimension for each letter: a, b, c, d
for right in ("abcd", "ad", "da", "bc", "", "cab"):
    gone = tuple("abcd".index(letter) for letter in "abcd" if letter not in right)
    summed = full.sum(dim=gone) if gone else full
    kept = [letter for letter in "abcd" if letter in right]
    expected = summed.permute([kept.index(letter) for letter in right])
    torch.testing.assert_close(torch.einsum(f"abc,bcd->{right}", first, second), expected)

# %% size-1-is-broadcast hidden=true
assert torch.einsum("ij,jk->ik", torch.ones(2, 3), torch.ones(1, 4)).eq(3).all()

# %% added-letter hidden=true
words = torch.randn(2, 5, 3)
assert torch.allclose(torch.einsum("btd,dk->btk", words, torch.ones(3, 4)), words @ torch.ones(3, 4), atol=1e-5)
lost = torch.einsum("btd,dk->bk", words, torch.ones(3, 4))  # no error
assert torch.allclose(lost, (words @ torch.ones(3, 4)).sum(dim=1), atol=1e-5)

"""torch.matmul multiplies the last two dimensions and broadcasts the others."""

# %% block-by-block
import torch

torch.manual_seed(0)
matrices = torch.arange(24.0).reshape(2, 3, 2, 2)
columns = torch.arange(12.0).reshape(2, 3, 2, 1)

result = matrices @ columns  # torch.matmul(matrices, columns)
print("shape:", result.shape)
print("one block:", result[1, 2].tolist())
print("torch.mm: ", torch.mm(matrices[1, 2], columns[1, 2]).tolist())

# %% batch-broadcasts
a = torch.randn(7, 1, 3, 4)
b = torch.randn(5, 4, 2)
print("a @ b:", (a @ b).shape)
batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])  # (7, 1) and (5,)
print("batch:", batch)

# %% sizes fold=true
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(4.4, 2.6))
ax.set(xlim=(-1.7, 4.6), ylim=(3.5, -0.7), aspect="equal")
ax.axis("off")
colors = ("C0", "C0", "C2", "C1"), ("C0", "C0", "C1", "C3"), ("C0", "C0", "C2", "C3")
for n, (name, tensor) in enumerate((("a", a), ("b", b), ("a @ b", a @ b))):
    top = 1.2 * n
    ax.text(-0.4, top + 0.5, name, ha="right", va="center_baseline")
    for place in range(4 - tensor.ndim, 4):  # aligned on the right
        left = place + (0.5 if place > 1 else 0)
        color = colors[n][place]
        box = plt.Rectangle((left, top), 1, 1, facecolor=(color, 0.4), edgecolor=color)
        ax.add_patch(box)
        size = tensor.shape[place - 4]
        ax.text(left + 0.5, top + 0.5, size, ha="center", va="center_baseline", size=13)
ax.text(1, -0.4, "batch", ha="center", va="center")
ax.text(3.5, -0.4, "matrix", ha="center", va="center")

# %% batch-does-not-fit raises="RuntimeError"
torch.randn(2, 3, 4) @ torch.randn(5, 4, 2)

# %% batch-fits
print("equal:   ", (torch.randn(5, 3, 4) @ torch.randn(5, 4, 2)).shape)
print("one of 1:", (torch.randn(2, 3, 4) @ torch.randn(1, 4, 2)).shape)

# %% vectors
matrix = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])  # (2, 3)
vector = torch.tensor([1.0, 10.0, 100.0])
print("on the right:", matrix @ vector)
print("on the left: ", torch.tensor([1.0, 10.0]) @ matrix)
both = torch.stack([matrix, -matrix])  # (2, 2, 3)
print("a batch:     ", (both @ vector).tolist())

# %% batch-of-vectors raises="RuntimeError" asks=true
rotations = torch.randn(5, 4, 4)  # one matrix per sample
points = torch.randn(5, 4)  # one vector per sample
rotations @ points

# %% unsqueeze
columns = points.unsqueeze(-1)  # (5, 4, 1)
moved = (rotations @ columns).squeeze(-1)
print(moved.shape)
one = rotations[3] @ points[3]
print("sample 3 agrees:", torch.allclose(moved[3], one, atol=1e-6))

# %% einsum
by_name = torch.einsum("bij,bj->bi", rotations, points)
print("agrees:", torch.allclose(by_name, moved, atol=1e-6))

# %% silent
square = rotations[:4]  # (4, 4, 4)
four = points[:4]  # (4, 4): four vectors, or one matrix?
print("one matrix:  ", (square @ four).shape)
print("four vectors:", (square @ four.unsqueeze(-1)).squeeze(-1).shape)

# %% counter-cases hidden=true
square = torch.randn(4, 4)
for shape in ((4,), (3, 4), (2, 3, 4), (5, 1, 2, 4)):
    left = torch.randn(shape)
    rows = torch.stack([row @ square for row in left.reshape(-1, 4)])
    torch.testing.assert_close(left @ square, rows.reshape(shape))

# %% vectors-on-the-left hidden=true
for vectors in (torch.randn(5, 4), torch.randn(3, 4)):  # never raises, whatever the batch
    matrices = torch.randn(len(vectors), 4, 2)
    assert (vectors @ matrices).shape == (len(vectors), len(vectors), 2)
    moved = (vectors.unsqueeze(-2) @ matrices).squeeze(-2)
    by_hand = torch.stack([vector @ matrix for vector, matrix in zip(vectors, matrices)])
    torch.testing.assert_close(moved, by_hand)

# %% many-points-a-sample hidden=true
rotations = torch.randn(5, 3, 3)
for count in (7, 5, 1):
    clouds = torch.randn(5, count, 3)
    by_hand = torch.stack([torch.stack([r @ p for p in c]) for r, c in zip(rotations, clouds)])
    torch.testing.assert_close(clouds @ rotations.mT, by_hand)
    try:
        mixed = (rotations @ clouds.unsqueeze(-1)).squeeze(-1)
    except RuntimeError:
        assert count == 7
    else:
        assert mixed.shape != by_hand.shape or not torch.allclose(mixed, by_hand)
heads, weight = torch.randn(4, 4, 2, 3), torch.randn(4, 3, 2)  # as many heads as samples
by_hand = torch.stack([sample @ own for sample, own in zip(heads, weight)])
torch.testing.assert_close(heads @ weight.unsqueeze(1), by_hand)
assert not torch.allclose(heads @ weight, by_hand)

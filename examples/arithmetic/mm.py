"""torch.mm takes two matrices: inner sizes meet, outer sizes remain."""

# %% inner-sizes-meet
import torch

batch = torch.arange(1.0, 7.0).reshape(2, 3)
weight = torch.arange(1.0, 13.0).reshape(3, 4)

output = torch.mm(batch, weight)  # or: batch.mm(weight); (2, 3) (3, 4) -> (2, 4)
print(output)

# %% one-entry
print("entry:  ", output[1, 2])
print("by hand:", (batch[1] * weight[:, 2]).sum())

# %% falk fold=true
import matplotlib.pyplot as plt

figure, ax = plt.subplots(figsize=(4.6, 3.7))
ax.set(xlim=(-0.9, 7.8), ylim=(6.5, -0.8), aspect="equal")
ax.axis("off")
i, j = 1, 2


def draw(left, top, matrix, marked):
    """Draw a matrix with one row, column or entry marked."""
    for r, values in enumerate(matrix.tolist()):
        for c, value in enumerate(values):
            x, y = left + c, top + r
            box = plt.Rectangle((x, y), 1, 1, edgecolor="C0", clip_on=False)
            box.set_facecolor(("C1", 0.4) if marked(r, c) else ("C0", 0.08))
            ax.add_patch(box)
            ax.text(x + 0.5, y + 0.5, f"{value:g}", ha="center", va="center_baseline")


draw(0, 3.7, batch, lambda r, c: r == i)
draw(3.7, 0, weight, lambda r, c: c == j)
draw(3.7, 3.7, output, lambda r, c: (r, c) == (i, j))
places = (-0.5, 4.7, "C2"), (1.5, 3.2, "C1"), (3.2, 1.5, "C1"), (5.7, -0.5, "C3")
for (x, y, color), size in zip(places, (*batch.shape, *weight.shape)):
    ax.text(x, y, size, color=color, ha="center", va="center", size=14, weight="bold")
names = {"batch": batch, "weight": weight, "output": output}
for (x, y), (name, matrix) in zip(((1.5, 6.2), (1.3, 1.5), (5.7, 6.2)), names.items()):
    ax.text(x, y, f"{name} {tuple(matrix.shape)}", ha="center", va="center")

# %% inner-sizes-differ raises="RuntimeError"
torch.mm(batch, batch)

# %% transpose
print(torch.mm(batch, batch.T))

# %% second-is-a-vector raises="RuntimeError"
torch.mm(batch, torch.ones(3))

# %% first-is-a-vector raises="RuntimeError"
torch.mm(torch.ones(2), batch)

# %% first-is-3d raises="RuntimeError"
torch.mm(torch.ones(5, 2, 3), weight)

# %% instead
vector = torch.ones(3)
print("matrix times vector:", torch.mv(batch, vector), batch @ vector)
print("vector times matrix:", torch.ones(2) @ batch)
print("batch times matrix: ", (torch.ones(5, 2, 3) @ weight).shape)

# %% mixed-dtypes raises="RuntimeError"
torch.mm(batch, torch.ones(3, 4, dtype=torch.int64))

# %% one-dtype
whole = torch.ones(3, 4, dtype=torch.int64)
print(torch.mm(batch, whole.to(batch.dtype)))

# %% out
buffer = torch.empty(2, 4)
address = buffer.data_ptr()
for step in range(3):
    torch.mm(batch, weight, out=buffer)
print(buffer)
print("same memory:", buffer.data_ptr() == address)

# %% out-has-no-gradient raises="RuntimeError"
torch.mm(batch, weight.clone().requires_grad_(), out=buffer)

# %% no-gradient
parameter = weight.clone().requires_grad_()
with torch.no_grad():
    torch.mm(batch, parameter, out=buffer)
print("out=:", buffer.requires_grad)
print("new: ", torch.mm(batch, parameter).requires_grad)

# %% at-mixed-dtypes raises="RuntimeError" hidden=true
assert (batch * torch.ones(2, 3, dtype=torch.int64)).dtype == torch.float32
batch @ torch.ones(3, 4, dtype=torch.int64)

# %% whole-sums hidden=true
left, right = torch.full((1, 1024), 255), torch.full((1024, 1), 255)
left[0, 0], right[0, 0] = 254, 253
assert (left.double() @ right.double()).long() == left @ right != (left.float() @ right.float()).long()
signs, ones = torch.tensor([[2**25 + 1, -(2**25)]]), torch.ones(2, 1, dtype=torch.int64)
assert (signs @ ones).item() == 1 and (signs.float() @ ones.float()).item() == 0  # a small sum of large numbers
assert torch.tensor(70_000).to(torch.float16).isinf()

# %% whole-numbers-on-gpu needs="cuda" raises="NotImplementedError"
counts = torch.tensor([[1, 2], [3, 4]], device="cuda")
counts @ counts

# %% whole-numbers-converted needs="cuda"
print((counts.double() @ counts.double()).long())

# %% batch-of-vectors hidden=true
square, vectors = torch.arange(27.0).view(3, 3, 3), torch.arange(9.0).view(3, 3)
each = torch.stack([torch.mv(*pair) for pair in zip(square, vectors, strict=True)])
assert torch.equal((square @ vectors[..., None])[..., 0], each) and not torch.equal(square @ vectors, each)

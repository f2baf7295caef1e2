"""clone() copies the values and stays in the graph; detach() does neither."""

# %% table
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)
copies = {
    "detach()": weight.detach(),
    "clone()": weight.clone(),
    "detach().clone()": weight.detach().clone(),
}
print("                 requires_grad is_leaf same_memory grad_fn")
for name, copy in copies.items():
    same_memory = copy.data_ptr() == weight.data_ptr()
    made_by = copy.grad_fn.name() if copy.grad_fn else None
    flags = f"{copy.requires_grad!s:14}{copy.is_leaf!s:8}{same_memory!s:12}"
    print(f"{name:17}{flags}{made_by}")

# %% picture fold=true
import matplotlib.pyplot as plt

tensors = {"weight": weight} | copies
rows_at = {}  # address of a storage -> rows of the tensors that live there
for row, tensor in enumerate(tensors.values()):
    rows_at.setdefault(tensor.data_ptr(), []).append(row)

fig, ax = plt.subplots(figsize=(5.6, 2.7))
box = {"boxstyle": "round,pad=0.4", "facecolor": "none", "linewidth": 1.5}
for number, (address, rows) in enumerate(rows_at.items()):
    color, middle = f"C{number}", sum(rows) / len(rows)
    values = next(t for t in tensors.values() if t.data_ptr() == address).tolist()
    ax.text(0, middle, values, ha="center", va="center", bbox=box | {"edgecolor": color})
    for row in rows:
        ax.plot([0.65, 1.2], [middle, row], color=color)

for row, (name, tensor) in enumerate(tensors.items()):
    ax.text(1.3, row, name, va="center", family="monospace")
    if tensor.requires_grad:
        ax.annotate(
            "",
            (3.45, 0),
            (1.45 + 0.1 * len(name), row),
            arrowprops={"arrowstyle": "->", "color": "C3", "linewidth": 1.5},
        )

ax.text(4.1, 0, "weight.grad", ha="center", va="center", family="monospace", bbox=box | {"edgecolor": "C3"})
for x, title in ((0, "memory"), (4.1, "gradient")):
    ax.text(x, -0.9, title, ha="center", weight="bold")
ax.set(xlim=(-0.6, 4.8), ylim=(len(tensors) - 0.5, -1.1))
ax.axis("off")

# %% backward
copy = weight.clone()
(copy * 3).sum().backward()
print(weight.grad)

# %% edit
copy = weight.clone()
with torch.no_grad():
    copy.zero_()
print("edited the clone:       ", weight)

weight.detach()[0] = 10.0
print("edited the detached one:", weight)

# %% without-call raises="AttributeError"
weight.clone.detach()

# %% called
print(type(weight.clone))
print(weight.detach().clone())

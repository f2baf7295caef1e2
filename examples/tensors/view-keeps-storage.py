"""A small view keeps a large storage alive."""

# %% views
import torch

base = torch.arange(12).view(3, 4)  # each value is its own place in the storage
views = {
    "base": base,
    "base[1]": base[1],
    "base[:, 1]": base[:, 1],
    "base[1:, ::2]": base[1:, ::2],
}
for name, view in views.items():
    start, stride = view.storage_offset(), view.stride()
    print(f"{name:14}", "from", start, "stride", stride, view.tolist())

addresses = {view.untyped_storage().data_ptr() for view in views.values()}
print("storages:", len(addresses))

# %% one-storage fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(6, 2.6))
for row, view in enumerate(views.values()):
    places = [(place - 0.46, 0.92) for place in view.flatten().tolist()]
    for spans, alpha in (([(-0.46, 11.92)], 0.15), (places, 0.85)):
        ax.broken_barh(spans, (row - 0.34, 0.68), color=f"C{row}", alpha=alpha, linewidth=0)
ax.set_yticks(range(len(views)), list(views))
ax.set_xticks(range(12))
ax.invert_yaxis()
ax.spines[["left", "bottom"]].set_visible(False)
ax.tick_params(length=0)
ax.set_xlabel("element of the storage")

# %% deleted
features = torch.zeros(1000, 1000)  # float32, 4 MB
head = features[:10]
del features
print("nbytes: ", head.nbytes)
print("storage:", head.untyped_storage().nbytes())

# %% cloned
small = head.clone()
print("nbytes: ", small.nbytes)
print("storage:", small.untyped_storage().nbytes())

# %% what-lives fold=true
tensors = {"features[:10]": head, "features[:10].clone()": small}
own = [t.nbytes for t in tensors.values()]
storage = [t.untyped_storage().nbytes() for t in tensors.values()]

fig, ax = plt.subplots(figsize=(6, 2.6))
for shift, sizes, label in ((-0.2, own, "nbytes"), (0.2, storage, "untyped_storage().nbytes()")):
    bars = ax.barh([i + shift for i in range(len(sizes))], sizes, height=0.36, label=label)
    ax.bar_label(bars, [f"{size:,}" for size in sizes], padding=4)
ax.set_yticks(range(len(tensors)), list(tensors))
ax.invert_yaxis()
ax.set_xlim(0, 1.2 * max(storage))
ax.set_xlabel("bytes")
ax.set_xticks([0, max(storage) // 2, max(storage)], ["0", f"{max(storage) // 2:,}", f"{max(storage):,}"])
ax.legend(loc="lower right")

# %% saved
import io


def saved_bytes(tensor):
    file = io.BytesIO()
    torch.save(tensor, file)
    return file.tell()


print(f"view: {saved_bytes(head) / 1e6:.2f} MB")
print(f"copy: {saved_bytes(head.clone()) / 1e6:.2f} MB")

# %% views-survive-saving hidden=true
file = io.BytesIO()
torch.save([base[0], base[:, 0]], file)
file.seek(0)
row, column = torch.load(file)
row[0] = 100
assert column[0] == 100

# %% not-by-these hidden=true
import copy

for same in (head.contiguous(), copy.deepcopy(head)):
    assert same.untyped_storage().nbytes() == 4_000_000 and saved_bytes(same) > 4_000_000

# %% with-a-graph hidden=true
weight = torch.zeros(1000, 1000, requires_grad=True)
hidden = weight.exp()  # exp keeps its result for the backward pass
made_by = hidden[:10].clone().grad_fn.next_functions[0][0].next_functions[0][0]
assert made_by._saved_result.untyped_storage().nbytes() == 4_000_000
assert hidden[:10].detach().clone().grad_fn is None
assert torch.zeros(1).expand(1000).clone().untyped_storage().nbytes() == 4000  # more than before

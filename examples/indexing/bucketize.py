"""bucketize and searchsorted: which interval a value falls into."""

# %% buckets
import torch

edges = torch.tensor([10, 20, 30])
ages = torch.tensor([5, 10, 15, 30, 99])
print("right=False:", torch.bucketize(ages, edges))
print("right=True: ", torch.bucketize(ages, edges, right=True))

# %% picture fold=true
import matplotlib.pyplot as plt

figure, axes = plt.subplots(2, 1, figsize=(5.6, 3.4), layout="constrained")
for ax, right in zip(axes, (False, True)):
    ends = [0, *edges.tolist(), 40]
    for bucket, (start, stop) in enumerate(zip(ends, ends[1:])):
        color = f"C{bucket}"
        ax.plot([start, stop], [0, 0], color=color, linewidth=5, alpha=0.5, solid_capstyle="butt")
        ax.text((start + stop) / 2, 0.55, bucket, color=color, ha="center", va="center", size=14)
    values = torch.tensor([5, 10, 15, 20, 30, 38])
    for x, bucket in zip(values.tolist(), torch.bucketize(values, edges, right=right).tolist()):
        ax.plot(x, 0, "o", color=f"C{bucket}", markersize=10, clip_on=False)
    ax.set_title(f"right={right}", fontsize=10, family="monospace")
    ax.set(xlim=(0, 40), ylim=(-0.5, 0.9), xticks=edges.tolist(), yticks=[])
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)

# %% numpy asks=true
import numpy as np

print("np.digitize    ", np.digitize(ages.numpy(), edges.numpy()))
print("torch.bucketize", torch.bucketize(ages, edges).numpy())

# %% searchsorted
print("side=left: ", torch.searchsorted(edges, ages))
print("side=right:", torch.searchsorted(edges, ages, side="right"))

# %% rows
limits = torch.tensor([[1, 2, 3], [10, 20, 30]])  # edges for each row
values = torch.tensor([[2, 9], [2, 25]])
print(torch.searchsorted(limits, values))

# %% names
names = ["under 10", "10s", "20s", "30 and over"]  # one more than edges
print([names[i] for i in torch.bucketize(ages, edges, right=True)])

# %% unsorted
print(torch.bucketize(ages, torch.tensor([30, 10, 20])))

# %% special
inf, nan = float("inf"), float("nan")
print(torch.bucketize(torch.tensor([-inf, inf, nan]), edges.float()))

# %% strided warns="UserWarning"
table = torch.tensor([[5, 0], [15, 0]])
print(torch.bucketize(table[:, 0], edges))

# %% quiet
print(torch.bucketize(table[:, 0].contiguous(), edges))

# %% opposite-flags hidden=true
import inspect

assert inspect.signature(np.digitize).parameters["right"].default is False
for right in (False, True):
    digits = np.digitize(ages.numpy(), edges.numpy(), right=right)
    assert digits.tolist() == torch.bucketize(ages, edges, right=not right).tolist()
    assert digits.tolist() != torch.bucketize(ages, edges, right=right).tolist()
    side = np.searchsorted(edges.numpy(), ages.numpy(), side="right" if right else "left")
    assert side.tolist() == torch.bucketize(ages, edges, right=right).tolist()

# %% counter-cases hidden=true
torch.manual_seed(0)
edges = torch.randn(9).sort().values
for numbers in (torch.randn(4, 5), edges, torch.tensor([float("-inf"), float("inf")])):
    for right in (False, True):
        assert torch.equal(
            torch.bucketize(numbers, edges, right=right), torch.searchsorted(edges, numbers, right=right)
        )

"""A shuffle buffer for streams."""

# %% buffer
import torch
from torch.utils.data import DataLoader, IterableDataset


class ShuffleBuffer(IterableDataset):
    def __init__(self, source, size):
        self.source, self.size = source, size

    def __iter__(self):
        buffer = []
        for item in self.source:
            if len(buffer) < self.size:
                buffer.append(item)
                continue
            i = int(torch.randint(self.size, ()))
            yield buffer[i]
            buffer[i] = item
        for i in torch.randperm(len(buffer)):
            yield buffer[i]


torch.manual_seed(0)
order = list(ShuffleBuffer(range(12), size=4))
print(order)
print(sorted(order))

# %% epochs
loader = DataLoader(ShuffleBuffer(range(6), size=4), batch_size=3)
for epoch in range(2):
    print([batch.tolist() for batch in loader])

# %% earliest
ahead = max(item - place for place, item in enumerate(order))
print("at most", ahead, "places ahead")

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 3, figsize=(6.4, 2.6), sharex=True, sharey=True)
for ax, size in zip(axes, (4, 16, 60)):
    order = torch.tensor(list(ShuffleBuffer(range(60), size)))
    place = torch.arange(60.0)
    gap = torch.full((60,), torch.nan)  # lifts the pen between two dashes
    x, y = torch.stack([place - 0.6, place + 0.6, gap], 1), torch.stack([order, order, gap], 1)
    ax.plot(x.flatten(), y.flatten(), linewidth=2)
    ax.plot([0, 60 - size], [size - 1, 59], color="C1", linewidth=1.5)
    ax.set_title(f"size={size}", fontsize=10)
    ax.set(xticks=[0, 30, 60], yticks=[0, 30, 60])
axes[1].set_xlabel("place in the output")
axes[0].set_ylabel("place in the source")

# %% sorted-source
labels = [0] * 50 + [1] * 50
for size in (8, 100):
    first = next(iter(DataLoader(ShuffleBuffer(labels, size), batch_size=16)))
    print(size, first.bincount(minlength=2))

# %% sorted-files hidden=true
torch.manual_seed(0)


def classes_in_a_batch(samples_per_file, size):  # of ten classes, 200 samples each, each file of one class
    labels = torch.arange(10).repeat_interleave(200).split(samples_per_file)
    shuffled = [int(label) for i in torch.randperm(len(labels)) for label in labels[i]]
    batches = DataLoader(ShuffleBuffer(shuffled, size), batch_size=32)
    return sum(len(batch.unique()) for batch in batches) / len(batches.dataset.source) * 32


assert classes_in_a_batch(5, 200) > 8
assert classes_in_a_batch(200, 50) < 4

# %% smaller-and-mixed hidden=true
torch.manual_seed(0)
first = next(iter(DataLoader(ShuffleBuffer([0] * 50 + [1] * 50, 75), batch_size=16)))
assert len(first.unique()) == 2  # not all of the data fits, and the batch is mixed

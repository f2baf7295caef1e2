"""Step 7: data in batches."""

# %% spiral
import torch
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
arms, each = 3, 100
radius = torch.linspace(0.1, 1, each)  # (point,)
begin = torch.arange(arms)[:, None] * 2 * torch.pi / arms  # (arm, 1)
turn = begin + 4 * radius + 0.2 * torch.randn(arms, each)  # (arm, point)
place = torch.stack([radius * turn.cos(), radius * turn.sin()], dim=-1)
points = place.flatten(0, 1)  # (sample, coordinate)
labels = torch.arange(arms).repeat_interleave(each)

# %% dataset
dataset = TensorDataset(points, labels)
print(len(dataset))
point, label = dataset[0]
print(point.shape, label)

# %% split
cut = torch.Generator().manual_seed(1)
train_set, test_set = random_split(dataset, [240, 60], generator=cut)
print(len(train_set), len(test_set))

# %% loader
order = torch.Generator().manual_seed(2)
loader = DataLoader(train_set, batch_size=32, shuffle=True, generator=order)
print(len(loader))
for batch, targets in loader:
    print(batch.shape, targets.shape)
    break

# %% drawn fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(3.2, 3))
ax.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal")
ax.plot(*points.T, ".", markersize=3, color="C7")
for arm in range(arms):
    ax.plot(*batch[targets == arm].T, "o", markersize=6, color=f"C{arm}")

# %% last-batch asks=true
for batch, targets in loader:
    pass
print(batch.shape)

# %% not-shuffled asks=true
plain = DataLoader(dataset, batch_size=5)
print(next(iter(plain))[1])

# %% facts hidden=true
assert 240 % 32 == 16 and -(-240 // 32) == 8
assert [set(kinds.tolist()) for _, kinds in plain][:20] == [{0}] * 20

"""unique, unique_consecutive, bincount, histc: which values, and how many of each."""

# %% unique
import torch

label = torch.tensor([3, 1, 3, 2, 1, 3])
values, inverse, counts = label.unique(return_inverse=True, return_counts=True)
print("values ", values)
print("inverse", inverse)
print("counts ", counts)
print(values[inverse])

# %% bincount
print(label.bincount())
print(label.bincount(minlength=5))

# %% weights
price = torch.tensor([1.0, 10.0, 2.0, 5.0, 20.0, 4.0])
totals = label.bincount(weights=price)
print(totals)
print(totals / label.bincount().clamp(min=1))  # the mean per label

# %% negative raises="RuntimeError"
torch.tensor([-1, 2]).bincount()

# %% float raises="NotImplementedError"
torch.tensor([1.0, 2.0]).bincount()

# %% consecutive
runs = torch.tensor([1, 1, 2, 2, 2, 1])
print(runs.unique_consecutive(return_counts=True))
print(runs.unique())

# %% rows
points = torch.tensor([[1, 2], [0, 5], [1, 2]])
print(points.unique(dim=0))

# %% histogram
height = torch.tensor([0.1, 0.4, 0.5, 1.0, 2.0])
print(height.histc(bins=2, min=0, max=1))  # 2.0 lies outside
print(height.histc(bins=2))  # from the smallest to the largest
print(torch.histogram(height, torch.tensor([0.0, 0.5, 2.0])).hist)

# %% refuses-integers hidden=true
for count in (torch.histc, torch.histogram):
    try:
        count(torch.tensor([1, 2, 3]), 2)
    except RuntimeError:  # NotImplementedError is one
        pass
    else:
        raise AssertionError(f"{count.__name__} takes integers now")

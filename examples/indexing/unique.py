"""unique, bincount, histc: which values, and how many of each."""

# %% unique
import torch

label = torch.tensor([3, 1, 3, 2, 1, 3])
values, inverse, counts = label.unique(return_inverse=True, return_counts=True)
print("values ", values)
print("inverse", inverse)
print("counts ", counts)
print("back   ", values[inverse])

# %% nan
print(torch.tensor([float("nan"), 1.0, float("nan")]).unique(return_counts=True))

# %% first-occurrence
values, inverse = label.unique(return_inverse=True)
position = torch.arange(len(label))
first = torch.full_like(values, len(label))
first = first.scatter_reduce(0, inverse, position, reduce="amin")
print("values:        ", values)
print("first place:   ", first)
print("in their order:", label[first.sort().values])

# %% bincount
print("bincount:   ", label.bincount())
print("minlength=5:", label.bincount(minlength=5))

# %% weights
price = torch.tensor([1.0, 10.0, 2.0, 5.0, 20.0, 4.0])
totals = label.bincount(weights=price)
print("totals:", totals)
print("means: ", totals / label.bincount().clamp(min=1))

# %% negative raises="RuntimeError"
torch.tensor([-1, 2]).bincount()

# %% float raises="NotImplementedError"
torch.tensor([1.0, 2.0]).bincount()

# %% flat-and-positive
padded = torch.tensor([[3, -1], [1, 3]])  # -1 marks padding
flat = padded.flatten()
print("counts:", flat[flat >= 0].bincount())
print("floats:", torch.tensor([1.0, 2.0]).long().bincount())

# %% consecutive
runs = torch.tensor([1, 1, 2, 2, 2, 1])
print("consecutive:", runs.unique_consecutive(return_counts=True))
print("unique:     ", runs.unique())

# %% rows
points = torch.tensor([[1, 2], [0, 5], [1, 2]])
print(points.unique(dim=0))

# %% histogram
height = torch.tensor([0.1, 0.4, 0.5, 1.0, 2.0])
print("0 to 1:    ", height.histc(bins=2, min=0, max=1))  # 2.0 lies outside
print("0.1 to 2:  ", height.histc(bins=2))  # from the smallest to the largest
print("own edges: ", torch.histogram(height, torch.tensor([0.0, 0.5, 2.0])).hist)

# %% refuses-integers hidden=true
for count in (torch.histc, torch.histogram):
    try:
        count(torch.tensor([1, 2, 3]), 2)
    except RuntimeError:  # NotImplementedError is one
        pass
    else:
        raise AssertionError(f"{count.__name__} takes integers now")

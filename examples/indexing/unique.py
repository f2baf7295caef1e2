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
first = torch.full_like(values, len(label), dtype=position.dtype)
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

# %% counter-cases hidden=true
for dtype in (torch.int32, torch.uint8, torch.float32, torch.bfloat16):
    values, inverse = label.to(dtype).unique(return_inverse=True)
    first = torch.full_like(values, len(label), dtype=position.dtype)
    assert first.scatter_reduce(0, inverse, position, reduce="amin").tolist() == [1, 3, 0]
ones = torch.ones(5000, dtype=torch.bfloat16)
assert ones.histc(bins=1, min=0, max=2).item() == torch.histogram(ones, 1, range=(0.0, 2.0)).hist.item() == 256
assert ones.float().histc(bins=1, min=0, max=2).item() == 5000
assert height.histc(bins=2, min=-1).tolist() == [0, 0]  # from -1 to 0
assert torch.equal(height.histc(bins=2, min=1, max=1), height.histc(bins=2))

# %% sixteen-bit-histogram hidden=true
ones = torch.ones(40_000, dtype=torch.bfloat16)
for threads in (1, 2):  # each counts a part, up to 256
    torch.set_num_threads(threads)
    for count in (ones.histc(1, min=0, max=2), torch.histogram(ones, 1, range=(0.0, 2.0)).hist):
        assert 256 <= count.item() <= threads * 256, count
torch.set_num_threads(1)

# %% one-hot-labels hidden=true
one_hot = torch.nn.functional.one_hot(torch.tensor([0, 2, 2]))
assert one_hot.flatten().bincount().tolist() == [6, 3]  # zeros and ones
assert one_hot.argmax(1).bincount().tolist() == [1, 0, 2]

"""Sums, maxima and means by group, without torch_scatter."""

# %% sum
import torch

group = torch.tensor([0, 1, 0, 2])  # the group of each value
values = torch.tensor([1.0, 2.0, 3.0, 4.0])

print("index_add_  ", torch.zeros(3).index_add_(0, group, values))
print("scatter_add_", torch.zeros(3).scatter_add_(0, group, values))

# %% max-mean
largest = torch.zeros(3)
largest.scatter_reduce_(0, group, values, "amax", include_self=False)
mean = torch.zeros(3).scatter_reduce_(0, group, values, "mean", include_self=False)
print("largest", largest)
print("mean   ", mean)

# %% include-self
for include in (True, False):
    zeros = torch.zeros(3)
    zeros.scatter_reduce_(0, group, -values, "amax", include_self=include)
    print(f"include_self={include!s:5}", zeros)

# %% empty-group
start = torch.full((4,), -1.0)  # group 3 is empty
print(start.scatter_reduce_(0, group, values, "mean", include_self=False))

# %% rows
features = torch.arange(8.0).reshape(4, 2)  # (nodes, features)
sums = torch.zeros(3, 2).index_add_(0, group, features)
print("sums", sums, sep="\n")

index = group[:, None].expand_as(features)  # (4,) → (4, 2)
largest = torch.zeros(3, 2)
largest.scatter_reduce_(0, index, features, "amax", include_self=False)
print("largest", largest, sep="\n")

# %% index-shape raises="RuntimeError"
torch.zeros(3, 2).scatter_reduce_(0, group, features, "amax")

# %% silent-row
print(torch.zeros(3, 2).scatter_add_(0, group[:, None], features))

# %% segments
ordered, order = group.sort(stable=True)
lengths = torch.bincount(ordered)
print("lengths", lengths)
print("largest", torch.segment_reduce(values[order], "max", lengths=lengths))
print("mean   ", torch.segment_reduce(values[order], "mean", lengths=lengths))

# %% softmax
peak = torch.zeros(3).scatter_reduce_(0, group, values, "amax", include_self=False)
weight = (values - peak[group]).exp()
weight = weight / torch.zeros(3).index_add_(0, group, weight)[group]
print("weights", weight)
print("sums   ", torch.zeros(3).index_add_(0, group, weight))

# %% gradient
for numbers in ([1.0, 2.0, 3.0, 4.0], [3.0, 2.0, 3.0, 4.0]):  # then a tie
    values = torch.tensor(numbers, requires_grad=True)
    zeros = torch.zeros(3)
    largest = zeros.scatter_reduce(0, group, values, "amax", include_self=False)
    largest.sum().backward()
    print(numbers, "gradient", values.grad)

# %% argmax
zeros, constant = torch.zeros(3), values.detach()
largest = zeros.scatter_reduce(0, group, constant, "amax", include_self=False)
for number in range(3):
    is_largest = (group == number) & (values == largest[number])
    print(number, is_largest.nonzero().flatten().tolist())

# %% gpu needs="cuda"
on_gpu = torch.zeros(3, device="cuda")
print(on_gpu.index_add_(0, group.to("cuda"), torch.ones(4, device="cuda")))

# %% gradients hidden=true
torch.manual_seed(0)
group = torch.tensor([0, 1, 0, 2, 2, 0])  # group 3 is empty
start = torch.randn(4, dtype=torch.float64, requires_grad=True)
values = torch.randn(6, dtype=torch.float64, requires_grad=True)
for reduce in ("sum", "mean", "amax", "amin", "prod"):
    for include in (True, False):

        def reduced(start, values):
            return start.scatter_reduce(0, group, values, reduce, include_self=include)

        assert torch.autograd.gradcheck(reduced, (start, values))
assert torch.autograd.gradcheck(lambda start, values: start.index_add(0, group, values), (start, values))

# %% tie-with-the-old-value hidden=true
old, values = torch.zeros(1, requires_grad=True), torch.zeros(2, requires_grad=True)
old.scatter_reduce(0, torch.tensor([0, 0]), values, "amax").backward()
assert torch.allclose(torch.cat([old.grad, values.grad]), torch.full((3,), 1 / 3))

# %% tie-without-the-old-value hidden=true
for start, expected in ((0.0, 0.5), (torch.nan, 1.0)):  # without include_self, the old value takes its share
    values = torch.tensor([0.0, -1.0], requires_grad=True)
    old = torch.full((2,), start)
    largest = old.scatter_reduce(0, torch.tensor([0, 0]), values, "amax", include_self=False)
    largest[0].backward()
    assert values.grad.tolist() == [expected, 0.0] and largest[0] == 0
assert largest[1].isnan()

# %% softmax-of-any-size hidden=true
for scale in (1.0, 1e4, 1e30):
    for dtype in (torch.float32, torch.float64):
        values = torch.randn(6, dtype=dtype) * scale
        zeros = torch.zeros(4, dtype=dtype)
        peak = zeros.scatter_reduce(0, group, values, "amax", include_self=False)
        weight = (values - peak[group]).exp()
        weight = weight / zeros.index_add(0, group, weight)[group]
        sums = zeros.index_add(0, group, weight)
        assert torch.allclose(sums, torch.tensor([1, 1, 1, 0], dtype=dtype))

# %% integers hidden=true
for pair in ([1, 2], [-1, -2], [3, 4]):
    whole, both = torch.zeros(1, dtype=torch.long), torch.tensor([0, 0])
    whole.scatter_reduce_(0, both, torch.tensor(pair), "mean", include_self=False)
    assert whole.item() == sum(pair) // 2, (pair, whole)
try:
    torch.segment_reduce(torch.tensor([1, 2]), "mean", lengths=torch.tensor([2]))
except NotImplementedError as error:
    assert "not implemented for 'Long'" in str(error)
else:
    raise AssertionError("integers are reduced by segment now")
empty = torch.tensor([2, 0])
assert torch.segment_reduce(torch.ones(2), "max", lengths=empty)[1] == -torch.inf
assert torch.segment_reduce(torch.ones(2), "mean", lengths=empty)[1].isnan()

# %% low-precision hidden=true
one_group = torch.zeros(3000, dtype=torch.long)
for dtype, stopped in ((torch.bfloat16, 256), (torch.float16, 2048)):
    ones = torch.ones(3000, dtype=dtype)
    assert torch.zeros(1, dtype=dtype).index_add_(0, one_group, ones).item() == stopped
    whole = torch.zeros(1).index_add_(0, one_group, ones.float()).to(dtype)
    assert abs(whole.item() - 3000) <= 8  # the nearest number of bfloat16

# %% not-ascending hidden=true
group, values = torch.tensor([2, 2, 0, 1]), torch.tensor([1.25, 2.5, 3.0, 4.0])
assert torch.segment_reduce(values, "max", lengths=group.bincount()).tolist() == [1.25, 2.5, 4.0]  # wrong
numbers, lengths = group.unique_consecutive(return_counts=True)
assert numbers.tolist() == [2, 0, 1]
assert torch.segment_reduce(values, "max", lengths=lengths).tolist() == [2.5, 3.0, 4.0]
assert group[:2].bincount(minlength=5).tolist() == [0, 0, 2, 0, 0]
features = torch.arange(24.0).reshape(4, 3, 2)
index = group[:, None, None].expand_as(features)
assert torch.zeros(3, 3, 2).scatter_reduce_(0, index, features, "sum").sum() == features.sum()

# %% zeros-count hidden=true
numbers, one_group = torch.tensor([-2.0, -4.0]), torch.zeros(2, dtype=torch.long)
for reduce, with_zero, alone in (("mean", -2, -3), ("amax", 0, -2), ("prod", 0, 8)):
    for include, expected in ((True, with_zero), (False, alone)):
        reduced = torch.zeros(1).scatter_reduce_(0, one_group, numbers, reduce, include_self=include)
        assert reduced.item() == expected, (reduce, include)

# %% by-rows hidden=true
ones = torch.ones(3000, 4, dtype=torch.bfloat16)
one_group = torch.zeros(3000, dtype=torch.long)
by_rows = torch.zeros(1, 4, dtype=torch.bfloat16).index_add_(0, one_group, ones)
assert by_rows.unique().tolist() in ([256], [3008])  # with several columns, a CPU may add in float32
assert torch.segment_reduce(ones[:, 0], "sum", lengths=torch.tensor([3000])).item() == 256

# %% one-place-per-row hidden=true
place, counts = torch.tensor([2, 0, 2]), torch.zeros(3, 3)
try:
    counts.scatter_add(1, place, torch.ones(3))
except RuntimeError as error:
    assert "same number of dimensions" in str(error)
else:
    raise AssertionError
one_hot = torch.nn.functional.one_hot(place, 3).float()
assert torch.equal(counts.scatter_add(1, place.unsqueeze(1), torch.ones(3, 1)), one_hot)
assert torch.equal(counts.scatter_add(0, place.unsqueeze(0), torch.ones(1, 3)), one_hot.T)
tokens = torch.tensor([[0, 1, 2], [3, 2, 1]])  # with [:, None], all in row 0 of each sample, without an error
placed = torch.zeros(2, 3, 4).scatter_add(2, tokens.unsqueeze(2), torch.ones(2, 3, 1))
assert torch.equal(placed, torch.nn.functional.one_hot(tokens, 4).float())
assert placed.ne(torch.zeros(2, 3, 4).scatter_add(2, tokens[:, None], torch.ones(2, 1, 3))).any()
pixels, planes = torch.tensor([[[0, 1], [2, 1]]]), torch.zeros(1, 3, 2, 2)  # a class for each pixel
placed = torch.nn.functional.one_hot(pixels, 3).movedim(-1, 1).float()
assert torch.equal(planes.scatter(1, pixels.unsqueeze(1), 1.0), placed)
assert not torch.equal(planes.scatter(1, pixels[..., None], 1.0), placed)  # no error
assert torch.equal(counts.scatter_add(1, place[:, None].expand_as(counts), torch.ones(3, 3)), 3 * one_hot)

# %% by-columns hidden=true
place = torch.tensor([1, 0])  # the group of each column
for features in (torch.rand(2, 2), torch.rand(4, 2), torch.rand(3, 4, 2)):
    by_column = torch.zeros(*features.shape[:-1], 3)
    sums = by_column.scatter_reduce(-1, place.expand_as(features), features, "sum")
    assert torch.equal(sums, by_column.index_add(-1, place, features))

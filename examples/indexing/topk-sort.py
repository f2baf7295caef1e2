"""topk, sort, argsort, kthvalue and quantile."""

# %% topk
import torch

scores = torch.tensor([3.0, 9.0, 1.0, 7.0])
values, indices = scores.topk(2)
print("values: ", values)
print("indices:", indices)
print("smallest:", scores.topk(2, largest=False).values)

# %% sort
result = scores.sort(descending=True)
print("values: ", result.values)
print("indices:", result.indices)
print("argsort:", scores.argsort(descending=True))

# %% functions
print("topk:     ", torch.topk(scores, 2).indices)
print("sort:     ", torch.sort(scores, descending=True).indices)
print("argsort:  ", torch.argsort(scores, descending=True))
print("kthvalue: ", torch.kthvalue(scores, 2).values)
print("median:   ", torch.median(scores))

# %% reorder
names = torch.tensor([100, 101, 102, 103])
order = scores.argsort()
print("scores:", scores[order], "names:", names[order])

# %% rows
table = torch.tensor([[3, 1, 2], [1, 3, 2]])
print("each row:  ", table.sort(dim=1).values.tolist())
print("whole rows:", table[table[:, 0].argsort()].tolist())  # by column 0

# %% two-keys
pairs = torch.tensor([[1, 5], [0, 9], [1, 2], [0, 3]])
order = pairs[:, 1].argsort(stable=True)  # the second key first
order = order[pairs[order, 0].argsort(stable=True)]
print(pairs[order])

# %% top-k-accuracy
logits = torch.tensor([[0.1, 0.5, 0.4], [0.9, 0.3, 0.8], [0.2, 0.1, 0.7]])
label = torch.tensor([2, 1, 2])
best = logits.topk(2, dim=1).indices  # (3, 2)
hit = (best == label.unsqueeze(1)).any(dim=1)
print("hit:", hit, "accuracy:", hit.float().mean())

# %% filter
lowest = logits.topk(2, dim=1).values[:, -1:]  # (3, 1): the second largest
print(logits.masked_fill(logits < lowest, float("-inf")))

# %% top-p
probability, order = logits.softmax(dim=1).sort(dim=1, descending=True)
before = probability.cumsum(dim=1) - probability  # of all that are more likely
drop = torch.zeros_like(logits, dtype=torch.bool).scatter(1, order, before >= 0.4)
print(logits.masked_fill(drop, float("-inf")))

# %% stable
group = torch.tensor([1, 0, 1, 0])
print(group.sort(stable=True).indices)

# %% kth
print(scores.kthvalue(2))

# %% quantile
print("median  ", scores.median())
print("quantile", scores.quantile(torch.tensor([0.25, 0.5, 0.75])))

# %% too-many raises="RuntimeError"
scores.topk(5)

# %% quantile-of-integers raises="RuntimeError"
names.quantile(0.5)

# %% limited
print("topk:    ", scores.topk(min(5, scores.shape[-1])).values)
print("quantile:", names.float().quantile(0.5))

# %% too-large raises="RuntimeError"
large = torch.zeros(1).expand(2**24 + 1)  # expand: only the count matters
large.quantile(0.5)

# %% by-kthvalue
q = 0.75
k = round(q * (scores.numel() - 1)) + 1
print("kthvalue:", scores.kthvalue(k).values, "quantile:", scores.quantile(q))

# %% fixes hidden=true
assert len(scores.topk(min(5, scores.numel())).values) == 4
assert names.float().quantile(0.5) == 101.5

# %% limit-is-per-dimension hidden=true
halves = torch.zeros(1).expand(2, 2**23 + 1)
assert halves.quantile(0.5, dim=1).tolist() == [0, 0]
for dtype in (torch.float16, torch.bfloat16):
    try:
        scores.to(dtype).quantile(0.5)
    except RuntimeError:
        continue
    raise AssertionError(dtype)

# %% large-integers-and-nan hidden=true
stamps = torch.tensor([1_700_000_001] * 3)
assert stamps.float().quantile(0.5).item() == 1_700_000_000
assert stamps.double().quantile(0.5).item() == 1_700_000_001
with_nan = torch.tensor([1.0, float("nan"), 3.0])
assert with_nan.topk(1).indices.item() == with_nan.argsort()[-1].item() == 1
grid = torch.arange(12.0).view(3, 4)
assert grid.flatten().kthvalue(9).values == 8
try:
    grid.kthvalue(9)
except RuntimeError:
    pass
else:
    raise AssertionError("kthvalue flattens now")

# %% top-p-of-zero hidden=true
for p, stay in ((0.0, 0), (1e-6, 1), (0.4, 1)):
    drop = torch.zeros_like(logits, dtype=torch.bool).scatter(1, order, before >= p)
    left = logits.masked_fill(drop, float("-inf"))
    assert ((~drop).sum(dim=1) >= stay).all()
    assert left.softmax(dim=1).isnan().all().item() is (stay == 0)

# %% other-dimension hidden=true
column = torch.rand(100, 1)
assert column.topk(min(5, column.shape[-1])).values.shape == (100, 1)  # nothing chosen
assert column.topk(5, dim=0).values.shape == (5, 1)

# %% nanquantile-too-large hidden=true
import numpy as np

try:
    large.nanquantile(0.5)
except RuntimeError as error:
    assert "quantile() input tensor is too large" in str(error)
gaps = torch.tensor([1.0, float("nan"), 3.0, 2.0, float("nan")])
assert gaps.nanquantile(0.75) == np.nanquantile(gaps.numpy(), 0.75) == 2.5
assert gaps.kthvalue(4).values.isnan() and gaps.kthvalue(3).values == 3 and gaps.quantile(0.5).isnan()

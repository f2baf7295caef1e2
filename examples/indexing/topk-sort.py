"""topk, sort, argsort, kthvalue and quantile."""

# %% topk
import torch

scores = torch.tensor([3.0, 9.0, 1.0, 7.0])
values, indices = scores.topk(2)
print(values, indices)
print(scores.topk(2, largest=False).values)

# %% sort
result = scores.sort(descending=True)
print(result.values, result.indices)
print(scores.argsort(descending=True))

# %% reorder
names = torch.tensor([100, 101, 102, 103])
order = scores.argsort()
print(scores[order], names[order])

# %% rows
table = torch.tensor([[3, 1, 2], [1, 3, 2]])
print(table.sort(dim=1).values)  # each row by itself
print(table[table[:, 0].argsort()])  # whole rows, by column 0

# %% top-k-accuracy
logits = torch.tensor([[0.1, 0.5, 0.4], [0.9, 0.3, 0.8], [0.2, 0.1, 0.7]])
label = torch.tensor([2, 1, 2])
best = logits.topk(2, dim=1).indices  # (3, 2)
hit = (best == label.unsqueeze(1)).any(dim=1)
print(hit, hit.float().mean())

# %% filter
lowest = logits.topk(2, dim=1).values[:, -1:]  # (3, 1): the second largest
print(logits.masked_fill(logits < lowest, float("-inf")))

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

# %% fixes hidden=true
assert len(scores.topk(min(5, scores.numel())).values) == 4
assert names.float().quantile(0.5) == 101.5

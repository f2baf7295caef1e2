"""Reductions and class weights: what is summed, and by what it is divided."""

# %% reductions
import torch
import torch.nn.functional as F

logits = torch.tensor([[1.0, 2.0, 3.0], [3.0, 3.0, 1.0], [0.0, 2.0, 1.0]])
log_probability = logits.log_softmax(dim=1)  # (batch, classes)
target = torch.tensor([0, 1, 2])

each = F.nll_loss(log_probability, target, reduction="none")
print("none:", each)
print("sum: ", F.nll_loss(log_probability, target, reduction="sum"), each.sum())
print("mean:", F.nll_loss(log_probability, target, reduction="mean"), each.mean())

# %% invalid raises="ValueError"
F.nll_loss(log_probability, target, reduction="avg")

# %% weight-none
weight = torch.tensor([0.5, 1.0, 4.0])  # one per class
weighted = F.nll_loss(log_probability, target, weight=weight, reduction="none")
print("nll_loss(weight=):    ", weighted)
print("weight[target] * each:", weight[target] * each)

ones = torch.ones(3)
weighted = F.nll_loss(log_probability, target, weight=ones, reduction="none")
print("weights of 1:         ", weighted)

# %% weight-length raises="RuntimeError"
F.nll_loss(log_probability, target, weight=torch.tensor([0.5, 1.0]))

# %% weighted-mean
for target in (torch.tensor([0, 1, 2]), torch.tensor([0, 0, 2])):
    mean = F.nll_loss(log_probability, target, weight=weight)
    total = F.nll_loss(log_probability, target, weight=weight, reduction="sum")
    print(f"{target.tolist()}: mean", mean)
    print("  sum / weight[target].sum()", total / weight[target].sum())
    print("  sum / weight.sum()        ", total / weight.sum())
    print("  sum / N                   ", total / len(target))

# %% scale
print("100 * weight:", F.nll_loss(log_probability, target, weight=100 * weight))
one = F.nll_loss(log_probability[:1], target[:1], weight=weight)
print("one sample:  ", one, "  without weight:", each[0])

# %% remedies hidden=true
assert F.nll_loss(log_probability, torch.zeros(3, dtype=torch.long), weight=torch.tensor([0.0, 1.0, 1.0])).isnan()
for reduction in ("none", "sum", "mean"):
    F.nll_loss(log_probability, target, weight=torch.ones(3), reduction=reduction)

# %% balanced
labels = torch.tensor([0, 0, 0, 0, 0, 0, 1, 1, 2])
counts = torch.bincount(labels, minlength=3)
balanced = len(labels) / (len(counts) * counts)  # rare classes count more
print("counts:", counts.tolist())
print("weight:", [f"{w:.2f}" for w in balanced.tolist()])

# %% sample-weight
sample_weight = torch.tensor([1.0, 0.0, 3.0])
each = F.nll_loss(log_probability, target, reduction="none")
print("per sample:   ", each)
print("weighted mean:", (sample_weight * each).sum() / sample_weight.sum())

# %% balanced-shares hidden=true
shares = torch.zeros(3).index_add(0, labels, balanced[labels])
torch.testing.assert_close(shares, torch.full((3,), 3.0))  # the classes weigh the same

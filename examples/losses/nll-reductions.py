"""Reductions and class weights: what is summed, and by what it is divided."""

# %% reductions
import torch
import torch.nn.functional as F

logits = torch.tensor([[1.0, 2.0, 3.0], [3.0, 3.0, 1.0], [0.0, 2.0, 1.0]])
log_probability = logits.log_softmax(dim=1)  # (batch, classes)
target = torch.tensor([0, 1, 2])

each = F.nll_loss(log_probability, target, reduction="none")
print(each)
print(F.nll_loss(log_probability, target, reduction="sum"), each.sum())
print(F.nll_loss(log_probability, target, reduction="mean"), each.mean())

# %% invalid raises="ValueError"
F.nll_loss(log_probability, target, reduction="avg")

# %% weight-none
weight = torch.tensor([0.5, 1.0, 4.0])  # one per class
print(F.nll_loss(log_probability, target, weight=weight, reduction="none"))
print(weight[target] * each)

ones = F.nll_loss(log_probability, target, weight=torch.ones(3), reduction="none")
print("weights of 1 change nothing:", torch.equal(ones, each))

# %% weight-length raises="RuntimeError"
F.nll_loss(log_probability, target, weight=torch.tensor([0.5, 1.0]))

# %% weighted-mean
for target in (torch.tensor([0, 1, 2]), torch.tensor([0, 0, 2])):
    mean = F.nll_loss(log_probability, target, weight=weight)
    total = F.nll_loss(log_probability, target, weight=weight, reduction="sum")
    print(target.tolist(), mean)
    print("  sum / weight[target].sum()", total / weight[target].sum())
    print("  sum / weight.sum()        ", total / weight.sum())
    print("  sum / N                   ", total / len(target))

# %% scale
print(F.nll_loss(log_probability, target, weight=100 * weight))
print(F.nll_loss(log_probability[:1], target[:1], weight=weight), each[0])

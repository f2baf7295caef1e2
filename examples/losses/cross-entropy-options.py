"""cross_entropy can do more than nll_loss: smoothing and probability targets."""

# %% signatures
import inspect

import torch
import torch.nn.functional as F
from torch import nn

for loss in (nn.NLLLoss, nn.CrossEntropyLoss):
    print(loss.__name__)
    print("  ", *inspect.signature(loss).parameters)

# %% smoothing
logits = torch.tensor([[2.0, 0.5, -1.0], [0.0, 1.0, 3.0]])  # (batch, classes)
target = torch.tensor([0, 1])
smooth = 0.9 * F.one_hot(target, 3) + 0.1 / 3
print(smooth)
print(F.cross_entropy(logits, target, label_smoothing=0.1))
print(-(smooth * logits.log_softmax(dim=1)).sum(dim=1).mean())

# %% probabilities
print(F.cross_entropy(logits, smooth))

# %% picture fold=true
import matplotlib.pyplot as plt

margin = torch.linspace(-4, 10, 141)
rows = torch.stack([margin, torch.zeros_like(margin), torch.zeros_like(margin)], dim=1)  # (141, 3)
first = torch.zeros(len(margin), dtype=torch.int64)
figure, axes = plt.subplots(figsize=(5.6, 2.9))
for smoothing in (0.0, 0.1, 0.2):
    curve = F.cross_entropy(rows, first, label_smoothing=smoothing, reduction="none")
    (line,) = axes.plot(margin, curve, label=f"label_smoothing={smoothing}")
    if smoothing:
        best = curve.argmin()
        axes.plot(margin[best], curve[best], "o", color=line.get_color())
axes.set(xlabel="logit of the target - logit of the others", ylabel="loss", ylim=(0, None))
axes.legend()

# %% integer-probabilities raises="RuntimeError"
F.cross_entropy(logits, F.one_hot(target, 3))

# %% weighted-mean
weight = torch.tensor([1.0, 1.0, 4.0])
target = torch.tensor([0, 2])
one_hot = F.one_hot(target, 3).float()
print(F.cross_entropy(logits, target, weight=weight))
print(F.cross_entropy(logits, one_hot, weight=weight))

# %% denominators
each = F.cross_entropy(logits, target, weight=weight, reduction="none")
soft = F.cross_entropy(logits, one_hot, weight=weight, reduction="none")
print(torch.equal(each, soft))
print(each.sum() / weight[target].sum())
print(each.sum() / len(target))

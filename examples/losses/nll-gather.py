"""nll_loss picks one number per row: it is a gather with a minus sign."""

# %% four-ways
import torch
import torch.nn.functional as F

torch.manual_seed(0)
log_probability = torch.randn(4, 3).log_softmax(dim=1)  # (batch, classes)
target = torch.tensor([0, 2, 1, 2])

loss = F.nll_loss(log_probability, target, reduction="none")
print(loss)
picked = log_probability.gather(1, target[:, None]).squeeze(1)
print("gather: ", torch.equal(loss, -picked))
print("index:  ", torch.equal(loss, -log_probability[torch.arange(4), target]))
masked = log_probability * F.one_hot(target, 3)
print("one-hot:", torch.equal(loss, -masked.sum(dim=1)))

# %% picture fold=true
import matplotlib.pyplot as plt

from matplotlib.colors import to_rgba

figure, axes = plt.subplots(figsize=(5.2, 2.4))


def cell(column, row, text, face):
    axes.add_patch(plt.Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=face))
    axes.text(column, row, text, ha="center", va="center")


for row, values in enumerate(log_probability.tolist()):
    cell(-1, row, target[row].item(), "none")
    for column, value in enumerate(values):
        cell(column, row, f"{value:.2f}", to_rgba("C0", 0.45 if column == target[row] else 0.08))
    cell(3.4, row, f"{loss[row]:.2f}", to_rgba("C1", 0.35))
for column, name in ((-1, "target"), (1, "log_probability"), (3.4, "loss")):
    axes.text(column, -0.7, name, ha="center", family="monospace")
axes.set(xlim=(-1.6, 4.0), ylim=(3.6, -1.2))
axes.axis("off")

# %% scalar-or-not
print("nll_loss:", F.nll_loss(log_probability, target))
print("index:   ", -log_probability[torch.arange(4), target])

# %% minus-infinity
certain = torch.tensor([[0.0, -torch.inf, -torch.inf]])  # class 0 for sure
first = torch.tensor([0])
print("nll_loss:", F.nll_loss(certain, first, reduction="none"))
print("one-hot: ", -(certain * F.one_hot(first, 3)).sum(dim=1))

# %% raw
probability = torch.tensor([[0.9, 0.05, 0.05]])
logits = torch.tensor([[5.0, 0.0, 0.0]])
print("probabilities:    ", F.nll_loss(probability, first))
print("logits:           ", F.nll_loss(logits, first))
print("log-probabilities:", F.nll_loss(probability.log(), first))

# %% wrong-class hidden=true
wrong = torch.tensor([-1, 0, 0, 0])
assert log_probability[torch.arange(4), wrong][0] == log_probability[0, 2]
for pick in (lambda: F.nll_loss(log_probability, wrong), lambda: log_probability.gather(1, wrong[:, None])):
    try:
        pick()
    except (IndexError, RuntimeError):
        continue
    raise AssertionError("-1 is accepted as a class")

# %% looks-right hidden=true
logits = torch.tensor([[-1.0, 3.0, 0.5], [0.2, -2.0, 1.0]])
labels = torch.tensor([0, 1])
assert F.nll_loss(logits, labels) == 1.5  # positive, as a loss would be
assert F.nll_loss(logits.softmax(dim=1), labels) < 0
hundred = torch.arange(100.0)[None].log_softmax(dim=1)
skipped = torch.tensor([-100])
assert F.nll_loss(hundred, skipped, reduction="none") == 0
assert hundred[torch.arange(1), skipped] == hundred[0, 0]

# %% sixteen-bits-add-up hidden=true
for each, count, wrong in ((-3.0, 30_000, "inf"), (-1.0, 70_000, "nan"), (-0.25, 70_000, "0")):
    many, classes = torch.full((count, 3), each), torch.zeros(count, dtype=torch.long)
    mean = F.nll_loss(many.half(), classes)
    assert {"inf": mean.isinf(), "nan": mean.isnan(), "0": mean == 0}[wrong], (each, mean)
    torch.testing.assert_close(F.nll_loss(many.half().float(), classes), torch.tensor(-each))

"""CTC: a loss for sequences without an alignment."""

# %% call
import torch
import torch.nn.functional as F

torch.manual_seed(0)
time, batch, classes = 6, 2, 4  # class 0 is the blank
logits = torch.randn(time, batch, classes)  # time first
log_probability = logits.log_softmax(dim=2)
targets = torch.tensor([[1, 2, 3], [1, 1, 0]])  # (batch, longest); padded
target_lengths = torch.tensor([3, 2])
input_lengths = torch.tensor([6, 6])

loss = F.ctc_loss(log_probability, targets, input_lengths, target_lengths, reduction="none")
print(loss)

# %% by-hand
from itertools import product


def collapse(path):
    """1 1 0 1 2 -> 1 1 2: drop repetitions, then blanks."""
    return [c for i, c in enumerate(path) if c != 0 and (i == 0 or path[i - 1] != c)]


def by_hand(log_probability, target):
    paths = [path for path in product(range(classes), repeat=time) if collapse(path) == target]
    scores = torch.stack([log_probability[torch.arange(time), list(path)].sum() for path in paths])
    return len(paths), -scores.logsumexp(dim=0)


for row, target in enumerate(([1, 2, 3], [1, 1])):
    print(target, *by_hand(log_probability[:, row], target))

# %% picture fold=true
import matplotlib.pyplot as plt

probability = log_probability[:, 0].exp()  # (time, classes), the first sample
paths = [path for path in product(range(classes), repeat=time) if collapse(path) == [1, 2, 3]]
best = max(paths, key=lambda path: probability[torch.arange(time), list(path)].prod().item())

fig, ax = plt.subplots(figsize=(5.4, 3.0))
for step in range(time):
    for c in range(classes):
        value = probability[step, c].item()
        on_path = best[step] == c
        box = plt.Rectangle((step - 0.46, c - 0.46), 0.92, 0.92, facecolor=("C0", 0.1 + 0.7 * value))
        if on_path:
            box.set(edgecolor="C1", linewidth=2.5)
        ax.add_patch(box)
        ax.text(step, c, f"{value:.2f}", ha="center", va="center", fontsize=9)
ax.set(xlim=(-0.6, time - 0.4), ylim=(classes - 0.4, -0.6), xlabel="time", ylabel="class")
ax.set(yticks=range(classes), yticklabels=["blank", 1, 2, 3], title=f"{' '.join(map(str, best))}  →  1 2 3")

# %% mean
print(F.ctc_loss(log_probability, targets, input_lengths, target_lengths))
print((loss / target_lengths).mean())

# %% too-short
short = torch.tensor([6, 2])  # 1 1 needs a blank between: at least 3 steps
print(F.ctc_loss(log_probability, targets, short, target_lengths, reduction="none"))

# %% inf-gradient hidden=true
logits.requires_grad_()
bad = F.ctc_loss(logits.log_softmax(dim=2), targets, short, target_lengths, reduction="none")[1]
(gradient,) = torch.autograd.grad(bad, logits)
assert gradient[:2, 1].isnan().any()
logits.requires_grad_(False)

# %% zero-infinity
options = dict(reduction="none", zero_infinity=True)
print(F.ctc_loss(log_probability, targets, short, target_lengths, **options))

# %% not-logs
raw = F.ctc_loss(logits.softmax(dim=2), targets, input_lengths, target_lengths, reduction="none")
print(raw)  # probabilities instead of log-probabilities: below 0, no error

# %% batch-first raises="RuntimeError"
F.ctc_loss(log_probability.transpose(0, 1), targets, input_lengths, target_lengths)

# %% decode
best = torch.tensor([1, 1, 0, 1, 2, 2])  # argmax over the classes, at each step
kept = best.unique_consecutive()
print(kept[kept != 0])

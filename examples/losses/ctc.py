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

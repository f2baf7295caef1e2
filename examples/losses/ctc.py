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

lengths = input_lengths, target_lengths
loss = F.ctc_loss(log_probability, targets, *lengths, reduction="none")
print(loss)

# %% by-hand
from itertools import product


def collapse(path):
    """1 1 0 1 2 -> 1 1 2: drop repetitions, then blanks."""
    kept = [c for i, c in enumerate(path) if i == 0 or path[i - 1] != c]
    return [c for c in kept if c != 0]


def by_hand(log_probability, target):
    paths = product(range(classes), repeat=time)
    paths = torch.tensor([path for path in paths if collapse(path) == target])
    scores = log_probability[torch.arange(time), paths].sum(dim=1)  # one per path
    return len(paths), -scores.logsumexp(dim=0)


for row, target in enumerate(([1, 2, 3], [1, 1])):
    count, total = by_hand(log_probability[:, row], target)
    print(target, f"{count} paths, loss {total:.4f}")

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
print("default:", F.ctc_loss(log_probability, targets, *lengths))
print("by hand:", (loss / target_lengths).mean())

# %% too-short
short = torch.tensor([6, 2])  # 1 1 needs a blank between: at least 3 steps
print(F.ctc_loss(log_probability, targets, short, target_lengths, reduction="none"))

# %% zero-infinity
options = dict(reduction="none", zero_infinity=True)
print(F.ctc_loss(log_probability, targets, short, target_lengths, **options))

# %% zero-gradient
logits.requires_grad_()
for zero_infinity in (False, True):
    log_probability = logits.log_softmax(dim=2)
    loss = F.ctc_loss(
        log_probability,
        targets,
        short,
        target_lengths,
        reduction="sum",
        zero_infinity=zero_infinity,
    )
    (gradient,) = torch.autograd.grad(loss, logits)
    largest = gradient[:2, 1].abs().max().item()  # the two steps of sample 1
    print(f"{zero_infinity=}: loss {loss:.2f}, gradient of sample 1 {largest}")
logits.requires_grad_(False)

# %% count-too-short
counts = torch.arange(1, targets.shape[1]) < target_lengths[:, None]  # no padding
repeats = (targets[:, 1:] == targets[:, :-1]) & counts
needed = target_lengths + repeats.sum(dim=1)
print("steps needed:", needed.tolist(), "  too short:", (short < needed).tolist())

# %% not-logs
probability = logits.softmax(dim=2)  # instead of log-probabilities
print(F.ctc_loss(probability, targets, *lengths, reduction="none"))

# %% batch-first raises="RuntimeError"
F.ctc_loss(log_probability.transpose(0, 1), targets, *lengths)

# %% decode
best = torch.tensor([1, 1, 0, 1, 2, 2])  # argmax over the classes, at each step
kept = best.unique_consecutive()
print(kept[kept != 0])

# %% inf-gradient hidden=true
logits.requires_grad_()
bad = F.ctc_loss(logits.log_softmax(dim=2), targets, short, target_lengths, reduction="none")[1]
(gradient,) = torch.autograd.grad(bad, logits)
assert gradient[:2, 1].isnan().any()
logits.requires_grad_(False)

# %% needed-is-enough hidden=true
for steps in range(1, 7):
    given = torch.tensor([steps, steps])
    losses = F.ctc_loss(log_probability.detach(), targets, given, target_lengths, reduction="none")
    assert torch.equal(losses.isinf(), given < needed)

# %% time-first hidden=true
batch_first = log_probability.detach().transpose(0, 1)
F.ctc_loss(batch_first.transpose(0, 1), targets, *lengths)
below = [F.ctc_loss(torch.randn(6, 2, 4).softmax(dim=2), targets, *lengths, reduction="none") for _ in range(20)]
assert (torch.stack(below) < 0).all()  # probabilities instead of logarithms

# %% unchecked-targets hidden=true
for symbol in (0, 4):  # the blank; the number of classes
    unchecked = torch.tensor([[symbol, 2, 3], [1, 1, 0]])
    assert F.ctc_loss(log_probability.detach(), unchecked, *lengths).isfinite()
for dtype in (torch.float16, torch.bfloat16):
    try:
        F.ctc_loss(log_probability.detach().to(dtype), targets, *lengths)
    except NotImplementedError:
        pass
    else:
        raise AssertionError(f"CTC runs in {dtype} now")

# %% batch-first-silently hidden=true
torch.manual_seed(0)
square = torch.randn(6, 6, 4).log_softmax(dim=2)  # as many steps as sequences: no error
codes, six = torch.randint(1, 4, (6, 2)), torch.full((6,), 6)
right, swapped = (F.ctc_loss(x, codes, six, torch.full((6,), 2)) for x in (square, square.transpose(0, 1)))
assert right.isfinite() and swapped.isfinite() and not torch.allclose(right, swapped)

# %% masked-class hidden=true
never = torch.tensor([False, False, False, True])
codes = torch.tensor([[1, 2, 2], [1, 1, 0]])  # without the masked class
for fill, broken in ((float("-inf"), True), (-1e9, False)):
    scores = torch.randn(6, 2, 4, requires_grad=True)
    masked = scores.masked_fill(never, fill).log_softmax(dim=2)
    loss = F.ctc_loss(masked, codes, *lengths, zero_infinity=True)
    (gradient,) = torch.autograd.grad(loss, scores)
    assert loss.isfinite() and gradient.isnan().any().item() is broken

# %% masked-in-half hidden=true
scores = torch.randn(6, 2, 4).half().requires_grad_()  # as a model returns them under autocast
masked = scores.masked_fill(never, -1e4).float().log_softmax(dim=2)
loss = F.ctc_loss(masked, codes, *lengths)
(gradient,) = torch.autograd.grad(loss, scores)
assert loss.isfinite() and gradient.isfinite().all()
try:
    scores.masked_fill(never, -1e9)
except RuntimeError as error:
    assert "overflow" in str(error)
else:
    raise AssertionError("float16 holds -1e9 now")

# %% one-length-each hidden=true
try:  # time is first here, but there is a length too many
    F.ctc_loss(log_probability.detach(), targets, torch.tensor([6, 6, 6]), target_lengths)
except RuntimeError as error:
    assert "input_lengths must be of size batch_size" in str(error), error
else:
    raise AssertionError

# %% classes-second hidden=true
wide = torch.randn(2, 30, 20).log_softmax(dim=1)  # (N, C, T), as a convolution returns it
twenty = torch.tensor([20, 20]), target_lengths
for turned in (wide.transpose(0, 1), wide.permute(2, 0, 1)):
    expected = F.ctc_loss(wide.movedim(2, 0), targets, *twenty)
    assert torch.allclose(F.ctc_loss(turned, targets, *twenty), expected) is (turned.shape == (20, 2, 30))

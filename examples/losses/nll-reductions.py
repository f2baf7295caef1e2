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

# %% weight-per-sample hidden=true
per_sample = torch.tensor([1.0, 2.0, 0.0, 1.0])  # four samples, three classes
four, four_targets = log_probability[[0, 1, 2, 0]], torch.tensor([0, 1, 2, 2])
try:
    F.nll_loss(four, four_targets, weight=per_sample)
except RuntimeError as error:
    assert "defined either for all 3 classes" in str(error), error
else:
    raise AssertionError("one weight per sample")
assert (per_sample * F.nll_loss(four, four_targets, reduction="none")).shape == (4,)

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

# %% sum-or-mean
from torch.optim import SGD, Adam, AdamW

torch.manual_seed(0)
features = torch.randn(128, 4, dtype=torch.float64)
labels = torch.randint(3, (128,))


def trained(reduction, optimizer, clip=None, size=32, **options):
    weight = torch.zeros(4, 3, dtype=torch.float64, requires_grad=True)
    optimizer = optimizer([weight], **options)
    for batch, target in zip(features.split(size), labels.split(size)):
        optimizer.zero_grad()
        F.cross_entropy(batch @ weight, target, reduction=reduction).backward()
        if clip:
            torch.nn.utils.clip_grad_norm_(weight, clip)
        optimizer.step()
    return weight.detach()


def compare(name, optimizer, mean, total):
    a, b = trained("mean", optimizer, **mean), trained("sum", optimizer, **total)
    print(f"{name:24} {(a - b).norm() / a.norm():8.1%} apart")


compare("SGD, lr / 32", SGD, dict(lr=0.5), dict(lr=0.5 / 32))
compare("SGD, the same lr", SGD, dict(lr=0.5), dict(lr=0.5))
compare("Adam, the same lr", Adam, dict(lr=0.1), dict(lr=0.1))
compare("Adam, lr / 32", Adam, dict(lr=0.1), dict(lr=0.1 / 32))

# %% sum-or-mean-rest
mean, total = dict(lr=0.5, weight_decay=0.5), dict(lr=0.5 / 32, weight_decay=0.5)
compare("SGD, decay kept", SGD, mean, total)
compare("SGD, decay * 32", SGD, mean, total | dict(weight_decay=0.5 * 32))
mean = dict(lr=0.1, weight_decay=0.5)
compare("Adam, decay kept", Adam, mean, mean)
compare("AdamW, decay kept", AdamW, mean, mean)
mean, total = dict(lr=0.5, clip=0.1), dict(lr=0.5 / 32, clip=0.1)
compare("SGD, clip norm kept", SGD, mean, total)
compare("SGD, clip norm * 32", SGD, mean, total | dict(clip=0.1 * 32))

# %% sum-or-mean-last
mean, total = dict(lr=0.5, size=50), dict(lr=0.5 / 50, size=50)
compare("batches of 50, 50, 28", SGD, mean, total)

# %% sum-or-mean-counter-cases hidden=true
for momentum in (0.0, 0.9):
    a = trained("mean", SGD, lr=0.5, momentum=momentum)
    torch.testing.assert_close(a, trained("sum", SGD, lr=0.5 / 32, momentum=momentum))
features = features * 1e-9  # gradients as small as the eps of Adam
a, b = (trained(reduction, Adam, lr=0.1) for reduction in ("mean", "sum"))
assert (a - b).norm() / a.norm() > 0.5
torch.testing.assert_close(*(trained(r, Adam, lr=0.1, eps=0) for r in ("mean", "sum")))
prediction, label = torch.randn(4, 3), torch.randn(4, 3)
for loss, count in ((F.mse_loss, 12), (F.l1_loss, 12), (F.huber_loss, 12)):
    torch.testing.assert_close(loss(prediction, label, reduction="sum"), count * loss(prediction, label))


# %% balanced-without-samples hidden=true
counts = torch.bincount(torch.tensor([0, 0, 1]), minlength=3)
endless = 3 / (3 * counts)
assert endless[2] == torch.inf
assert F.nll_loss(log_probability, torch.tensor([0, 1, 1]), weight=endless).isfinite()
assert F.nll_loss(log_probability, torch.tensor([0, 1, 2]), weight=endless).isnan()


# %% smoothed-weights hidden=true
one_class, uneven = torch.zeros(3, dtype=torch.long), torch.tensor([0.5, 1.0, 4.0])
for smoothing, cancel in ((0.0, True), (0.1, False)):
    options = dict(label_smoothing=smoothing)
    a = F.cross_entropy(logits, one_class, weight=uneven, **options)
    assert torch.allclose(a, F.cross_entropy(logits, one_class, **options)) is cancel
    torch.testing.assert_close(a, F.cross_entropy(logits, one_class, weight=100 * uneven, **options))

# %% zero-weight-gradient hidden=true
for labels, finite in (([0, 0], False), ([0, -100], False), ([-100, -100], True), ([0, 1], True)):
    logits = torch.randn(2, 3, requires_grad=True)
    F.cross_entropy(logits, torch.tensor(labels), weight=torch.tensor([0.0, 1.0, 1.0])).backward()
    assert logits.grad.isfinite().all() == finite

# %% weighted-elements hidden=true
import inspect

given, wanted, element_weight = torch.tensor([1.0, 2.0, 3.0]), torch.zeros(3), torch.tensor([1.0, 0.0, 3.0])
for loss_fn in (F.mse_loss, F.l1_loss):
    if "weight" in inspect.signature(loss_fn).parameters:  # not in old releases
        total = (loss_fn(given, wanted, reduction="none") * element_weight).sum()
        torch.testing.assert_close(loss_fn(given, wanted, weight=element_weight), total / element_weight.sum())

"""cross_entropy takes class probabilities as targets; with weights, their mean differs."""

# %% soft-target
import torch
import torch.nn.functional as F

logits = torch.tensor([[2.0, 0.5, -1.0], [0.0, 1.0, 3.0]])  # (batch, classes)
soft = torch.tensor([[0.7, 0.3, 0.0], [0.1, 0.1, 0.8]])  # each row adds up to 1
print("cross_entropy:", F.cross_entropy(logits, soft))
print("formula:      ", -(soft * logits.log_softmax(dim=1)).sum(dim=1).mean())

# %% mixup
target = torch.tensor([0, 1])
labels = F.one_hot(target, 3).float()
mixed = 0.75 * labels + 0.25 * labels.flip(0)  # mixup: two samples blended
print(mixed)
print("loss:", F.cross_entropy(logits, mixed))

# %% integer-probabilities raises="RuntimeError"
F.cross_entropy(logits, F.one_hot(target, 3))

# %% no-ignore-index raises="RuntimeError"
F.cross_entropy(logits, soft, ignore_index=2)

# %% smoothing
smooth = 0.9 * F.one_hot(target, 3) + 0.1 / 3
print(smooth)
print("soft target:    ", F.cross_entropy(logits, smooth))
print("label_smoothing:", F.cross_entropy(logits, target, label_smoothing=0.1))

# %% weighted-mean
weight = torch.tensor([1.0, 1.0, 4.0])
target = torch.tensor([0, 2])
one_hot = F.one_hot(target, 3).float()
print("class numbers:", F.cross_entropy(logits, target, weight=weight))
print("probabilities:", F.cross_entropy(logits, one_hot, weight=weight))

# %% denominators
each = F.cross_entropy(logits, target, weight=weight, reduction="none")
soft = F.cross_entropy(logits, one_hot, weight=weight, reduction="none")
print("per sample:", each, soft)
print("sum / weight[target].sum():", each.sum() / weight[target].sum())
print("sum / N:                   ", each.sum() / len(target))

# %% remedies hidden=true
assert F.cross_entropy(logits, mixed, ignore_index=-1) == F.cross_entropy(logits, mixed)  # ignores nothing
numbers = torch.tensor([0, 1])
torch.testing.assert_close(F.cross_entropy(logits, F.one_hot(numbers, 3).float()), F.cross_entropy(logits, numbers))
keep = torch.tensor([True, False])
assert torch.equal(F.cross_entropy(logits[keep], mixed[keep]), F.cross_entropy(logits[:1], mixed[:1]))
assert F.cross_entropy(logits, 2 * mixed) != F.cross_entropy(logits, mixed)  # nothing checks the sum

# %% masked-class hidden=true
for filled, finite in ((-torch.inf, False), (-1e4, True)):
    masked = torch.tensor([[2.0, 0.5, filled]])
    number, label = torch.tensor([0]), torch.tensor([[1.0, 0.0, 0.0]])
    assert F.cross_entropy(masked, number).isfinite()
    assert F.cross_entropy(masked, label).isnan() != finite
    assert F.cross_entropy(masked, torch.tensor([[0.8, 0.1, 0.1]])) > 900  # infinite, or large
torch.testing.assert_close(F.cross_entropy(masked, label), F.cross_entropy(masked[:, :2], number))

# %% images hidden=true
images, labels = torch.randn(2, 3, 4, 5), torch.rand(2, 3, 4, 5).softmax(dim=1)
each = F.cross_entropy(images, labels, weight=weight, reduction="none")
torch.testing.assert_close(F.cross_entropy(images, labels, weight=weight), each.sum() / (2 * 4 * 5))

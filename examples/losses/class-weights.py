"""Class weights from counts, pos_weight, and a weighted sampler."""

# %% formulas
import torch
import torch.nn.functional as F

counts = torch.tensor([900, 90, 10])  # labels.bincount(minlength=classes)
n, classes = counts.sum(), len(counts)
beta = 0.99
weights = {
    "1 / count": 1 / counts,
    "balanced": n / (classes * counts),
    "square root": 1 / counts.sqrt(),
    "effective number": (1 - beta) / (1 - beta**counts),
}
for name, weight in weights.items():
    weights[name] = weight = weight * classes / weight.sum()  # the mean is 1
    print(f"{name:16}", *(f"{w:5.2f}" for w in weight.tolist()))

# %% use
from torch import nn

criterion = nn.CrossEntropyLoss(weight=weights["balanced"])
logits, target = torch.zeros(4, 3), torch.tensor([0, 0, 1, 2])
print(f"loss {criterion(logits, target):.4f}")

# %% sklearn needs="sklearn"
from sklearn.utils.class_weight import compute_class_weight

labels = torch.arange(classes).repeat_interleave(counts)
names = torch.arange(classes).numpy()
balanced = compute_class_weight("balanced", classes=names, y=labels.numpy())
print(torch.tensor(balanced), n / (classes * counts))

# %% integer raises="RuntimeError"
F.cross_entropy(logits, target, weight=counts)

# %% zero-count
seen = torch.tensor([900, 90, 0])
print("1 / count:       ", 1 / seen)
print("clamped to 1:    ", 1 / seen.clamp(min=1))

# %% pos-weight
torch.manual_seed(0)
answers = torch.tensor([1.0] * 2 + [0.0] * 8)  # 2 positive, 8 negative
logit = torch.randn(10)
pos_weight = (answers == 0).sum() / (answers == 1).sum()
bce = nn.BCEWithLogitsLoss(pos_weight=pos_weight, reduction="sum")
weighted = bce(logit, answers)
copies = torch.where(answers == 1, 4, 1)  # every positive four times
many = [each.repeat_interleave(copies) for each in (logit, answers)]
repeated = nn.BCEWithLogitsLoss(reduction="sum")(*many)
print(f"pos_weight {pos_weight.item()}: {weighted:.4f}  repeated: {repeated:.4f}")

# %% data
torch.manual_seed(0)
labels = torch.arange(classes).repeat_interleave(counts)  # (sample,)
features = torch.randn(len(labels), 4) + labels[:, None]
net = nn.Linear(4, classes)


def gradient(loss):
    return torch.autograd.grad(loss, net.weight)[0]


# %% expectation
weight = weights["balanced"]
by_loss = gradient(F.cross_entropy(net(features), labels, weight=weight))

# as WeightedRandomSampler draws:
probability = weight[labels] / weight[labels].sum()
each = F.cross_entropy(net(features), labels, reduction="none")
by_sampler = gradient((probability * each).sum())  # the mean over all draws
print("weighted loss:   ", by_loss[2])
print("weighted sampler:", by_sampler[2])


# %% spread
def batch_gradients(draw, weight=None, batches=300):
    grads = []
    for _ in range(batches):
        batch = draw()
        loss = F.cross_entropy(net(features[batch]), labels[batch], weight=weight)
        grads.append(gradient(loss))
    return torch.stack(grads)


def uniform():
    return torch.randint(len(labels), (32,))


def weighted():
    return torch.multinomial(probability, 32, replacement=True)


for name, grads in {
    "weighted loss": batch_gradients(uniform, weight),
    "weighted sampler": batch_gradients(weighted),
}.items():
    off = (grads.mean(dim=0) - by_loss).norm() / by_loss.norm()
    spread = grads.std(dim=0).norm() / by_loss.norm()
    print(f"{name:16} off {off:.1f}  spread {spread:.1f}")
print(f"batches of 32 without class 2: {(1 - 10 / 1000) ** 32:.0%}")


# %% probabilities
def fit(weight):
    torch.manual_seed(0)
    net = nn.Linear(4, classes)
    optimizer = torch.optim.LBFGS(net.parameters(), max_iter=100)

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(net(features), labels, weight=weight)
        loss.backward()
        return loss

    optimizer.step(closure)
    return net(features).detach()


share = counts / n  # of each class
plain, heavy = fit(None), fit(weight)
corrected = heavy - weight.log()
rows = {"share": share, "plain": plain.softmax(1).mean(dim=0)}
rows["weighted"] = heavy.softmax(1).mean(dim=0)
rows["weighted, corrected"] = corrected.softmax(1).mean(dim=0)
for name, row in rows.items():
    print(f"{name:20}", *(f"{p:.2f}" for p in row.tolist()))

# %% recall
for name, logits in {"plain": plain, "weighted": heavy}.items():
    right = (logits.argmax(dim=1) == labels).float()
    recall = [f"{right[labels == label].mean():.1f}" for label in range(classes)]
    print(f"{name:8} accuracy {right.mean():.2f}  recall", *recall)

# %% remedies hidden=true
targets = torch.tensor([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])  # label 1 never occurs
negatives, positives = (targets == 0).sum(0), (targets == 1).sum(0)
for pos_weight, finite in ((negatives / positives, False), (negatives / positives.clamp(min=1), True)):
    loss = F.binary_cross_entropy_with_logits(torch.zeros(3, 2), targets, pos_weight=pos_weight)
    assert loss.isfinite() == finite, loss
F.cross_entropy(torch.zeros(4, 3), torch.tensor([0, 0, 1, 2]), weight=counts.float())
weight = torch.tensor([0.3, 1.0, 3.0])
indices, chances = torch.tensor([0, 0, 1, 2]), torch.full((4, 3), 1 / 3)
scores = torch.randn(4, 3)
for target, unchanged in ((indices, True), (chances, False)):
    one, ten = (F.cross_entropy(scores, target, weight=factor * weight) for factor in (1, 10))
    assert torch.allclose(one, ten) is unchanged
F.cross_entropy(scores.bfloat16(), indices, weight=counts.to(torch.bfloat16))


# %% three-weights
def show(name, loss, *inputs, **weight):
    plain = loss(*inputs, reduction="none")
    each = loss(*inputs, **weight, reduction="none")
    divisor = each.sum() / loss(*inputs, **weight)
    factors = [f"{factor:.0f}" for factor in (each / plain).tolist()]
    print(f"{name:20} times {', '.join(factors)}, mean divides by {divisor:.0f}")


logit = torch.tensor([2.0, -1.0, 0.5])
answers = torch.tensor([1, 0, 0])
bce = (F.binary_cross_entropy_with_logits, logit, answers.float())
show("BCE weight", *bce, weight=torch.tensor([1.0, 2.0, 5.0]))
show("BCE pos_weight", *bce, pos_weight=torch.tensor(3.0))

two_logits = torch.stack([torch.zeros(3), logit], dim=1)  # the same model
class_weight = torch.tensor([1.0, 3.0])
ce = (F.cross_entropy, two_logits, answers)
show("cross_entropy weight", *ce, weight=class_weight)

# %% looked-up
show("BCE, looked up", *bce, weight=class_weight[answers])

# %% counter-cases-three hidden=true
torch.manual_seed(0)
for dtype in (torch.float32, torch.float64):
    for size in (1, 5, 64):
        z, y = 5 * torch.randn(size, dtype=dtype), torch.randint(2, (size,))
        pair, w = torch.stack([torch.zeros_like(z), z], dim=1), torch.tensor([1.0, 7.0], dtype=dtype)
        by_class = F.cross_entropy(pair, y, weight=w, reduction="none")
        by_positive = F.binary_cross_entropy_with_logits(z, y.to(dtype), pos_weight=w[1], reduction="none")
        torch.testing.assert_close(by_class, by_positive)
        by_lookup = F.binary_cross_entropy_with_logits(z, y.to(dtype), weight=w[y])
        torch.testing.assert_close(by_lookup, by_class.mean())
two_samples = F.binary_cross_entropy_with_logits(torch.zeros(2), torch.ones(2), weight=class_weight, reduction="none")
assert two_samples[1] == 3 * two_samples[0]  # both are of class 1: the weights went to the samples
for shape in ((4,), (4, 1)):
    try:
        F.binary_cross_entropy_with_logits(torch.zeros(shape), torch.zeros(shape), weight=class_weight)
    except RuntimeError:
        pass
    else:
        raise AssertionError("two class weights fit four samples")


# %% smoothed-and-weighted hidden=true
def mean_probabilities(**options):
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    optimizer = torch.optim.LBFGS(model.parameters(), max_iter=100)

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(model(features), labels, **options)
        loss.backward()
        return loss

    optimizer.step(closure)
    return model(features).softmax(1).mean(dim=0)


balanced = weights["balanced"]
assert mean_probabilities(weight=balanced)[2] < 0.2
assert mean_probabilities(weight=balanced, label_smoothing=0.1)[2] > 0.5
wrong_on_rare = torch.tensor([[5.0, 0.0, 0.0]] * 2), torch.tensor([0, 2])  # the second sample
by_counts, inverse = (F.cross_entropy(*wrong_on_rare, weight=w) for w in (counts.float(), 1 / counts))
assert by_counts < 0.1 < 4 < inverse  # the counts forgive the mistake on the rare class
half = torch.zeros(4, 3, dtype=torch.bfloat16)
F.cross_entropy(half, torch.tensor([0, 0, 1, 2]), weight=(n / (classes * counts)).to(half.dtype))
masks = torch.tensor([[[0, 1], [255, 1]]])
assert masks[masks != 255].bincount(minlength=3).tolist() == [1, 2, 0]
assert F.binary_cross_entropy_with_logits(torch.zeros(4), torch.ones(4), pos_weight=torch.zeros(1)) == 0

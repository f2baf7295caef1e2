"""ROC, AUC and average precision from the scores of a whole loader."""

# %% predictions
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
labels = (torch.rand(1000) < 0.2).long()  # 20% positives
inputs = torch.randn(1000, 4) + 0.8 * labels[:, None]
loader = DataLoader(TensorDataset(inputs, labels), batch_size=64)
net = nn.Linear(4, 1)  # stands in for a trained model
nn.init.ones_(net.weight)


@torch.no_grad()
def predict(net, loader, device="cpu"):
    """Scores and labels of all samples, on the CPU, in the loader's order."""
    net.eval()
    scores, labels = [], []
    for batch, target in loader:
        scores.append(net(batch.to(device)).squeeze(1).cpu())
        labels.append(target.to("cpu", copy=True))  # or a worker's file stays open
    return torch.cat(scores), torch.cat(labels)


scores, labels = predict(net, loader)
print("scores", tuple(scores.shape), "labels", tuple(labels.shape))


# %% roc
def curve(scores, labels):
    """Positives and negatives found at each threshold, from the highest down."""
    order = scores.argsort(descending=True)
    ranked = labels[order].double()
    last = torch.ones(len(order), dtype=torch.bool)  # of equal scores, the last
    last[:-1] = scores[order][1:] != scores[order][:-1]
    start = torch.zeros(1, dtype=torch.float64)
    found = torch.cat([start, ranked.cumsum(0)[last]])
    false = torch.cat([start, (1 - ranked).cumsum(0)[last]])
    return found, false


found, false = curve(scores, labels)
recall, false_rate = found / found[-1], false / false[-1]
auc = torch.trapezoid(recall, false_rate)
precision = found[1:] / (found + false)[1:]
average_precision = (recall.diff() * precision).sum()
print(f"AUC {auc:.6f}")
print(f"AP  {average_precision:.6f}")

# %% sklearn needs="sklearn"
from sklearn.metrics import average_precision_score, roc_auc_score

print(f"AUC {roc_auc_score(labels, scores):.6f}")
print(f"AP  {average_precision_score(labels, scores):.6f}")

# %% pairs
positive, negative = scores[labels == 1], scores[labels == 0]
above = (positive[:, None] > negative).double().mean()
print(f"pairs in which the positive has the higher score: {above:.6f}")

# %% figure fold=true
import matplotlib.pyplot as plt

fig, (left, right) = plt.subplots(1, 2, figsize=(6.2, 2.9), layout="constrained")
left.plot(false_rate, recall)
left.plot([0, 1], [0, 1], ":", color="C1")
left.set(xlabel="false positive rate", ylabel="true positive rate", title=f"AUC {auc:.3f}")
right.step(recall[1:], precision, where="pre")
share = labels.double().mean()
right.plot([0, 1], [share, share], ":", color="C1")
right.set(xlabel="recall", ylabel="precision", ylim=(0, 1.05), title=f"AP {average_precision:.3f}")

# %% batches needs="sklearn"
parts = zip(scores.split(64), labels.split(64))
means = [roc_auc_score(target, part) for part, target in parts]
print(f"mean of the batches' AUC {sum(means) / len(means):.4f}, of all {auc:.4f}")

# %% not-labels needs="sklearn"
print(f"AUC of scores {roc_auc_score(labels, scores):.4f}")
print(f"AUC of labels {roc_auc_score(labels, scores > 0):.4f}")

# %% saturated needs="sklearn"
large = 10 * scores  # as of a very confident model
print(f"logits        {roc_auc_score(labels, large):.2f}")
print(f"probabilities {roc_auc_score(labels, large.sigmoid()):.2f}")
print("some probabilities are 1:", (large.sigmoid() == 1).any().item())

# %% threshold
thresholds = scores.unique().flip(0)  # one a point, as in curve()
best = (recall - false_rate)[1:].argmax()
print(f"threshold {thresholds[best]:.2f}")
print(f"recall {recall[best + 1]:.3f}, false positives {false_rate[best + 1]:.3f}")

# %% multiclass needs="sklearn" raises="ValueError"
logits, classes = torch.randn(200, 3), torch.arange(200) % 3
logits[torch.arange(200), classes] += 1
roc_auc_score(classes, logits, multi_class="ovr")

# %% multiclass-softmax needs="sklearn"
probability = logits.softmax(dim=1)
print(f"macro {roc_auc_score(classes, probability, multi_class='ovr'):.4f}")
each = [roc_auc_score(classes == c, probability[:, c]) for c in range(3)]
print(f"one against the rest {sum(each) / 3:.4f}")

# %% one-class needs="sklearn" warns="UndefinedMetricWarning"
print("AUC", roc_auc_score(torch.zeros(5), torch.rand(5)))

# %% both-classes needs="sklearn"
print(labels.unique().tolist(), f"AUC {roc_auc_score(labels, scores):.4f}")

# %% ties-count-half hidden=true
coarse = scores.round()
positive, negative = coarse[labels == 1][:, None], coarse[labels == 0]
half = ((positive > negative).double() + 0.5 * (positive == negative)).mean()
found, false = curve(coarse, labels)
torch.testing.assert_close(half, torch.trapezoid(found / found[-1], false / false[-1]))

# %% counter-cases hidden=true needs="sklearn"
for decimals in (0, 1, 2, 6):  # many ties, few ties
    rounded = (scores * 10**decimals).round() / 10**decimals
    found, false = curve(rounded, labels)
    recall, false_rate = found / found[-1], false / false[-1]
    area = torch.trapezoid(recall, false_rate).item()
    precise = (recall.diff() * (found[1:] / (found + false)[1:])).sum().item()
    assert abs(area - roc_auc_score(labels, rounded)) < 1e-14
    assert abs(precise - average_precision_score(labels, rounded)) < 1e-14

# %% ties hidden=true
for value in (0.0, 1.5, float("inf"), float("-inf")):
    for truth in ([1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 1]):
        hits, misses = curve(torch.full((4,), value), torch.tensor(truth))
        assert torch.trapezoid(hits / hits[-1], misses / misses[-1]) == 0.5
for dtype in (torch.float16, torch.bfloat16, torch.int64):
    hits, misses = curve(torch.tensor([3, 1, 2, 0]).to(dtype), torch.tensor([1, 0, 1, 0]))
    assert torch.trapezoid(hits / hits[-1], misses / misses[-1]) == 1

# %% other-inputs hidden=true
few = DataLoader(TensorDataset(inputs[:5].double(), labels[:5]), batch_size=4)  # the last batch has one sample
other = nn.Linear(4, 1).double()
other.load_state_dict(net.state_dict())
again, truth = predict(other, few, torch.device("cpu"))
assert again.dtype is torch.float64 and torch.equal(truth, labels[:5])
torch.testing.assert_close(again.float(), scores[:5])

# %% half-probabilities hidden=true needs="sklearn"
half = logits.half()
try:
    roc_auc_score(classes, half.softmax(dim=1), multi_class="ovr")
except ValueError as error:
    assert "sum up to 1.0" in str(error), error
else:
    raise AssertionError
assert roc_auc_score(classes, half.float().softmax(dim=1), multi_class="ovr") > 0.5

# %% tied-thresholds hidden=true
for tied in ((scores * 10).round() / 10, scores.half().float(), (10 * scores).sigmoid(), scores):
    found, false = curve(tied, labels)
    best = (found / found[-1] - false / false[-1])[1:].argmax()
    chosen = tied >= tied.unique().flip(0)[best]
    assert chosen[labels == 1].sum() == found[best + 1] and chosen[labels == 0].sum() == false[best + 1]

# %% targets-are-freed hidden=true
import weakref


def three_batches():
    seen = []
    for number in range(3):
        target = torch.tensor([number])
        seen.append(weakref.ref(target))
        yield torch.zeros(1, 4), target
        assert number == 0 or seen[number - 1]() is None  # from a worker, each would keep a file open


assert predict(net, three_batches())[1].tolist() == [0, 1, 2]

# %% nan-scores hidden=true needs="sklearn"
broken = scores.clone()
broken[:50] = torch.nan
found, false = curve(broken, labels)
area = torch.trapezoid(found / found[-1], false / false[-1])
assert area.isfinite() and abs(area - auc) > 0.01  # a number like any other
try:
    roc_auc_score(labels, broken)
except ValueError as error:
    assert "NaN" in str(error)
else:
    raise AssertionError("scikit-learn takes NaN")

# %% second-softmax hidden=true needs="sklearn"
torch.manual_seed(0)
raw = 2 * torch.randn(300, 4)
drawn = torch.distributions.Categorical(logits=raw).sample()
p = raw.softmax(dim=1).half()
right = roc_auc_score(drawn, raw.softmax(dim=1), multi_class="ovr")
divided = roc_auc_score(drawn, p.float() / p.float().sum(dim=1, keepdim=True), multi_class="ovr")
twice = roc_auc_score(drawn, p.float().softmax(dim=1), multi_class="ovr")
assert abs(divided - right) < 5e-4 < abs(twice - right)

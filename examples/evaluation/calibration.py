"""Calibration: the expected calibration error, a reliability diagram, temperature scaling."""

# %% data
import torch
import torch.nn.functional as F

torch.manual_seed(0)
truth = 2 * torch.randn(6000, 5)  # (sample, class): the labels follow its softmax
labels = truth.softmax(dim=1).multinomial(1)[:, 0]
logits = 2.5 * truth  # a model that is too sure of itself
val, test = slice(0, 2000), slice(2000, None)

probabilities = logits[test].softmax(dim=1)
confidence, prediction = probabilities.max(dim=1)
right = (prediction == labels[test]).float()
print(f"accuracy {right.mean():.2f}, mean confidence {confidence.mean():.2f}")


# %% error
def by_confidence(probabilities, labels, bins=10):
    """Count, mean confidence and accuracy of each bin."""
    confidence, prediction = probabilities.max(dim=1)
    right = (prediction == labels).to(confidence.dtype)
    edges = torch.linspace(0, 1, bins + 1, device=confidence.device)
    index = torch.bucketize(confidence, edges[1:-1])
    count = index.bincount(minlength=bins)
    sure, hits = (index.bincount(x, minlength=bins) for x in (confidence, right))
    return count, sure / count.clamp(min=1), hits / count.clamp(min=1)


def calibration_error(probabilities, labels, bins=10):
    count, sure, hits = by_confidence(probabilities, labels, bins)
    return ((sure - hits).abs() * count).sum() / count.sum()


print(f"ECE {calibration_error(probabilities, labels[test]):.2f}")


# %% temperature
def fit_temperature(logits, labels):
    logits = logits.detach().float()
    log_temperature = torch.zeros((), requires_grad=True)  # its exp is above 0
    options = dict(max_iter=50, line_search_fn="strong_wolfe")
    optimizer = torch.optim.LBFGS([log_temperature], **options)

    def closure():
        optimizer.zero_grad()
        loss = F.cross_entropy(logits / log_temperature.exp(), labels)
        loss.backward()
        return loss

    optimizer.step(closure)
    return log_temperature.exp().item()


temperature = fit_temperature(logits[val], labels[val])
calibrated = (logits[test] / temperature).softmax(dim=1)
same = torch.equal(calibrated.argmax(dim=1), prediction)
print(f"temperature {temperature:.1f}, same predictions: {same}")
for name, p in (("before", probabilities), ("after ", calibrated)):
    nll = F.nll_loss(p.log(), labels[test])
    print(f"{name} ECE {calibration_error(p, labels[test]):.2f}  loss {nll:.2f}")

# %% diagram fold=true
import matplotlib.pyplot as plt

fig, axes = plt.subplots(1, 2, figsize=(5.6, 2.8), sharey=True, layout="constrained")
for ax, title, p in zip(axes, ("before", f"temperature {temperature:.1f}"), (probabilities, calibrated)):
    count, sure, accuracy = by_confidence(p, labels[test])
    used = count > 0
    ax.bar((torch.arange(10) / 10 + 0.05)[used], accuracy[used], width=0.09, color="C0", alpha=0.6)
    ax.plot([0, 1], [0, 1], color="C1")
    ax.plot(sure[used], accuracy[used], "o", color="C0", markersize=4)
    ax.set(xlim=(0, 1), ylim=(0, 1), xlabel="confidence", title=title)
axes[0].set_ylabel("accuracy")

# %% constant
share = labels[val].bincount() / 2000  # always the same answer
guess = share.expand(4000, 5)
accuracy = (guess.argmax(dim=1) == labels[test]).float().mean()
print(f"ECE {calibration_error(guess, labels[test]):.2f}, accuracy {accuracy:.2f}")

# %% few-samples
for count in (100, 1000, 4000):
    p = truth[:count].softmax(dim=1)  # calibrated by construction
    print(f"{count:4} samples: ECE {calibration_error(p, labels[:count]):.2f}")

# %% checks hidden=true
torch.testing.assert_close(torch.tensor(temperature), torch.tensor(2.5), rtol=0.1, atol=0)
exact = truth.softmax(dim=1)
assert calibration_error(exact, labels) < 0.03
for bins in (1, 5, 10, 15, 100):
    count, sure, accuracy = by_confidence(exact, labels, bins)
    assert count.sum() == 6000 and count.shape == (bins,)
    one_by_one = 0.0
    top, guessed = exact.max(dim=1)
    hits = (guessed == labels).float()
    for i in range(bins):
        inside = (top > i / bins) & (top <= (i + 1) / bins)
        if inside.any():
            one_by_one += (top[inside].mean() - hits[inside].mean()).abs() * inside.sum() / 6000
    torch.testing.assert_close(calibration_error(exact, labels, bins), torch.as_tensor(one_by_one), atol=2e-3, rtol=0)
sure = torch.eye(5)[labels]
assert calibration_error(sure, labels) == 0 and calibration_error(sure, (labels + 1) % 5) == 1
under = fit_temperature(0.4 * truth[val], labels[val])
torch.testing.assert_close(torch.tensor(under), torch.tensor(0.4), rtol=0.1, atol=0)  # below 1: too unsure
for factor in (100.0, 10.0, 0.1, 0.01):  # without the line search, 0.01 gave NaN
    fitted = torch.tensor(fit_temperature(factor * logits[val], labels[val]) / factor)
    torch.testing.assert_close(fitted, torch.tensor(2.5), rtol=0.1, atol=0)
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    assert abs(fit_temperature(logits[val].to(dtype), labels[val]) - 2.5) < 0.25
    assert (
        abs(calibration_error(probabilities.to(dtype), labels[test]) - calibration_error(probabilities, labels[test]))
        < 0.02
    )
scaled = torch.ones((), requires_grad=True) * logits[val]  # the graph of the model is left alone
assert abs(fit_temperature(scaled, labels[val]) - temperature) < 0.01

# %% no-best-temperature hidden=true
three = torch.tensor([[2.0, 1.5, -3.0]]).expand(50, 3)
for answer, low, high in ((0, 0.0, 0.1), (1, 2.0, 3.0), (2, 1e3, float("inf"))):  # right; wrong, but finite; worst
    assert low < fit_temperature(three, torch.full((50,), answer)) < high

# %% one-logit hidden=true
torch.manual_seed(0)
z = 2 * torch.randn(5000)
answers = z.sigmoid().bernoulli()
two = torch.stack([torch.zeros_like(z), z], dim=1)
torch.testing.assert_close(two.softmax(dim=1)[:, 1], z.sigmoid())
assert abs(fit_temperature(2.5 * two, answers.long()) - 2.5) < 0.25
assert calibration_error(two.softmax(dim=1), answers.long()) < 0.03

# %% other-inputs hidden=true
with torch.inference_mode():
    collected = logits[val] * 1
for fails in (lambda: fit_temperature(collected, labels[val]), lambda: fit_temperature(two, answers)):
    try:
        fails()
    except RuntimeError:
        continue
    raise AssertionError
assert abs(fit_temperature(collected.clone(), labels[val]) - temperature) < 1e-3

# %% logits-are-no-probabilities hidden=true
assert calibration_error(two, answers.long()) > 0.5  # so its softmax is to be passed
scaled = (2.5 * two / fit_temperature(2.5 * two, answers.long())).softmax(dim=1)
assert calibration_error(scaled, answers.long()) < 0.03 < calibration_error((2.5 * two).softmax(dim=1), answers.long())

# %% long-sums hidden=true
many = torch.tensor([[0.95, 0.05]]).repeat(1_000_000, 1)
answers = (torch.arange(1_000_000) % 20 >= 17).long()  # 85 % right
assert abs(calibration_error(many, answers) - 0.1) > 0.005
assert abs(calibration_error(many.double(), answers) - 0.1) < 1e-6

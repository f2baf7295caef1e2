"""cross_entropy smooths labels itself; a KL loss differs by a constant."""

# %% built-in
import torch
import torch.nn.functional as F

rows = [[2.0, 1.0, 0.0, -1.0], [0.0, 3.0, 1.0, 1.0], [1.0, 0.0, -1.0, 2.0]]
logits = torch.tensor(rows, requires_grad=True)  # (batch, classes)
labels = torch.tensor([0, 1, 2])
epsilon = 0.1

loss = F.cross_entropy(logits, labels, label_smoothing=epsilon)
print(loss.detach())

# %% by-hand
classes = logits.shape[1]
one_hot = F.one_hot(labels, classes)
target = one_hot * (1 - epsilon) + epsilon / classes  # (3, 4)
log_prob = logits.log_softmax(dim=1)
by_hand = -(target * log_prob).sum(dim=1).mean()
print(target)
print("loss:", by_hand.detach())

# %% two-terms
plain = F.cross_entropy(logits, labels)
uniform = -log_prob.mean(dim=1).mean()
print(((1 - epsilon) * plain + epsilon * uniform).detach())

# %% kl-form
kl = F.kl_div(log_prob, target, reduction="batchmean")
entropy = -(target * target.log()).sum(dim=1).mean()
print(f"KL {kl:.4f}   KL + entropy {kl + entropy:.4f}")


# %% own-class
class LabelSmoothing(torch.nn.Module):
    def __init__(self, smoothing):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, logits, labels):
        classes = logits.shape[1]
        hard = F.one_hot(labels, classes) * (1 - self.smoothing)
        soft = hard + self.smoothing / classes
        return F.kl_div(logits.log_softmax(dim=1), soft, reduction="batchmean")


own = LabelSmoothing(0.1)
built_in = torch.nn.CrossEntropyLoss(label_smoothing=0.1)
for name, loss_fn in {"own": own, "built-in": built_in}.items():
    (gradient,) = torch.autograd.grad(loss_fn(logits, labels), logits)
    print(f"{name:8} gradient of sample 0:", gradient[0])

# %% other-share
spread = torch.full((len(labels), classes), epsilon / (classes - 1))
spread = spread.scatter(1, labels.unsqueeze(1), 1 - epsilon)
print("target:", spread[0])
print("loss:  ", -(spread * log_prob).sum(dim=1).mean().detach())

# %% other-share-converted
converted = epsilon * classes / (classes - 1)
print(F.cross_entropy(logits, labels, label_smoothing=converted).detach())

# %% floor
best = target.log()  # logits whose softmax is the target
print("lowest loss:", F.cross_entropy(best, labels, label_smoothing=epsilon))
print("entropy:    ", entropy)

# %% curves fold=true
import matplotlib.pyplot as plt

z = torch.linspace(-2, 8, 201)
rows = torch.stack([z, *torch.zeros(3, len(z))], dim=1)  # only the true class gets the logit z

fig, ax = plt.subplots(figsize=(5.2, 2.9))
for smoothing in (0.0, 0.1, 0.3):
    curve = F.cross_entropy(rows, torch.zeros(len(z), dtype=torch.long), reduction="none", label_smoothing=smoothing)
    (line,) = ax.plot(z, curve, label=smoothing)
    if smoothing:
        ax.plot(z[curve.argmin()], curve.min(), "o", color=line.get_color())
ax.set(xlabel="logit of the true class", ylabel="cross_entropy", ylim=(0, None))
ax.legend(title="label_smoothing", loc="upper center")

# %% weighted
weight = torch.tensor([1.0, 2.0, 4.0, 0.5])
weighted = F.cross_entropy(logits, labels, weight, label_smoothing=epsilon)
by_hand = -(target * weight * log_prob).sum() / weight[labels].sum()
print(f"{weighted:.4f} {by_hand:.4f}")

# %% ignored
padded = torch.tensor([0, 1, -100])
with_padding = F.cross_entropy(logits, padded, label_smoothing=epsilon)
without = F.cross_entropy(logits[:2], padded[:2], label_smoothing=epsilon)
print(f"{with_padding:.4f} {without:.4f}")

# %% not-elsewhere raises="TypeError"
F.nll_loss(log_prob, labels, label_smoothing=epsilon)

# %% gradient-by-hand hidden=true
(from_loss,) = torch.autograd.grad(loss, logits, retain_graph=True)
assert torch.allclose(from_loss, (logits.softmax(dim=1) - target) / len(labels))

# %% module-too hidden=true
assert torch.equal(torch.nn.CrossEntropyLoss(label_smoothing=epsilon)(logits, labels), loss)

# %% same-gradient hidden=true
gradients = [torch.autograd.grad(loss_fn(logits, labels), logits)[0] for loss_fn in (own, built_in)]
torch.testing.assert_close(*gradients)
other = torch.autograd.grad(-(spread * logits.log_softmax(dim=1)).sum(dim=1).mean(), logits)[0]
assert not torch.allclose(other, gradients[0], atol=1e-3)  # other soft targets, another gradient

# %% counter-cases hidden=true
torch.manual_seed(0)
for classes in (2, 5, 100):
    for share in (0.01, 0.1, 0.9):
        for scale in (1e-2, 1.0, 30.0):
            z = (scale * torch.randn(40, classes, dtype=torch.float64)).requires_grad_()
            y = torch.randint(classes, (40,))
            soft = torch.full((40, classes), share / classes, dtype=torch.float64)
            soft.scatter_add_(1, y[:, None], torch.full((40, 1), 1 - share, dtype=torch.float64))
            smoothed = torch.nn.functional.cross_entropy(z, y, label_smoothing=share)
            divergence = torch.nn.functional.kl_div(z.log_softmax(dim=1), soft, reduction="batchmean")
            constant = -(soft * soft.log()).sum(dim=1).mean()
            torch.testing.assert_close(smoothed, divergence + constant)
            gradients = [torch.autograd.grad(value, z, retain_graph=True)[0] for value in (smoothed, divergence)]
            torch.testing.assert_close(*gradients)

# %% soft-targets hidden=true
torch.testing.assert_close(F.cross_entropy(logits, target), loss)
soft = F.cross_entropy(logits, target, weight)
assert torch.allclose(soft * len(labels), weighted * weight[labels].sum()) and not torch.allclose(soft, weighted)

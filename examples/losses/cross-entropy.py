"""cross_entropy is log_softmax followed by nll_loss."""

# %% formula
import torch
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.randn(4, 3)  # (batch, classes)
target = torch.tensor([0, 2, 1, 2])  # (batch,)

probability = logits.exp() / logits.exp().sum(dim=1, keepdim=True)
by_hand = -probability[torch.arange(4), target].log()
print(by_hand)
print(F.cross_entropy(logits, target, reduction="none"))
print(F.cross_entropy(logits, target), by_hand.mean())

# %% logsumexp
print(logits.logsumexp(dim=1) - logits[torch.arange(4), target])

# %% nll
weight = torch.tensor([1.0, 2.0, 0.5])
for reduction in ("none", "sum", "mean"):
    for w in (None, weight):
        options = dict(weight=w, reduction=reduction)
        one = F.cross_entropy(logits, target, **options)
        two = F.nll_loss(logits.log_softmax(dim=1), target, **options)
        print(reduction, "plain" if w is None else "weighted", torch.equal(one, two))

# %% gradient
logits.requires_grad_()
(gradient,) = torch.autograd.grad(F.cross_entropy(logits, target), logits)
print(gradient)
print("equals (p - one_hot) / N:", torch.allclose(gradient, (probability - F.one_hot(target, 3)) / 4))

# %% underflow
extreme = torch.tensor([[1000.0, 0.0]])
print(extreme.softmax(dim=1).log())
print(extreme.log_softmax(dim=1))

# %% overflow
print(extreme.exp() / extreme.exp().sum())

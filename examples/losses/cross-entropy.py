"""cross_entropy is log_softmax followed by nll_loss."""

# %% formula
import torch
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.randn(4, 3)  # (batch, classes)
target = torch.tensor([0, 2, 1, 2])  # (batch,)

probability = logits.exp() / logits.exp().sum(dim=1, keepdim=True)
by_hand = -probability[torch.arange(4), target].log()
print("by hand:      ", by_hand)
print("cross_entropy:", F.cross_entropy(logits, target, reduction="none"))
print("means:        ", by_hand.mean(), F.cross_entropy(logits, target))

# %% logsumexp
print(logits.logsumexp(dim=1) - logits[torch.arange(4), target])

# %% nll
weight = torch.tensor([1.0, 2.0, 0.5])
for reduction in ("none", "sum", "mean"):
    for w in (None, weight):
        options = dict(weight=w, reduction=reduction)
        one = F.cross_entropy(logits, target, **options)
        two = F.nll_loss(logits.log_softmax(dim=1), target, **options)
        kind = "plain" if w is None else "weighted"
        print(f"{reduction:4} {kind:8} same bits: {torch.equal(one, two)}")

# %% gradient
logits.requires_grad_()
(gradient,) = torch.autograd.grad(F.cross_entropy(logits, target), logits)
print(gradient)
by_hand = (probability - F.one_hot(target, 3)) / 4
print("equals (p - one_hot) / N:", torch.allclose(gradient, by_hand))

# %% underflow
extreme = torch.tensor([[1000.0, 0.0]])
print("softmax, log:", extreme.softmax(dim=1).log())
print("log_softmax: ", extreme.log_softmax(dim=1))

# %% overflow
print(extreme.exp() / extreme.exp().sum())

"""A loss of your own is a function of tensors that returns one number."""

# %% function
import torch
import torch.nn.functional as F
from torch import nn


def focal_loss(logits, target, gamma=2.0):
    """Binary cross-entropy that pays less attention to easy samples."""
    loss = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
    easy = torch.exp(-loss)  # the probability of the right answer
    return ((1 - easy) ** gamma * loss).mean()


logits = torch.tensor([2.0, 0.5, -2.0], requires_grad=True)
target = torch.tensor([1.0, 1.0, 1.0])
for gamma in (0.0, 2.0):
    (gradient,) = torch.autograd.grad(focal_loss(logits, target, gamma), logits)
    print(f"gamma {gamma}: gradient {[f'{g:.3f}' for g in gradient.tolist()]}")

# %% checks
wide = logits.detach().double().requires_grad_()
passed = torch.autograd.gradcheck(focal_loss, (wide, target.double()))
print("gradient correct:", passed)

# %% cut raises="RuntimeError"
torch.manual_seed(0)
net = nn.Linear(3, 2)
features, labels = torch.ones(4, 3), torch.tensor([0, 1, 1, 0])


def error_rate(logits, labels):
    return (logits.argmax(dim=1) != labels).float().mean()


error_rate(net(features), labels).backward()

# %% silenced
loss = error_rate(net(features), labels).requires_grad_()  # no error any more
loss.backward()
print(net.weight.grad)

# %% stable
z = torch.tensor([-200.0])
print("sigmoid, log:", z.sigmoid().log())
print("logsigmoid:  ", F.logsigmoid(z))


# %% module
class WeightedMSE(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.register_buffer("weight", weight)  # moves with to(), is not trained

    def forward(self, prediction, target):
        loss = F.mse_loss(prediction, target, reduction="none")  # (batch, outputs)
        return (self.weight * loss).mean()


criterion = WeightedMSE(torch.tensor([1.0, 10.0])).to(torch.float64)
print(criterion.weight, "trained parameters:", len(list(criterion.parameters())))

# %% sum
prediction = net(features)
data_term = F.cross_entropy(prediction, labels)
penalty = sum(param.abs().sum() for param in net.parameters())
(data_term + 1e-3 * penalty).backward()
print(f"data {data_term:.2f}  penalty {1e-3 * penalty:.4f}")

# %% gamma hidden=true
for gamma, finite in ((0.0, True), (0.5, False), (1.0, True), (2.0, True)):
    for value in (18.0, 200.0, -200.0):
        z = torch.tensor([value], requires_grad=True)
        (gradient,) = torch.autograd.grad(focal_loss(z, torch.ones(1), gamma), z)
        assert bool(gradient.isfinite()) is (finite or value < 0)

# %% replacement hidden=true
net.zero_grad()
F.cross_entropy(net(features), labels).backward()
assert net.weight.grad.abs().sum() > 0


# %% broadcast hidden=true
import warnings

column, vector = torch.arange(4.0)[:, None], torch.arange(4.0)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    assert ((column - vector) ** 2).shape == (4, 4) and not caught
    assert WeightedMSE(torch.ones(1))(column, vector) > 0
    assert "target size" in str(caught[0].message)

# %% soft-margin hidden=true
for score in (-89.0, -200.0):
    margin = torch.tensor([score], requires_grad=True)
    loss = F.soft_margin_loss(margin, torch.ones(1))
    (slope,) = torch.autograd.grad(loss, margin)
    assert loss.isinf() and slope.isnan()
    loss = F.softplus(-torch.ones(1) * margin)
    assert loss == -score and torch.autograd.grad(loss, margin)[0] == -1
net.zero_grad()
logits = net(features)
(F.cross_entropy(logits, labels) + 10 * error_rate(logits, labels)).backward()
grad = net.weight.grad.clone()
net.zero_grad()
F.cross_entropy(net(features), labels).backward()
assert torch.equal(grad, net.weight.grad)  # the error rate adds nothing

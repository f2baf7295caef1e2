"""What cross_entropy and nll_loss accept: shapes and dtypes of logits and targets."""

# %% valid
import torch
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.randn(4, 3)  # (batch, classes)
target = torch.tensor([0, 2, 1, 2])  # (batch,), int64
print("cross_entropy:", F.cross_entropy(logits, target))
print("nll_loss:     ", F.nll_loss(logits.log_softmax(dim=1), target))

# %% shapes
sizes = {
    "one sample": ((3,), ()),
    "batch": ((4, 3), (4,)),
    "sequence": ((4, 3, 10), (4, 10)),
    "image": ((4, 3, 8, 8), (4, 8, 8)),
}
for name, (of_logits, of_target) in sizes.items():
    classes = torch.randint(3, of_target)
    F.cross_entropy(torch.randn(of_logits), classes)
    print(f"{name:10} logits {of_logits}, target {of_target}")

# %% column raises="RuntimeError"
F.cross_entropy(logits, target[:, None])

# %% float-target raises="RuntimeError"
F.cross_entropy(logits, target.float())

# %% out-of-range raises="IndexError"
F.cross_entropy(logits, torch.tensor([0, 1, 2, 3]))

# %% batch raises="ValueError"
F.cross_entropy(logits, target[:3])

# %% ignore
padded = torch.tensor([0, 2, -100, -100])
print("per sample:", F.cross_entropy(logits, padded, reduction="none"))
print("mean:      ", F.cross_entropy(logits, padded))
print("first two: ", F.cross_entropy(logits[:2], padded[:2]))

# %% all-ignored
nothing = torch.full((4,), -100)
print("mean:", F.cross_entropy(logits, nothing))
print("sum: ", F.cross_entropy(logits, nothing, reduction="sum"))

# %% all-ignored-gradient
free = torch.randn(4, 3, requires_grad=True)
(gradient,) = torch.autograd.grad(F.cross_entropy(free, nothing), free)
print("largest gradient:", gradient.abs().max())

# %% images
image = torch.randn(2, 3, 4, 5)  # (N, C, H, W)
classes = torch.randint(3, (2, 4, 5))  # (N, H, W)
each = F.cross_entropy(image, classes, reduction="none")
print("one loss per pixel:", tuple(each.shape))

flat = image.movedim(1, -1).reshape(-1, 3)
print(f"image:  {F.cross_entropy(image, classes):.4f}")
print(f"pixels: {F.cross_entropy(flat, classes.flatten()):.4f}")

# %% classes-last raises="RuntimeError"
F.cross_entropy(image.movedim(1, -1), classes)

# %% sequence raises="RuntimeError"
scores = torch.randn(2, 5, 7)  # (batch, time, classes)
tokens = torch.randint(7, (2, 5))
F.cross_entropy(scores, tokens)

# %% sequence-right
print("flattened: ", F.cross_entropy(scores.flatten(0, 1), tokens.flatten()))
print("transposed:", F.cross_entropy(scores.transpose(1, 2), tokens))

# %% sequence-silent
square = torch.randn(2, 5, 5)  # five steps, five classes
tokens = torch.randint(5, (2, 5))
print(f"no error: {F.cross_entropy(square, tokens):.2f}")
print(f"right:    {F.cross_entropy(square.transpose(1, 2), tokens):.2f}")

# %% one-logit
one = torch.tensor([[3.0], [-2.0]], requires_grad=True)  # (batch, 1)
zeros = torch.tensor([0, 0])
loss = F.cross_entropy(one, zeros)
(gradient,) = torch.autograd.grad(loss, one)
print(f"cross_entropy: loss {loss.abs():.2f}  gradient {gradient.abs().max():.2f}")

loss = F.binary_cross_entropy_with_logits(one.squeeze(1), zeros.float())
print(f"binary:        loss {loss:.2f}")

# %% every-message
mistakes = {
    "column": (logits, target[:, None]),
    "one number too few": (logits, target[:3]),
    "float": (logits, target.float()),
    "int32": (logits, target.int()),
    "one-hot integers": (logits, F.one_hot(target, 3)),
    "out of range": (logits, target + 1),
    "integer logits": (logits.long(), target),
    "classes last": (logits[:, None].repeat(1, 2, 1), target[:, None].repeat(1, 2)),
    "two weights": (logits, target, torch.ones(2)),
    "float64 weights": (logits, target, torch.ones(3).double()),
}
for name, arguments in mistakes.items():
    try:
        F.cross_entropy(*arguments)
    except (RuntimeError, ValueError, IndexError) as error:
        print(f"{name:18} {error}")

# %% weights-dtype raises="RuntimeError"
import numpy as np

balanced = np.array([0.5, 1.0, 2.0])  # float64, as scikit-learn returns them
F.cross_entropy(logits, target, weight=torch.from_numpy(balanced))

# %% weights-right
weight = torch.from_numpy(balanced).float()
print(f"{F.cross_entropy(logits, target, weight=weight):.2f}")

# %% remedies hidden=true
right = F.cross_entropy(logits, target)
assert torch.equal(F.cross_entropy(logits, target[:, None].squeeze(1)), right)
assert torch.equal(F.cross_entropy(logits, target.float().long()), right)
assert torch.equal(F.cross_entropy(logits, target.int().long()), right)
assert torch.equal(F.cross_entropy(logits, (target + 1) - 1), right)
assert torch.equal(F.one_hot(target, 3).argmax(dim=1), target)
try:
    F.nll_loss(logits.log_softmax(dim=1), F.one_hot(target, 3))
except RuntimeError as error:
    assert "multi-target not supported" in str(error)
else:
    raise AssertionError("nll_loss takes no one-hot target")

# %% one-logit-other-class hidden=true
try:
    F.cross_entropy(one, torch.tensor([0, 1]))
except IndexError as error:
    assert "Target 1 is out of bounds" in str(error)
else:
    raise AssertionError("there is only class 0")
assert F.cross_entropy(one, torch.rand(2, 1)).item() == 0  # probabilities as well
restored = F.cross_entropy(image.movedim(1, -1).movedim(-1, 1), classes)
assert torch.equal(restored, F.cross_entropy(image, classes))

# %% every-remedy hidden=true
for arguments in (
    (logits, target[:, None].squeeze(1)),
    (logits, target.int().long()),
    (logits, F.one_hot(target, 3).float()),
    (logits.long().float(), target),
    (logits[:, None].repeat(1, 2, 1).transpose(1, 2), target[:, None].repeat(1, 2)),
    (logits, target, torch.ones(3)),
    (image.movedim(1, -1).movedim(-1, 1), classes),
    (logits[:3], target[:3]),
):
    F.cross_entropy(*arguments)

# %% all-ignored-always hidden=true
for shape, of_target in (((4, 3), (4,)), ((2, 3, 5), (2, 5)), ((2, 3, 4, 5), (2, 4, 5))):
    for options in ({}, {"label_smoothing": 0.1}, {"weight": torch.arange(1.0, 4.0)}):
        free = torch.randn(shape, requires_grad=True)
        loss = F.cross_entropy(free, torch.full(of_target, -100), **options)
        (gradient,) = torch.autograd.grad(loss, free)
        assert loss.isnan() and (gradient == 0).all()

# %% learned-factor hidden=true
scale, free = torch.tensor(1.0, requires_grad=True), torch.randn(4, 3, requires_grad=True)
(scale * F.cross_entropy(free, torch.full((4,), -100))).backward()
assert scale.grad.isnan() and (free.grad == 0).all()  # the next step spoils the network
(scale.grad * F.cross_entropy(free, torch.arange(4) % 3)).backward()
assert free.grad.isnan().any()

# %% float-target-gpu needs="cuda" raises="NotImplementedError"
F.cross_entropy(logits.cuda(), target.float().cuda())

# %% silent-remedies hidden=true
assert not torch.tensor([0.1, 0.9]).long().any()  # measurements, or class 230 of 255
in_order = torch.arange(10).view(2, 5)  # (batch, time)
shorter = in_order[:, :4].flatten()  # targets without the last step
assert not torch.equal(in_order.flatten()[:8], shorter)  # the cut runs, and pairs others

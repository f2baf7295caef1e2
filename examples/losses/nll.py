"""What nll_loss accepts: log-probabilities and class numbers."""

# %% valid
import torch
import torch.nn.functional as F

torch.manual_seed(0)
log_probability = torch.randn(4, 3).log_softmax(dim=1)  # (batch, classes)
target = torch.tensor([0, 2, 1, 2])  # (batch,), int64
print(F.nll_loss(log_probability, target))

# %% one-hot raises="RuntimeError"
F.nll_loss(log_probability, F.one_hot(target, 3))

# %% one-hot-fix hidden=true
one_hot = F.one_hot(target, 3)
assert torch.equal(one_hot.argmax(dim=1), target)

# %% float-target raises="RuntimeError"
F.nll_loss(log_probability, target.float())

# %% out-of-range raises="IndexError"
F.nll_loss(log_probability, torch.tensor([0, 1, 2, 3]))

# %% batch raises="ValueError"
F.nll_loss(log_probability, target[:3])

# %% ignore
padded = torch.tensor([0, 2, -100, -100])
print(F.nll_loss(log_probability, padded, reduction="none"))
print(F.nll_loss(log_probability, padded))
print(F.nll_loss(log_probability[:2], padded[:2]))

# %% all-ignored
nothing = torch.full((4,), -100)
print(F.nll_loss(log_probability, nothing))
print(F.nll_loss(log_probability, nothing, reduction="sum"))

# %% all-ignored-gradient
logits = torch.randn(4, 3, requires_grad=True)
(gradient,) = torch.autograd.grad(F.cross_entropy(logits, nothing), logits)
print(gradient.abs().max())

# %% images
image = torch.randn(2, 3, 4, 5).log_softmax(dim=1)  # (N, C, H, W)
classes = torch.randint(3, (2, 4, 5))  # (N, H, W)
print("one loss per pixel:", tuple(F.nll_loss(image, classes, reduction="none").shape))

flat = image.movedim(1, -1).reshape(-1, 3)
same = F.nll_loss(flat, classes.flatten())
print(f"{F.nll_loss(image, classes):.4f} {same:.4f}")

# %% classes-last raises="RuntimeError"
F.nll_loss(image.movedim(1, -1), classes)

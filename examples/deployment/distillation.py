"""Distillation: a small model learns from a large one's probabilities."""

# %% loss
import torch
import torch.nn.functional as F
from torch import nn


def distillation_loss(student_logits, teacher_logits, temperature):
    """Both logits are (samples, classes)."""
    student = F.log_softmax(student_logits / temperature, dim=1)
    teacher = F.softmax(teacher_logits / temperature, dim=1)
    divergence = F.kl_div(student, teacher, reduction="batchmean")
    return divergence * temperature**2


logits = torch.tensor([[8.0, 4.0, 1.0]])
for temperature in (1.0, 4.0):
    print(f"temperature {temperature:.0f}:", F.softmax(logits / temperature, dim=1))

# %% scale
torch.manual_seed(0)
student_logits = torch.randn(64, 3)
teacher_logits = torch.randn(64, 3)
for temperature in (1.0, 4.0, 16.0):
    student = student_logits.clone().requires_grad_()
    loss = distillation_loss(student, teacher_logits, temperature)
    (gradient,) = torch.autograd.grad(loss, student)
    norm = gradient.norm()
    print(f"temperature {temperature:2.0f}: gradient {norm:.3f}", end=", ")
    print(f"without the factor {norm / temperature**2:.4f}")


# %% with-labels
def loss_with_labels(student, teacher, labels, temperature=4.0, alpha=0.5):
    """The usual mixture of what the labels say and what the teacher says."""
    soft = distillation_loss(student, teacher, temperature)
    return alpha * F.cross_entropy(student, labels) + (1 - alpha) * soft


student, teacher = torch.tensor([[2.0, 0.0, 1.0]]), torch.tensor([[3.0, 0.0, 2.0]])
labels = torch.tensor([2])
for alpha in (0.0, 0.5, 1.0):
    loss = loss_with_labels(student, teacher, labels, alpha=alpha)
    print(f"{alpha=} loss {loss:.3f}")


# %% train
def rings(count):
    labels = torch.arange(count) % 3
    angle = 2 * torch.pi * torch.rand(count)
    radius = 1.0 + labels + 0.25 * torch.randn(count).clamp(-1.5, 1.5)
    return torch.stack((radius * angle.cos(), radius * angle.sin()), 1), labels


def train(model, points, loss_of, steps):
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        loss_of(model(points)).backward()
        optimizer.step()


@torch.no_grad()
def accuracy(model):
    return (model(test_points).argmax(1) == test_labels).float().mean().item()


torch.manual_seed(0)
points, labels = rings(600)
test_points, test_labels = rings(3000)
teacher = nn.Sequential(
    nn.Linear(2, 128),
    nn.ReLU(),
    nn.Linear(128, 128),
    nn.ReLU(),
    nn.Linear(128, 3),
)
train(teacher, points, lambda logits: F.cross_entropy(logits, labels), 300)
teacher.eval()

few, few_labels = points[:18], labels[:18]  # only these are labeled
unlabeled = 4 * (2 * torch.rand(1000, 2) - 1)
with torch.no_grad():  # once: the teacher does not change
    soft = teacher(unlabeled)

start = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 3)).state_dict()
scores = {"teacher": accuracy(teacher)}
ways = {
    "student, 18 labels": (few, lambda out: F.cross_entropy(out, few_labels)),
    "student, distilled": (
        unlabeled,
        lambda out: distillation_loss(out, soft, 2.0),
    ),
}
for name, (inputs, loss_of) in ways.items():
    student = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 3))
    student.load_state_dict(start)
    train(student, inputs, loss_of, 500)
    scores[name] = accuracy(student)
for (name, score), bound in zip(scores.items(), (0.95, 0.85, 0.9)):
    print(f"{name:19}", "above" if score > bound else "below", f"{bound:.0%}")

# %% alpha-and-temperature
from functools import partial

torch.manual_seed(0)
student, teacher = torch.randn(64, 3), torch.randn(64, 3)
labels = torch.randint(3, (64,))


def gradient_of(loss_of):
    logits = student.clone().requires_grad_()
    return torch.autograd.grad(loss_of(logits), logits)[0].norm()


label_part = gradient_of(lambda logits: F.cross_entropy(logits, labels))
for temperature in (1.0, 2.0, 8.0):
    options = dict(teacher_logits=teacher, temperature=temperature)
    soft_part = gradient_of(partial(distillation_loss, **options))
    print(f"temperature {temperature:.0f}, alpha 0.5: labels have", end=" ")
    share = label_part / (label_part + soft_part)
    without = label_part / (label_part + soft_part / temperature**2)
    print(f"{share:.0%} of the gradients, without the factor {without:.0%}")

# %% other-inputs hidden=true
assert torch.equal(loss_with_labels(student, teacher, labels, alpha=1.0), F.cross_entropy(student, labels))
only_teacher = loss_with_labels(student, teacher, labels, temperature=3.0, alpha=0.0)
assert torch.equal(only_teacher, distillation_loss(student, teacher, 3.0))
own = F.log_softmax(teacher / 3, 1)
wrong_order = F.kl_div(own, F.softmax(student / 3, 1), reduction="batchmean") * 9
assert not torch.allclose(wrong_order, only_teacher)  # the teacher first: another loss
both_soft = F.kl_div(F.log_softmax(student / 3, 1), own, reduction="batchmean", log_target=True) * 9
assert torch.allclose(both_soft, only_teacher)
torch.manual_seed(0)
ours, theirs = torch.randn(2, 8, 5)
expected = distillation_loss(ours, theirs, 4.0)
for dtype, bound in ((torch.float64, 1e-6), (torch.float16, 0.01), (torch.bfloat16, 0.05)):
    assert abs(distillation_loss(ours.to(dtype), theirs.to(dtype), 4.0) - expected) < bound, dtype
with torch.autocast("cpu", torch.bfloat16):
    assert abs(distillation_loss(ours, theirs, 4.0) - expected) < 0.05
assert distillation_loss(ours[:1], ours[:1], 4.0).abs() < 1e-6  # one sample; the student equals its teacher


def size_of(scale, temperature):
    options = dict(teacher_logits=scale * teacher, temperature=temperature)
    logits = (scale * student).requires_grad_()
    return torch.autograd.grad(distillation_loss(logits, **options), logits)[0].norm()


for scale in (1.0, 10.0):  # flat and sharp
    grows = size_of(scale, 4.0) / size_of(scale, 1.0)
    assert (grows < 1.3) if scale == 1.0 else (grows > 2), grows
    assert size_of(scale, 256.0) / size_of(scale, 64.0) < 1.1
sharp = [F.cross_entropy((10 * student).requires_grad_(), labels), 0]
shares = []
for temperature in (1.0, 8.0):
    logits = (10 * student).requires_grad_()
    (own,) = torch.autograd.grad(F.cross_entropy(logits, labels), logits)
    shares.append(own.norm() / (own.norm() + size_of(10.0, temperature)))
assert shares[1] < shares[0] / 2, shares
found = []
for factor in (1.0, 16.0):  # what Adam makes of a factor
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    x, soft = torch.randn(64, 4), 5 * torch.randn(64, 3)
    train_it = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(50):
        train_it.zero_grad()
        (distillation_loss(model(x), soft, 4.0) / factor).backward()
        train_it.step()
    found.append(model.weight.detach())
torch.testing.assert_close(*found, atol=1e-3, rtol=0.0)

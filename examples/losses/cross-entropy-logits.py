"""cross_entropy takes logits; softmax before it is one softmax too many."""

# %% compare
import torch
import torch.nn.functional as F

logits = torch.tensor([[4.0, 1.0, 0.0, 0.0]])  # (batch, classes)
target = torch.tensor([0])
print("logits:       ", F.cross_entropy(logits, target))
print("probabilities:", F.cross_entropy(logits.softmax(dim=1), target))
print("definition:   ", -logits.softmax(dim=1)[0, 0].log())

# %% floor
import math

for classes in (2, 4, 10, 100):
    certain = torch.eye(classes)[:1]  # the best a softmax can give
    floor = F.cross_entropy(certain, target)
    formula = math.log(1 + (classes - 1) / math.e)
    print(f"{classes:3} classes: floor {floor:.4f}  formula {formula:.4f}")

# %% train
torch.manual_seed(0)
label = torch.randint(4, (64,))
inputs = F.one_hot(label, 4) + 0.3 * torch.randn(64, 4)


def train(last):
    torch.manual_seed(0)
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
    history = []
    for _ in range(100):
        loss = F.cross_entropy(last(model(inputs)), label)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
    return history


once = train(lambda logits: logits)
twice = train(lambda logits: logits.softmax(dim=1))
print(f"softmax once {once[-1]:.3f}, softmax twice {twice[-1]:.3f}")

# %% picture fold=true
import matplotlib.pyplot as plt

floor = F.cross_entropy(torch.eye(4)[:1], target).item()
figure, axes = plt.subplots(figsize=(5.6, 2.8))
axes.plot(once, label="cross_entropy(logits)")
axes.plot(twice, label="cross_entropy(logits.softmax(1))")
axes.axhline(floor, linestyle=":", color="C3", label=f"floor {floor:.3f}")
axes.set(xlabel="step", ylabel="loss", ylim=(0, 1.7))
axes.legend(loc="upper right")

# %% module
model = torch.nn.Sequential(torch.nn.Linear(4, 4))  # no Softmax at the end
criterion = torch.nn.CrossEntropyLoss()
print("loss:", criterion(model(inputs), label).detach())
shown = model(inputs)[0].softmax(dim=0)  # only for showing
print("probabilities:", shown.detach())

# %% small-gradients hidden=true
torch.manual_seed(0)
weight = torch.nn.Linear(4, 4).weight
(g1,) = torch.autograd.grad(F.cross_entropy(inputs @ weight.T, label), weight)
(g2,) = torch.autograd.grad(F.cross_entropy((inputs @ weight.T).softmax(1), label), weight)
assert torch.linalg.vector_norm(g2) < torch.linalg.vector_norm(g1) / 2

# %% twice-log-softmax hidden=true
again = F.cross_entropy(logits.log_softmax(dim=1), target)  # this one does no harm
assert torch.allclose(again, F.cross_entropy(logits, target))

# %% never-below-the-floor hidden=true
for classes in (2, 4, 10):
    lowest = math.log(1 + (classes - 1) / math.e)
    for scale in (1, 10, 1000):
        z = scale * torch.randn(1000, classes)
        losses = F.cross_entropy(z.softmax(dim=1), torch.zeros(1000, dtype=torch.long), reduction="none")
        assert losses.min() > lowest - 1e-5

"""RMSprop, Adagrad, RAdam, NAdam, Adamax, Adadelta: how long their steps are."""

# %% first-step
import torch
from torch import nn

NAMES = "SGD Adam NAdam Adamax RAdam RMSprop Adagrad Adadelta".split()


def steps(name, gradient, count):
    """The steps under one gradient, again and again, in units of lr."""
    weight = torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer = getattr(torch.optim, name)([weight])
    lengths = []
    for _ in range(count):
        before = weight.item()
        weight.grad = torch.full_like(weight, gradient)
        optimizer.step()
        lengths.append((before - weight.item()) / optimizer.defaults["lr"])
    return optimizer.defaults["lr"], lengths


for name in NAMES:
    lr, [small] = steps(name, 3.0, 1)
    _, [large] = steps(name, 300.0, 1)
    print(f"{name:8} lr {lr:<5} gradient 3: {small:6.3f} lr, 300: {large:7.3f} lr")

# %% later-steps
print(" " * 8, "".join(f"{f'step {step}':>10}" for step in (1, 5, 6, 100, 1000)))
for name in NAMES:
    _, lengths = steps(name, 3.0, 1000)
    chosen = [lengths[step - 1] for step in (1, 5, 6, 100, 1000)]
    print(f"{name:8}", "".join(f"{length:10.3f}" for length in chosen))

# %% rms-by-hand
weight = torch.tensor([1.0, -2.0], requires_grad=True)
optimizer = torch.optim.RMSprop([weight], lr=0.01, alpha=0.9)
average, expected = torch.zeros(2), weight.detach().clone()
for gradient in (torch.tensor([3.0, 0.5]), torch.tensor([-1.0, 0.5])):
    average = 0.9 * average + 0.1 * gradient**2
    expected -= 0.01 * gradient / (average.sqrt() + 1e-8)
    weight.grad = gradient
    optimizer.step()
print("by hand:", torch.allclose(weight, expected))

# %% sparse-error raises="RuntimeError"
words = nn.Embedding(1000, 8, sparse=True)
words(torch.tensor([3, 5])).sum().backward()
torch.optim.RMSprop(words.parameters()).step()

# %% sparse
before = words.weight.detach().clone()
torch.optim.SparseAdam(words.parameters(), lr=0.01).step()
changed = (words.weight != before).any(dim=1)
print("rows changed:", changed.nonzero().flatten().tolist())

# %% state-at-once
for name in ("RMSprop", "Adagrad"):
    optimizer = getattr(torch.optim, name)([weight])
    print(f"{name:8}", list(optimizer.state[weight]))

# %% sparse-adagrad hidden=true warns="UserWarning"
torch.optim.Adagrad(words.parameters()).step()

# %% sparse-others hidden=true
torch.optim.SGD(words.parameters()).step()
for name in ("Adam", "NAdam", "Adamax", "RAdam", "Adadelta"):
    try:
        getattr(torch.optim, name)(words.parameters()).step()
    except RuntimeError as error:
        assert "sparse" in str(error)
    else:
        raise AssertionError(name)

# %% sparse-decay hidden=true
for name in ("SGD", "Adagrad"):
    try:
        getattr(torch.optim, name)(words.parameters(), weight_decay=0.1).step()
    except RuntimeError as error:
        assert "sparse" in str(error)
    else:
        raise AssertionError(name)

# %% claims hidden=true
for gradient in (0.5, 3.0, -40.0):
    lengths = steps("Adagrad", gradient, 200)[1]
    assert all(abs(abs(s) - (k + 1) ** -0.5) < 1e-4 for k, s in enumerate(lengths))
    lengths = steps("RAdam", gradient, 6)[1]
    assert all(abs(s - gradient) < 1e-6 for s in lengths[:5]) and abs(lengths[5]) < 0.1
    lengths = steps("Adadelta", gradient, 1000)[1]
    assert all(abs(a) <= abs(b) * 1.0001 for a, b in zip(lengths[4:], lengths[5:]))
    assert abs(steps("RMSprop", gradient, 500)[1][-1]) < 1.01
for name in ("Adam", "NAdam", "Adamax"):
    assert steps(name, 1e-9, 1)[1][0] < 0.1  # below eps, 1e-8
assert steps("Adagrad", 1e-12, 1)[1][0] < 0.1  # its eps is 1e-10
keras = torch.zeros(1, dtype=torch.float64, requires_grad=True)
keras.grad = torch.ones_like(keras)
torch.optim.RMSprop([keras], lr=1.0, alpha=0.9).step()
assert abs(keras.item() + 3.16) < 0.01

# %% sparse-and-dense hidden=true
net = nn.Sequential(nn.Embedding(20, 4, sparse=True), nn.Linear(4, 2))
net(torch.tensor([3, 5])).sum().backward()
torch.optim.SGD(net.parameters(), lr=0.1).step()
try:
    torch.optim.SparseAdam(net.parameters()).step()
except RuntimeError as error:
    assert "does not support dense gradients" in str(error), error
else:
    raise AssertionError("SparseAdam takes dense gradients")
torch.optim.SparseAdam(net[0].parameters()).step()
torch.optim.Adam(net[1].parameters()).step()

"""split, chunk, tensor_split, unbind: cut a tensor into views."""

# %% three-ways
import torch

x = torch.arange(10)
print("split(4):       ", [part.tolist() for part in x.split(4)])
print("chunk(4):       ", [part.tolist() for part in x.chunk(4)])
print("tensor_split(4):", [part.tolist() for part in x.tensor_split(4)])

# %% drawing fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.6, 2.2))
cuts = {"split(4)": x.split(4), "chunk(4)": x.chunk(4), "tensor_split(4)": x.tensor_split(4)}
for row, parts in enumerate(cuts.values()):
    for k, part in enumerate(parts):
        for value in part.tolist():
            left = value + 0.3 * k
            ax.add_patch(plt.Rectangle((left, 1.4 * row), 1, 1, facecolor=f"C{k}", alpha=0.45))
            ax.text(left + 0.5, 1.4 * row + 0.5, value, ha="center", va="center")
ax.set_yticks([1.4 * row + 0.5 for row in range(3)], list(cuts))
ax.set(xlim=(-0.1, 11), ylim=(3.9, -0.1), xticks=[])
ax.spines[:].set_visible(False)
ax.tick_params(length=0)

# %% fewer
print("chunk(4) of 6:", [len(part) for part in torch.arange(6).chunk(4)])
print("tensor_split: ", [len(part) for part in torch.arange(6).tensor_split(4)])

# %% own-sizes
print("sizes: ", [part.tolist() for part in x.split([2, 3, 5])])
print("places:", [part.tolist() for part in x.tensor_split([2, 5])])

# %% sizes-error raises="RuntimeError"
x.split([2, 3])

# %% dim
projected = torch.arange(12).view(2, 6)  # (batch, 3 * features)
query, key, value = projected.chunk(3, dim=-1)
for name, part in {"query": query, "key": key, "value": value}.items():
    print(f"{name:6}", part.tolist())

# %% unbind
table = torch.arange(6).view(3, 2)
print(table.unbind(0))
print(table.unbind(1))

# %% views
first, second = x.chunk(2)
first[0] = 100
print(x)

# %% back
print("cat undoes split:   ", torch.equal(torch.cat(x.split(4)), x))
print("stack undoes unbind:", torch.equal(torch.stack(table.unbind()), table))

# %% in-place raises="RuntimeError"
weight = torch.ones(4, requires_grad=True)
first, second = (weight * 2).chunk(2)
first.mul_(3)

# %% in-place-cure
print((first * 3).sum())

# %% tensor-split-in-place hidden=true
for name, argument in {"split": (2,), "chunk": (2,), "unbind": (), "tensor_split": (2,)}.items():
    part = getattr(weight * 2, name)(*argument)[0]
    try:
        part.mul_(3)
    except RuntimeError:
        assert name != "tensor_split"
    else:
        assert name == "tensor_split"

# %% before-the-cut hidden=true
for cut in (lambda t: t.split(2), lambda t: t.chunk(2), lambda t: t.tensor_split(2)):
    parameter = torch.ones(4, requires_grad=True)
    with torch.no_grad():
        parameter[:2] *= 3
    left, right = cut(parameter)
    (left * right).sum().backward()
    assert parameter.grad.tolist() == [1.0, 1.0, 3.0, 3.0]
left, right = parameter.chunk(2)
with torch.no_grad():
    left.mul_(3)
try:
    left * right
except RuntimeError as error:
    assert "has been modified inplace" in str(error), error
else:
    raise AssertionError
plain = torch.arange(4.0)
plain.tensor_split(2)[0].mul_(weight[:2])
assert plain.requires_grad

# %% result-kept hidden=true
whole = weight * 2
first, second = whole.chunk(2)
first.mul(3)  # without a name for the result, nothing happens
assert first.tolist() == [2.0, 2.0]
first = first.clone()
first.mul_(3)
assert first.tolist() == [6.0, 6.0] and whole.tolist() == [2.0] * 4
try:
    torch.ones(10, 6).split([2, 4])  # dim=1 was meant
except RuntimeError as error:
    assert "at dimension 0" in str(error)
else:
    raise AssertionError("cut along another dimension")
assert [part.shape[0] for part in torch.ones(10, 6).split([4, 6])] == [4, 6]  # cuts the batch

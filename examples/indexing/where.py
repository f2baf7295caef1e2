"""torch.where(condition, a, b): broadcasting, types, and the NaN gradient."""

# %% broadcast
import torch

condition = torch.tensor([[True], [False]])  # (2, 1)
values = torch.arange(3)  # (3,)
print("function:", torch.where(condition, values, -1), sep="\n")  # (2, 3)
print("method:  ", values.where(values > 0, -1))  # kept where True

# %% scalars
mask = torch.tensor([True, False])
print("1 and 0:  ", torch.where(mask, 1, 0), torch.where(mask, 1, 0).dtype)
print("1.0 and 0:", torch.where(mask, 1.0, 0), torch.where(mask, 1.0, 0).dtype)

# %% promotion
integers, halves = torch.arange(2), torch.ones(2, dtype=torch.float16)
print("int64, float16:", torch.where(mask, integers, halves).dtype)
print("int64, 0.5:    ", torch.where(mask, integers, 0.5).dtype)
print("float16, 0.5:  ", torch.where(mask, halves, 0.5).dtype)

# %% not-bool raises="RuntimeError"
torch.where(torch.tensor([1, 0]), 1.0, 2.0)

# %% boolean
flags = torch.tensor([1, 0])
print("compared: ", torch.where(flags == 1, 1.0, 2.0))
print("converted:", torch.where(flags.bool(), 1.0, 2.0))

# %% nan-gradient
x = torch.tensor([-1.0, 4.0], requires_grad=True)
root = x.sqrt()
root.retain_grad()
y = torch.where(x > 0, root, 0.0)
print("y:        ", y.detach())
y.sum().backward()
print("root.grad:", root.grad)
print("x.grad:   ", x.grad)

# %% double-where
x.grad = None
positive = x > 0
safe = torch.where(positive, x, 1.0)  # a harmless input for sqrt
y = torch.where(positive, safe.sqrt(), 0.0)
y.sum().backward()
print(x.grad)

# %% masked-fill hidden=true
filled = integers.masked_fill(mask, 0.5)
assert filled.tolist() == [0, 1] and torch.where(mask, 0.5, integers).tolist() == [0.5, 1.0]

# %% eight-bit-condition hidden=true
import warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    try:
        chosen = torch.where(torch.tensor([2, 0], dtype=torch.uint8), 1.0, 2.0)
    except RuntimeError:
        assert torch.__version__ >= "2.14"  # what is deprecated may go
    else:
        assert chosen.tolist() == [1.0, 2.0] and "deprecated" in str(caught[0].message)

# %% condition-as-method hidden=true
condition, first, second = torch.tensor([True, False, True]), torch.tensor([0, 2, 3]), torch.tensor([9, 9, 9])
meant = torch.where(condition, first, second)
assert torch.equal(first.where(condition, second), meant)
assert not torch.equal(condition.where(first.bool(), second), meant)  # values as a condition

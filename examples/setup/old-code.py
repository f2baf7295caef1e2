"""Code from old tutorials: what it says today, and today's form."""

# %% zero-dim raises="IndexError"
import torch
from torch import nn

weight = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (weight**2).mean()
print("loss", loss.data[0])

# %% item
print("loss", loss.item())


# %% legacy-function raises="RuntimeError" warns="DeprecationWarning"
class OldDouble(torch.autograd.Function):
    def forward(self, x):
        return 2 * x

    def backward(self, grad):
        return 2 * grad


OldDouble()(weight)


# %% static
class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 2 * x

    @staticmethod
    def backward(ctx, grad):
        return 2 * grad


Double.apply(weight).sum().backward()
print(weight.grad)

# %% np-int raises="AttributeError"
import numpy as np

labels = np.array([0, 1], dtype=np.int)

# %% numpy-types
labels = np.array([0, 1], dtype=np.int64)
print(torch.from_numpy(labels).dtype)
print(np.zeros(2, dtype=float).dtype, np.zeros(2, dtype=bool).dtype)

# %% cuda-amp warns="FutureWarning"
scaler = torch.cuda.amp.GradScaler(enabled=False)
with torch.cuda.amp.autocast(enabled=False):
    pass

# %% amp
scaler = torch.amp.GradScaler("cpu")  # "cuda" on a GPU
with torch.autocast("cpu", dtype=torch.bfloat16):
    print(nn.Linear(2, 2)(torch.ones(1, 2)).dtype)

# %% sequence warns="UserWarning"
image = torch.arange(12).view(3, 4)
crop = [slice(0, 2), slice(1, 3)]
print(image[crop])

# %% tuple
print(image[tuple(crop)])

# %% gone-too hidden=true
for name in ("int", "float", "object"):
    assert name not in vars(np)
assert ("bool" in vars(np)) == (int(np.__version__.split(".")[0]) >= 2)

# %% list-of-lists hidden=true
import warnings

rows = [[0, 1], [1, 2]]
with warnings.catch_warnings():
    warnings.simplefilter("error")
    assert image[tuple(rows)].tolist() == [1, 6] and image[torch.tensor(rows)].shape == (2, 2, 4)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # shown above
    read = image[rows]
assert read.tolist() in ([1, 6], image[torch.tensor(rows)].tolist())  # by release


# %% not-only-tensors hidden=true
class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return factor * x

    @staticmethod
    def backward(ctx, grad):
        return ctx.factor * grad, None


class Saving(Scale):
    @staticmethod
    def forward(ctx, x, factor):
        ctx.save_for_backward(factor)
        return factor * x


weight.grad = None
Scale.apply(weight, 3.0).sum().backward()
assert weight.grad.tolist() == [3.0, 3.0]
try:
    Saving.apply(weight, 3.0)
except TypeError as error:
    assert "save_for_backward can only save" in str(error), error
else:
    raise AssertionError

# %% dtype-comes-second hidden=true
import inspect

assert list(inspect.signature(torch.autocast).parameters)[:2] == ["device_type", "dtype"]
assert list(inspect.signature(torch.cuda.amp.autocast.__init__).parameters)[:2] == ["self", "enabled"]

# %% list-of-tensors hidden=true
pieces = [torch.tensor(row) for row in rows]
assert torch.equal(image[torch.stack(pieces)], image[torch.tensor(rows)])
try:
    torch.tensor(pieces)
except (TypeError, ValueError):  # by release
    pass
else:
    raise AssertionError

# %% parameter-by-index hidden=true
scale, others = nn.Parameter(torch.tensor(2.0)), nn.Parameter(torch.ones(2))
(scale.item() * others).sum().backward()
assert scale.grad is None and others.grad is not None  # not trained, and no error
(scale * others).sum().backward()
assert scale.grad is not None

"""The dtype of a tensor: how it is inferred, what it is, what it is not."""

# %% inferred
import numpy as np
import torch

for data in (
    [1, 2],
    [1, 2.5],
    [True, False],
    [1j],
    np.array([1.5]),
    np.array([1, 2], dtype=np.int32),
    [np.float64(1.5), 2.5],
):
    print(f"{data!r:30} {torch.tensor(data).dtype}")

# %% default-dtype
torch.set_default_dtype(torch.float64)
print("Python floats: ", torch.tensor([1, 2.5]).dtype)
print("float32 array: ", torch.tensor(np.array([1.5], dtype=np.float32)).dtype)
torch.set_default_dtype(torch.float32)

# %% double-meets-float raises="RuntimeError"
layer = torch.nn.Linear(2, 1)
readings = np.array([[1.5, 2.5]])  # float64, as NumPy makes it
layer(torch.tensor(readings))

# %% converted
batch = torch.tensor(readings, dtype=torch.float32)
print(layer(batch).dtype)

# %% dtype-or-type
print("dtype: ", batch.dtype)
print("type():", batch.type())
print("class: ", type(batch))

# %% not-a-dtype
print("torch.float32:    ", type(torch.float32))
print("torch.FloatTensor:", type(torch.FloatTensor))
print("equal to batch.dtype:", batch.dtype == torch.FloatTensor)

# %% same-dtype-same-class
for dtype in (torch.float64, torch.int64, torch.bool, torch.bfloat16):
    tensor = batch.to(dtype)
    print(f"{str(tensor.dtype):15} {tensor.type():22} {type(tensor).__name__}")

# %% aliases
for name in ("float", "double", "half", "int", "long"):
    print(f"torch.{name:7}", getattr(torch, name))

# %% kinds
print(" " * 15, "floating_point", "complex")
for dtype in (torch.bfloat16, torch.complex64, torch.int64, torch.bool):
    tensor = torch.zeros(2, dtype=dtype)
    floating = tensor.is_floating_point()
    print(f"{str(dtype):15} {floating!s:14} {tensor.is_complex()}")

# %% without-parentheses
counts = torch.tensor([1, 2])
print("a method is true:", bool(counts.is_floating_point))
print("its answer:      ", counts.is_floating_point())
print("of a dtype:      ", counts.dtype.is_floating_point)

# %% called-on-dtype raises="TypeError"
counts.dtype.is_floating_point()

# %% kind-of-a-number raises="TypeError"
torch.is_floating_point(1.5)

# %% is-tensor
for value in (1.5, batch, layer.weight, readings):
    print(f"{type(value).__name__:9}", torch.is_tensor(value))

# %% default-scope
before = torch.get_default_dtype()
torch.set_default_dtype(torch.bfloat16)
made = {
    "zeros(2)": torch.zeros(2),
    "arange(0, 1, 0.5)": torch.arange(0, 1, 0.5),
    "tensor(1) / 2": torch.tensor(1) / 2,
    "Linear(2, 1)": torch.nn.Linear(2, 1).weight,
    "tensor([1, 2])": torch.tensor([1, 2]),
    "as_tensor(array)": torch.as_tensor(readings),
}
torch.set_default_dtype(before)
for code, tensor in made.items():
    print(f"{code:18}", tensor.dtype)

# %% default-integer raises="TypeError"
torch.set_default_dtype(torch.int64)

# %% integer-dtype hidden=true
assert torch.zeros(2, dtype=torch.int64).dtype == torch.int64

# %% mixed-lists hidden=true
for pair in (
    [np.int32(1), 2],
    [np.float16(1), 2.5],
    [np.int8(1), 1.5],
    [np.float64(1), 1j],
    [np.float16(1), np.int64(3)],
):
    first, second = (torch.tensor(number).dtype for number in pair)
    assert torch.tensor(pair).dtype == torch.promote_types(first, second), pair

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

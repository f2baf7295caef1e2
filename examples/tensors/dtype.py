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
):
    print(f"{data!r:30} {torch.tensor(data).dtype}")

# %% default-dtype
torch.set_default_dtype(torch.float64)
print(torch.tensor([1, 2.5]).dtype)
print(torch.tensor(np.array([1.5], dtype=np.float32)).dtype)
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
print(isinstance(torch.float32, torch.dtype))
print(isinstance(torch.FloatTensor, torch.dtype))
print(batch.dtype is torch.FloatTensor)

# %% same-dtype-same-class
for dtype in (torch.float64, torch.int64, torch.bool, torch.bfloat16):
    tensor = batch.to(dtype)
    print(f"{str(tensor.dtype):15} {tensor.type():22} {type(tensor) is torch.Tensor}")

# %% aliases
print(torch.float is torch.float32, torch.double is torch.float64)
print(torch.long is torch.int64, torch.half is torch.float16)

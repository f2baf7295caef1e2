"""From NumPy and back: who copies, who shares memory."""

# %% three-ways
import numpy as np
import torch

readings = np.array([1.0, 2.0])
copied = torch.tensor(readings)
shared = torch.from_numpy(readings)
viewed = torch.as_tensor(readings)

readings[0] = 99
print("tensor:    ", copied)
print("from_numpy:", shared)
print("as_tensor: ", viewed)

# %% as-tensor-copies
converted = torch.as_tensor(readings, dtype=torch.float32)
readings[0] = -1
print("array:  ", readings)
print("float32:", converted)

# %% back-to-numpy
array = shared.numpy()
shared[1] = 7
print(array, array.dtype)
print("same memory:", np.shares_memory(array, readings))

# %% numpy-requires-grad raises="RuntimeError"
weight = torch.tensor([1.0, 2.0], requires_grad=True)
weight.numpy()

# %% numpy-detached
print(weight.detach().numpy())
print(weight.numpy(force=True))

# %% numpy-other-device raises="TypeError"
torch.zeros(2, device="meta").numpy()

# %% to-the-cpu-first
print(weight.detach().cpu().numpy())  # on the CPU, cpu() copies nothing

# %% counter-cases hidden=true
arrays = [np.arange(6.0).reshape(2, 3).T, np.arange(8)[1::2], np.array(1.0), np.array([True])]
arrays += [np.arange(3, dtype=dtype) for dtype in ("u1", "i2", "i8", "f2", "f4", "c8")]
for array in arrays:
    shared, copied = torch.from_numpy(array), torch.tensor(array)
    assert np.shares_memory(array, shared.numpy()) and not np.shares_memory(array, copied.numpy())
    assert shared.dtype == copied.dtype and shared.shape == copied.shape == array.shape

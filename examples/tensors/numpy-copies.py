"""From NumPy and back: who copies, who shares memory."""

# %% three-ways
import numpy as np
import torch

readings = np.array([1.0, 2.0])
copied = torch.tensor(readings)
shared = torch.from_numpy(readings)
either = torch.as_tensor(readings)

readings[0] = 99
print("tensor:    ", copied)
print("from_numpy:", shared)
print("as_tensor: ", either)

# %% as-tensor-copies
converted = torch.as_tensor(readings, dtype=torch.float32)
readings[0] = -1
print(converted)

# %% back-to-numpy
array = shared.numpy()
shared[1] = 7
print(array, array.dtype)
print(np.shares_memory(array, readings))

# %% numpy-requires-grad raises="RuntimeError"
weight = torch.tensor([1.0, 2.0], requires_grad=True)
weight.numpy()

# %% numpy-detached
print(weight.detach().numpy())

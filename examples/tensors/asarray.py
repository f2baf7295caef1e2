"""torch.asarray, from_dlpack and numpy(): say whether memory is shared."""

# %% copy-argument
import numpy as np
import torch

readings = np.array([1.0, 2.0])
for copy in (None, True, False):
    tensor = torch.asarray(readings, copy=copy)
    shared = np.shares_memory(readings, tensor.numpy())
    print(f"copy={copy!s:6} shares memory: {shared}")

# %% copy-false raises="ValueError"
torch.asarray(readings, dtype=torch.float32, copy=False)

# %% takes-anything
print("from a list:", torch.asarray([1, 2]))
weight = torch.tensor([1.0, 2.0], requires_grad=True)
print("same tensor:", torch.asarray(weight, requires_grad=True) is weight)

# %% dlpack
tensor = torch.from_dlpack(readings)  # NumPy, CuPy, JAX, TensorFlow, …
back = np.from_dlpack(tensor)
tensor[0] = 99
print("array: ", readings)
print("tensor:", tensor)
print("back:  ", back)

# %% dlpack-grad raises="BufferError"
np.from_dlpack(weight)

# %% dlpack-detached
print(np.from_dlpack(weight.detach()))

# %% read-only warns="UserWarning"
pixels = np.array([1.0, 2.0])
pixels.setflags(write=False)
tensor = torch.asarray(pixels)
tensor[0] = 99  # no error
print("the read-only array:", pixels)

# %% read-only-copied
print("a copy:", torch.asarray(pixels, copy=True))

# %% force
array = weight.numpy(force=True)
print(array, "shares memory:", np.shares_memory(array, weight.detach().numpy()))

# %% other-dtype
singles = readings.astype(np.float32)
tensor = torch.asarray(singles, copy=False)
print("shared:", tensor)
print("copied:", torch.asarray(readings, dtype=torch.float32))

# %% keeps-gradients warns="UserWarning"
kept = torch.asarray(weight)
print("same tensor:", kept is weight, "requires_grad:", kept.requires_grad)

# %% dlpack-copy
separate = torch.from_dlpack(readings, copy=True)
print("shares memory:", np.shares_memory(readings, separate.numpy()))

# %% bfloat16 raises="TypeError"
half = torch.ones(2, dtype=torch.bfloat16)
half.numpy(force=True)

# %% bfloat16-converted
print(half.float().numpy())

# %% counter-cases hidden=true
for data in ([1.0, 2.0], torch.arange(3.0), torch.arange(6).reshape(2, 3).T, torch.zeros(0), torch.tensor(1.0)):
    copied = torch.asarray(data, copy=True)
    if torch.is_tensor(data):
        assert torch.equal(copied, data) and copied.untyped_storage() is not data.untyped_storage()
        assert not data.numel() or copied.data_ptr() != data.data_ptr()
for data, dtype in (([1.0], None), (torch.ones(2), torch.float64), (3.0, None)):
    try:
        torch.asarray(data, dtype=dtype, copy=False)
    except (RuntimeError, ValueError):
        continue
    raise AssertionError(f"{data} cannot be shared as {dtype}")

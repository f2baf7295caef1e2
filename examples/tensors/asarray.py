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

# %% other-dtype
singles = readings.astype(np.float32)
tensor = torch.asarray(singles, copy=False)
print("shared:", tensor)
print("copied:", torch.asarray(readings, dtype=torch.float32))

# %% takes-anything
print("from a list:", torch.asarray([1, 2]))
weight = torch.tensor([1.0, 2.0], requires_grad=True)
print("same tensor:", torch.asarray(weight, requires_grad=True) is weight)

# %% keeps-gradients warns="UserWarning"
kept = torch.asarray(weight)
print("same tensor:", kept is weight, "requires_grad:", kept.requires_grad)

# %% switched-off
frozen = torch.asarray(weight, requires_grad=False)
print("same tensor:", frozen is weight, "requires_grad:", weight.requires_grad)
weight.requires_grad_()  # on again

# %% dlpack
tensor = torch.from_dlpack(readings)  # NumPy, CuPy, JAX, TensorFlow, …
back = np.from_dlpack(tensor)
tensor[0] = 99
print("array: ", readings)
print("tensor:", tensor)
print("back:  ", back)

# %% dlpack-copy
separate = torch.from_dlpack(readings, copy=True)
print("shares memory:", np.shares_memory(readings, separate.numpy()))

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

# %% detached hidden=true
import warnings

with warnings.catch_warnings(action="error"):
    assert not torch.asarray(weight.detach()).requires_grad and weight.requires_grad
assert np.shares_memory(np.from_dlpack(weight.detach()), weight.detach().numpy())

# %% raw-memory hidden=true
import array

assert torch.asarray(array.array("i", [1, 2])).dtype == torch.float32  # nonsense
assert torch.asarray(array.array("i", [1, 2]), dtype=torch.int32).tolist() == [1, 2]
assert torch.asarray(array.array("i", [1, 2]), dtype=torch.float32).max() < 1e-44  # not 2
assert torch.asarray(bytearray(b"ab"), dtype=torch.uint8).tolist() == [97, 98]
assert torch.asarray(memoryview(readings)).tolist() != readings.tolist()  # nonsense, too

# %% negative-stride hidden=true
import os

if hasattr(os, "fork"):  # in a child, since it is killed
    child = os.fork()
    if not child:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            torch.from_dlpack(readings[::-1])
        finally:  # a release may raise instead
            os._exit(0)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])

# %% no-dimensions hidden=true
scalar = np.array(3.0)
torch.asarray(scalar, copy=False).fill_(7)  # a copy all the same
assert scalar == 3
for share in (torch.as_tensor, torch.from_numpy, torch.from_dlpack):
    share(scalar).add_(1)
assert scalar == 6

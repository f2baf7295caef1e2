"""Arrays that do not become tensors, and what to do about it."""

# %% negative-stride raises="ValueError"
import numpy as np
import torch

image = np.arange(6.0).reshape(2, 3)  # (rows, columns)
torch.from_numpy(image[:, ::-1])  # mirrored

# %% negative-stride-copied
print("copied:", torch.from_numpy(image[:, ::-1].copy()), sep="\n")
print("flipped:", torch.from_numpy(image).flip(1), sep="\n")

# %% object-array raises="TypeError"
column = np.array([1.0, None])
torch.from_numpy(column)

# %% object-array-converted
print("before:", column.dtype)
print("after: ", torch.from_numpy(column.astype(np.float32)))

# %% strings raises="ValueError"
np.array([1.5, "n/a"], dtype=object).astype(np.float32)

# %% strings-replaced
mixed = np.array([1.5, "n/a"], dtype=object)
numbers = np.where(mixed == "n/a", np.nan, mixed).astype(np.float32)
print(torch.from_numpy(numbers))

# %% not-an-array raises="TypeError"
torch.from_numpy([1.0, 2.0])

# %% list-to-tensor
print(torch.tensor([1.0, 2.0]))

# %% read-only warns="UserWarning"
pixels = np.frombuffer(b"\x01\x02\x03", dtype=np.uint8)  # bytes cannot be changed
torch.from_numpy(pixels)

# %% read-only-copied
print(torch.tensor(pixels))

# %% list-of-arrays warns="UserWarning"
rows = [np.zeros(3), np.ones(3)]
torch.tensor(rows)

# %% one-array-first
print(torch.tensor(np.stack(rows)))

# %% large-whole-numbers hidden=true
ids = np.array([123456789, None], dtype=object)
assert int(ids.astype(np.float32)[0]) == 123456792 and int(ids.astype(np.float64)[0]) == 123456789
swapped = np.array([1.0, 2.0], dtype=">f4" if np.little_endian else "<f4")
try:
    torch.from_numpy(swapped.copy())
except ValueError as error:
    assert "byte order" in str(error)
else:
    raise AssertionError("copy() keeps the byte order")
assert torch.from_numpy(swapped.astype(np.float32)).tolist() == [1.0, 2.0]

"""Where in memory t[i, j] is: offset + i * stride(0) + j * stride(1)."""

# %% formula
import torch

base = torch.arange(100, 112).view(3, 4)
tensors = {
    "base": base,
    "base[1:, 1:]": base[1:, 1:],
    "base.t()": base.t(),
    "base[::2, ::3]": base[::2, ::3],
    "base[:1].expand(2, 4)": base[:1].expand(2, 4),
}
storage = base.flatten()  # the twelve numbers in memory, in order
i, j = 1, 1
for name, t in tensors.items():
    offset, (down, right) = t.storage_offset(), t.stride()
    place = offset + i * down + j * right
    steps = f"{offset} + 1 * {down} + 1 * {right} = {place:2}"
    print(f"{name:22}{steps}  storage: {storage[place]}  t[1, 1]: {t[i, j]}")

# %% bytes
t = base[1:, 1:]
start = base.untyped_storage().data_ptr()
first = start + t.storage_offset() * t.element_size()
print("data_ptr() is the first element:", t.data_ptr() == first)
print("bytes from the start to t[1, 2]:", t[1, 2].data_ptr() - start)

# %% shared
print("same data_ptr():", t.data_ptr() == base.data_ptr())
print("same storage:   ", t.untyped_storage().data_ptr() == start)

# %% everywhere hidden=true
for t in tensors.values():
    assert t.untyped_storage().data_ptr() == storage.untyped_storage().data_ptr()
    for i in range(t.size(0)):
        for j in range(t.size(1)):
            assert storage[t.storage_offset() + i * t.stride(0) + j * t.stride(1)] == t[i, j]

# %% address-0 hidden=true
assert torch.empty(1, 2).t().is_contiguous() and torch.empty(1, 2).t().stride() == (1, 2)
for tensor in (torch.empty(0), torch.empty(2, device="meta")):
    assert tensor.untyped_storage().data_ptr() == 0

# %% around-numpy hidden=true
import numpy as np

array = np.arange(10.0)
whole, rest = torch.from_numpy(array), torch.from_numpy(array[2:])
assert whole.untyped_storage().data_ptr() != rest.untyped_storage().data_ptr()
assert np.shares_memory(whole.numpy(), rest.numpy())
assert base[:1].untyped_storage().data_ptr() == base[2:].untyped_storage().data_ptr()
assert not np.shares_memory(base[:1].numpy(), base[2:].numpy())

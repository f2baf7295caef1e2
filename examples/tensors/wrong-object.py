"""An attribute is missing: it belongs to another kind of object."""

# %% astype raises="AttributeError"
import numpy as np
import torch
from torch import nn

pixels = torch.tensor([[0, 128, 255]])
pixels.astype(np.float32)  # NumPy's name

# %% astype-cure
print(pixels.float().dtype, pixels.to(torch.float32).dtype)
print(pixels.numpy().astype(np.float32).dtype)

# %% dictionary
array = np.arange(6.0).reshape(2, 3)
tensor = torch.from_numpy(array)
same = {
    "tensor.float()": "array.astype(np.float32)",
    "tensor.clone()": "array.copy()",
    "tensor.unsqueeze(0)": "array[None]",
    "tensor.permute(1, 0)": "array.transpose(1, 0)",
    "torch.cat([tensor, tensor])": "np.concatenate([array, array])",
    "tensor.numel()": "array.size",
}
for ours, theirs in same.items():
    print(f"{ours:29}{theirs:32}", np.array_equal(eval(ours), eval(theirs)))

# %% unsqueeze raises="AttributeError"
image = pixels.numpy()  # from here on an array
image.unsqueeze(0)

# %% unsqueeze-cure
print(torch.from_numpy(image).unsqueeze(0).shape, image[None].shape)

# %% backward raises="AttributeError"
net = nn.Linear(2, 1)
loss = net(torch.ones(4, 2)).mean().item()
loss.backward()

# %% backward-cure
loss = net(torch.ones(4, 2)).mean()
loss.backward()
print("the number:", type(loss.item()).__name__, "the gradient:", net.bias.grad)

# %% tuple raises="AttributeError"
gru = nn.GRU(2, 3)
out = gru(torch.ones(5, 1, 2))  # (time, batch, features)
out.argmax(dim=-1)

# %% tuple-cure
print([tuple(part.shape) for part in out])
out, state = out
print(out.argmax(dim=-1).shape)

# %% weights raises="AttributeError"
net.weights

# %% names
print([name for name, _ in net.named_parameters()])
print([name for name in vars(net) if not name.startswith("_")])

# %% sequential raises="AttributeError"
block = nn.Sequential(net, nn.ReLU())
block.weight

# %% sequential-cure
print(block[0].weight.shape)


# %% dtype-type raises="AttributeError"
def is_float(array):
    """As code for NumPy asks."""
    return issubclass(array.dtype.type, np.floating)


is_float(torch.ones(2))

# %% dtype-type-cure
x = torch.ones(2)
print(is_float(x.numpy()), x.dtype.is_floating_point, x.dtype == torch.float32)

# %% dtype-for-numpy raises="TypeError"
np.zeros(2, dtype=x.dtype)

# %% dtype-for-numpy-cure
print(np.zeros(2, dtype=x.numpy().dtype).dtype)

# %% named-tuple hidden=true
try:
    torch.ones(2, 2).max(dim=1).argmax()
except AttributeError as error:
    assert str(error).startswith("'torch.return_types.max' object"), error
else:
    raise AssertionError("max() returns something else")
assert type(nn.MultiheadAttention(2, 1)(*[torch.ones(3, 1, 2)] * 3)) is tuple

# %% dtypes hidden=true
for dtype in (torch.float16, torch.float64, torch.int64, torch.uint8, torch.bool, torch.complex64):
    there = torch.zeros(2, dtype=dtype)
    assert is_float(there.numpy()) is dtype.is_floating_point
    assert torch.from_numpy(np.zeros(2, dtype=there.numpy().dtype)).dtype == dtype

"""reshape() and flatten() return a view if they can, a copy if they must."""

# %% setup
import torch

x = torch.arange(6)
m = x.view(2, 3)

# %% view-or-copy
view = x.reshape(3, 2)
view[0, 0] = 100
print("x[0]:", x[0].item(), "shared:", view.data_ptr() == x.data_ptr())

copy = m.t().reshape(6)
copy[1] = -1
print("m[1, 0]:", m[1, 0].item(), "shared:", copy.data_ptr() == x.data_ptr())

# %% say-which
own = x.reshape(3, 2).clone()  # a copy in every case
own.zero_()
print(x)

# %% flatten
image = torch.arange(24).view(2, 3, 4)
print("flatten():    ", tuple(image.flatten().shape))
print("flatten(1):   ", tuple(image.flatten(1).shape))  # from dimension 1 on
print("flatten(0, 1):", tuple(image.flatten(0, 1).shape))  # dimensions 0 to 1
print("0-D tensor:   ", tuple(torch.tensor(7).flatten().shape))

# %% flatten-shares
turned = image.transpose(1, 2)  # (2, 4, 3)
part = image[:, :2]  # (2, 2, 4)
tensors = {"contiguous": image, "transposed": turned, "sliced": part}
for name, tensor in tensors.items():
    shared = tensor.flatten(1).data_ptr() == tensor.data_ptr()
    contiguous = str(tensor.is_contiguous())
    print(f"{name:11} contiguous: {contiguous:6} flatten(1) shares: {shared}")

# %% keep-batch
photos = torch.arange(24).view(2, 3, 2, 2)  # (batch, channel, height, width)
features = photos.flatten(1)
print(features)
restored = features.unflatten(1, (3, 2, 2))
print(restored.shape, "same as before:", torch.equal(restored, photos))

# %% module
print("nn.Flatten()(photos):", tuple(torch.nn.Flatten()(photos).shape))
print("photos.flatten():    ", tuple(photos.flatten().shape))

# %% unflatten
print(features.unflatten(1, (3, -1)).shape)

# %% unflatten-error raises="RuntimeError"
features.unflatten(1, (5, -1))

# %% ravel
grid = torch.arange(6).reshape(2, 3)
flat = grid.ravel()
print(flat, "same memory:", flat.data_ptr() == grid.data_ptr())
swapped = grid.swapaxes(0, 1)  # transpose under NumPy's name
print("same as transpose:", torch.equal(swapped, grid.transpose(0, 1)))
flat = swapped.ravel()
print(flat, "same memory:", flat.data_ptr() == grid.data_ptr())

# %% ravel-of-a-step hidden=true
step = torch.arange(12)[::2]
assert step.reshape(-1).data_ptr() == step.data_ptr() != step.ravel().data_ptr()
assert step.ravel().is_contiguous() and not step.flatten().is_contiguous()

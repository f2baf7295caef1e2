"""reshape() and flatten() return a view if they can, a copy if they must."""

# %% setup
import torch

x = torch.arange(6)
m = x.view(2, 3)

# %% view-or-copy
view = x.reshape(3, 2)
view[0, 0] = 100
print(x[0], view.data_ptr() == x.data_ptr())

copy = m.t().reshape(6)
copy[1] = -1
print(m[1, 0], copy.data_ptr() == x.data_ptr())

# %% say-which
own = x.reshape(3, 2).clone()  # a copy in every case
own.zero_()
print(x)

# %% flatten
image = torch.arange(24).view(2, 3, 4)
print(image.flatten().shape)
print(image.flatten(1).shape)  # from dimension 1 on
print(image.flatten(0, 1).shape)  # dimensions 0 to 1
print(torch.tensor(7).flatten().shape)

# %% flatten-shares
turned = image.transpose(1, 2)  # (2, 4, 3)
part = image[:, :2]  # (2, 2, 4)
print(image.flatten(1).data_ptr() == image.data_ptr())
print(turned.flatten(1).data_ptr() == turned.data_ptr())
print(part.flatten(1).data_ptr() == part.data_ptr(), part.is_contiguous())

# %% module
photos = torch.zeros(8, 3, 32, 32)  # (batch, channel, height, width)
print(torch.nn.Flatten()(photos).shape)
print(photos.flatten().shape)

# %% unflatten
features = photos.flatten(1)
print(features.unflatten(1, (3, 32, 32)).shape)
print(features.unflatten(1, (3, -1)).shape)

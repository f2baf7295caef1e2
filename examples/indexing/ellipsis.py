"""... fills in the dimensions that an index does not name, None adds one."""

# %% rest
import torch

image = torch.arange(24).view(2, 3, 4)  # (channel, height, width)
batch = torch.stack([image, image + 100])  # (batch, channel, height, width)


def left_half(pixels):
    return pixels[..., : pixels.shape[-1] // 2]


print(left_half(image).shape, left_half(batch).shape)
print(left_half(image)[0])

# %% colon-is-not-enough
print(image[:, :, :2].shape, batch[:, :, :2].shape)

# %% none
v = torch.tensor([1, 4, 9])
print("column:", v[:, None], sep="\n")
print("differences:", v[:, None] - v[None, :], sep="\n")  # (3, 1) - (1, 3)

# %% none-anywhere
mask = torch.tensor([[True, True, False], [True, False, False]])  # (batch, time)
print(mask.shape, mask[:, None, None, :].shape)
print("same as unsqueeze(-1):", torch.equal(v[..., None], v.unsqueeze(-1)))

# %% everything
total = torch.tensor(5.0)  # 0-D: t[:] would fail
total[...] = 7
print(total)

# %% colon-on-0d raises="IndexError"
total[:] = 7

# %% too-many raises="IndexError"
image[0, 0, 0, 0]

# %% with-a-batch
print("image[None]:       ", image[None][0, 0, 0, 0])
print("image[..., 0, 0]:  ", image[..., 0, 0])

# %% views hidden=true
for view in (image[..., 0], image[None], image[..., None]):
    assert view.untyped_storage().data_ptr() == image.untyped_storage().data_ptr()

# %% which-dimension hidden=true
labels, gray = torch.arange(5), torch.rand(2, 4, 4)
assert labels[None][:, 0].tolist() == [0]  # not the five labels
assert gray[None][:, 0].shape == (1, 4, 4) and torch.equal(gray[:, None][:, 0], gray)

"""interpolate() resizes every dimension but the first two."""

# %% no-batch raises="ValueError"
import torch
import torch.nn.functional as F

image = torch.arange(48.0).view(3, 4, 4)  # (channels, height, width)
F.interpolate(image, size=(8, 8))

# %% add-batch
larger = F.interpolate(image[None], size=(8, 8))[0]
print("resized:", tuple(larger.shape))

# %% whole-shape raises="ValueError"
batch = image[None]  # (batch, channels, height, width)
F.interpolate(batch, size=(1, 3, 8, 8))

# %% like-another
skip = torch.zeros(1, 16, 7, 9)
resized = F.interpolate(batch, size=skip.shape[-2:])
print("as large as skip:", tuple(resized.shape))

# %% one-number
only_width = F.interpolate(image, size=8)
print("size=8, no batch:", tuple(only_width.shape))

# %% scale raises="ValueError"
F.interpolate(batch, scale_factor=(1, 1, 2, 2))

# %% scale-right
for factor in (2, (1, 2)):
    print(f"{factor}:", tuple(F.interpolate(batch, scale_factor=factor).shape))

# %% neither raises="ValueError"
F.interpolate(batch)

# %% mode raises="NotImplementedError"
F.interpolate(image, size=8, mode="bilinear")

# %% modes
for mode, dims in (("linear", 1), ("bilinear", 2), ("trilinear", 3)):
    tensor = torch.zeros([1, 1] + [4] * dims)
    resized = F.interpolate(tensor, size=8, mode=mode)
    print(f"{mode:9} {tuple(tensor.shape)} -> {tuple(resized.shape)}")

# %% labels raises="NotImplementedError"
mask = torch.tensor([[0, 255], [7, 0]])  # (height, width), class numbers
F.interpolate(mask[None, None], size=(4, 4))

# %% labels-nearest
resized = F.interpolate(mask[None, None].float(), size=(4, 4), mode="nearest-exact")
print(resized[0, 0].long())

# %% labels-mixed
mixed = F.interpolate(mask[None, None].float(), size=(4, 4), mode="bilinear")
print("classes that are not there:", mixed.long().unique().tolist())

# %% checks hidden=true
assert torch.equal(larger[:, ::2, ::2], image)
assert set(resized.unique().tolist()) == {0, 7, 255}
for number in (2**24, 2**24 + 1):  # class numbers are exact in float32 up to here
    assert (torch.tensor(number).float().long() == number) == (number == 2**24)

# %% bytes-work hidden=true
assert F.interpolate(mask[None, None].byte(), size=(4, 4)).dtype == torch.uint8
for dtype in (torch.int32, torch.bool):
    try:
        F.interpolate(mask[None, None].to(dtype), size=(4, 4))
    except NotImplementedError:
        continue
    raise AssertionError(dtype)

# %% one-factor hidden=true
try:
    F.interpolate(image, scale_factor=(2, 2))
except ValueError as error:
    assert "scale_factor" in str(error)
else:
    raise AssertionError("two factors for one spatial dimension")
assert F.interpolate(image, scale_factor=2).shape == (3, 4, 8)  # the width alone
assert F.interpolate(image[None], scale_factor=2)[0].shape == (3, 8, 8)
photo = torch.zeros(4, 5, 3)  # (height, width, channels)
assert F.interpolate(photo, size=8).shape == (4, 5, 8)  # the channels
assert F.interpolate(photo[None], size=8).shape == (1, 4, 8, 8)  # width and channels
assert F.interpolate(photo.permute(2, 0, 1)[None], size=8).shape == (1, 3, 8, 8)

# %% frames hidden=true
frames = torch.rand(2, 5, 3, 4, 4)  # (B, T, C, H, W)
assert F.interpolate(frames, size=8, mode="trilinear").shape == (2, 5, 8, 8, 8)  # the channels
flat = F.interpolate(frames.flatten(0, 1), size=8, mode="bilinear")
assert flat.unflatten(0, (2, 5)).shape == (2, 5, 3, 8, 8)
volume = torch.rand(4, 4, 4)
larger = F.interpolate(volume.unsqueeze(0).unsqueeze(0), size=8, mode="trilinear")
assert larger.shape == (1, 1, 8, 8, 8)

# %% channels-last hidden=true
photo = torch.rand(16, 16, 3)  # (height, width, channels)
assert F.interpolate(photo[None], size=(8, 8)).shape == (1, 16, 8, 8)  # no error
assert F.interpolate(photo.permute(2, 0, 1)[None], size=(8, 8)).shape == (1, 3, 8, 8)

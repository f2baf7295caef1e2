"""channels_last: the same shape and values, another order in memory."""

# %% strides
import torch

images = torch.arange(12).view(1, 3, 2, 2)  # (batch, channel, height, width)
last = images.to(memory_format=torch.channels_last)
for name, tensor in {"contiguous": images, "channels_last": last}.items():
    print(f"{name:14} shape {tuple(tensor.shape)} stride {tensor.stride()}")
print("same values:", torch.equal(images, last))

# %% in-memory
print("contiguous:   ", images.as_strided((12,), (1,)).tolist())
print("channels_last:", last.as_strided((12,), (1,)).tolist())

# %% ask
as_last = last.is_contiguous(memory_format=torch.channels_last)
print("is_contiguous():             ", last.is_contiguous())
print("is_contiguous(channels_last):", as_last)

# %% ambiguous
gray = torch.zeros(4, 1, 16, 16)
print("contiguous:   ", gray.is_contiguous())
print("channels_last:", gray.is_contiguous(memory_format=torch.channels_last))

# %% model
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU())
model.to(memory_format=torch.channels_last)
batch = torch.rand(4, 3, 16, 16).to(memory_format=torch.channels_last)
output = model(batch)
print("shape:", output.shape)
print("channels_last:", output.is_contiguous(memory_format=torch.channels_last))

# %% back
print("stride:", last.contiguous().stride())

# %% from-nhwc
photo = torch.arange(12).view(1, 2, 2, 3)  # (batch, height, width, channel)
batch = photo.permute(0, 3, 1, 2)  # (batch, channel, height, width)
print("channels_last:", batch.is_contiguous(memory_format=torch.channels_last))

# %% view-fails raises="RuntimeError"
last.view(1, -1)

# %% flatten
print(last.flatten(1).tolist())

# %% three-dimensions raises="RuntimeError"
images[0].to(memory_format=torch.channels_last)

# %% with-a-batch
image = images[0]  # (channel, height, width)
print(image.unsqueeze(0).to(memory_format=torch.channels_last).stride())


# %% who-keeps-it hidden=true
def is_last(tensor):
    return tensor.is_contiguous(memory_format=torch.channels_last)


last, plain = torch.rand(2, 3, 4, 4).to(memory_format=torch.channels_last), torch.rand(2, 3, 4, 4)
for layer in (torch.nn.Conv2d(3, 4, 3), torch.nn.BatchNorm2d(3), torch.nn.MaxPool2d(2), torch.nn.ReLU()):
    assert is_last(layer(last))
assert is_last(last + plain) and not is_last(plain + last)
assert not is_last(torch.nn.InstanceNorm2d(3)(last)) and not is_last(torch.stack([last[0], last[1]]))
try:
    torch.nn.Conv3d(1, 1, 3).to(memory_format=torch.channels_last)
except RuntimeError as error:
    assert "required rank 4" in str(error)
else:
    raise AssertionError

# %% rows-of-pixels hidden=true
numbers = torch.arange(48).view(2, 3, 2, 4)
pixels = numbers.to(memory_format=torch.channels_last).permute(0, 2, 3, 1).reshape(-1, 3)
assert pixels[1].tolist() == numbers[0, :, 0, 1].tolist()
assert not torch.equal(numbers.permute(0, 2, 3, 1).permute(0, 2, 3, 1).reshape(-1, 3), pixels)

# %% gray-batch hidden=true
shades = torch.rand(3, 8, 8)  # (batch, height, width)
for dim, channels, images_out in ((0, 3, 1), (1, 1, 3)):  # dim=0 takes them for one color image
    whole = shades.unsqueeze(dim).to(memory_format=torch.channels_last)
    assert len(torch.nn.Conv2d(channels, 4, 3)(whole)) == images_out

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

# %% view-fails raises="RuntimeError"
last.view(1, -1)

# %% flatten
print(last.flatten(1).tolist())

# %% model
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3), torch.nn.ReLU())
model.to(memory_format=torch.channels_last)
batch = torch.rand(4, 3, 16, 16).to(memory_format=torch.channels_last)
output = model(batch)
print("shape:", output.shape)
print("channels_last:", output.is_contiguous(memory_format=torch.channels_last))

# %% from-nhwc
photo = torch.arange(12).view(1, 2, 2, 3)  # (batch, height, width, channel)
batch = photo.permute(0, 3, 1, 2)  # (batch, channel, height, width)
print("channels_last:", batch.is_contiguous(memory_format=torch.channels_last))

# %% back
print("stride:", last.contiguous().stride())

# %% three-dimensions raises="RuntimeError"
images[0].to(memory_format=torch.channels_last)

# %% ambiguous
gray = torch.zeros(4, 1, 16, 16)
print("contiguous:   ", gray.is_contiguous())
print("channels_last:", gray.is_contiguous(memory_format=torch.channels_last))

# %% with-a-batch
image = images[0]  # (channel, height, width)
print(image.unsqueeze(0).to(memory_format=torch.channels_last).stride())

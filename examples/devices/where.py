"""Ask a tensor, and a model, on which device it is."""

# %% tensor
import torch
from torch import nn

image = torch.zeros(3, 4, 4)  # (channels, height, width)
print(image.device, " is_cuda:", image.is_cuda)
print("get_device():", image.get_device())

# %% meta
sketch = torch.zeros(3, 4, 4, device="meta")
print(sketch.device, sketch.get_device())

# %% cuda needs="cuda"
on_gpu = image.to("cuda")
print(on_gpu.device, on_gpu.is_cuda)
print(on_gpu.get_device(), on_gpu.device.index, on_gpu.device.type)

# %% module raises="AttributeError"
model = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
model.device

# %% first-parameter
print(next(model.parameters()).device)

# %% all-parameters
model[1].to("meta")
print(sorted({str(parameter.device) for parameter in model.parameters()}))

# %% no-parameter raises="StopIteration"
next(nn.ReLU().parameters()).device

# %% like-the-input
noise = torch.randn(3, device=image.device)
mask = torch.zeros_like(sketch)
extra = sketch.new_ones(2)
print("randn(device=):", noise.device)
print("zeros_like:    ", mask.device)
print("new_ones:      ", extra.device)


# %% kinds
def ask(x):
    print("cpu", x.is_cpu, " cuda", x.is_cuda, " sparse", x.is_sparse, "", x.layout)


ask(image)
ask(sketch)
ask(torch.eye(2).to_sparse())

# %% csr warns="UserWarning"
ask(torch.eye(2).to_sparse_csr())

# %% called raises="TypeError"
image.is_cuda()

# %% is-pinned
print("is_pinned():", image.is_pinned())

# %% buffers-only hidden=true
norm = nn.BatchNorm1d(2, affine=False)
assert not list(norm.parameters()) and next(norm.buffers()).device.type == "cpu"
assert nn.ReLU()(sketch).device == sketch.device

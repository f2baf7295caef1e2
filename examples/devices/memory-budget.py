"""Estimate the memory of training before you rent the GPU, and check the estimate."""

# %% per-parameter
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import SGD, AdamW


def build(dtype=torch.float32):
    torch.manual_seed(0)
    layers = [nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 256), nn.ReLU()]
    layers.append(nn.Linear(256, 10))
    return nn.Sequential(*layers).to(dtype)


def bytes_per_parameter(optimizer_class, dtype=torch.float32):
    model = build(dtype)
    optimizer = optimizer_class(model.parameters(), lr=1e-3)
    model(torch.randn(4, 512, dtype=dtype)).square().mean().backward()
    optimizer.step()
    parameters = list(model.parameters())
    held = parameters + [parameter.grad for parameter in parameters]
    for state in optimizer.state.values():
        held += [value for value in state.values() if torch.is_tensor(value)]
    count = sum(parameter.numel() for parameter in parameters)
    return sum(tensor.nbytes for tensor in held) / count


print(f"SGD               {bytes_per_parameter(SGD):4.1f}")
print(f"SGD with momentum {bytes_per_parameter(partial(SGD, momentum=0.9)):4.1f}")
print(f"AdamW             {bytes_per_parameter(AdamW):4.1f}")
print(f"AdamW, bfloat16   {bytes_per_parameter(AdamW, torch.bfloat16):4.1f}")

# %% seven-billion
bytes_each = {"float32 weights": 4, "bfloat16 weights": 2, "training, AdamW": 16}
for name, size in bytes_each.items():
    print(f"{7e9 * size / 2**30:5.0f} GiB  {name}")


# %% activations
def activation_bytes(model, batch, labels):
    saved = {}

    def pack(tensor):
        storage = tensor.untyped_storage()
        saved[storage.data_ptr()] = storage.nbytes()
        return tensor.detach()  # not tensor: an output would keep itself alive

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        loss = F.cross_entropy(model(batch), labels)
    weights = {p.untyped_storage().data_ptr() for p in model.parameters()}
    return sum(size for address, size in saved.items() if address not in weights)


model = build()
numbers_per_sample = 512 + 512 + 256 + 10  # input, two ReLUs, log-probabilities
for batch_size in (64, 1024):
    batch, labels = torch.randn(batch_size, 512), torch.randint(10, (batch_size,))
    counted = batch_size * (numbers_per_sample * 4 + 8)  # and a label of 8 bytes
    measured = activation_bytes(model, batch, labels)
    print(f"batch {batch_size:4}  counted {counted:7}  measured {measured:7}")

# %% autocast
linears = [layer for layer in model[1:] if isinstance(layer, nn.Linear)]
copies = sum(layer.weight.numel() * 2 for layer in linears)
print(f"16-bit copies of weights: {copies // 2**10} KiB")
for batch_size in (64, 1024):
    batch, labels = torch.randn(batch_size, 512), torch.randint(10, (batch_size,))
    full = activation_bytes(model, batch, labels)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        mixed = activation_bytes(model, batch, labels)
    full, mixed = full // 2**10, mixed // 2**10
    print(f"batch {batch_size:4}  float32 {full:4} KiB  autocast {mixed:4} KiB")

# %% budget
parameters = sum(parameter.numel() for parameter in model.parameters())
per_sample = numbers_per_sample * 4 + 8
print(f"fixed       {parameters * 16 / 2**20:.1f} MiB")
print(f"per sample  {per_sample / 2**10:.1f} KiB")
print(f"equal at    {parameters * 16 // per_sample} samples")

# %% inference
layers, heads, features = 32, 32, 128  # a usual shape for 7 billion parameters
per_token = 2 * layers * heads * features * 2  # keys and values, 2 bytes a number
print(f"KV cache: {per_token // 2**10} KiB a token")
for texts in (1, 16):
    print(f"{texts:2} × 4096 tokens: {texts * 4096 * per_token / 2**30:2.0f} GiB")

# %% copies-are-saved hidden=true
saved = []
with (
    torch.autocast("cpu", dtype=torch.bfloat16),
    torch.autograd.graph.saved_tensors_hooks(saved.append, lambda tensor: tensor),
):
    F.cross_entropy(model(batch), labels)
shapes = {tuple(tensor.shape) for tensor in saved if tensor.dtype == torch.bfloat16}
for layer in (model[2], model[4]):
    rows, columns = layer.weight.shape
    assert (rows, columns) in shapes or (columns, rows) in shapes

# %% frozen hidden=true
model = build()
for parameter in model[0].parameters():
    parameter.requires_grad_(False)
optimizer = AdamW(model.parameters(), lr=1e-3)
model(torch.randn(4, 512)).square().mean().backward()
optimizer.step()
for parameter in model[0].parameters():
    assert parameter.grad is None and parameter not in optimizer.state
assert all(parameter in optimizer.state for parameter in model[2].parameters())

# %% not-on-meta hidden=true
sketch = build().to("meta")
on_meta = torch.randn(4, 512, device="meta"), torch.zeros(4, dtype=torch.long, device="meta")
assert activation_bytes(sketch, *on_meta) == 0 < activation_bytes(build(), torch.randn(4, 512), torch.randint(10, (4,)))

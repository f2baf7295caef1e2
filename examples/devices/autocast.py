"""autocast: matrix products in bfloat16, losses in float32."""

# %% dtypes
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
model = nn.Linear(8, 4)
batch, labels = torch.randn(16, 8), torch.randint(4, (16,))

with torch.autocast("cpu", dtype=torch.bfloat16):
    logits = model(batch)
    loss = F.cross_entropy(logits, labels)
print(model.weight.dtype, logits.dtype, loss.dtype)

loss.backward()  # outside of autocast
print(model.weight.grad.dtype)

# %% close
full = model(batch)
print(((logits - full).norm() / full.norm()).item() < torch.finfo(torch.bfloat16).eps)

# %% mixed-dtypes raises="RuntimeError"
model(batch.bfloat16())

# %% casts-for-you
with torch.autocast("cpu", dtype=torch.bfloat16):
    print(model(batch.bfloat16()).dtype)
    with torch.autocast("cpu", enabled=False):
        print(model(batch).dtype)

# %% underflow
gradient = torch.tensor(1e-8)
print(gradient.half())
print((gradient * 2**16).half().float() / 2**16)

# %% gpu needs="cuda"
torch.manual_seed(0)
model = nn.Linear(8, 4).to("cuda")
batch, labels = batch.to("cuda"), labels.to("cuda")
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cuda")

for _ in range(3):
    optimizer.zero_grad()
    with torch.autocast("cuda", dtype=torch.float16):
        logits = model(batch)
        loss = F.cross_entropy(logits, labels)
    scaler.scale(loss).backward()
    scaler.step(optimizer)  # divides the gradients, skips the step if one is inf
    scaler.update()
print(logits.dtype, loss.dtype, model.weight.grad.dtype)
print(scaler.get_scale())

# %% overflow needs="cuda"
before = model.weight.detach().clone()
optimizer.zero_grad()
scaler.scale(model(batch).sum() * float("inf")).backward()
scaler.step(optimizer)
scaler.update()
print(torch.equal(model.weight, before), scaler.get_scale())

# %% old-name warns="FutureWarning"
torch.cpu.amp.autocast()

# %% without-cuda needs="no-cuda" warns="UserWarning"
with torch.autocast("cuda"):
    print(nn.Linear(8, 4)(torch.randn(16, 8)).dtype)

"""non_blocking copies: from pinned memory, and wait before reading on the CPU."""

# %% on-cpu
import torch

source = torch.ones(3)
moved = source.to("cpu", non_blocking=True)
print("same object:", moved is source, " pinned:", source.is_pinned())

# %% overlap needs="cuda" varies=true
import time

pageable = torch.ones(64, 2**20)  # 256 MiB
pinned = pageable.pin_memory()
pinned.to("cuda")  # warm-up
torch.cuda.synchronize()

for name, batch in [("pageable", pageable), ("pinned", pinned)]:
    start = time.perf_counter()
    batch.to("cuda", non_blocking=True)
    returned = time.perf_counter() - start
    torch.cuda.synchronize()
    finished = time.perf_counter() - start
    returned, finished = returned * 1e3, finished * 1e3
    print(f"{name:8}  returned {returned:6.2f} ms  done {finished:6.2f} ms")

# %% order needs="cuda"
pinned = torch.ones(2**20, pin_memory=True)  # 4 MiB
batch = pinned.to("cuda", non_blocking=True)
print(batch.mean().item())  # queued behind the copy

# %% overwritten needs="cuda" varies=true
torch.cuda._sleep(100_000_000)
batch.copy_(pinned, non_blocking=True)
pinned.fill_(2)  # too early: the copy has not begun
print(batch.mean().item())

# %% way-back needs="cuda" varies=true
result = torch.ones(4, device="cuda")
landing = torch.zeros(4, pin_memory=True)

torch.cuda._sleep(100_000_000)  # private: keeps the GPU busy for a moment
landing.copy_(result, non_blocking=True)
print(landing)  # too early
torch.cuda.synchronize()
print(landing)

# %% loader
from torch.utils.data import DataLoader, TensorDataset

dataset = TensorDataset(torch.arange(6.0))
loader = DataLoader(dataset, batch_size=3, pin_memory=torch.cuda.is_available())
for (batch,) in loader:
    print(batch.tolist())

# %% loader-gpu needs="cuda"
for (batch,) in loader:
    print(batch.is_pinned(), batch.to("cuda", non_blocking=True).device)

# %% loader-without-cuda needs="no-cuda" warns="UserWarning"
batches = iter(DataLoader(dataset, pin_memory=True))

# %% pin-on-gpu needs="cuda" raises="RuntimeError" says="cannot pin '…' only dense CPU tensors can be pinned" origin="aten/src/ATen/native/Memory.cpp"
torch.ones(4, device="cuda").pin_memory()

# %% pin-on-meta hidden=true
try:
    torch.ones(4, device="meta").pin_memory()
except RuntimeError as error:
    assert "only dense CPU tensors can be pinned" in str(error), error
else:
    raise AssertionError("pinned what is not on the CPU")

# %% where-possible
batch = torch.arange(4.0)
if torch.accelerator.is_available():
    batch = batch.pin_memory()
print(batch.sum())

# %% too-early needs="cuda" varies=true
for number in (1.0, 2.0, 3.0):
    result = torch.full((500, 500), number, device="cuda")
    torch.cuda._sleep(100_000_000)  # private: keeps the GPU busy for a moment
    copied = result.to("cpu", non_blocking=True)
    at_once = copied[0, 0].item()
    torch.cuda.synchronize()
    print(f"read at once: {at_once}  after synchronize(): {copied[0, 0]}")
    del copied

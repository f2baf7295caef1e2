"""A GPU works behind Python's back: wait before you read the clock."""

# %% wrong needs="cuda" varies=true
import time

import torch

left, right = torch.randn(2, 8192, 8192, device="cuda")
left @ right  # warm-up: loads the library
torch.cuda.synchronize()

start = time.perf_counter()
left @ right
submitted = time.perf_counter() - start
torch.cuda.synchronize()
finished = time.perf_counter() - start
print(f"without waiting {submitted * 1e3:8.3f} ms")
print(f"with waiting    {finished * 1e3:8.3f} ms")

# %% events needs="cuda" varies=true
start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
start.record()
left @ right
end.record()
end.synchronize()
print(f"on the GPU      {start.elapsed_time(end):8.3f} ms")

# %% blame needs="cuda" varies=true
start = time.perf_counter()
product = left @ right
launched = time.perf_counter()
corner = product[0, 0].item()
done = time.perf_counter()
print(f"left @ right {(launched - start) * 1e3:8.3f} ms")
print(f"item()       {(done - launched) * 1e3:8.3f} ms")

# %% who-waits needs="cuda" warns="UserWarning" says="called a synchronizing CUDA operation" origin="c10/cuda/CUDAFunctions.cpp"
torch.cuda.set_sync_debug_mode("warn")
product[0, 0].item()
torch.cuda.set_sync_debug_mode("default")

# %% timer varies=true
import torch
from torch.utils.benchmark import Timer

matrix = torch.randn(64, 64)
timer = Timer("matrix @ matrix", globals={"matrix": matrix}, num_threads=1)
measurement = timer.blocked_autorange(min_run_time=0.1)
microseconds = measurement.median * 1e6
print(f"{microseconds:.1f} µs, median of {len(measurement.times)} measurements")

# %% without-cuda needs="no-cuda" raises="AssertionError"
torch.cuda.synchronize()

# %% remedies hidden=true
if torch.accelerator.is_available():
    torch.accelerator.synchronize()
else:
    try:
        torch.accelerator.synchronize()
    except RuntimeError:
        pass
    else:
        raise AssertionError

# %% totals hidden=true
total = rounded = 0
for _ in range(300):  # from 256 on, adding 1 in bfloat16 changes nothing
    loss = torch.ones((), dtype=torch.bfloat16, requires_grad=True) * 1
    total += loss.detach().float()
    rounded += loss.detach()
assert total == 300 and rounded == 256 and not total.requires_grad
weighted = 0
for size, value in ((4, 1.0), (1, 6.0)):  # the factor stays
    weighted += torch.tensor(value).detach().float() * size
assert weighted.item() == 10

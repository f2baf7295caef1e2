"""Where a GPU loses to a CPU: small tensors, and copies back and forth."""

# %% overhead varies=true
import time

import torch


def seconds(function, synchronize=lambda: None, repeats=20):
    function()  # warm-up
    synchronize()
    times = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(repeats):
            function()
        synchronize()
        times.append((time.perf_counter() - start) / repeats)
    return min(times)


torch.set_num_threads(1)
sizes = [2**exponent for exponent in range(0, 21, 2)]
cpu = []
for size in sizes:
    features = torch.ones(size)
    cpu.append(seconds(lambda: features * 2))
print(f"{sizes[-1] // sizes[0]} times the size")
print(f"{cpu[-1] / cpu[0]:.0f} times the time")

# %% cpu-figure varies=true fold=true
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(5.5, 3.4))
ax.loglog(sizes, [second * 1e6 for second in cpu], "o-", label="CPU, 1 thread")
ax.set(xlabel="elements", ylabel="features * 2 [µs]")
ax.grid()
ax.legend()

# %% gpu needs="cuda" varies=true
gpu, copies = [], []
for size in sizes:
    features = torch.ones(size)
    on_gpu = features.to("cuda")
    gpu.append(seconds(lambda: on_gpu * 2, torch.cuda.synchronize))
    copies.append(seconds(lambda: (features.to("cuda") * 2).cpu()))  # cpu() waits
for name, times in [("CPU", cpu), ("GPU", gpu), ("there and back", copies)]:
    smallest, largest = times[0] * 1e6, times[-1] * 1e6
    print(f"{name:14}  smallest {smallest:6.1f} µs  largest {largest:6.1f} µs")

# %% one-call varies=true
rows = torch.randn(1000, 8)
weight = torch.randn(8)
one_by_one = seconds(lambda: [row @ weight for row in rows], repeats=1)
at_once = seconds(lambda: rows @ weight)
print(f"one by one takes {one_by_one / at_once:.0f} times as long")

# %% one-call-gpu needs="cuda" varies=true
rows, weight = rows.to("cuda"), weight.to("cuda")
wait = torch.cuda.synchronize
one_by_one = seconds(lambda: [row @ weight for row in rows], wait, repeats=1)
at_once = seconds(lambda: rows @ weight, wait)
print(f"one by one takes {one_by_one / at_once:.0f} times as long")

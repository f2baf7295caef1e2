"""Which of two versions is faster? torch.utils.benchmark instead of time.time()."""

# %% by-clock varies=true
import time

import torch

matrix = torch.randn(200, 200)


def version_one(matrix):
    return (matrix * matrix).sum()


def version_two(matrix):
    return matrix.flatten().dot(matrix.flatten())


times = []
for _ in range(200):
    start = time.perf_counter()
    version_one(matrix)
    times.append(time.perf_counter() - start)
times = torch.tensor(times)
print(f"first / median   {times[0] / times.median():.1f}")
print(f"slowest / median {times.max() / times.median():.1f}")

# %% same
print("same:", torch.allclose(version_one(matrix), version_two(matrix), rtol=1e-4))

# %% timer varies=true
from torch.utils.benchmark import Timer

timer = Timer("version_one(matrix)", globals=globals())
measurement = timer.blocked_autorange(min_run_time=0.1)
print(measurement)

# %% numbers varies=true
print(f"median {measurement.median * 1e6:.1f} µs")
print(f"middle half within {measurement.iqr * 1e6:.2f} µs")
count, runs = len(measurement.times), measurement.number_per_run
print(f"{count} measurements, {runs} runs in each")

# %% compare varies=true
from torch.utils.benchmark import Compare

results = []
for size in (20, 200):
    matrix = torch.randn(size, size)
    for name in ("version_one", "version_two"):
        timer = Timer(
            f"{name}(matrix)",
            globals={"matrix": matrix, name: globals()[name]},
            label="sum of squares",
            sub_label=f"{size} x {size}",
            description=name,
        )
        timer.timeit(1000)  # warm-up
        results.append(timer.blocked_autorange(min_run_time=0.05))
Compare(results).print()

# %% no-globals raises="NameError"
Timer("version_one(matrix)").blocked_autorange()

# %% repeated
weight = torch.ones(3)
Timer("weight.mul_(2)", globals={"weight": weight}).timeit(2000)
print(weight)

# %% threads
print(Timer("matrix @ matrix", globals={"matrix": matrix}).timeit(10).num_threads)

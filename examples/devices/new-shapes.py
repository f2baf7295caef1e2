"""Each new shape is slow the first time: counted for the compiler, oneDNN, cuDNN and the allocator."""

# %% compiled
import torch
from torch._dynamo.utils import counters


def scaled(x):
    return (x * 2).sin()


def compilations(lengths, **options):
    """How often each call compiles."""
    torch.compiler.reset()
    compiled = torch.compile(scaled, backend="eager", **options)
    new = []
    for length in lengths:
        before = counters["stats"]["unique_graphs"]
        compiled(torch.ones(8, length))
        new.append(counters["stats"]["unique_graphs"] - before)
    return new


lengths = [37, 52, 61, 37, 90, 52]
print("as it is:     ", compilations(lengths))
print("dynamic=False:", compilations(lengths, dynamic=False))
print("dynamic=True: ", compilations(lengths, dynamic=True))


# %% padded
def padded(length, multiple=32):
    return -(-length // multiple) * multiple  # rounded up


print([padded(length) for length in lengths])
sizes = [padded(length) for length in lengths]
print("dynamic=False:", compilations(sizes, dynamic=False))

# %% onednn varies=true
import subprocess
import sys

program = """
import torch

layer = torch.nn.Conv2d(3, 16, 3).eval()
for size in (64, 64, 80, 64):
    print("size", size, flush=True)
    x = torch.zeros(4, 3, size, size)
    with torch.no_grad(), torch.backends.mkldnn.verbose(2):
        layer(x)
"""
command = [sys.executable, "-c", program]
out = subprocess.run(command, capture_output=True, text=True).stdout
for part in out.split("size ")[1:]:
    size, *lines = part.splitlines()
    made = sum("cache_miss" in one and "convolution" in one for one in lines)
    print("size", size, "kernels made:", made)

# %% setting
print(torch.backends.cudnn.benchmark)

# %% searched needs="cuda" varies=true
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile

torch.backends.cudnn.benchmark = True
layer = torch.nn.Conv2d(16, 32, 3, device="cuda")
for size in (64, 64, 80, 64):
    x = torch.zeros(4, 16, size, size, device="cuda")
    with profile(activities=[ProfilerActivity.CUDA]) as profiled:
        layer(x)
        torch.cuda.synchronize()
    events = profiled.events()
    kernels = [one for one in events if one.device_type == DeviceType.CUDA]
    print("size", size, "kernels run:", len(kernels))
torch.backends.cudnn.benchmark = False


# %% allocator needs="cuda"
def asked():
    return torch.cuda.memory_stats().get("num_device_alloc", 0)


for mebibytes in (64, 96, 80, 128, 100):
    before = asked()
    x = torch.empty(mebibytes, 2**20, dtype=torch.uint8, device="cuda")
    print(mebibytes, "MiB: asked the driver", asked() - before, "times")
    del x  # its memory stays in the cache


# %% which
def made_in(step):
    """What had to be made anew for one training step."""

    def now():
        driver = torch.cuda.memory_stats()  # empty without a GPU
        return {
            "graphs": counters["stats"]["unique_graphs"],
            "memory": driver.get("num_device_alloc", 0),
        }

    before = now()
    step()
    return {name: count - before[name] for name, count in now().items()}


torch.compiler.reset()
compiled = torch.compile(scaled, backend="eager")
for length in (37, 52, 61):
    x = torch.ones(8, length)
    print(length, made_in(lambda: compiled(x)))

# %% kinds hidden=true
torch.compiler.reset()
for dynamic, wanted in ((None, [1, 1, 1, 1, 0]), (False, [1, 1, 1, 1, 0]), (True, [1, 0, 1, 1, 0])):
    assert compilations([5, 7, 1, 0, 5], dynamic=dynamic) == wanted, (dynamic, compilations([5, 7, 1, 0, 5]))
for length in (1, 31, 32, 33, 1000):
    assert padded(length) % 32 == 0 and 0 <= padded(length) - length < 32

# %% branches-loops-limit hidden=true
import logging

logging.getLogger("torch._dynamo").setLevel(logging.ERROR)  # it warns of the limit


def new_graphs(function, shapes, **options):
    torch.compiler.reset()
    compiled = torch.compile(function, backend="eager", **options)
    new = []
    for shape in shapes:
        before = counters["stats"]["unique_graphs"]
        compiled(torch.ones(shape))
        new.append(counters["stats"]["unique_graphs"] - before)
    return new


def branching(x):
    return x * 2 if x.shape[1] > 50 else x * 3


def looping(x):
    return sum(x[:, i] for i in range(x.shape[1]))


assert new_graphs(branching, [(2, n) for n in (5, 6, 70, 7, 80)]) == [1, 1, 1, 0, 0]
assert new_graphs(looping, [(2, n) for n in (3, 4, 5)]) == [1, 1, 1]
assert new_graphs(scaled, [(4, 5), (4, 6), (7, 6), (8, 9)]) == [1, 1, 1, 0]
assert new_graphs(scaled, [(2, n) for n in range(2, 14)], dynamic=False) == [1] * 8 + [0] * 4

# %% started-twice hidden=true
import warnings

from torch.profiler import ProfilerActivity, profile

again = profile(activities=[ProfilerActivity.CPU])  # without a schedule
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # that events are cleared
    for function in (torch.sin, torch.cos):
        with again:
            function(torch.ones(3))
kept = {event.key for event in again.key_averages()}
assert "aten::cos" in kept and "aten::sin" not in kept

"""Each device has a random number generator of its own."""

# %% own-generator
import torch

first, second = torch.Generator().manual_seed(0), torch.Generator().manual_seed(0)
print("first ", torch.rand(2, generator=first))
print("first ", torch.rand(2, generator=first))
print("second", torch.rand(2, generator=second))  # did not move

# %% order
torch.manual_seed(0)
features, noise = torch.rand(2), torch.rand(2)
torch.manual_seed(0)
noise_first = torch.rand(2)
print("drawn first, noise is the old noise:   ", torch.equal(noise_first, noise))
print("drawn first, noise is the old features:", torch.equal(noise_first, features))

# %% one-seed needs="cuda"
torch.manual_seed(0)  # seeds the CPU and every GPU
on_cpu, on_gpu = torch.rand(3), torch.rand(3, device="cuda")
print("CPU  ", on_cpu)
print("GPU  ", on_gpu)
print("equal:", torch.equal(on_cpu, on_gpu.cpu()))

# %% independent needs="cuda"
torch.manual_seed(0)
torch.rand(1000)  # moves the CPU's generator only
print("same as before:", torch.equal(torch.rand(3, device="cuda"), on_gpu))

# %% gpu-generator needs="cuda"
generator = torch.Generator("cuda").manual_seed(0)
again = torch.rand(3, device="cuda", generator=generator)
print("same as before:", torch.equal(again, on_gpu))

# %% wrong-generator needs="cuda" raises="RuntimeError" says="Expected a '…' device type for generator but found '…'" origin="aten/src/ATen/core/Generator.h"
torch.rand(3, device="cuda", generator=torch.Generator().manual_seed(0))

# %% default-device needs="cuda" raises="RuntimeError" says="Expected a '…' device type for generator but found '…'" origin="aten/src/ATen/core/Generator.h"
from torch.utils.data import DataLoader

with torch.device("cuda"):  # or torch.set_default_device("cuda")
    next(iter(DataLoader(range(4), shuffle=True)))

# %% default-device-cure needs="cuda"
with torch.device("cuda"):
    generator = torch.Generator("cuda").manual_seed(0)
    loader = DataLoader(range(4), shuffle=True, generator=generator)
    print(next(iter(loader)).shape)

# %% same-on-both
generator = torch.Generator().manual_seed(0)
device = "cuda" if torch.cuda.is_available() else "cpu"
noise = torch.rand(3, generator=generator).to(device)
print(noise.cpu())

# %% fork
torch.manual_seed(0)
with torch.random.fork_rng(devices=[]):  # the CPU only
    torch.rand(1000)
after = torch.rand(2)
torch.manual_seed(0)
print("not disturbed:", torch.equal(after, torch.rand(2)))

# %% no-cuda-seed needs="no-cuda"
print(torch.cuda.manual_seed_all(0))

# %% unseeded
one, other = torch.Generator(), torch.Generator()
print("their seeds:  ", one.initial_seed(), other.initial_seed())
draws = torch.rand(3, generator=one), torch.rand(3, generator=other)
print("draws equal:  ", torch.equal(*draws))
print("after seed(): ", one.seed() == other.seed())

# %% state
generator = torch.Generator().manual_seed(0)
state = generator.get_state()  # a copy
drawn = torch.rand(2, generator=generator)
generator.set_state(state)
print("again:  ", torch.equal(torch.rand(2, generator=generator), drawn))
print("the seed:", generator.initial_seed())

# %% state-seed hidden=true
generator.manual_seed(9)
generator.set_state(state)
assert generator.initial_seed() == 0

# %% wrong-state raises="RuntimeError"
generator.set_state(torch.zeros(3, dtype=torch.uint8))

# %% fork-after-an-error hidden=true
before = torch.get_rng_state()
try:
    with torch.random.fork_rng(devices=[]):
        torch.rand(1000)
        raise ValueError("stop")
except ValueError:
    assert torch.equal(torch.get_rng_state(), before)

# %% other-instructions hidden=true
import os
import subprocess
import sys

code = """
import torch

torch.manual_seed(0)
print(torch.cat([torch.nn.Linear(30, 30).weight.detach().flatten(), torch.randn(1000)]).tolist())
"""
plain = os.environ | {"ATEN_CPU_CAPABILITY": "default"}  # as on a processor without AVX
there = eval(subprocess.check_output([sys.executable, "-c", code], env=plain, text=True))
torch.manual_seed(0)
here = torch.cat([torch.nn.Linear(30, 30).weight.detach().flatten(), torch.randn(1000)])
assert torch.allclose(here, torch.tensor(there), atol=1e-5)  # not torch.equal

# %% wrong-state-gpu needs="cuda" raises="RuntimeError"
torch.Generator("cuda").set_state(torch.Generator().get_state())

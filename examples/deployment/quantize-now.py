"""Quantizing today: torchao's quantize_, and what torch.ao.quantization still does."""

# %% model
import copy
import io

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(
    nn.Linear(512, 512),
    nn.ReLU(),
    nn.Linear(512, 512),
    nn.ReLU(),
    nn.Linear(512, 10),
).eval()
inputs = torch.randn(32, 512)
with torch.no_grad():
    expected = model(inputs)


def compare(name, quantized):
    sizes = []
    for each in (model, quantized):
        file = io.BytesIO()
        torch.save(each.state_dict(), file)
        sizes.append(file.tell())
    with torch.no_grad():
        error = (quantized(inputs) - expected).norm() / expected.norm()
    bound = next(bound for bound in (0.01, 0.03, 0.1, 0.3) if error < bound)
    print(f"{name:28} file × {sizes[1] / sizes[0]:.2f}, error below {bound}")


# %% quiet needs="torchao" hidden=true
import logging

for name in ("torch.utils._pytree", "torchao"):  # of what torchao's import does not find
    logging.getLogger(name).setLevel(logging.ERROR)

# %% torchao needs="torchao"
from torchao.quantization import (
    Int8DynamicActivationInt8WeightConfig,
    Int8WeightOnlyConfig,
    IntxWeightOnlyConfig,
    quantize_,
)
from torchao.quantization.granularity import PerGroup

configs = {
    "int8 weights": Int8WeightOnlyConfig(version=2),
    "int8 weights and activations": Int8DynamicActivationInt8WeightConfig(
        version=2,
    ),
    "int4 weights, groups of 32": IntxWeightOnlyConfig(
        weight_dtype=torch.int4,
        granularity=PerGroup(32),
    ),
}
for name, config in configs.items():
    quantized = copy.deepcopy(model)
    quantize_(quantized, config)  # in place
    compare(name, quantized)

# %% which needs="torchao"
quantized = copy.deepcopy(model)
quantize_(
    quantized,
    Int8WeightOnlyConfig(version=2),
    filter_fn=lambda module, name: name == "0",
)
for name in ("0", "2"):
    weight = quantized.get_submodule(name).weight
    print(name, type(weight).__name__, "requires_grad:", weight.requires_grad)

mixed = nn.Sequential(nn.Conv2d(3, 8, 3), nn.Embedding(10, 4), nn.Linear(32, 32))
quantize_(mixed, Int8WeightOnlyConfig(version=2))
print([(type(layer).__name__, type(layer.weight).__name__) for layer in mixed])

# %% save-load needs="torchao"
empty = copy.deepcopy(model).to("meta")  # the same layers, without memory
file = io.BytesIO()
torch.save(quantized.state_dict(), file)
file.seek(0)
empty.load_state_dict(torch.load(file), assign=True)
with torch.no_grad():
    print("same outputs:", torch.equal(empty(inputs), quantized(inputs)))

# %% load-error needs="torchao" raises="UnpicklingError"
torch.serialization.clear_safe_globals()  # as in a process without torchao
file.seek(0)
torch.load(file)

# %% load-cure needs="torchao"
import subprocess
import sys
import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "int8.pt"
path.write_bytes(file.getvalue())
program = """
import sys, torch
import torchao.quantization  # before torch.load
print(type(torch.load(sys.argv[1])["0.weight"]).__name__)
"""
command = [sys.executable, "-c", program, path]
print(subprocess.run(command, capture_output=True, text=True).stdout.strip())

# %% int4-error needs="torchao" raises="ImportError"
from torchao.quantization import Int4WeightOnlyConfig

quantize_(copy.deepcopy(model), Int4WeightOnlyConfig(group_size=32))

# %% quantized-tensors hidden=true warns="UserWarning"
torch.quantize_per_tensor(torch.ones(1), 1.0, 0, torch.qint8)  # warns once a process

# %% dynamic warns="DeprecationWarning"
old = torch.ao.quantization.quantize_dynamic(model, {nn.Linear}, dtype=torch.qint8)
print(old[0])
compare("quantize_dynamic", old)

# %% other-name hidden=true
assert torch.quantization.quantize_dynamic is torch.ao.quantization.quantize_dynamic

# %% compiled needs="torchao" warns="UserWarning"
to_compile = copy.deepcopy(model)
quantize_(to_compile, Int8DynamicActivationInt8WeightConfig(version=2))
compiled = torch.compile(to_compile, fullgraph=True)  # after quantize_
compare("compiled", compiled)
with torch.no_grad():
    eager = to_compile(inputs)
    print("as in eager mode:", torch.allclose(compiled(inputs), eager, atol=1e-5))

# %% faster needs="torchao" varies=true
import time
import warnings

from torch.utils.benchmark import Timer

warnings.filterwarnings("ignore", "Int8Tensor does not")  # shown above


def fastest(model, x):
    names = {"model": model, "x": x}
    timer = Timer("model(x)", globals=names, timer=time.process_time)
    with torch.no_grad():  # the first one compiles
        return min(timer.timeit(1).mean for _ in range(20))


for batch in (1, 32):
    x = inputs[:batch]
    whole = fastest(model, x)
    for name in ("int8 weights", "int8 weights and activations"):
        candidate = copy.deepcopy(model)
        quantize_(candidate, configs[name])
        torch.compiler.reset()
        compiled = torch.compile(candidate)
        times = fastest(candidate, x) / whole, fastest(compiled, x) / whole
        print(f"batch {batch:2} {name:28}", end=" ")
        print(f"eager × {times[0]:.1f}, compiled × {times[1]:.1f}")

# %% float8-weights needs="torchao"
from torchao.quantization import Float8WeightOnlyConfig

in_float8 = copy.deepcopy(model)
quantize_(in_float8, Float8WeightOnlyConfig())
compare("float8 weights", in_float8)

# %% float8-error needs="torchao" raises="AssertionError"
from torchao.quantization import Float8DynamicActivationFloat8WeightConfig

quantize_(copy.deepcopy(model), Float8DynamicActivationFloat8WeightConfig())


# %% float8-by-hand
def to_float8(tensor):
    """Round each row to float8, as wide as it is large, and back."""
    scale = tensor.abs().amax(dim=-1, keepdim=True) / 448  # the largest float8
    return (tensor / scale).to(torch.float8_e4m3fn).to(tensor.dtype) * scale


rounded = copy.deepcopy(model)
for layer in rounded[::2]:
    layer.weight.data = to_float8(layer.weight.data)
    layer.register_forward_pre_hook(lambda layer, args: to_float8(args[0]))
with torch.no_grad():
    error = (rounded(inputs) - expected).norm() / expected.norm()
print("float8 weights and activations: error below 0.1:", bool(error < 0.1))


# %% buffers-on-meta hidden=true
class Positions(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.register_buffer("positions", torch.arange(4.0), persistent=False)


full = Positions()
if tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 1):  # assign= is as old as that
    loaded = copy.deepcopy(full).to("meta")
    loaded.load_state_dict(full.state_dict(), assign=True)
    assert loaded.positions.is_meta and not loaded.linear.weight.is_meta
    loaded = copy.deepcopy(full)
    loaded.load_state_dict(full.state_dict(), assign=True)
    assert not loaded.positions.is_meta

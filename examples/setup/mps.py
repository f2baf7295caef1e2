"""MPS: what Apple's GPU does not do, and what to do instead."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import torch; print(torch.backends.mps.is_built())")
python("import platform; print(platform.machine(), platform.mac_ver()[0])")

# %% choose
import torch

device = torch.device("cpu")
if torch.accelerator.is_available():
    device = torch.accelerator.current_accelerator()
print(device.type in ("mps", "cuda", "xpu", "cpu"))

# %% elsewhere varies=true
try:
    print(torch.ones(2, device="mps"))
except (NotImplementedError, RuntimeError) as error:
    print(f"{type(error).__name__}: {str(error).partition('. ')[0]}")

# %% where-from
import numpy as np

print("NumPy's default:    ", torch.from_numpy(np.ones(2)).dtype)
print("a Python float's:   ", torch.tensor([0.5]).dtype)
print("np.float64 in a list:", torch.tensor([np.float64(0.5)]).dtype)


# %% to-device
def dtype_for(tensor, device):
    """MPS has neither float64 nor complex128."""
    if device.type != "mps":
        return tensor.dtype
    narrow = {torch.float64: torch.float32, torch.complex128: torch.complex64}
    return narrow.get(tensor.dtype, tensor.dtype)


def to_device(value, device):
    """Move tensors, in containers, too; tuples become lists."""
    if isinstance(value, torch.Tensor):
        return value.to(device, dtype_for(value, device))
    if hasattr(value, "to"):  # PackedSequence, a tokenizer's BatchEncoding
        return value.to(device)
    if isinstance(value, dict):
        return {key: to_device(one, device) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_device(one, device) for one in value]
    return value


batch = {"image": torch.from_numpy(np.ones((1, 4))), "label": torch.tensor([2])}
moved = to_device(batch, device)
print({name: tensor.device.type == device.type for name, tensor in moved.items()})
for name in ("mps", "cpu"):
    print(
        name,
        {key: dtype_for(one, torch.device(name)) for key, one in batch.items()},
    )

# %% model-float64
model = torch.nn.Linear(2, 1).double()
print({name: tensor.dtype for name, tensor in model.state_dict().items()})
print(model.float().weight.dtype)

# %% fallback
import os

program = "import os; print(os.environ.get('PYTORCH_ENABLE_MPS_FALLBACK'))"
variables = os.environ | {"PYTORCH_ENABLE_MPS_FALLBACK": "1"}
subprocess.run([sys.executable, "-c", program], env=variables)

# %% on-the-cpu
matrix = torch.tensor([[4.0, 1.0], [1.0, 3.0]], device=device)
eigenvalues = torch.linalg.eigvals(matrix.cpu()).real.to(device)  # one operation
print(eigenvalues.sort().values.cpu())

# %% float64 needs="mps" raises="TypeError" says="Cannot convert a MPS Tensor to float64 dtype as the MPS framework doesn't support float64. Please use float32 instead." origin="aten/src/ATen/mps/EmptyTensor.cpp"
torch.from_numpy(np.ones(2)).to("mps")

# %% not-implemented needs="mps" raises="NotImplementedError" says="The operator '…' is not currently implemented for the MPS device. … As a temporary fix, you can set the environment variable `PYTORCH_ENABLE_MPS_FALLBACK=1` to use the CPU as a fallback for this op. WARNING: this will be slower than running natively on MPS." origin="aten/src/ATen/mps/MPSFallback.mm"
torch.linalg.eigvals(torch.eye(2, device="mps"))

# %% remedies hidden=true
asked = "mps" if torch.backends.mps.is_available() else "cpu"
for there in (asked, device):
    assert torch.ones(2, device=there).device.type in ("mps", "cuda", "xpu", "cpu")

# %% other-containers hidden=true
far = torch.device("meta")
packed = torch.nn.utils.rnn.pack_sequence([torch.ones(2)])
moved = to_device({"a": [packed, (torch.ones(1), "name")], "b": None}, far)
assert moved["a"][0].data.device == far and moved["a"][1][0].device == far and moved["b"] is None


# %% devices-of
def devices_of(model, *inputs):
    """The devices of all that meets in a call; there must be one."""
    tensors = [*model.parameters(), *model.buffers(), *inputs]
    return sorted({tensor.device.type for tensor in tensors})


embedding = torch.nn.Embedding(10, 4, device="meta")  # meta stands for mps
token_ids = torch.tensor([[1, 2, 3]])
print(devices_of(embedding, token_ids))
print(devices_of(embedding, token_ids.to("meta")))

# %% watermarks
import re
from pathlib import Path

header = Path(torch.__file__).parent / "include/ATen/mps/MPSAllocator.h"
default = dict(re.findall(r"(default_\w+) = ([\d.]+);", header.read_text()))
HIGH = float(default["default_high_watermark_ratio"])
LOW = float(default["default_low_watermark_ratio"])
MOST = float(default["default_high_watermark_upper_bound"])
print(HIGH, LOW, MOST)  # times the working set that macOS recommends


def watermarks(high=HIGH, low=LOW):
    """What the allocator makes of PYTORCH_MPS_HIGH_ and _LOW_WATERMARK_RATIO."""
    if low > (high or MOST):  # 0 switches a limit off
        return f"RuntimeError: invalid low watermark ratio {low}"
    return f"{high} times the working set" if high else "no limit"


print("neither set:      ", watermarks())
print("HIGH=0.7:         ", watermarks(high=0.7))
print("HIGH=0.7, LOW=0.5:", watermarks(high=0.7, low=0.5))
print("HIGH=0.0:         ", watermarks(high=0.0))

# %% placeholder needs="mps" raises="RuntimeError" says="Placeholder storage has not been allocated on MPS device!" origin="aten/src/ATen/native/mps/OperationUtils.mm"
torch.nn.Embedding(10, 4).to("mps")(token_ids)  # the ids are still on the CPU

# %% fallback-warning needs="mps" warns="UserWarning" says="The operator '…' is not currently supported on the MPS backend and will fall back to run on the CPU. This may have performance implications." origin="aten/src/ATen/mps/MPSFallback.mm"
torch.linalg.svd(torch.eye(2, device="mps"))

# %% out-of-memory needs="mps" raises="RuntimeError" says="MPS backend out of memory (MPS allocated: …, other allocations: …, max allowed: …). Tried to allocate … on … pool. Use PYTORCH_MPS_HIGH_WATERMARK_RATIO=0.0 to disable upper limit for memory allocations (may cause system failure)." origin="aten/src/ATen/mps/MPSAllocator.mm"
torch.mps.set_per_process_memory_fraction(0.01)
torch.zeros(2**30, device="mps")

# %% narrowed hidden=true
mps = torch.device("mps")
for wide, narrow in ((torch.float64, torch.float32), (torch.complex128, torch.complex64)):
    assert dtype_for(torch.ones(1, dtype=wide), mps) is narrow
    assert dtype_for(torch.ones(1, dtype=wide), torch.device("cpu")) is wide
for dtype in (torch.float16, torch.bfloat16, torch.int64, torch.bool):
    assert dtype_for(torch.ones(1, dtype=dtype), mps) is dtype

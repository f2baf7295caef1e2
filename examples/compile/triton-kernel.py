"""A Triton kernel, run on a CPU by Triton's interpreter, and as an operator."""

# %% kernel needs="triton"
import os

os.environ["TRITON_INTERPRET"] = "1"  # before the import; without a GPU
import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, n, factor, BLOCK: tl.constexpr):
    block = tl.program_id(0)
    offsets = block * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n  # the last block is longer than what is left
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x * factor, mask=mask)


def scale(x, factor):
    out = torch.empty_like(x)
    blocks = triton.cdiv(x.numel(), 4)
    scale_kernel[(blocks,)](x, out, x.numel(), factor, BLOCK=4)
    return out


x = torch.arange(10.0)
print(scale(x, 2.0))

# %% contiguous needs="triton"
every_second = x[::2]
print(scale(every_second, 1.0).tolist())
print(scale(every_second.contiguous(), 1.0).tolist())


# %% softmax needs="triton"
@triton.jit
def softmax_kernel(x_ptr, out_ptr, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    x = tl.load(x_ptr + row * columns + offsets, mask=mask, other=-float("inf"))
    x = tl.exp(x - tl.max(x, axis=0))
    tl.store(out_ptr + row * columns + offsets, x / tl.sum(x, axis=0), mask=mask)


torch.manual_seed(0)
rows = torch.randn(3, 5)
out = torch.empty_like(rows)
softmax_kernel[(3,)](rows, out, 5, BLOCK=triton.next_power_of_2(5))
print(torch.allclose(out, rows.softmax(dim=1)))

# %% power raises="triton.runtime.errors.InterpreterError" needs="triton"
softmax_kernel[(3,)](rows, out, 5, BLOCK=5)


# %% operator needs="triton"
@torch.library.triton_op("cookbook_triton::scale", mutates_args=())
def scale_op(x: torch.Tensor, factor: float) -> torch.Tensor:
    out = torch.empty_like(x)
    blocks = triton.cdiv(x.numel(), 4)
    kernel = torch.library.wrap_triton(scale_kernel)
    kernel[(blocks,)](x, out, x.numel(), factor, BLOCK=4)
    return out


print(scale_op(x, 3.0))

# %% drivers needs="triton"
import subprocess
import sys
from pathlib import Path

Path("kernel.py").write_text("""
import torch, triton
import triton.language as tl

@triton.jit
def fill(out_ptr):
    tl.store(out_ptr, 1.0)

fill[(1,)](torch.empty(1))
""")
env = {**os.environ, "TRITON_INTERPRET": "0", "CUDA_VISIBLE_DEVICES": ""}
command = [sys.executable, "kernel.py"]
done = subprocess.run(command, env=env, capture_output=True, text=True)
print(done.stderr.splitlines()[-1])

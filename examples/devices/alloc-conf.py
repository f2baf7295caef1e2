"""Fragmentation: memory that is free and cannot be used, and expandable_segments."""

# %% model
import torch

segment = torch.arange(6).repeat_interleave(2)  # 12 units, six tensors of 2
print(segment.tolist())
segment[segment % 2 == 1] = -1  # every other tensor is freed
print(segment.tolist())

blocks, sizes = segment.unique_consecutive(return_counts=True)
gaps = sizes[blocks == -1]
print("free:", gaps.sum().item(), " largest piece:", gaps.max().item())

# %% held needs="cuda" varies=true
five_mib = dict(size=(5 * 2**20,), dtype=torch.uint8, device="cuda")
tensors = [torch.empty(**five_mib) for _ in range(40)]
tensors = tensors[::4]  # one in four stays
torch.cuda.empty_cache()
print("allocated", torch.cuda.memory_allocated() // 2**20, "MiB")
print("reserved ", torch.cuda.memory_reserved() // 2**20, "MiB")

# %% snapshot needs="cuda" varies=true
for segment in torch.cuda.memory_snapshot()[:3]:
    blocks = segment["blocks"]
    states = [(block["size"] // 2**20, block["state"]) for block in blocks]
    print(segment["total_size"] // 2**20, "MiB:", states)

# %% variable needs="cuda" varies=true
import os
import subprocess
import sys

PROGRAM = """
import torch
for size in range(64, 129, 8):  # MiB: each batch is a little larger than the last
    batch = torch.empty(size * 2**20, dtype=torch.uint8, device="cuda")
    del batch
print("reserved", torch.cuda.memory_reserved() // 2**20, "MiB")
"""
for expandable in (False, True):
    setting = f"expandable_segments:{expandable}"
    environment = os.environ | {"PYTORCH_ALLOC_CONF": setting}
    environment.pop("PYTORCH_CUDA_ALLOC_CONF", None)  # it would win
    command = [sys.executable, "-c", PROGRAM]
    output = subprocess.check_output(command, env=environment, text=True)
    print(setting, output.strip())

# %% without-cuda needs="no-cuda" raises="AttributeError"
torch.cuda.memory_snapshot()

# %% remedies hidden=true
snapshot = torch.cuda.memory_snapshot() if torch.cuda.is_available() else []
assert isinstance(snapshot, list)

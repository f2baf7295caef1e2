"""PyTorch keeps the memory of deleted tensors for the next ones."""

# %% steps needs="cuda"
import torch


def report(step):
    allocated = torch.cuda.memory_allocated() // 2**20
    reserved = torch.cuda.memory_reserved() // 2**20
    print(f"{step:12} {allocated=:3} {reserved=:3}")


images = torch.empty(16, 2**20, device="cuda")  # 64 MiB
address = images.data_ptr()
report("new")
del images
report("del")
images = torch.empty(16, 2**20, device="cuda")
report("new again")
print("same address:", images.data_ptr() == address)
torch.cuda.empty_cache()
report("empty_cache")  # images is in use: nothing to give back
del images
torch.cuda.empty_cache()
report("both")

# %% shared-block needs="cuda"
first = torch.empty(4, 2**18, device="cuda")  # 4 MiB
second = torch.empty(4, 2**18, device="cuda")
report("two tensors")
del first
torch.cuda.empty_cache()
report("one left")
del second
torch.cuda.empty_cache()
report("none left")

# %% docstring
import inspect

import torch

note = inspect.getdoc(torch.cuda.empty_cache).split(".. note::")[1]
print(*" ".join(note.split()).split(". ")[:2], sep=".\n")

# %% silent needs="no-cuda"
print(torch.cuda.empty_cache())
print(torch.cuda.memory_allocated(), torch.cuda.memory_reserved())

# %% not-silent needs="no-cuda" raises="AssertionError"
torch.cuda.mem_get_info()

# %% remedies hidden=true
if torch.cuda.is_available():
    torch.cuda.synchronize()
    free, total = torch.cuda.mem_get_info()

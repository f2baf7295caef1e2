"""module 'torch' has no attribute: an older or a newer torch, or another file."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import importlib.metadata as m; print(m.version('torch'))")

# %% compile
import torch

print("torch.compile:", callable(torch.compile))

# %% pytree
register = torch.utils._pytree.register_pytree_node
print("register_pytree_node:", callable(register))

# %% accelerator
print("torch.accelerator:", callable(torch.accelerator.is_available))

# %% ask-first
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
if hasattr(torch, "accelerator") and torch.accelerator.is_available():  # since 2.6
    device = torch.accelerator.current_accelerator()
print(torch.ones(1, device=device).isfinite().all().item())

# %% gone raises="ModuleNotFoundError"
from torch._six import string_classes  # noqa: F401

# %% without-six
print(isinstance("text", (str, bytes)))  # what string_classes was

# %% never-there raises="AttributeError"
torch.nanmax

# %% instead
scores = torch.tensor([1.0, torch.nan, 3.0])
print(torch.where(scores.isnan(), -torch.inf, scores).amax())

# %% newer-names hidden=true
import torch.distributed.device_mesh
import torch.distributed.tensor
import torch.nn.attention.flex_attention

torch.func.vmap
torch.compiler.disable
torch.set_default_device
torch.get_default_device
torch.nn.functional.scaled_dot_product_attention
torch.nn.attention.sdpa_kernel
torch.nn.attention.flex_attention.flex_attention
torch.nn.functional.rms_norm
torch.nn.RMSNorm
torch.nn.Buffer
torch.float8_e4m3fn
torch.float8_e5m2
torch.uint16
torch.amp.GradScaler
torch.amp.custom_fwd
torch.library.custom_op
torch.library.register_fake
torch.library.register_autograd
torch.library.triton_op
torch.export.export
torch.distributed.device_mesh.init_device_mesh
torch.distributed.tensor.DTensor
torch.serialization.add_safe_globals
torch.serialization.safe_globals
torch.OutOfMemoryError
torch.AcceleratorError
torch.xpu.is_available
torch.mps.current_allocated_memory
torch.optim.Muon
torch.utils.swap_tensors
torch.unravel_index
torch.asarray
torch.vmap

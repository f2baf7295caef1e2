"""AMD's GPUs are called cuda, Intel's xpu; one program for all of them."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import torch; print(torch.version.cuda, torch.version.hip)")
python("import torch; print(torch.accelerator.is_available())")

# %% names
import torch

for name in ("cuda", "xpu", "mps"):
    print(torch.device(name))

# %% which-vendor varies=true
inside = {
    "NVIDIA": torch.version.cuda,
    "AMD": torch.version.hip,
    "Intel": getattr(torch.version, "xpu", None),
}
found = [vendor for vendor, version in inside.items() if version]
print(found or "a build for CPUs")

# %% no-rocm raises="RuntimeError"
torch.device("rocm")

# %% no-xpu varies=true
try:
    print(torch.ones(1, device="xpu"))
except (AssertionError, RuntimeError) as error:
    print(f"{type(error).__name__}: {error}")

# %% unchanged
device = torch.device("cpu")
if torch.accelerator.is_available():
    device = torch.accelerator.current_accelerator()
model = torch.nn.Linear(4, 2).to(device)
batch = torch.ones(3, 4, device=device)
with torch.autocast(device.type, dtype=torch.bfloat16):
    logits = model(batch)
logits.float().sum().backward()
print(logits.dtype, model.weight.grad.device.type == device.type)

# %% module-of-device
module = torch.get_device_module(device)  # torch.cuda, torch.xpu, …
module.synchronize()
print(module.__name__ == f"torch.{device.type}")

# %% backends
for name in ("cpu", "cuda", "xpu"):
    print(name, torch.distributed.get_default_backend_for_device(name))

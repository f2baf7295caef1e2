"""Which package to install, and how to tell which one is installed."""

# %% which-build varies=true
import torch

print("version:    ", torch.__version__)
print("CUDA inside:", torch.version.cuda)
print("ROCm inside:", torch.version.hip)
print("MPS inside: ", torch.backends.mps.is_built())  # Apple's GPUs
print("usable now: ", torch.accelerator.is_available())

# %% built-consistently hidden=true
assert torch.backends.cuda.is_built() == (torch.version.cuda is not None or torch.version.hip is not None)

# %% satisfied
from packaging.requirements import Requirement

for wanted in ("torch", "torch==2.13.0", "torch==2.13.0+cu130"):
    met = Requirement(wanted).specifier.contains("2.13.0+cpu")
    print(f"pip install {wanted:20}", "nothing to do" if met else "installs")

# %% architectures needs="cuda" varies=true
print("built for:", torch.cuda.get_arch_list())
print("this GPU: ", torch.cuda.get_device_capability())

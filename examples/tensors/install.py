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

# %% same-major
built_for = ["sm_75", "sm_80", "sm_86", "sm_90"]  # what get_arch_list() may return


def entries_for(major, minor):
    """The entries whose code runs on a graphics card of this capability."""
    pairs = {entry: divmod(int(entry[3:]), 10) for entry in built_for}
    return [entry for entry, (x, y) in pairs.items() if x == major and y <= minor]


for capability in ((7, 5), (8, 9), (12, 0)):
    print(capability, entries_for(*capability))

# %% as-torch-checks hidden=true
if hasattr(torch.cuda, "_code_compatible_with_device"):  # what PyTorch itself asks
    for major, minor in ((7, 0), (7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (10, 0), (12, 0)):
        for entry in built_for:
            fits = torch.cuda._code_compatible_with_device(10 * major + minor, int(entry[3:]))
            assert fits == (entry in entries_for(major, minor))
    assert not torch.cuda._code_compatible_with_device(87, 86)  # a Jetson board

# %% newest-wins
from packaging.version import Version

on_pypi, with_cuda = Version("2.13.0"), Version("2.13.0+cu130")
print("same version: ", max(on_pypi, with_cuda))
print("PyPI is newer:", max(Version("2.13.1"), with_cuda))

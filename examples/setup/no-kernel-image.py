"""no kernel image is available: what a build contains, and what a card runs."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import torch; print(torch.__version__, torch.cuda.get_arch_list())")

# %% this-card needs="cuda" varies=true
import torch

print("built for:", torch.cuda.get_arch_list())
print("this GPU: ", torch.cuda.get_device_capability())

# %% pretend
import warnings
from unittest.mock import patch

import torch


def check(name, capability, built_for, ask=torch.cuda._check_cubins, lines=None):
    """What PyTorch says of a card, here of one that is pretended."""
    with (
        patch("torch.version.cuda", "12.6"),
        patch("torch.cuda.device_count", lambda: 1),
        patch("torch.cuda.get_arch_list", lambda: built_for),
        patch("torch.cuda.get_device_name", lambda index: name),
        patch("torch.cuda.get_device_capability", lambda index: capability),
        warnings.catch_warnings(record=True) as told,
    ):
        warnings.simplefilter("always")
        ask()
    text = str(told[0].message).strip() if told else f"{name}: fits"
    print(*text.splitlines()[:lines], sep="\n")


built_for = ["sm_75", "sm_80", "sm_86", "sm_90"]
check("NVIDIA GeForce RTX 4090", (8, 9), built_for)
check("NVIDIA GeForce RTX 5090", (12, 0), built_for)

# %% minor-version
check("NVIDIA A100", (8, 0), ["sm_86"], ask=torch.cuda._check_capability, lines=1)

# %% other-build
check("NVIDIA GeForce RTX 5090", (12, 0), [*built_for, "sm_120"])


# %% fits
def fits(capability, built_for):
    """Whether a graphics card runs what a build contains."""
    for entry in reversed(built_for):  # the newest that fits
        kind, _, number = entry.partition("_")
        major, minor = divmod(int(number.rstrip("af")), 10)
        if number[-1] == "a" and (major, minor) != capability:
            continue  # sm_90a, compute_90a: 9.0 alone
        if kind == "sm" and major == capability[0] and minor <= capability[1]:
            return entry
        if kind == "compute" and (major, minor) <= capability:
            return f"{entry}, which the driver translates"
    return "nothing"


for capability in ((8, 9), (8, 0), (7, 0), (12, 0)):
    print(
        capability,
        "runs",
        fits(capability, ["sm_75", "sm_80", "sm_86", "compute_90"]),
    )

# %% as-torch-checks hidden=true
if hasattr(torch.cuda, "_code_compatible_with_device"):  # what PyTorch itself asks
    for capability in ((7, 0), (7, 5), (8, 0), (8, 6), (8, 9), (9, 0), (12, 0)):
        for major, minor in ((7, 5), (8, 0), (8, 6), (9, 0), (12, 0)):
            code, card = 10 * major + minor, 10 * capability[0] + capability[1]
            ours = fits(capability, [f"sm_{code}"]) != "nothing"
            assert ours == torch.cuda._code_compatible_with_device(card, code)

# %% arch-list
import os

from torch.utils.cpp_extension import _get_cuda_arch_flags  # what a build calls

os.environ["TORCH_CUDA_ARCH_LIST"] = "8.9;12.0+PTX"
for flag in _get_cuda_arch_flags():
    print(flag)

# %% wrong-arch-list raises="ValueError"
os.environ["TORCH_CUDA_ARCH_LIST"] = "sm_89"
_get_cuda_arch_flags()

# %% no-kernel-image needs="cuda" raises="RuntimeError" says="CUDA error: no kernel image is available for execution on the device" origin="CUDA 13.0: cuGetErrorString(CUDA_ERROR_NO_BINARY_FOR_GPU)"
major, _ = torch.cuda.get_device_capability()
other = "80" if major != 8 else "90"  # code for graphics cards of another kind
kernel = 'extern "C" __global__ void nothing() {}'
torch.cuda._compile_kernel(kernel, "nothing", compute_capability=other)

# %% right-arch-list hidden=true
for spelled in ("8.9", "8.9;9.0", "8.9 9.0"):
    os.environ["TORCH_CUDA_ARCH_LIST"] = spelled
    assert "-gencode=arch=compute_89,code=sm_89" in _get_cuda_arch_flags()

# %% suffixes hidden=true
assert fits((9, 0), ["sm_90a"]) == "sm_90a" and fits((10, 3), ["sm_100a"]) == "nothing"
assert fits((10, 3), ["sm_100f"]) == "sm_100f" and fits((9, 0), ["compute_90"]) != "nothing"
if hasattr(torch.cuda, "_extract_arch_version"):
    assert torch.cuda._extract_arch_version("sm_90a") == torch.cuda._extract_arch_version("sm_90f") == 90
with warnings.catch_warnings():
    warnings.simplefilter("error")
    with (  # an older minor version than any in the build: the error comes without the warning
        patch("torch.version.cuda", "12.6"),
        patch("torch.cuda.device_count", lambda: 1),
        patch("torch.cuda.get_arch_list", lambda: ["sm_86"]),
        patch("torch.cuda.get_device_capability", lambda index: (8, 0)),
    ):
        torch.cuda._check_cubins()
assert fits((8, 0), ["sm_86"]) == "nothing"

# %% names-and-minor-versions hidden=true
for spelled in ("Ada", "Hopper", "9.0a", "8.9+PTX"):
    os.environ["TORCH_CUDA_ARCH_LIST"] = spelled
    assert _get_cuda_arch_flags()
assert fits((10, 0), ["compute_90a"]) == "nothing" and fits((9, 0), ["sm_90", "compute_90a"]) != "nothing"

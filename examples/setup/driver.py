"""torch.cuda.is_available() is False: build, driver, or a GPU that is hidden."""

# %% look fold=true varies=true
import os
import shutil
import subprocess

import torch

command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv"]
print("$", *command, flush=True)
if shutil.which("nvidia-smi"):
    subprocess.run(command)
else:
    print("nvidia-smi: command not found")
print('$ python -c "import torch; print(torch.__version__, torch.version.cuda)"')
print(torch.__version__, torch.version.cuda)


# %% decide
def conclusion(cuda_inside, visible, driver, says):
    if cuda_inside is None:
        return "a build without CUDA: install another build"
    if visible == "" or visible == "-1":
        return "CUDA_VISIBLE_DEVICES hides all GPUs: unset it"
    if not driver:
        return "no driver here: install it, or pass the GPU into the container"
    return says or "a GPU can be used"


too_old = "The NVIDIA driver on your system is too old"
print(conclusion(None, None, True, ""))
print(conclusion("13.0", "", True, "No CUDA GPUs are available"))
print(conclusion("13.0", None, False, "Found no NVIDIA driver"))
print(conclusion("13.0", None, True, too_old))
print(conclusion("13.0", "0", True, ""))

# %% this-machine varies=true
says = ""
try:
    torch.cuda.init()  # unlike is_available(), it raises the reason
except (AssertionError, RuntimeError) as error:
    says = str(error).splitlines()[0]
visible = os.environ.get("CUDA_VISIBLE_DEVICES")
driver = "Found no NVIDIA driver" not in says  # nvidia-smi may be missing alone
print("says:      ", says)
print("conclusion:", conclusion(torch.version.cuda, visible, driver, says))

# %% init needs="no-cuda" raises="AssertionError"
torch.cuda.init()

# %% found-version
for found in (11040, 12020, 12080, 13000):
    major, minor = divmod(found, 1000)
    print(f"found version {found}: the driver supports CUDA {major}.{minor // 10}")


# %% enough
def enough(build, driver):
    """Whether a driver of this CUDA version runs a build with that one."""
    return int(driver.partition(".")[0]) >= int(build.partition(".")[0])


for build, driver in (("12.6", "12.2"), ("12.6", "13.0"), ("13.0", "12.8")):
    print(f"build with CUDA {build}, driver up to {driver}:", enough(build, driver))

# %% own-libraries
import inspect
import re

loaders = (torch._load_global_deps, torch._preload_cuda_deps)
source = "".join(map(inspect.getsource, loaders))
found = re.findall(r"lib(cu\w+|nccl)\.so", source)
print("looked for below site-packages/nvidia:", *sorted({*found})[:4], "…")
print("CUDA_HOME is read:", "CUDA_HOME" in source or "CUDA_PATH" in source)

# %% no-driver needs="no-driver" raises="RuntimeError" says="Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from …" origin="c10/cuda/CUDAFunctions.cpp"
torch.cuda.init()

# %% old-driver needs="old-driver" raises="RuntimeError" varies=true says="The NVIDIA driver on your system is too old (found version …). Please update your GPU driver by downloading and installing a new version from the URL: …" origin="c10/cuda/CUDAFunctions.cpp"
torch.cuda.init()

# %% module-and-library
import sys
from pathlib import Path

FOLDERS = ("x86_64-linux-gnu", "aarch64-linux-gnu", ".", "../lib64")  # of /usr/lib


def driver_parts(root="/"):
    """The versions of the driver's kernel module and of its library."""
    module = Path(root, "proc/driver/nvidia/version")
    text = module.read_text() if module.exists() else ""
    kernel = re.search(r"Kernel Module.*?\s(\d+\.[\d.]+)", text)
    links = [Path(root, "usr/lib", at, "libnvidia-ml.so.1") for at in FOLDERS]
    files = {link.resolve().name for link in links if link.exists()}
    library = sorted(name.removeprefix("libnvidia-ml.so.") for name in files)
    return kernel and kernel[1], library


def what_to_do(kernel, library):
    if not library:
        return "no driver installed"
    if not kernel:
        return "the kernel module is not loaded: sudo modprobe nvidia"
    return "fits" if kernel in library else "updated while in use: restart"


updated = Path("updated")
(updated / "proc/driver/nvidia").mkdir(parents=True)
line = "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.161.08  Sat Feb 17 2024"
(updated / "proc/driver/nvidia/version").write_text(line)
libraries = updated / "usr/lib/x86_64-linux-gnu"
libraries.mkdir(parents=True)
(libraries / "libnvidia-ml.so.535.183.01").touch()
(libraries / "libnvidia-ml.so.1").symlink_to("libnvidia-ml.so.535.183.01")
print(driver_parts("updated"), what_to_do(*driver_parts("updated")))

# %% these-parts varies=true
print(driver_parts(), what_to_do(*driver_parts()))

# %% not-initialized needs="gcc"
code = "int nvmlInit(void) { return 18; }"  # as beside a module of another version
command = ["gcc", "-shared", "-fPIC", "-x", "c", "-", "-o", "libnvidia-ml.so.1"]
subprocess.run(command, input=code, text=True, check=True)
program = "import torch; torch.cuda._raw_device_count_nvml()"
child = subprocess.run(
    [sys.executable, "-c", program],
    env=os.environ | {"LD_LIBRARY_PATH": os.getcwd()},
    capture_output=True,
    text=True,
)
print(child.stderr.splitlines()[0].partition(": ")[2])

# %% mismatch needs="cuda" raises="RuntimeError" says="Failed to initialize NVML: Driver/library version mismatch" origin="https://docs.nvidia.com/deploy/nvml-api/group__nvmlDeviceEnumvs.html"
import ctypes

nvml = ctypes.CDLL("libnvidia-ml.so.1")
nvml.nvmlErrorString.restype = ctypes.c_char_p
reason = nvml.nvmlErrorString(18).decode()
assert torch.cuda.is_available()  # here both fit: this is what it says elsewhere
raise RuntimeError(f"Failed to initialize NVML: {reason}")  # as nvidia-smi does


# %% ptx-needs
def translates(driver, toolkit):
    """Whether this driver reads PTX of this toolkit: the minor version counts."""
    return [*map(int, driver.split("."))] >= [*map(int, toolkit.split("."))]


for driver, toolkit in (("12.2", "12.6"), ("12.8", "12.6"), ("13.0", "12.6")):
    print(f"driver up to {driver}, PTX of {toolkit}:", translates(driver, toolkit))

# %% ptx-here varies=true
program = """\
import torch
print("CUDA:", torch.version.cuda)
print("PTX: ", [name for name in torch.cuda.get_arch_list() if "compute" in name])
"""
subprocess.run([sys.executable, "-c", program])

# %% ptx needs="cuda" raises="RuntimeError" says="CUDA error: the provided PTX was compiled with an unsupported toolchain." origin="NVIDIA CUDA runtime 13.5.37: lib/libcudart.so.13"
runtime = torch.cuda.cudart()
reason = runtime.cudaGetErrorString(runtime.cudaError(222))
raise RuntimeError(f"CUDA error: {reason}")  # as PyTorch raises it

# %% other-parts hidden=true
assert driver_parts("nowhere") == (None, []) and what_to_do(None, []) == "no driver installed"
assert what_to_do(None, ["535.161.08"]).startswith("the kernel module")
assert what_to_do("535.161.08", ["535.161.08"]) == "fits"
opened = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  Release Build"
(updated / "proc/driver/nvidia/version").write_text(opened)
assert driver_parts("updated")[0] == "570.86.15"
(libraries / "libnvidia-ml.so.570.86.15").touch()  # left behind by an older driver: the link counts
assert driver_parts("updated")[1] == ["535.183.01"] and what_to_do(*driver_parts("updated")).startswith("updated")
assert translates("12.10", "12.9") and not translates("12.9", "12.10")

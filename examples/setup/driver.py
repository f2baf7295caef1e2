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
visible, driver = os.environ.get("CUDA_VISIBLE_DEVICES"), shutil.which("nvidia-smi")
print("says:      ", says)
print("conclusion:", conclusion(torch.version.cuda, visible, bool(driver), says))

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

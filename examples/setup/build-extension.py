"""Build an extension: pip's empty environment, nvcc, CUDA_HOME, Ninja."""

# %% project fold=true
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

Path("project").mkdir()
Path("project", "pyproject.toml").write_text("""\
[project]
name = "extension"
version = "1.0"

[build-system]
requires = []
build-backend = "build_it"
backend-path = ["."]
""")
Path("project", "build_it.py").write_text("""\
import pathlib

def get_requires_for_build_wheel(settings=None):
    import torch  # as the setup.py of an extension
    return []

def prepare_metadata_for_build_wheel(folder, settings=None):
    info = pathlib.Path(folder, "extension-1.0.dist-info")
    info.mkdir()
    (info / "METADATA").write_text("Name: extension\\nVersion: 1.0\\n")
    return info.name
""")


def pip(*options):
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index"]
    child = subprocess.run([*command, *options, "./project"], capture_output=True, text=True)
    for line in (child.stdout + child.stderr).splitlines():
        if any(word in line for word in ("× Getting", "ModuleNotFound", "Would install")):
            print(line.strip())


# %% isolated varies=true
pip()

# %% not-isolated
pip("--no-build-isolation")

# %% cuda-home raises="OSError"
import torch
from torch.utils import cpp_extension

with patch.object(cpp_extension, "CUDA_HOME", None):  # as if there were no toolkit
    cpp_extension.CUDAExtension("kernels", ["kernels.cu"])


# %% cuda-home-set hidden=true
import os

with patch.object(cpp_extension, "CUDA_HOME", os.path.abspath("toolkit")):
    assert cpp_extension.CUDAExtension("kernels", ["kernels.cu"]).sources == ["kernels.cu"]
program = """\
import torch
from torch.utils import cpp_extension
assert (cpp_extension.CUDA_HOME is None) == (torch.version.cuda is None), cpp_extension.CUDA_HOME
"""
variables = os.environ | {"CUDA_HOME": os.path.abspath("toolkit")}  # a build without CUDA does not read it
subprocess.run([sys.executable, "-c", program], env=variables, check=True, capture_output=True)


# %% toolkit needs="gcc"
def check(toolkit, build):
    """What BuildExtension checks, with an nvcc that only tells its version."""
    nvcc = Path("cuda", "bin", "nvcc")
    nvcc.parent.mkdir(parents=True, exist_ok=True)
    nvcc.write_text(f"#!/bin/sh\necho release {toolkit},\n")
    nvcc.chmod(0o755)
    home = patch.object(cpp_extension, "CUDA_HOME", "cuda")
    gcc = torch.torch_version.TorchVersion("11.2")
    with home, patch.object(torch.version, "cuda", build):
        cpp_extension._check_cuda_version("g++", gcc)


cpp_extension.logger.disabled = True  # it warns of another minor version
for toolkit in ("13.0", "13.2", "12.1"):
    try:
        check(toolkit, "13.0")
        print(f"toolkit {toolkit}, torch with CUDA 13.0: goes on")
    except RuntimeError:
        print(f"toolkit {toolkit}, torch with CUDA 13.0: stops")

# %% mismatch raises="RuntimeError" needs="gcc"
check("12.1", "11.8")

# %% ninja-v raises="CalledProcessError" needs="ninja"
Path("kernels.cpp").write_text("int broken( { }\n")
rule = "rule compile\n  command = c++ -c $in -o $out\n"
Path("build.ninja").write_text(rule + "build kernels.o: compile kernels.cpp\n")
subprocess.run(["ninja", "-v"], check=True, capture_output=True)

# %% ninja-version needs="ninja"
subprocess.run(["ninja", "--version"], check=True, capture_output=True)
print("no error, and a file is built:", Path("kernels.o").exists())

# %% gcc-too-old raises="RuntimeError" needs="gcc"
folder = Path("old-system")  # a g++ that only tells its version
folder.mkdir()
(folder / "g++").write_text("#!/bin/sh\necho 4.8.5\n")
(folder / "g++").chmod(0o755)


def check_compiler(compiler, toolkit):
    """What BuildExtension asks of the compiler, for a toolkit of this version."""
    about = cpp_extension.get_compiler_abi_compatibility_and_version(compiler)
    Path("cuda", "bin", "nvcc").write_text(f"#!/bin/sh\necho release {toolkit},\n")
    home = patch.object(cpp_extension, "CUDA_HOME", "cuda")
    with home, patch.object(torch.version, "cuda", toolkit):
        cpp_extension._check_cuda_version("g++", about[1])


check_compiler("old-system/g++", "11.7")

# %% gcc-fits needs="gcc"
for version in ("4.8.5", "11.4.0", "15.1.0"):
    (folder / "g++").write_text(f"#!/bin/sh\necho {version}\n")
    for toolkit in ("11.7", "13.0"):
        try:
            check_compiler("old-system/g++", toolkit)
            print(f"g++ {version:7} CUDA {toolkit}: passes")
        except RuntimeError as error:
            reason = str(error).partition(") ")[2].partition(" by")[0]
            print(f"g++ {version:7} CUDA {toolkit}: {reason}")

# %% which-compiler hidden=true needs="gcc"
program = """\
from torch.utils import cpp_extension
print(cpp_extension.get_cxx_compiler())
"""
variables = os.environ | {"CXX": "/opt/gcc-11/bin/g++"}
child = subprocess.run([sys.executable, "-c", program], env=variables, capture_output=True, text=True, check=True)
assert child.stdout.strip() == "/opt/gcc-11/bin/g++", child.stdout

# %% no-compiler hidden=true needs="ninja"
Path("build.ninja").write_text("rule compile\n  command = no-such-compiler $in\nbuild other.o: compile kernels.cpp\n")
child = subprocess.run(["ninja", "-v"], capture_output=True, text=True)
assert child.returncode and "FAILED:" in child.stdout and "error:" not in child.stdout, child.stdout
assert "not found" in child.stdout.partition("FAILED:")[2], child.stdout

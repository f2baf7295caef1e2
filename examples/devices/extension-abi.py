"""undefined symbol: an extension that was built against another PyTorch."""

# %% installed varies=true
import torch

print("torch   ", torch.__version__)
print("CUDA    ", torch.version.cuda)
print("C++11 ABI", torch.compiled_with_cxx11_abi())

# %% build needs="gcc"
import os
import subprocess
import tempfile

import torch

os.chdir(tempfile.mkdtemp())
with open("extension.c", "w") as file:
    name = "_ZN2at6detail20DynamicCUDAInterface10set_deviceE"
    file.write(f"extern void {name}(int);\n")
    file.write(f"void (*set_device)(int) = {name};\n")
libtorch = os.path.join(os.path.dirname(torch.__file__), "lib")
linked = [f"-L{libtorch}", "-ltorch_cpu"]  # as every extension is
command = ["gcc", "-shared", "-fPIC", "extension.c", *linked, "-o", "extension.so"]
print("compiled:", subprocess.run(command).returncode == 0)

# %% load needs="gcc" raises="OSError"
import ctypes

import torch  # loads libtorch, whose names the extension may use

ctypes.CDLL("./extension.so")

# %% built-again hidden=true needs="gcc"
with open("extension.c", "w") as file:
    name = "_ZN2at6detail12getCUDAHooksEv"  # which this PyTorch has
    file.write(f"extern void {name}(void);\n")
    file.write(f"void (*hooks)(void) = {name};\n")
subprocess.run([*command[:-1], "again.so"], check=True)
ctypes.CDLL("./again.so")

# %% demangle needs="gcc"
for symbol in [
    "_ZN2at6detail20DynamicCUDAInterface10set_deviceE",
    "_ZN3c106detail14torchCheckFailEPKcS2_jRKSs",
    "_ZN3c106detail14torchCheckFailEPKcS2_jRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
]:
    print(subprocess.check_output(["c++filt", symbol], text=True).strip())

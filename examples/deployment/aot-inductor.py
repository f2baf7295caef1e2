"""AOTInductor: a compiled package, loaded by Python and by a C++ program."""

# %% quiet hidden=true
import warnings

warnings.simplefilter("ignore", FutureWarning)  # from within the compiler

from torch._inductor import config

config.cpp_cache_precompile_headers = False  # it pays only where many kernels are compiled
config.aot_inductor.compile_wrapper_opt_level = "O0"

# %% package needs="compiler"
import tempfile
from pathlib import Path

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(8, 3), nn.Sigmoid()).eval()
batch = torch.export.Dim("batch")
example = torch.randn(4, 8)  # (batch, features)
program = torch.export.export(net, (example,), dynamic_shapes=({0: batch},))

folder = Path(tempfile.mkdtemp())
package = str(folder / "net.pt2")
torch._inductor.aoti_compile_and_package(program, package_path=package)

# %% contents needs="compiler"
import zipfile

names = zipfile.ZipFile(package).namelist()
print(sorted({Path(name).suffix for name in names if "/model/" in name}))

# %% python needs="compiler"
compiled = torch._inductor.aoti_load_package(package)
for size in (1, 5, 64):
    x = torch.randn(size, 8)
    difference = (compiled(x) - net(x)).abs().max().item()
    print(size, "difference < 1e-5:", difference < 1e-5)

# %% cpp needs="compiler"
source = r"""
#include <ATen/core/Formatting.h>
#include <ATen/ops/linspace.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <iostream>

int main(int argc, char** argv) {
  torch::inductor::AOTIModelPackageLoader model(argv[1]);
  at::Tensor x = at::linspace(0, 1, 16).view({2, 8});
  std::vector<at::Tensor> outputs = model.run({x});
  std::cout << outputs[0] << std::endl;
}
"""
(folder / "main.cpp").write_text(source)

# %% build needs="compiler"
import subprocess

from torch.utils.cpp_extension import get_cxx_compiler, include_paths, library_paths

command = [get_cxx_compiler(), "-std=c++20", "-O0", "main.cpp", "-o", "main"]
command += [f"-I{path}" for path in include_paths()]
for path in library_paths():
    command += [f"-L{path}", f"-Wl,-rpath,{path}"]
command += ["-ltorch", "-ltorch_cpu", "-lc10"]
subprocess.run(command, cwd=folder, check=True)

# %% run-cpp needs="compiler"
program = [folder / "main", package]
result = subprocess.run(program, capture_output=True, text=True, check=True)
print(result.stdout)

# %% eager needs="compiler"
x = torch.linspace(0, 1, 16).view(2, 8)
eager = net(x)
rows = result.stdout.splitlines()[:2]
cpp = torch.tensor([[float(number) for number in row.split()] for row in rows])
print(eager)
print("difference < 1e-3:", ((cpp - eager).abs().max() < 1e-3).item())


# %% unchecked needs="compiler"
class Twice(nn.Module):
    def forward(self, x):
        return 2 * x.sigmoid()


numbers = torch.linspace(-1, 1, 6).view(2, 3)
exported = torch.export.export(Twice(), (numbers,))
twice_path = str(folder / "twice.pt2")
torch._inductor.aoti_compile_and_package(exported, package_path=twice_path)
twice = torch._inductor.aoti_load_package(twice_path)
inputs = {
    "as exported": numbers,
    "transposed": numbers.view(3, 2).T,
    "float64": numbers.double(),
}
for name, given in inputs.items():
    right = torch.allclose(twice(given).double(), 2 * given.double().sigmoid())
    print(f"{name:11} right: {right}")

# %% weights needs="compiler"
with torch.no_grad():
    net[0].bias.add_(1)
print("largest difference > 0.1:", ((net(x) - compiled(x)).max() > 0.1).item())

"""Which package to install, and how to tell which one is installed."""

# %% which-build varies=true
import torch

print("version:    ", torch.__version__)
print("CUDA inside:", torch.version.cuda)
print("ROCm inside:", torch.version.hip)
print("MPS inside: ", torch.backends.mps.is_built())  # Apple's GPUs
print("usable now: ", torch.accelerator.is_available())

# %% satisfied
from packaging.requirements import Requirement

for wanted in ("torch", "torch==2.13.0", "torch==2.13.0+cu130"):
    met = Requirement(wanted).specifier.contains("2.13.0+cpu")
    print(f"pip install {wanted:20}", "nothing to do" if met else "installs")

# %% newest-wins
from packaging.version import Version

on_pypi, with_cuda = Version("2.13.0"), Version("2.13.0+cu130")
print("same version: ", max(on_pypi, with_cuda))
print("PyPI is newer:", max(Version("2.13.1"), with_cuda))

# %% pyproject-uv
import tomllib

project = tomllib.loads("""
[tool.uv.sources]
torch = { index = "pytorch" }

[[tool.uv.index]]
name = "pytorch"
url = "https://download.pytorch.org/whl/cpu"
explicit = true
""")
(index,) = project["tool"]["uv"]["index"]
print(index["name"] == project["tool"]["uv"]["sources"]["torch"]["index"], index)

# %% pyproject-poetry
project = tomllib.loads("""
[tool.poetry.dependencies]
torch = { source = "pytorch" }

[[tool.poetry.source]]
name = "pytorch"
url = "https://download.pytorch.org/whl/cpu"
priority = "explicit"
""")
poetry = project["tool"]["poetry"]
print(poetry["dependencies"], poetry["source"][0]["priority"])

# %% built-consistently hidden=true
assert torch.backends.cuda.is_built() == (torch.version.cuda is not None or torch.version.hip is not None)

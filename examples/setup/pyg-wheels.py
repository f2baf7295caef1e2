"""torch-scatter, torch-sparse: wheels that name their torch, and what happens without one."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import torch; print(torch.__version__, torch.version.cuda)")
python("import sys; print(sys.version_info[:2])")

# %% folder fold=true
import io
import os
import tarfile
import zipfile
from pathlib import Path


PROJECT = """\
[build-system]
requires = []
build-backend = "build_it"
backend-path = ["."]
"""
BUILD = """\
def get_requires_for_build_wheel(settings=None):
    import torch
    return []
"""


def about(version):
    return f"Metadata-Version: 2.1\nName: torch-scatter\nVersion: {version}\n"


def wheel(folder, version):
    """A wheel without code."""
    Path(folder).mkdir(exist_ok=True)
    info = f"torch_scatter-{version}.dist-info"
    path = Path(folder, f"torch_scatter-{version}-py3-none-any.whl")
    with zipfile.ZipFile(path, "w") as file:
        file.writestr(f"{info}/METADATA", about(version))
        file.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
        file.writestr(f"{info}/RECORD", "")


def source(folder, version):
    """What is compiled on the machine, and imports torch to do so."""
    Path(folder).mkdir(exist_ok=True)
    files = {
        "PKG-INFO": about(version),
        "pyproject.toml": PROJECT,
        "build_it.py": BUILD,
    }
    name = f"torch_scatter-{version}"
    with tarfile.open(Path(folder, f"{name}.tar.gz"), "w:gz") as archive:
        for file, text in files.items():
            member = tarfile.TarInfo(f"{name}/{file}")
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))


def pip(*options):
    """Ask pip what it would install; nothing is installed."""
    print("$ pip install", *options)
    usual = {name: value for name, value in os.environ.items() if name[:4] != "PIP_"}
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "--no-cache-dir"]
    command += ["--no-index", "--disable-pip-version-check", *options]
    child = subprocess.run(
        command,
        env=usual | {"PIP_CONFIG_FILE": os.devnull},
        capture_output=True,
        text=True,
    )
    for line in (child.stdout + child.stderr).splitlines():
        line = line.strip()
        if line.startswith(("Would install", "ERROR: No", "ModuleNotFoundError")):
            print(line)
            break


# %% index-of-wheels
source("pypi", "2.1.2")  # as on PyPI: source only
wheel("torch-2.13.0+cpu", "2.1.2+pt213cpu")  # as in PyG's own list

pip("torch-scatter", "--find-links", "pypi")
pip("torch-scatter", "--find-links", "torch-2.13.0+cpu", "--find-links", "pypi")

# %% only-wheels
pip("torch-scatter", "--only-binary", "torch-scatter", "--find-links", "pypi")


# %% address
def page(torch_version):
    """The page of wheels for this torch: its number ends in 0, the build stays."""
    number, _, build = torch_version.partition("+")
    major, minor, *_ = number.split(".")
    return f"torch-{major}.{minor}.0+{build or 'cpu'}.html"


for torch_version in ("2.13.0+cpu", "2.13.1+cu130", "2.13.0"):
    print(f"{torch_version:13}", page(torch_version))

# %% without
import torch

index = torch.tensor([0, 0, 2])
values = torch.tensor([1.0, 2.0, 5.0])
sums = torch.zeros(3).scatter_add_(0, index, values)  # torch_scatter.scatter_add
means = torch.zeros(3).scatter_reduce_(0, index, values, "mean", include_self=False)
print(sums.tolist(), means.tolist())

# torch_sparse.spmm: row 0 takes 1·x[0] + 2·x[2]
edges = torch.tensor([[0, 0, 1], [0, 2, 1]])  # (row, column) of each entry
weights = torch.tensor([1.0, 2.0, 3.0])
adjacency = torch.sparse_coo_tensor(edges, weights, (3, 3), check_invariants=True)
print(torch.sparse.mm(adjacency, torch.eye(3)).tolist())

# %% same hidden=true
dense = torch.zeros(3, 3).index_put((edges[0], edges[1]), weights, accumulate=True)
assert torch.equal(torch.sparse.mm(adjacency, torch.eye(3)), dense)
assert page("2.9.1+cu128") == "torch-2.9.0+cu128.html"
assert page("2.14.0.dev20261101+cu130") == "torch-2.14.0+cu130.html" and page(torch.__version__)

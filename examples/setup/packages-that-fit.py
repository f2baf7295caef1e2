"""torch, torchvision, torchaudio: which versions fit together."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


for name in ("torch", "numpy", "pillow"):
    python(f"import importlib.metadata as m; print(m.version('{name}'))")

# %% demands varies=true
import importlib.metadata
from pathlib import Path

from packaging.requirements import InvalidRequirement, Requirement


def misfits(packages, version, of="torch"):
    """What asks for another version of a package than the one that is installed."""
    for package in packages:
        for line in package.requires or ():
            try:
                wanted = Requirement(line)
            except InvalidRequirement:  # of old packages: pytz (>dev)
                continue
            asked = wanted.marker is None or wanted.marker.evaluate({"extra": ""})
            if wanted.name.lower() == of and asked:
                if not wanted.specifier.contains(version, prereleases=True):
                    yield f"{package.name} {package.version} requires {line}"


here = importlib.metadata.distributions()
print(list(misfits(here, importlib.metadata.version("torch"))) or "all fit")

# %% pretend
folder = Path("torchvision-0.27.0.dist-info")  # as pip leaves it in site-packages
folder.mkdir()
metadata = "Metadata-Version: 2.1\nName: torchvision\nVersion: 0.27.0\n"
(folder / "METADATA").write_text(metadata + "Requires-Dist: torch==2.12.0\n")
packages = list(importlib.metadata.distributions(path=["."]))
print(list(misfits(packages, "2.13.0+cu130")))
print(list(misfits(packages, "2.12.0+cpu")))

# %% requires needs="torchvision" varies=true
print("torchvision", importlib.metadata.version("torchvision"), "requires:")
for line in importlib.metadata.requires("torchvision"):
    print("   ", line)
print("installed: torch", importlib.metadata.version("torch"))

# %% pip-check needs="torchvision" varies=true
print("$ python -m pip check", flush=True)
subprocess.run([sys.executable, "-m", "pip", "check"])

# %% unfit needs="torchvision" varies=true
command = [sys.executable, "-c", "import torchvision"]
child = subprocess.run(command, capture_output=True, text=True)
print(*child.stderr.splitlines()[-1:])

# %% hidden-reason needs="torchvision" varies=true
program = """\
import ctypes, importlib.util, pathlib, torch
folder = pathlib.Path(importlib.util.find_spec("torchvision").origin).parent
for file in folder.glob("_C*.so"):
    try:
        ctypes.CDLL(file)
    except OSError as error:
        print("OSError:", str(error).replace(str(folder), "…/torchvision")[:200])
"""
subprocess.run([sys.executable, "-c", program])

# %% pairs
for torch_minor in (0, 6, 10, 12, 13):  # since torch 2.0 the distance is the same
    print(f"torch 2.{torch_minor:<3} torchvision 0.{torch_minor + 15}")

# %% old-metadata hidden=true
from types import SimpleNamespace


def asks(*lines):
    return SimpleNamespace(name="package", version="1", requires=lines)


assert not list(misfits([asks("pytz (>dev)", "torch>=2", "torch>=9; extra == 'gpu'", "torch-geometric<1")], "2.13.0"))
assert len(list(misfits([asks("torch >dev", "Torch<2", "torch[opt]>=3", "torch==2.12")], "2.13.0+cpu"))) == 3

# %% nothing-to-upgrade hidden=true
from packaging.version import Version

for build in ("2.13.0+cpu", "2.13.0+cu130"):  # installed; the index has 2.13.0
    assert Version(build) > Version("2.13.0") and not list(misfits([asks("torch==2.13.0")], build))

# %% not-pinned hidden=true
later = [asks("torch>=2.14.0")]  # as torchvision 0.29.1
assert list(misfits(later, "2.13.0+cpu")) and not list(misfits(later, "2.15.0+cu130"))

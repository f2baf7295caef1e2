"""Compiled with NumPy 1, run with NumPy 2: what it says, and the two cures."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


for name in ("torch", "numpy"):
    python(f"import importlib.metadata as m; print(m.version('{name}'))")

# %% beside-numpy-2
import os
import re
from pathlib import Path

program = "import torch; print(torch.ones(2).numpy())"
# Where this environment's own NumPy is NumPy 1, a NumPy 2 lies in a folder beside.
beside = os.environ | {"PYTHONPATH": str(Path(sys.prefix, "numpy-2"))}


def messages(program, variables=None):
    command = [sys.executable, "-c", program]
    child = subprocess.run(command, env=variables, capture_output=True, text=True)
    for line in (child.stdout + child.stderr).splitlines():
        if re.search(r"NumPy|Numpy|^\[", line):
            print(re.sub(r"^\S+:\d+: ", "", line))


messages(program, beside)

# %% own-numpy
messages(program)

# %% which-numpy
from packaging.requirements import Requirement

for wanted in ("numpy<2", "numpy>=2"):
    for version in ("1.26.4", "2.0.0"):
        fits = Requirement(wanted).specifier.contains(version)
        print(f"{wanted:9} {version:7}", "kept" if fits else "replaced")

# %% what-is-asked
program = """\
import numpy.core._multiarray_umath as compiled
try:
    compiled._ARRAY_API
except ImportError as error:
    print("ImportError:", str(error).strip())
"""
child = subprocess.run(
    [sys.executable, "-W", "ignore", "-c", program],
    env=beside,
    capture_output=True,
    text=True,
)
print(child.stdout)

# %% not-available
program = """\
import sys, warnings
sys.modules["numpy"] = None  # as if it were not installed
warnings.simplefilter("ignore")  # torch warns of it once more
import torch
print(torch.ones(2).tolist())
torch.ones(2).numpy()
"""
messages(program)

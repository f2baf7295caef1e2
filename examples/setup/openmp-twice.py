"""OMP: Error #15: two OpenMP runtimes in one process."""

# %% look fold=true varies=true
import sysconfig
from pathlib import Path

site_packages = Path(sysconfig.get_path("purelib"))
for file in sorted(site_packages.rglob("*omp*")):
    if file.name.startswith(("libgomp", "libomp", "libiomp", "vcomp")):
        print(file.relative_to(site_packages))

# %% loaded needs="sklearn" varies=true
import threadpoolctl
import torch
from sklearn.utils._openmp_helpers import _openmp_parallelism_enabled

print("scikit-learn was built with OpenMP:", _openmp_parallelism_enabled())


def runtimes():
    for pool in threadpoolctl.threadpool_info():
        if pool["user_api"] == "openmp":
            name = Path(pool["filepath"]).name
            print(f"{pool['prefix']:8} {pool['num_threads']} threads  {name}")


runtimes()

# %% separate needs="sklearn" varies=true
before = torch.get_num_threads()
torch.set_num_threads(before + 2)
runtimes()
torch.set_num_threads(before)

# %% variable needs="sklearn" varies=true
import os
import subprocess
import sys

program = """\
import sklearn.utils._openmp_helpers, threadpoolctl, torch
for pool in threadpoolctl.threadpool_info():
    if pool["user_api"] == "openmp":
        print(pool["filepath"].rpartition("/")[2])
"""
print("KMP_DUPLICATE_LIB_OK=TRUE:", flush=True)
variables = os.environ | {"KMP_DUPLICATE_LIB_OK": "TRUE"}
subprocess.run([sys.executable, "-c", program], env=variables)

# %% one-after-another
import subprocess
import sys

import numpy as np

features = np.arange(6.0).reshape(2, 3)  # (samples, features)
np.save("features.npy", features)  # what the first process found
program = """\
import numpy, torch
print(torch.from_numpy(numpy.load("features.npy")).sum())
"""
subprocess.run([sys.executable, "-c", program])

# %% error needs="windows" raises="RuntimeError" varies=true says="OMP: Error #15: Initializing …, but found … already initialized." origin="LLVM OpenMP 20.1.8: openmp/runtime/src/i18n/en_US.txt"
import shutil

import torch

runtime = Path(torch.__file__).parent / "lib" / "libiomp5md.dll"
second = Path(shutil.copy(runtime, "libiomp5md.dll")).absolute()
program = """\
import ctypes, sys
for file in sys.argv[1:]:
    ctypes.CDLL(file).omp_get_max_threads()  # starts this copy
"""
command = [sys.executable, "-c", program, str(runtime), str(second)]
child = subprocess.run(command, capture_output=True, text=True)
if child.returncode:
    raise RuntimeError(child.stderr)

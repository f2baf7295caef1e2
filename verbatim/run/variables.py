"""Sets the environment variables of a run, so that a run prints the same for everybody.

A script's process gets the variables in these tables and no others. Torch, MKL, oneDNN, OpenMP, OpenBLAS, NumPy,
Matplotlib and Python read more than a hundred variables; a list of those to take out would never be complete, and a
script has no business with the reader's tokens either.

Three kinds:

- `PINNED` have one value everywhere: number of threads, time zone, language, width of the terminal.
- `PASSED` say where programs and libraries are. They decide whether a script runs, not what it prints.
- `KEYED` make the machine behave as another processor would: they choose instruction sets, and kernels of another set
  round differently. Pinning them to the least that all machines have would make numbers equal everywhere, but a reader
  who runs the script would see others, and the slow kernels' bugs instead of the usual ones'. So they pass through,
  which is how `make portable` tries other processors on one machine, and are part of the cache's key. So does
  `PYTHONHASHSEED`, which the order of sets depends on; it is 0 where nobody sets it.

The fork server starts with these and nothing else. To delete variables later would not do: the kernel keeps those that
a program was started with in its memory and in ``/proc/PID/environ``, and every process that it forks has both.

The home folder is a temporary folder of the run: files that one run writes there are not seen by the next, and no
`matplotlibrc` or `.config` of the user is read.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

#: The same everywhere.
PINNED = {
    "OMP_NUM_THREADS": "1",  # a sum in another order is another sum
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "TORCHINDUCTOR_COMPILE_THREADS": "1",  # no pool of processes beside the script's
    # The compiler knows the instructions that the processor names. Else inductor compiles and loads a file for each set
    # of them, in every script: nine seconds of processor time. Which it chooses is the same.
    "TORCHINDUCTOR_VEC_ISA_OK": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
    "MPLBACKEND": "agg",
    "TERM": "dumb",
    "COLUMNS": "80",
    "LINES": "24",
    "NO_COLOR": "1",
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "USER": "reader",
    "LOGNAME": "reader",
}

#: Taken as they are: where programs, libraries and compilers lie. A name that ends in ``_`` is the beginning of names.
PASSED = (
    "PATH",
    "HOME",  # the fork server's: Matplotlib keeps its list of fonts there
    "PYTHONPATH",
    "PYTHONHOME",
    "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "CUDA_HOME",
    "CUDA_PATH",
    "CC",
    "CXX",
    "SDKROOT",
    "VERBATIM_CONFINE",
    "VERBATIM_PRELOAD",
    "VERBATIM_STAND_IN_",  # what tests say to stand-ins for hardware
)

#: Taken as they are, and part of the cache's key.
KEYED = (
    "ATEN_CPU_CAPABILITY",
    "MKL_CBWR",
    "MKL_ENABLE_INSTRUCTIONS",
    "MKL_DEBUG_CPU_TYPE",
    "ONEDNN_MAX_CPU_ISA",
    "DNNL_MAX_CPU_ISA",
    "OPENBLAS_CORETYPE",
    "NPY_DISABLE_CPU_FEATURES",
    "NPY_ENABLE_CPU_FEATURES",
    "GLIBC_TUNABLES",
    "LD_PRELOAD",
    "PYTHONHASHSEED",
)

#: What Python orders sets by, where nobody says: a run is to print the same as the last one.
HASH_SEED = "0"

#: How names begin that libraries read when they are imported. They are imported before a script begins.
READ_EARLY = ("ATEN_", "DNNL_", "KMP_", "MKL_", "NPY_", "OMP_", "ONEDNN_", "OPENBLAS_", "PYTORCH_JIT", "TORCH_")


def environment(seed: str = "") -> dict[str, str]:
    """Return the variables that the fork server starts with. `seed`: another `PYTHONHASHSEED` than `hash_seed`."""
    taken = {name: value for name, value in os.environ.items() if _is_taken(name)}
    return {**taken, **PINNED, "PYTHONHASHSEED": seed or hash_seed()}


def _is_taken(name: str) -> bool:
    return name in KEYED or any(
        name == passed or (passed.endswith("_") and name.startswith(passed)) for passed in PASSED
    )


@contextlib.contextmanager
def temporarily(**values: str) -> Iterator[None]:
    """Set variables of this process for the duration of a `with` block."""
    saved = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in saved.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def own(scratch: Path, gpus: str) -> None:
    """Give a script's process folders of its own. `gpus`: numbers of the GPUs that it may see."""
    for name, folder in (("HOME", scratch / "home"), ("TMPDIR", scratch / "tmp")):
        folder.mkdir()
        os.environ[name] = str(folder)
    # PyTorch's compiler and Triton settle on a folder when they are imported, in the fork server.
    os.environ["TORCHINDUCTOR_CACHE_DIR"] = str(scratch / "tmp" / "torchinductor")
    os.environ["TRITON_HOME"] = str(scratch / "home")
    os.environ["CUDA_VISIBLE_DEVICES"] = gpus


def hash_seed() -> str:
    """Return the value of `PYTHONHASHSEED` for scripts, unless a run asks for another."""
    return os.environ.get("PYTHONHASHSEED") or HASH_SEED


def key() -> str:
    """Return everything in the environment that can change an output, as text: variables and Python's flags."""
    named = (f"{name}={os.environ[name]}" for name in KEYED if name in os.environ)
    # Scripts never write bytecode, whatever this process does.
    flags = repr(sys.flags).replace(f"dont_write_bytecode={sys.flags.dont_write_bytecode}, ", "")
    return "\n".join([*named, flags])

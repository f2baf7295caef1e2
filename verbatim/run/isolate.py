"""Prepares a forked process for one script: descriptors, folders, limits, seeds, main module. Runs in the child."""

from __future__ import annotations

import contextlib
import faulthandler
import fcntl
import importlib
import io
import os
import re
import resource
import signal
import sys
import tempfile
import types
import weakref
from collections.abc import Iterable
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from verbatim.run import confine, forks, perturb, reads, variables
from verbatim.run.job import Job
from verbatim.run.script import Script

#: A line that may import more than PyTorch, NumPy and Python's own library: Matplotlib, or what imports it in turn.
_MORE = (
    rf"^[ \t]*(?:from|import)[ \t]+(?!(?:torch|numpy|{'|'.join(sorted(sys.stdlib_module_names))})\b)|^[ \t]*import .*,"
)
COMPILER = "torch._dynamo"
#: Module that takes long to import and that few scripts need → pattern of the text of such scripts. PyTorch imports its
#: own ones only when they are used. The compiler, which the first optimizer asks for, takes nearly as long as torch
#: itself, and each process of a distributed example would import it again; shapes with symbols, which the first
#: backward() asks for, bring SymPy; the decompositions are hundreds of functions that are compiled.
LATE = {
    COMPILER: re.compile(r"\boptim\b|\bcompile\b|\bexport\b|\b_dynamo\b|\bDistributedDataParallel\b|\bfully_shard\b"),
    "torch.fx.experimental.symbolic_shapes": re.compile(
        r"\bbackward\b|\bgrad\(|\bgradcheck\b|\bjacobian\b|\bjacrev\b|\bhessian\b|\bvjp\b|\bgrad_and_value\b"
    ),
    "torch._decomp.decompositions_for_jvp": re.compile(r"\bjvp\b|\bjacfwd\b|\bhessian\b|\blinearize\b|\bmake_dual\b"),
    "verbatim.run.plots": re.compile(rf"\bmatplotlib\b|\bplt\b|\bimportlib\b|__import__|{_MORE}", re.MULTILINE),
}
#: Package that torch's compiler imports, where it is installed, and that reads a variable then → pattern of the scripts
#: that set it before they import the package.
ANEW = {"triton": re.compile(r"\bTRITON_INTERPRET\b")}


def late(script: Script) -> list[str]:
    """Return the modules of `LATE` that the script needs."""
    return [module for module, uses in LATE.items() if uses.search(script.text)]


def may_have(script: Script) -> list[str]:
    """Return the modules of `LATE` that may be imported before the script runs.

    All but the compiler, unless the script uses it: the import registers one of PyTorch's testing backends, and some
    process groups then warn of hooks that they lack. Next to another recipe, a script would print what it does not
    print alone. The other modules only define functions and classes.
    """
    return [module for module in LATE if module != COMPILER or LATE[module].search(script.text)]


def together(scripts: Iterable[Script] | None = None) -> list[list[str]]:
    """Return the modules of `LATE` that each fork server needs: one server for scripts that `may_have` the same.

    Args:
        scripts: The scripts; without, the servers are those for any script.
    """
    if scripts is None:
        return [[*LATE], [module for module in LATE if module != COMPILER]]
    kinds: dict[tuple[str, ...], set[str]] = {}
    for script in scripts:
        kinds.setdefault(tuple(may_have(script)), set()).update(late(script))
    return [[module for module in LATE if module in needed] for needed in kinds.values()]


def become(job: Job) -> int:
    """Prepare this process to run the job's script.

    Redirects stdout and stderr to a file, sets memory limits and environment variables, changes to an empty working
    folder, and restricts file access.

    Returns:
        The file descriptor of the output file.
    """
    os.setsid()
    _end_with_parent()
    scratch = Path(job.scratch)
    output = os.open(scratch / "output", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
    for descriptor in (1, 2):
        os.dup2(output, descriptor)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    for name, descriptor in (("stdout", 1), ("stderr", 2)):
        raw = io.FileIO(descriptor, "w", closefd=False)
        stream = io.TextIOWrapper(io.BufferedWriter(raw), "utf-8", errors="backslashreplace", line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    faulthandler.enable(open(scratch / "trace", "wb", buffering=0))  # noqa: SIM115 (it must stay open)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (job.memory, job.memory))  # a folder for temporary files may be memory
    if job.device == "cpu":  # a GPU driver reserves far more memory than it uses
        _limit_memory(job.memory)

    _forget_finalizers()
    variables.own(scratch, job.gpus)
    os.umask(0o022)
    sys.dont_write_bytecode = True
    tempfile.tempdir = None
    (scratch / "cwd").mkdir()

    reads.record(job, scratch / "reads")
    confine.separate(scratch)
    os.chdir(scratch / "cwd")  # not before: it would lie in the mount that is read-only now
    perturb.rename(job)
    confine.confine(scratch, gpu=job.device == "cuda")
    import torch

    # Import these now, if the fork server has not: under the tracing of cells it takes three times as long. Matplotlib
    # writes its list of fonts then; the script finds its home empty all the same, as if the server had imported it.
    with variables.temporarily(MPLCONFIGDIR=str(scratch / "matplotlib")):
        for name in late(job.script):
            with contextlib.suppress(Exception):  # torch 1.13 has no compiler; some releases refuse newer Pythons
                importlib.import_module(name)
    for package in (name for name, sets in ANEW.items() if sets.search(job.script.text)):
        _forget(package)
    torch.set_num_threads(1)
    os.register_at_fork(after_in_child=_own_threads)
    perturb.apply(job)
    return output


def _forget(package: str) -> None:
    """Let the script import a package anew. What is compiled in it can be loaded once only, and stays."""
    for name in list(sys.modules):
        if f"{name}.".startswith(f"{package}.") and not name.startswith(f"{package}._C"):
            del sys.modules[name]


def _own_threads() -> None:
    """Give a process that the script forked its own pool of threads, while it has only one thread.

    A fork copies the pool, but not its threads. So torch replaces it at its next use, which is `set_num_threads` here,
    or the start of a thread of autograd: if two threads come to that at once, one finds no pool, and torch ends the
    process. A script that is run alone has no pool before it forks.
    """
    import torch

    torch.set_num_threads(torch.get_num_threads())


def prepare() -> None:
    """Detach the exit finalizers of libraries, once, in the fork server; it needs those of its temporary folders.

    There are more than a hundred of them, and no process ends in a way that would call them. Without this, each
    script's process would copy the memory of all of them only to disable them.
    """
    for finalizer in list(weakref.finalize._registry):  # type: ignore[attr-defined]
        if not isinstance(_owner(finalizer), tempfile.TemporaryDirectory):
            finalizer.detach()


def _forget_finalizers() -> None:
    """Disable inherited exit finalizers, which would delete a temporary folder that the fork server still needs."""
    for finalizer in list(weakref.finalize._registry):  # type: ignore[attr-defined]
        finalizer.atexit = False
        owner = _owner(finalizer)
        if isinstance(owner, tempfile.TemporaryDirectory):
            # torch 2.2 to 2.8 registers its `cleanup` with `atexit`, too; without a name it does nothing.
            finalizer.detach()
            owner.name = ""


def _owner(finalizer: weakref.finalize[..., Any]) -> object:
    return (finalizer.peek() or [None])[0]


def _end_with_parent() -> None:
    """Have the kernel kill this process group when the build ends, however it ends. Linux only."""
    if not hasattr(fcntl, "F_SETSIG"):
        return
    pipe = forks.parent
    fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if wait([pipe], timeout=0):  # the build ended before the signal was set up
        os._exit(1)


def _limit_memory(extra: int) -> None:
    """Limit the process to `extra` bytes of data beyond its current size. Linux only; elsewhere the parent checks."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return
    held = next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmData:"))
    resource.setrlimit(resource.RLIMIT_DATA, (held + extra, held + extra))


def main_module(job: Job) -> types.ModuleType:
    """Create the script's `__main__` module and install it, with `sys.argv` and `sys.path` as if run directly.

    Pickling, `inspect` and `if __name__ == "__main__"` then work as in a normal run.
    """
    module = types.ModuleType("__main__", job.script.title)
    module.__file__ = job.file
    sys.modules["__main__"] = module
    sys.argv = [job.file]
    sys.path[0:1] = [str(Path(job.file).parent)]
    return module

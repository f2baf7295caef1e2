"""A forked process becomes a script's own: descriptors, folders, limits, seeds, main module. Runs in the child."""

from __future__ import annotations

import contextlib
import faulthandler
import fcntl
import importlib
import io
import multiprocessing
import os
import re
import resource
import signal
import sys
import types
import weakref
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from verbatim.run import confine, elsewhere, variables
from verbatim.run.job import Job
from verbatim.run.script import Script

#: Scripts in which PyTorch imports its compiler: the first optimizer does so, and it takes nearly as long as torch.
#: Processes that wrap a model for training in parallel would each do so.
COMPILER = re.compile(r"\boptim\b|\bcompile\b|\bexport\b|\b_dynamo\b|\bDistributedDataParallel\b|\bfully_shard\b")


def needs_compiler(script: Script) -> bool:
    """Whether PyTorch will import its compiler while the script runs."""
    return COMPILER.search(script.text) is not None


def become(job: Job) -> int:
    """Make the process the script's own. Return the descriptor of the output file."""
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
    if job.device == "cpu":  # a GPU's driver reserves far more than it uses
        _limit_memory(job.memory)

    _forget_finalizers()
    variables.own(scratch, job.gpus)
    os.umask(0o022)
    sys.dont_write_bytecode = True
    import tempfile

    tempfile.tempdir = None
    multiprocessing.current_process()._config.pop("tempdir", None)  # type: ignore[attr-defined]  # the parent's
    (scratch / "cwd").mkdir()
    os.chdir(scratch / "cwd")
    # A child of a fork server would start the script's own processes from that server.
    multiprocessing.set_start_method(None, force=True)

    _note_reads(job, scratch / "reads")
    confine.confine(scratch)
    import torch

    # The fork server may have done so; while `uses` watches, it would take three times as long.
    if needs_compiler(job.script):
        with contextlib.suppress(Exception):  # torch 1.13 has none; some releases refuse newer Pythons
            importlib.import_module("torch._dynamo")
    torch.set_num_threads(1)
    elsewhere.settle(job)
    return output


def _forget_finalizers() -> None:
    """Leave to the fork server what it must clean up at its end: a temporary folder that torch made when imported."""
    for one in list(weakref.finalize._registry):  # type: ignore[attr-defined]
        one.atexit = False


def _end_with_parent() -> None:
    """Have the kernel kill this process and its group once nobody watches them any more. Linux only."""
    parent = multiprocessing.parent_process()
    if parent is None or not hasattr(fcntl, "F_SETSIG"):
        return
    pipe = parent.sentinel  # its other end is closed when the parent ends, however it ends
    fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(pipe, fcntl.F_SETSIG, signal.SIGKILL)
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if wait([pipe], timeout=0):  # it ended before the kernel was asked
        os._exit(1)


def _limit_memory(extra: int) -> None:
    """Let the process map `extra` bytes of data beyond what it holds. Linux only; elsewhere the parent watches."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return
    held = next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmData:"))
    resource.setrlimit(resource.RLIMIT_DATA, (held + extra, held + extra))


def _note_reads(job: Job, path: Path) -> None:
    """Write down each file below the root that this process, or one it forks, opens for reading."""
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    root = job.root + os.sep

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event != "open" or not isinstance(arguments[0], str):
            return
        name = os.path.abspath(arguments[0])
        if name.startswith(root) and name != job.file:
            with contextlib.suppress(OSError):
                os.write(log, name.encode() + b"\n")

    sys.addaudithook(hook)


def main_module(job: Job) -> types.ModuleType:
    """Make the script `__main__`: pickling, `inspect` and `if __name__ == "__main__"` work as they do alone."""
    module = types.ModuleType("__main__", job.script.title)
    module.__file__ = job.file
    sys.modules["__main__"] = module
    sys.argv = [job.file]
    sys.path[0:1] = [str(Path(job.file).parent)]
    return module

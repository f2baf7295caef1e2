"""Runs the cells of one script in a child of the fork server and sends their results to the parent.

The file descriptors of stdout and stderr both point to one file, so that Python prints, C++ log lines and the output of
child processes keep their order. Warnings, figures and errors are recorded with their byte offset in that file.
"""

from __future__ import annotations
import __future__

import atexit
import contextlib
import ctypes
import functools
import gc
import importlib.metadata
import importlib.util
import operator
import os
import platform
import re
import resource
import shutil
import sys
import threading
import time
import traceback
import types
import warnings
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from verbatim.run import figures, isolate
from verbatim.run.channel import Ran, send
from verbatim.run.job import Job
from verbatim.run.names import Text, Watch, summaries
from verbatim.run.script import CAPABILITIES, Cell


def main(job: Job, text: Text, results: Connection) -> None:
    """Run the script, send its results, and exit the process.

    The messages are ``start`` and ``cell`` for each cell; ``left``, the threads and processes that it leaves; ``late``,
    which repeats the last cell after threads and exit handlers have finished; ``names``, the PyTorch names that the
    cells use; and ``done`` with the environment. Instead comes ``forked`` from a process that the script forked and did
    not end, or ``failed`` if this code fails, because a script may have replaced anything in the interpreter that both
    share.

    Args:
        job: The script and how to run it.
        text: The names in the script's text.
        results: The sending end of a pipe to the parent.
    """
    try:
        _main(job, text, results)
        code = 0
    except BaseException as error:
        send(results, ("failed", _failed(error, job)))
        code = 1
    os._exit(code)


def _main(job: Job, text: Text, results: Connection) -> None:
    output = isolate.become(job)
    module = isolate.main_module(job)
    # Restore the default warning filters of a new Python interpreter.
    warnings.resetwarnings()
    warnings.filterwarnings("default", category=DeprecationWarning, module="__main__")
    for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        warnings.simplefilter("ignore", category, append=True)
    # Of one patch release of Python, 3.13.0, and so of the machine.
    warnings.filterwarnings("ignore", message=r"Guards may run slower on Python", category=RuntimeWarning)

    run = _Run(job, text, module, output)
    ended: list[tuple[str, Any]] = []
    for cell in job.script.cells:
        send(results, *ended, ("start", cell.name))
        if missing := _missing(cell.needs, job):
            ended = [("cell", Ran(cell.name, _end(output), _end(output), skipped=missing))]
            continue
        run.cell(cell)
        if os.getpid() != run.pid:
            send(results, ("forked", cell.name))
            return
        ended = [("cell", run.ran)]
        if run.ran.error is not None and job.stops_at(cell, touched=run.ran.touched):
            break
    send(results, *ended, ("left", _left()))
    _finish()
    run.ran.end = max(run.ran.end, _end(output))
    used = run.watch.found()
    names = [used, summaries({name for cell in used.values() for name in cell})]
    send(results, ("late", run.ran), ("names", names), ("done", environment()))
    results.close()


def _failed(error: BaseException, job: Job) -> tuple[str, str, int]:
    """Describe an exception of this code: what, where, and the line of the script in which it was raised, or 0."""
    what, where, line = f"{type(error).__name__}: {error}", "in its own process", 0
    with contextlib.suppress(BaseException):  # an audit hook that fails does so here, too
        line = _describe(error, job.file)[2]
        frames = [(frame.f_code, number) for frame, number in traceback.walk_tb(error.__traceback__)]
        code, number = next(frame for frame in reversed(frames) if frame[0].co_filename != job.file)
        where = f"line {number} of {os.path.basename(code.co_filename)}, in {code.co_name}"
    return what, where, line


@functools.cache
def environment() -> dict[str, str]:
    """Return the versions and machine properties that outputs depend on, read once, in the fork server."""
    import numpy
    import torch

    return {
        "torch": str(torch.__version__),  # it is a subclass of str; unpickling it would import torch
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "matplotlib": importlib.metadata.version("matplotlib"),  # it is imported only for scripts that may draw
        "platform": f"{platform.system()} {platform.machine()}",
        "cpu": _cpu_capability(),
    }


def _cpu_capability() -> str:
    """Return the vector instructions that torch uses, such as ``AVX2``."""
    import torch

    with contextlib.suppress(AttributeError):  # torch 2.0 and older do not have it
        return str(torch.backends.cpu.get_cpu_capability())
    match = re.search(r"CPU capability usage: (\S+)", torch.__config__.show())
    return match[1] if match else "unknown"


def _missing(need: str, job: Job) -> str:
    """Return the capability that a cell needs and this machine lacks; empty if the cell can run."""
    if not need:
        return ""
    base, _, count = need.partition(":")
    if base == job.without:
        return need
    package = CAPABILITIES[base]
    if package is not None:
        return "" if importlib.util.find_spec(package) else need
    if base == "gcc":
        tools = sys.platform == "linux" and all(map(shutil.which, ("gcc", "nm", "c++filt")))
        return "" if tools else need
    if base in ("compiler", "ninja"):
        compiler = os.environ.get("CXX") or ("clang++" if sys.platform == "darwin" else "g++")
        ready = shutil.which(compiler) and (base == "compiler" or shutil.which("ninja"))
        return "" if ready else need
    if base == "windows":
        return "" if sys.platform == "win32" else need
    import torch

    if base in ("mps", "xpu"):
        module = getattr(torch.backends if base == "mps" else torch, base, None)  # older releases lack one or both
        return "" if module and module.is_available() else need
    if base == "no-cuda":
        return need if torch.version.cuda else ""
    if base == "no-driver" and "cuda" in job.perturbed:
        return need  # what really says so is not here
    if base in ("no-driver", "old-driver"):
        return "" if base == _lacking_driver(str(torch.version.cuda or ""), _driver()) else need
    if job.device != "cuda":
        return need
    return "" if torch.cuda.device_count() >= int(count or 1) else need


def _driver() -> int:
    """Return the newest CUDA that the NVIDIA driver supports, such as 12020 for 12.2; 0 without a driver."""
    version = ctypes.c_int(0)
    with contextlib.suppress(OSError):
        ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
    return version.value


def _lacking_driver(build: str, driver: int) -> str:
    """Return ``no-driver`` or ``old-driver`` if that keeps a build with this CUDA from using a GPU, else nothing.

    Args:
        build: ``torch.version.cuda``; empty for a build without CUDA.
        driver: The newest CUDA that the driver supports, from `_driver`.
    """
    if not build:
        return ""
    if not driver:
        return "no-driver"
    return "old-driver" if driver // 1000 < int(build.partition(".")[0]) else ""


#: Compiler flags that `from __future__ import` sets. They also apply to the cells after the one with the import.
_FUTURE = functools.reduce(
    operator.or_, (getattr(__future__, name).compiler_flag for name in __future__.all_feature_names)
)


class _Run:
    """Runs a script's cells, one after another."""

    def __init__(self, job: Job, text: Text, module: types.ModuleType, output: int):
        self.job, self.module, self.output = job, module, output
        self.watch = Watch(job.script, text, module.__dict__)
        self.ran = Ran("", 0)
        """Result of the current or most recent cell."""
        self.pid = os.getpid()
        """The script's own process; others are those that it forks."""
        self._flags = 0
        warnings.showwarning = self._show  # type: ignore[assignment]  # set once, because a script may replace it

    def _show(self, message: Warning | str, category: type[Warning], filename: str, lineno: int, *_: Any) -> None:
        text = f"{category.__name__}: {message}"
        line = lineno if filename == self.job.file else 0
        self.ran.warned.append((category.__name__, (text.splitlines() or [""])[0], line))
        event = {"output_type": "stream", "name": "stderr", "text": text.rstrip("\n") + "\n"}
        self.ran.events.append((_end(self.output), event))

    def cell(self, cell: Cell) -> None:
        """Run one cell and store its result in `ran`. Exceptions of the cell are recorded, not raised."""
        ran = self.ran = Ran(cell.name, _end(self.output))
        taken, held = _gpu_memory() if self.job.device == "cuda" else (0, 0)
        asked = _asked() if self.job.device == "cuda" else None
        started = time.perf_counter()
        try:
            self._execute(cell)
            self._draw(cell)
        except BaseException as error:  # SystemExit and KeyboardInterrupt also end a script
            self.watch.end()
            if isinstance(error, SystemExit) and os.getpid() != self.pid:
                _exit(error)
            name, message, line = _describe(error, self.job.file)
            ran.error = name, message, line or _quoted(cell, message)
            event = {
                "output_type": "error",
                "ename": name,
                "evalue": message,
                "traceback": [f"{name}: {message}" if message else name],
            }
            ran.events.append((_end(self.output), event))
            del error
            with contextlib.suppress(Exception):  # an error while drawing was already recorded
                self._draw(cell)
        ran.seconds = time.perf_counter() - started
        self.watch.stop(cell)
        if self.job.device == "cuda":
            taken_after, held_after = _gpu_memory()
            # what is there already counts as used, but not by a cell that fails unannounced: see `Job.stops_at`
            uses_held = bool(held and held_after) and (ran.error is None or bool(cell.raises))
            ran.touched = taken_after > taken or uses_held
            if cell.needs.startswith("cuda"):  # of others, a page shows a second output only where a GPU computed it
                ran.touched |= _asked() != asked
        ran.end = _end(self.output)

    def _execute(self, cell: Cell) -> None:
        # Leading blank lines make the line numbers in tracebacks match the script.
        source = "\n" * (cell.line - 1) + cell.source
        code = compile(source, self.job.file, "exec", flags=self._flags, dont_inherit=True, optimize=0)
        self._flags |= code.co_flags & _FUTURE
        self.watch.start(cell)
        exec(code, self.module.__dict__)

    def _draw(self, cell: Cell) -> None:
        """Save all open figures as outputs of the cell and close them."""
        for svg, axes in figures.take_open(f"{self.job.script.path.removesuffix('.py')}-{cell.name}"):
            data = {"output_type": "display_data", "data": {"image/svg+xml": svg}, "metadata": {"axes": axes}}
            self.ran.events.append((_end(self.output), data))


def _gpu_memory() -> tuple[int, int]:
    """Return the number of GPU memory allocations so far and the bytes allocated now, over all visible GPUs."""
    import torch

    if not torch.cuda.is_initialized():
        return 0, 0
    with contextlib.suppress(RuntimeError):  # the GPU is lost, or a device-side assert broke its context
        counts = [torch.cuda.memory_stats(d) for d in range(torch.cuda.device_count())]
        return (
            sum(c.get("allocation.all.allocated", 0) for c in counts),
            sum(c.get("allocated_bytes.all.current", 0) for c in counts),
        )
    return 1 << 62, 0


def _asked() -> tuple[bool, int]:
    """Return what changes where a GPU is used without memory of this process.

    That is whether CUDA is initialized, as most questions to the driver do, and the page faults of the child processes
    that have ended, of which each has some. What a child does on the GPU is its own.
    """
    import torch

    return torch.cuda.is_initialized(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt


def _describe(error: BaseException, file: str) -> tuple[str, str, int]:
    """Return an exception's type, its message, and the number of the innermost line in the script (0 if none)."""
    kind = type(error)
    name = (
        kind.__qualname__ if kind.__module__ in ("builtins", "__main__") else f"{kind.__module__}.{kind.__qualname__}"
    )
    if isinstance(error, SyntaxError):
        message = error.msg
    else:
        text = "".join(traceback.format_exception_only(error)).rstrip("\n")
        message = text.removeprefix(name).removeprefix(": ")
    stack = traceback.walk_tb(error.__traceback__)
    lines = [number or 0 for frame, number in stack if frame.f_code.co_filename == file]
    if isinstance(error, SyntaxError) and error.filename == file:
        lines.append(error.lineno or 0)
    return name, message, lines[-1] if lines else 0


def _left() -> list[str]:
    """Return which threads and processes, started by the script in Python, still run. Each has a second to end."""
    threads = [
        thread for thread in threading.enumerate() if thread is not threading.main_thread() and not thread.daemon
    ]
    started: list[tuple[str, Any]] = [("thread", thread) for thread in threads]
    if module := sys.modules.get("multiprocessing.process"):  # those of a data loader end by themselves
        started += [("process", process) for process in module.active_children() if not process.daemon]
    for _, child in started:
        child.join(1)
    left = [f"{kind} `{child.name}`" for kind, child in started if child.is_alive()]
    if module := sys.modules.get("multiprocessing.pool"):
        pools = [pool for pool in gc.get_objects() if isinstance(pool, module.Pool)]
        left += [f"pool of {pool._processes} processes" for pool in pools if pool._state == module.RUN]
    return left


def _exit(error: SystemExit) -> NoReturn:
    """End a process that the script forked, as Python does."""
    if error.code is not None and not isinstance(error.code, int):
        print(error.code, file=sys.stderr)
    _finish()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    os._exit(error.code & 0xFF if isinstance(error.code, int) else int(error.code is not None))


def _quoted(cell: Cell, message: str) -> int:
    """Return the first line of a cell that a message quotes, or 0. Figures are drawn when the cell ends, at no line."""
    quoted = [text for text in map(str.strip, message.splitlines()) if len(text) > 3]
    lines = enumerate(cell.source.splitlines(), cell.line)
    return next((number for number, line in lines if any(text in line for text in quoted)), 0)


def _end(output: int) -> int:
    """Flush all buffers and return the size of the output file in bytes."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    with contextlib.suppress(Exception):
        ctypes.CDLL(None).fflush(None)
    return os.fstat(output).st_size


def _finish() -> None:
    """Do what Python does at exit: wait for threads and call the exit handlers."""
    with contextlib.suppress(Exception):
        threading._shutdown()  # type: ignore[attr-defined]
    with contextlib.suppress(Exception):
        atexit._run_exitfuncs()

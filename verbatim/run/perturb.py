"""Runs a script as if on another machine and at another time, which its outputs must not depend on. Runs in the child.

A reader's machine has another clock, folder, name and number of cores, and no seed that the engine set. If a script
prints something else under `CONDITIONS`, the page would show an output that no reader gets.

Two things cannot be changed: the date in UTC that C code asks for, and the processor. The order of sets is that of the
fork server, so such a run is forked from another one (`watch.follow`).
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import platform
import random
import socket
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

from verbatim.run import driverless
from verbatim.run.job import Job

#: Condition → what is different, in words, and a hint for the author.
CONDITIONS = {
    "seed": ("with another seed", "set it where numbers are drawn: torch.manual_seed(0)"),
    "clock": ("at another time", "print what does not change with it: a shape, a comparison; else varies=true"),
    "place": ("on another machine, in another folder", "leave names, paths, cores and systems out; else varies=true"),
    "hashes": ("with another order of sets and hashes", "print sorted(…), or a comparison"),
    "ties": (
        "where another one of several equal elements is found",
        "PyTorch promises none of them: print the values alone, or let no two be equal; else varies=true",
    ),
    "speed": ("where other things take long", "show what the time depends on; else varies=true"),
    "build": (
        "with another build of torch or Python, on another processor",
        "print the release alone, torch.__version__.split('+')[0]: the rest is how it was built; else varies=true",
    ),
    "cuda": (
        "with a torch that has CUDA, where there is no GPU",
        'what only a build without CUDA says stands in a cell of its own, with needs="no-cuda"',
    ),
}
#: Another value of `PYTHONHASHSEED`.
HASH_SEED = "7"
#: Seconds by which Python's clock is ahead or behind: more than a day.
AHEAD = 90_061.0
_NEWUTS = 0x4000000
#: A name that every machine can resolve, and that is no machine's own.
HOST = "localhost"


_seeded: int | None = None


def seed(value: int) -> None:
    """Seed NumPy and PyTorch. The fork server does so at its end, and the processes that it forks inherit the state.

    In each process it would take one and a half milliseconds, because PyTorch stores the stack as text.
    """
    import numpy
    import torch

    global _seeded
    numpy.random.seed(value)
    torch.manual_seed(value)
    _seeded = value


def apply(job: Job) -> None:
    """Seed the random number generators and apply the job's conditions. Called at the end of the preparation."""
    wanted = 1 if "seed" in job.perturbed else 0
    random.seed(wanted)  # Python seeds it anew in each forked process
    if _seeded != wanted:
        seed(wanted)
    if "clock" in job.perturbed:
        _change_clock()
    if "place" in job.perturbed:
        _change_machine()
    if "ties" in job.perturbed:
        _change_ties()
    if "speed" in job.perturbed:
        _change_speed(job.file)
    if "build" in job.perturbed:
        _change_build()
    if "cuda" in job.perturbed:
        driverless.apply()


def _change_clock() -> None:
    """Move to another day: for all programs by the time zone, for Python's own clock by more than a day."""
    os.environ["TZ"], ahead = another_time(time.gmtime().tm_hour)
    time.tzset()
    now, now_ns = time.time, time.time_ns
    time.time = lambda: now() + ahead
    time.time_ns = lambda: now_ns() + int(ahead) * 10**9


def another_time(hour: int) -> tuple[str, float]:
    """Return a time zone, and the seconds by which Python's clock is ahead, that lead to another day.

    Both lead the same way, so that they do not cancel out.

    Args:
        hour: The hour of the day in UTC.
    """
    return ("XXX-14", AHEAD) if hour >= 10 else ("XXX+12", -AHEAD)


#: Functions that return values with an index, of which there may be several → the place of `dim` among their
#: arguments. `max`, `min` and `argmax` promise the first.
TIED = {"kthvalue": 2, "median": 1, "mode": 1, "nanmedian": 1}


def _change_ties() -> None:
    """Let each of `TIED` return the last one of equal elements that it finds from the other end."""
    import torch

    for name, place in TIED.items():
        for owner in (torch, torch.Tensor):
            setattr(owner, name, _from_behind(getattr(owner, name), place))


def _from_behind(find: Callable[..., Any], place: int) -> Callable[..., Any]:
    """Return a function that takes the index found in the flipped tensor, if the values there are the same."""

    def find_last(*args: Any, **kwargs: Any) -> Any:
        result = find(*args, **kwargs)
        dim = kwargs.get("dim", args[place] if len(args) > place else -1)
        if not isinstance(result, tuple) or not isinstance(dim, int) or not args or not args[0].dim():
            return result
        again = find(args[0].flip(dim), *args[1:], **kwargs)
        if not result[0].equal(again[0]):  # several NaN
            return result
        return type(result)((result[0], args[0].shape[dim] - 1 - again[1]))

    return find_last


#: The clocks by which scripts measure durations.
TIMERS = ("perf_counter", "monotonic", "process_time", "thread_time", "time")


def _change_speed(file: str) -> None:
    """Replace the script's clocks: each read, by its own code or by `timeit`, advances one second.

    So every duration is equal, and no comparison of two can hold by luck. What libraries wait by is left as it is.
    """
    import timeit

    readers = {file, timeit.__file__, "<timeit-src>"}
    for name in TIMERS:
        setattr(time, name, _ticking(getattr(time, name), 1, readers))
        setattr(time, f"{name}_ns", _ticking(getattr(time, f"{name}_ns"), 10**9, readers))
    old, timeit.default_timer = timeit.default_timer, time.perf_counter
    for function in (timeit.Timer.__init__, timeit.timeit, timeit.repeat):
        function.__defaults__ = tuple(
            time.perf_counter if default is old else default for default in function.__defaults__ or ()
        )


def _ticking(clock: Callable[[], float], unit: int, readers: set[str]) -> Callable[[], float]:
    """Return a clock that goes on by one unit whenever code of one of these files reads it; others read the old one."""
    start, ticks = clock(), itertools.count(1)

    def read() -> float:
        return start + unit * next(ticks) if sys._getframe(1).f_code.co_filename in readers else clock()

    return read


def _change_build() -> None:
    """Show another build of the same releases: of torch, where 2.13.0 and 2.13.0+cpu differ in nothing else, of Python.

    And another processor, as far as torch names it.
    """
    import torch

    release, _, local = str(torch.__version__).partition("+")
    torch.__version__ = type(torch.__version__)(release if local else f"{release}+cpu")
    sys.version = f"{sys.version.partition(' ')[0]} (main, Jan  1 2000, 00:00:00) [Clang 1.0.0]"
    torch.backends.cpu.get_cpu_capability = lambda: "ANOTHER"


def _change_machine() -> None:
    """Show another number of cores, another release of the operating system, and folders in another order."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    cores = (os.cpu_count() or 1) + 1
    os.cpu_count = lambda: cores
    system = platform.uname()._replace(node=HOST, release="0.0.0", version="#0")
    platform.uname = lambda: system
    platform.platform = lambda *_: "another system"
    _change_threads()
    listdir, scandir = os.listdir, os.scandir
    os.listdir = lambda *path: sorted(listdir(*path), reverse=True)  # type: ignore[assignment]
    os.scandir = lambda *path: _Reversed(scandir(*path))  # type: ignore[assignment]


class _Reversed:
    """The entries of a folder in the reverse order of their names, as `os.scandir` gives them."""

    def __init__(self, found: Any) -> None:
        with found:
            self._entries = iter(sorted(found, key=lambda entry: entry.name, reverse=True))

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> _Reversed:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Give no more entries."""
        self._entries = iter(())


def _change_threads() -> None:
    """Let torch name another number of threads, until the script sets one."""
    import torch

    for name in ("num_threads", "num_interop_threads"):
        default = getattr(torch, f"get_{name}")()
        setattr(torch, f"get_{name}", lambda default=default: default + 1)
        setattr(torch, f"set_{name}", _restoring(f"get_{name}", getattr(torch, f"set_{name}")))


def _restoring(name: str, then: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that puts a function of torch back in its place, and then calls another one."""
    import torch

    getter = getattr(torch._C, name)

    def call(*args: Any) -> Any:
        setattr(torch, name, getter)
        return then(*args)

    return call


def rename(job: Job) -> None:
    """Show another host name, if the job asks for it. Called before the process gives up the right to change it."""
    if "place" in job.perturbed and sys.platform == "linux":
        with contextlib.suppress(OSError):  # without the right to it the name stays
            if ctypes.CDLL(None).unshare(_NEWUTS) == 0:
                socket.sethostname(HOST)

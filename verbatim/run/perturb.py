"""Runs a script as if on another machine and at another time, which its outputs must not depend on. Runs in the child.

A reader's machine has another clock, folder, name and number of cores, and no seed that the engine set. If a script
prints something else under `CONDITIONS`, the page would show an output that no reader gets.

Three things cannot be changed: the date in UTC that C code asks for, the order in which Python hashes text, and the
processor.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import random
import socket
import sys
import time

from verbatim.run.job import Job

#: Condition → what is different, in words, and a hint for the author.
CONDITIONS = {
    "seed": ("with another seed", "set it where numbers are drawn: torch.manual_seed(0)"),
    "clock": ("at another time", "print what does not change with it: a shape, a comparison; else varies=true"),
    "place": ("on another machine, in another folder", "leave names, paths and cores out; else varies=true"),
}
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
        _change_cores()


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


def _change_cores() -> None:
    """Show another number of cores."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    cores = (os.cpu_count() or 1) + 1
    os.cpu_count = lambda: cores


def rename(job: Job) -> None:
    """Show another host name, if the job asks for it. Called before the process gives up the right to change it."""
    if "place" in job.perturbed and sys.platform == "linux":
        with contextlib.suppress(OSError):  # without the right to it the name stays
            if ctypes.CDLL(None).unshare(_NEWUTS) == 0:
                socket.sethostname(HOST)

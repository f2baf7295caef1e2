"""One machine as if it were another, at another time: what an output must not depend on. Runs in the child.

A reader's machine has another clock, another folder, another name, another number of cores and no seed that the engine
set. A run under `CONDITIONS` prints what was printed before, or the page shows what no reader gets.

What this cannot change: the date in UTC that C code asks for, the order in which Python hashes text, the processor.
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

#: What can be another here: in words, and what helps.
CONDITIONS = {
    "seed": ("with another seed", "set it where numbers are drawn: torch.manual_seed(0)"),
    "clock": ("at another time", "print what does not change with it: a shape, a comparison; else varies=true"),
    "place": ("on another machine, in another folder", "leave names, paths and cores out; else varies=true"),
}
#: Seconds by which Python's clock is ahead, or behind: more than a day.
AHEAD = 90_061.0
_NEWUTS = 0x4000000
#: A name that every machine can resolve, and that is no machine's own.
HOST = "localhost"


_seeded: int | None = None


def seed(value: int) -> None:
    """Seed NumPy and PyTorch. The fork server does so last of all: the processes that it forks inherit the state.

    In each of them it would take one and a half milliseconds, because PyTorch notes the stack as text.
    """
    import numpy
    import torch

    global _seeded
    numpy.random.seed(value)
    torch.manual_seed(value)
    _seeded = value


def settle(job: Job) -> None:
    """Seed what draws random numbers, and make the process see what the job asks for. Called last of all."""
    wanted = 1 if "seed" in job.otherwise else 0
    random.seed(wanted)  # Python seeds it anew in each forked process
    if _seeded != wanted:
        seed(wanted)
    if "clock" in job.otherwise:
        _later()
    if "place" in job.otherwise:
        _away()


def _later() -> None:
    """Let it be another day: by the time zone for all programs, by more than a day for Python's own clock."""
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


def _away() -> None:
    """Let the machine have another number of cores."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    cores = (os.cpu_count() or 1) + 1
    os.cpu_count = lambda: cores


def rename(job: Job) -> None:
    """Let the machine have another name if the job asks for it. Called before the process gives up the right to."""
    if "place" in job.otherwise and sys.platform == "linux":
        with contextlib.suppress(OSError):  # without the right to it the name stays
            if ctypes.CDLL(None).unshare(_NEWUTS) == 0:
                socket.sethostname(HOST)

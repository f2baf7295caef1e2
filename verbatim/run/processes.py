"""Finds the processes of a running script, measures what they use, and kills them.

On Linux this reads `/proc`. Elsewhere it calls `ps`, which shows neither processes that left the script's group, nor
threads, nor the use of processes that began and ended between two looks.
"""

from __future__ import annotations

import contextlib
import functools
import os
import re
import signal
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Process:
    """A process at one moment."""

    pid: int
    began: str
    """When it began, as text: tells it from a later process that gets the same number."""
    resident: int
    """Resident memory in bytes."""
    used: float
    """Processor time in seconds, of all its threads."""
    waited: float
    """Processor time in seconds of the children that it has waited for, and of those that they have waited for."""
    awake: int
    """The number of its threads that run, or that wait for nothing but a core or the disk."""


class Clock:
    """Measures the processor time and the sleep of a script's processes.

    Waiting for a core counts as neither, so both are the same however busy the machine is.
    """

    def __init__(self) -> None:
        self.used = 0.0
        """Processor time in seconds. A second in which several threads run at once counts once, as on a wall clock."""
        self.asleep = 0.0
        """Seconds in which all processes waited for something else than a core or the disk."""
        self._seen: dict[tuple[int, str], float] = {}
        self._total = 0.0

    def look(self, processes: Iterable[Process], seconds: float) -> None:
        """Add what was used since the last look.

        The time of a process that has ended is known from the last look at it, or from the process that waited for it.
        Whether these two are the same time is unknown, so the larger counts: never too much, at least half of it.

        Args:
            processes: The script's processes now.
            seconds: How long they have slept since the last look if they did nothing else.
        """
        processes = list(processes)
        self._seen |= {(process.pid, process.began): process.used for process in processes}
        total = max(self._total, sum(self._seen.values()), sum(process.used + process.waited for process in processes))
        more, self._total = total - self._total, total
        awake = sum(process.awake for process in processes)
        self.used += more / max(1, min(awake, _cores()))
        if not awake:
            self.asleep += max(0.0, seconds - more)


@functools.cache
def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def load() -> str:
    """Return the load in words if more processes want to run than the machine has cores; else an empty string."""
    with contextlib.suppress(OSError):
        busy = os.getloadavg()[0]
        if busy > 1.5 * _cores():  # the scripts that run beside each other are one a core
            return f"a load of {busy:.0f} on {_cores()} core{'s' * (_cores() > 1)}"
    return ""


def find(pid: int, scratch: str) -> list[Process]:
    """Return the processes of a script.

    Args:
        pid: The script's own process, which leads its group.
        scratch: The script's folder, by which processes that left the group are found.
    """
    if not os.path.isdir("/proc/self"):
        columns = "pid=,pgid=,rss=,state=,time=,lstart="
        listing = subprocess.run(["ps", "-A", "-o", columns], capture_output=True, text=True, check=False)
        return listed(listing.stdout, pid)
    members = []
    for name in _numbers():
        with contextlib.suppress(OSError, IndexError):  # it ended meanwhile
            if int(name) == pid or os.getpgid(int(name)) == pid or _belongs(scratch, name):
                members.append(_process(name))
    return members


def _process(name: str) -> Process:
    stat = _stat(f"/proc/{name}/stat")
    tick, page = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")
    user, system, user_waited, system_waited = map(int, stat[11:15])
    states = [stat[0]]
    if int(stat[17]) > 1:
        states = []
        for thread in os.listdir(f"/proc/{name}/task"):
            with contextlib.suppress(OSError, IndexError):
                states.append(_stat(f"/proc/{name}/task/{thread}/stat")[0])
    return Process(
        int(name),
        stat[19],
        int(stat[21]) * page,
        (user + system) / tick,
        (user_waited + system_waited) / tick,
        sum(state in "RD" for state in states),
    )


def _stat(path: str) -> list[str]:
    """Return the fields of ``/proc/PID/stat`` from the state on, the third that proc(5) lists."""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read().rpartition(")")[2].split()  # before it stands the name, which may hold anything


def listed(listing: str, group: int) -> list[Process]:
    """Return the processes of a group from the lines of ``ps``: number, group, memory, state, time used, beginning."""
    members = []
    for line in listing.splitlines():
        pid, own, kilobytes, state, time, began = line.split(None, 5)
        if int(own) == group:
            days, _, clock = time.rpartition("-")  # 1-02:03:04, or 02:03.04 with hundredths
            used = float(days or 0) * 86400
            used += sum(float(part) * 60**place for place, part in enumerate(reversed(clock.split(":"))))
            members.append(Process(int(pid), began, int(kilobytes) << 10, used, 0.0, int(state[0] in "RDU")))
    return members


def memory(processes: Iterable[Process]) -> int:
    """Return the memory of processes in bytes, shared pages counted in proportion where the system reports it."""
    return sum(map(_own, processes))


def _own(process: Process) -> int:
    try:
        match = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{process.pid}/smaps_rollup").read_text(), re.MULTILINE)
    except OSError:  # it ended meanwhile, or this system does not say
        return 0 if os.path.exists("/proc/self/smaps_rollup") else process.resident
    return int(match[1]) << 10 if match else process.resident


def end_all(pid: int, scratch: str) -> None:
    """Kill the script's process group, and processes that left the group but not the script's namespace or folder."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    for _ in range(10):  # a process may start another one before it is killed
        left = [name for name in _numbers() if _belongs(scratch, name)]
        for name in left:
            with contextlib.suppress(OSError):
                os.kill(int(name), signal.SIGKILL)
        if not left:
            return


def _numbers() -> list[str]:
    """Return the numbers of all processes. Linux only; elsewhere the list is empty."""
    return list(filter(str.isdigit, os.listdir("/proc"))) if os.path.isdir("/proc/self") else []


def _belongs(scratch: str, pid: str) -> bool:
    """Whether a process has the `/dev/shm` that `confine` mounted for the script, or works in its folder. Linux only.

    A process cannot leave the former by changing its group, session, parent or working folder. The mount's name is
    compared, not the namespace's number: the kernel gives the number of one that is gone to another script's.
    """
    try:
        if os.readlink(f"/proc/{pid}/cwd").startswith(scratch):
            return True
        if os.readlink(f"/proc/{pid}/ns/mnt") == _namespace():
            return False
        return f" - tmpfs {os.path.basename(scratch)} " in Path(f"/proc/{pid}/mountinfo").read_text()
    except OSError:  # it ended meanwhile, or is somebody else's
        return False


@functools.cache
def _namespace() -> str:
    return os.readlink("/proc/self/ns/mnt")

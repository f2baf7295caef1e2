"""Receives the messages of a running script, and kills it with all processes it started if it exceeds a limit."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import signal
import sys
import time
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from verbatim.run import channel, names, server, worker
from verbatim.run.channel import Broken, Ran, Receiver
from verbatim.run.job import Job, Limits, in_bytes
from verbatim.run.script import Script

#: Seconds between two checks of a running script's limits.
WATCH = 0.25

#: Seconds that a script has besides where torch.compile calls a C++ compiler: the first call builds what all share.
COMPILING = 120.0


@dataclass
class End:
    """How a script's process ended."""

    ran: list[Ran] = field(default_factory=list)
    current: str = ""
    """The cell that was running when the process ended."""
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    exitcode: int | None = None
    broken: str = ""
    """The limit that it exceeded, in words."""


def follow(job: Job, limits: Limits) -> End:
    """Start the process, receive its messages, and kill it if it exceeds a limit."""
    end = End()
    if any(cell.needs == "compiler" for cell in job.script.cells):
        limits = replace(limits, seconds=limits.seconds + COMPILING)
    process, results = server.start(worker.main, job, names.read(job.script))
    receiver = Receiver(results)
    deadline = time.monotonic() + limits.seconds
    # Limits are checked only if nothing was received for a moment: most scripts end before that.
    while not end.broken:
        ready = wait([results, process.sentinel], timeout=WATCH)
        if results in ready and not _receive(receiver, job.script, end):
            process.join(WATCH)
            break
        if process.sentinel in ready and results not in ready:
            break
        if not ready or time.monotonic() > deadline:
            end.broken = _broken(process.pid or 0, job, limits, deadline)
    if end.broken:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid or 0, signal.SIGABRT)  # faulthandler writes down the line
        process.join(0.5)
    _end_all(process.pid or 0, job.scratch)
    process.join()
    end.exitcode = process.exitcode
    results.close()
    process.close()
    return end


def _receive(receiver: Receiver, script: Script, end: End) -> bool:
    """Handle the messages that have arrived. Return whether more may come."""
    try:
        for kind, value in receiver.read():
            _take(kind, value, script, end)
    except (EOFError, OSError):
        return False
    except Broken as error:
        end.broken = str(error)
    return not end.environment


def _take(kind: str, value: Any, script: Script, end: End) -> None:
    """Store what one message reports.

    Raises:
        Broken: no run sends such a message, or not at this time.
    """
    names = [cell.name for cell in script.cells]
    following = names[len(end.ran)] if len(end.ran) < len(names) else ""
    last = next((ran for ran in reversed(end.ran) if not ran.skipped), None)
    if kind == "start" and value == following and not end.current:
        end.current = following
    elif kind == "cell" and end.current and (ran := channel.ran(value)).name == end.current:
        end.ran.append(ran)
        end.current = ""
    elif kind == "late" and not end.current and (late := channel.ran(value)).name == (last.name if last else ""):
        if last:
            end.ran[end.ran.index(last)] = late
    elif kind == "names":
        used, summaries = channel.names(value)  # many scripts use the same ones: each is kept once
        end.names = {cell: tuple(map(sys.intern, found)) for cell, found in used.items()}
        end.summaries = {sys.intern(name): sys.intern(text) for name, text in summaries.items()}
    elif kind == "done" and not end.current and value:
        end.environment = channel.texts(value)
    else:
        raise Broken("sent something that is no result")


def _broken(pid: int, job: Job, limits: Limits, deadline: float) -> str:
    if time.monotonic() > deadline:
        return f"did not end within {limits.seconds:g} s"
    with contextlib.suppress(OSError):
        if os.lstat(Path(job.scratch) / "output").st_size > limits.output:
            return f"printed more than {in_bytes(limits.output)}"
    members = _group(pid, job.scratch)
    if len(members) > limits.processes:
        return f"started more than {limits.processes} processes"
    most = limits.memory + (1 << 30)
    if sum(members.values()) > most and sum(map(_own, members, members.values())) > most:
        return f"took more than {in_bytes(limits.memory)} of memory"
    return ""


def _group(pid: int, scratch: str) -> dict[int, int]:
    """Return the processes of a script, in its process group or not, each with its resident bytes."""
    members = {}
    if os.path.isdir("/proc/self"):
        page = os.sysconf("SC_PAGE_SIZE")
        for name in _processes():
            with contextlib.suppress(OSError, IndexError):
                stat = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
                if int(stat[2]) == pid or _belongs(scratch, name):
                    members[int(name)] = int(stat[21]) * page
        return members
    import subprocess

    listing = subprocess.run(["ps", "-A", "-o", "pid=,pgid=,rss="], capture_output=True, text=True, check=False)
    for line in listing.stdout.splitlines():
        member, group, kilobytes = map(int, line.split())
        if group == pid:
            members[member] = kilobytes << 10
    return members


def _own(pid: int, resident: int) -> int:
    """Return the memory of a process in bytes, shared pages counted in proportion; if unknown, the resident bytes."""
    try:
        match = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    except OSError:  # it ended meanwhile, or this system does not say
        return 0 if os.path.exists("/proc/self/smaps_rollup") else resident
    if match:
        return int(match[1]) << 10
    return resident


def _belongs(scratch: str, pid: str) -> bool:
    """Whether a process sees the `/dev/shm` that `confine` made for the script with this folder. Linux only.

    Changing group, session, parent or working folder does not lead out of it. Its name is asked for, not the number of
    the namespace: the kernel gives the number of one that is gone to the next one, which is another script's.
    """
    try:
        if os.readlink(f"/proc/{pid}/ns/mnt") == _namespace():
            return False
        return f" - tmpfs {os.path.basename(scratch)} " in Path(f"/proc/{pid}/mountinfo").read_text()
    except OSError:  # it ended meanwhile, or is somebody else's
        return False


@functools.cache
def _namespace() -> str:
    return os.readlink("/proc/self/ns/mnt")


def _end_all(pid: int, scratch: str) -> None:
    """Kill the script's process group, and processes that left the group but not the script's namespace or folder."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    for _ in range(10):  # a process may start another one before it is killed
        left = [name for name in _processes() if _belongs(scratch, name) or _stands_in(scratch, name)]
        for name in left:
            with contextlib.suppress(OSError):
                os.kill(int(name), signal.SIGKILL)
        if not left:
            return


def _processes() -> list[str]:
    """Return the numbers of all processes. Linux only; nothing elsewhere."""
    return list(filter(str.isdigit, os.listdir("/proc"))) if os.path.isdir("/proc/self") else []


def _stands_in(folder: str, pid: str) -> bool:
    """Whether a process's working folder is below a folder. Linux only."""
    try:
        return os.readlink(f"/proc/{pid}/cwd").startswith(folder)
    except OSError:
        return False

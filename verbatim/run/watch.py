"""A running script is listened to and looked at, and ended with all its kin where it breaks a limit."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import time
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from verbatim.run import channel, server, worker
from verbatim.run.channel import Broken, Ran, Receiver
from verbatim.run.job import Job, Limits, in_bytes
from verbatim.run.script import Script

#: How often a running script is looked at, in seconds.
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
    """The limit it broke, in words."""


def follow(job: Job, limits: Limits) -> End:
    """Start the process, listen to it, and end it where it breaks a limit."""
    end = End()
    if any(cell.needs == "compiler" for cell in job.script.cells):
        limits = replace(limits, seconds=limits.seconds + COMPILING)
    process, results = server.start(worker.main, job)
    receiver = Receiver(results)
    deadline = time.monotonic() + limits.seconds
    # What runs longer than a moment is looked at; most scripts are done before.
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
    """Take the messages that are there. Return whether there may be more."""
    try:
        for kind, value in receiver.read():
            _take(kind, value, script, end)
    except (EOFError, OSError):
        return False
    except Broken as error:
        end.broken = str(error)
    return not end.environment


def _take(kind: str, value: Any, script: Script, end: End) -> None:
    """Note what one message says.

    Raises:
        Broken: no run says so, or not now.
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
    members = _group(pid)
    if len(members) > limits.processes:
        return f"started more than {limits.processes} processes"
    most = limits.memory + (1 << 30)
    if sum(members.values()) > most and sum(map(_own, members, members.values())) > most:
        return f"took more than {in_bytes(limits.memory)} of memory"
    return ""


def _group(pid: int) -> dict[int, int]:
    """Return the processes of a script's group, each with its resident bytes."""
    members = {}
    if os.path.isdir("/proc/self"):
        page = os.sysconf("SC_PAGE_SIZE")
        for name in filter(str.isdigit, os.listdir("/proc")):
            with contextlib.suppress(OSError, IndexError):
                stat = Path(f"/proc/{name}/stat").read_text().rpartition(")")[2].split()
                if int(stat[2]) == pid:
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
    """Return the bytes of a process, pages that it shares with others in proportion; else what is resident."""
    try:
        match = re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.MULTILINE)
    except OSError:  # it ended meanwhile, or this system does not say
        return 0 if os.path.exists("/proc/self/smaps_rollup") else resident
    if match:
        return int(match[1]) << 10
    return resident


def _end_all(pid: int, scratch: str) -> None:
    """Kill the script's process group, and what left the group but not the script's folder."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    for link in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if os.readlink(link).startswith(scratch):
                os.kill(int(link.parent.name), signal.SIGKILL)

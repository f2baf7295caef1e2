"""Receives the messages of a running script, and kills it with all processes it started if it exceeds a limit."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from dataclasses import dataclass, field, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from verbatim.run import channel, isolate, names, perturb, processes, server, worker
from verbatim.run.channel import Broken, Ran, Receiver
from verbatim.run.job import Job, Limits, in_bytes
from verbatim.run.processes import Clock, Process
from verbatim.run.script import Cell, Script
from verbatim.run.server import Child

#: Seconds without a message after which the limits of a running script are checked.
WATCH = 0.25
#: Seconds after which they are checked although messages keep coming.
BESIDES = 1.0
#: Seconds, of processor time or of sleep, that a process has to end.
GRACE = 0.5
#: Additional seconds of processor time for a script in which torch.compile calls a compiler: twice the time of the
#: book's longest one on a machine of 2026.
COMPILING = 60.0


@dataclass
class End:
    """How a script's process ended."""

    ran: list[Ran] = field(default_factory=list)
    current: str = ""
    """The cell that was running when the process ended."""
    left: tuple[str, ...] = ()
    """The threads and processes that still ran when the last cell had ended."""
    names: dict[str, tuple[str, ...]] = field(default_factory=dict)
    summaries: dict[str, str] = field(default_factory=dict)
    environment: dict[str, str] = field(default_factory=dict)
    exitcode: int | None = None
    broken: str = ""
    """The limit that it exceeded, in words."""
    forked: str = ""
    """The cell that forked a process which went on with the script. The script may be in a later one by then."""
    hint: str = ""
    """The advice to the author, if there is a better one than to make the example smaller."""
    late: bool = False
    """Whether that limit is one of time."""
    failed: tuple[str, str, int] | None = None
    """The exception that ended the engine's own code in that process: message, place, line of the script or 0."""


def follow(job: Job, limits: Limits) -> End:
    """Start the process, receive its messages, and kill it if it exceeds a limit."""
    end, clock = End(), Clock()
    if job.script.compiles:
        limits = replace(limits, seconds=limits.seconds + COMPILING)
    hash_seed = perturb.HASH_SEED if "hashes" in job.perturbed else ""
    late = isolate.may_have(job.script)
    process, results = server.start(worker.main, job, names.read(job.script), late=late, hash_seed=hash_seed)
    receiver = Receiver(results)
    looked = time.monotonic()
    try:
        # Limits are checked only if nothing was received for a moment: most scripts end before that.
        while not end.broken:
            ready = wait([results, process.sentinel], timeout=WATCH)
            if results in ready and not _receive(receiver, job.script, end):
                _let_end(process, job)
                break
            if process.sentinel in ready and results not in ready:
                break
            if not ready or time.monotonic() > looked + BESIDES:
                members = processes.find(process.pid, job.scratch)
                clock.look(members, 0 if ready else WATCH)
                _judge(clock, members, job, limits, end)
                looked = time.monotonic()
        if end.broken:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGABRT)  # faulthandler writes down the line
            _let_end(process, job)
    finally:
        processes.end_all(process.pid, job.scratch)
        end.exitcode = process.wait()
        results.close()
    return end


def _let_end(process: Child, job: Job) -> None:
    """Wait for a process that is about to end, until it has run or slept for longer than `GRACE`."""
    clock, before = Clock(), 0.0
    while not wait([process.sentinel], timeout=WATCH) and clock.used + clock.asleep <= before + GRACE:
        own = [member for member in processes.find(process.pid, job.scratch) if member.pid == process.pid]
        clock.look(own, WATCH)
        before = before or clock.used  # what it had used when it was about to end


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
    elif kind == "cell" and end.current and _fits(ran := channel.ran(value), script.cell(end.current)):
        end.ran.append(ran)
        end.current = ""
    elif kind == "late" and not end.current and (late := channel.ran(value)).name == (last.name if last else ""):
        if last:
            end.ran[end.ran.index(last)] = replace(late, skipped="")
    elif kind == "forked" and value in names:
        end.forked = value
        end.broken = "forked, and the new process went on with the script"
        end.hint = "end it in the cell: os._exit(0)"
    elif kind == "failed":
        end.failed = channel.failed(value)
    elif kind == "left":
        end.left = channel.left(value)
    elif kind == "names":
        used, summaries = channel.names(value)  # many scripts use the same names: intern each
        end.names = {cell: tuple(map(sys.intern, called)) for cell, called in used.items()}
        end.summaries = {sys.intern(name): sys.intern(text) for name, text in summaries.items()}
    elif kind == "done" and not end.current and value:
        end.environment = channel.environment(value)
    else:
        raise Broken("sent something that is no result")


def _fits(ran: Ran, cell: Cell | None) -> bool:
    """Whether a message about a cell is plausible: a cell that was skipped has a capability in its header."""
    return cell is not None and ran.name == cell.name and ran.skipped in ("", cell.needs)


def _judge(clock: Clock, members: list[Process], job: Job, limits: Limits, end: End) -> None:
    """Note in `end` which limit was exceeded, if one was."""
    if clock.used > limits.seconds:
        end.broken = f"did not end within {limits.seconds:g} s of processor time"
        end.late, end.hint = True, "a page's example ends within a second or two: see whether a loop ends"
        if load := processes.load():
            end.hint += f"; a busy machine ({load}) takes longer: run it again, or give more with --seconds"
    elif clock.asleep > limits.asleep:
        end.broken = f"did not end: the script slept {limits.asleep:g} s and used {clock.used:.1f} s of processor time"
        end.late, end.hint = (
            True,
            "see what it waits for there: a lock, a message, another process; --seconds gives more",
        )
    elif len(members) > limits.processes:
        end.broken = f"started more than {limits.processes} processes"
    elif _printed(job) > limits.output:
        end.broken = f"printed more than {in_bytes(limits.output)}"
    else:
        most = limits.memory + (1 << 30)
        if sum(member.resident for member in members) > most and processes.memory(members) > most:
            end.broken = f"took more than {in_bytes(limits.memory)} of memory"


def _printed(job: Job) -> int:
    with contextlib.suppress(OSError):
        return os.lstat(Path(job.scratch) / "output").st_size
    return 0

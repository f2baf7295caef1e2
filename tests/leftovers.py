"""What tests start ends with them: at the end of a worker's tests nothing that they have started runs on.

A process whose parent has ended comes to this one, so it is found, too. Linux only.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import until
from verbatim.run import server

#: ``prctl``'s name for: orphans among my descendants become my children.
_ADOPT = 36
#: Of the command line of what Python starts for itself, and what ends with this process.
_PYTHONS = "multiprocessing.resource_tracker"
#: Seconds that what was killed may take.
SECONDS = 300.0

linux = sys.platform == "linux"
#: Number of a process → the file of tests at whose end it ran.
_seen: dict[int, str] = {}


def running() -> dict[int, str]:
    """Return each process that descends from this one and has not ended: number → command line."""
    parents, lines = {}, {}
    for folder in filter(lambda path: path.name.isdigit(), Path("/proc").iterdir()):
        with contextlib.suppress(OSError):  # it ends right now
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            if state not in "ZX":
                number = int(folder.name)
                parents[number] = int(parent)
                lines[number] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    found, new = set(), {os.getpid()}
    while new:
        new = {number for number, parent in parents.items() if parent in new}
        found |= new
    return {number: lines[number] for number in sorted(found) if _PYTHONS not in lines[number]}


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_left() -> Iterator[None]:
    if linux:
        ctypes.CDLL(None).prctl(_ADOPT, 1, 0, 0, 0)
    yield
    if not linux:
        return
    for one in server._servers.values():
        one.stop()
    with contextlib.suppress(AssertionError):
        until(lambda: not running(), SECONDS)
    left = running()
    for number in left:
        with contextlib.suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    told = [f"  {line} (since {_seen.get(number, 'the last file')})" for number, line in left.items()]
    assert not told, "\n".join(["tests have left processes; they are ended now:", *told])


@pytest.fixture(scope="module", autouse=True)
def _seen_here(request: pytest.FixtureRequest) -> Iterator[None]:
    yield
    if linux:
        for number in running():
            _seen.setdefault(number, request.node.name)

"""Runs a command; wall seconds and peak memory of its whole tree of processes."""

from __future__ import annotations

import contextlib
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

#: How often memory is looked at, in seconds. Seldom enough to cost less than a hundredth of a core.
SAMPLE = 0.25


@dataclass(frozen=True)
class Usage:
    """What a command took."""

    seconds: float
    peak: float | None = None
    """MiB of the command and all that it started, shared pages counted once (PSS): the largest sample. Linux only."""
    parent: float | None = None
    """MiB of the command's own process at its largest."""


def timed(command: list[str], folder: Path, environment: dict[str, str], limit: float = 3600) -> Usage:
    """Run a command in a folder.

    Raises:
        RuntimeError: It failed, or took longer than `limit` seconds; the message ends with what it said last.
    """
    with tempfile.TemporaryFile("w+") as log:
        started = time.perf_counter()
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
        watch = _Watch(process.pid)
        watch.start()
        try:
            code = process.wait(limit)
        except subprocess.TimeoutExpired:
            process.kill()
            code = process.wait()
        seconds = time.perf_counter() - started
        watch.end()
        if code:
            log.seek(0)
            said = [line for line in log.read().splitlines() if line.strip()]
            raise RuntimeError(f"exit code {code} after {seconds:.0f} s: {' | '.join(said[-3:])}")
    return Usage(seconds, watch.peak, watch.parent)


class _Watch(threading.Thread):
    def __init__(self, root: int):
        super().__init__(daemon=True)
        self.root = root
        self.peak: float | None = None
        self.parent: float | None = None
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(SAMPLE):
            if (whole := sum(filter(None, map(_proportional, tree(self.root))))) > (self.peak or 0):
                self.peak = whole
            if own := _highest(self.root):
                self.parent = own

    def end(self) -> None:
        self._over.set()
        self.join()


def tree(root: int) -> list[int]:
    """Return a process and all that descend from it; nothing where there is no /proc."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError, ValueError):
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(path.parent.name))
    found, ahead = [], [root]
    while ahead:
        found.append(ahead.pop())
        ahead += children.get(found[-1], [])
    return found


def _proportional(pid: int) -> float | None:
    return _field(f"/proc/{pid}/smaps_rollup", "Pss:")


def _highest(pid: int) -> float | None:
    return _field(f"/proc/{pid}/status", "VmHWM:")


def _field(path: str, name: str) -> float | None:
    """Return a field of a file of the kernel's, KiB as MiB."""
    try:
        lines = Path(path).read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name)), None)

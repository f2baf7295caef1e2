"""Runs a command; the wall seconds, processor seconds or peak memory of its whole tree of processes."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import subprocess
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from verbatim.project import find_root

#: How often memory is looked at, in seconds. Seldom enough to cost less than a hundredth of a core.
SAMPLE_SECONDS = 0.25


@dataclass(frozen=True)
class Usage:
    """What a command took."""

    seconds: float
    peak: float | None = None
    """MiB of the command and all that it started, shared pages counted once (PSS): the largest sample. Linux only."""


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
    return Usage(seconds, watch.peak)


class _Watch(threading.Thread):
    def __init__(self, root: int):
        super().__init__(daemon=True)
        self.root = root
        self.peak: float | None = None
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(SAMPLE_SECONDS):
            if (whole := sum(filter(None, map(_proportional, tree(self.root))))) > (self.peak or 0):
                self.peak = whole

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
    pids, ahead = [], [root]
    while ahead:
        pids.append(ahead.pop())
        ahead += children.get(pids[-1], [])
    return pids


def _proportional(pid: int) -> float | None:
    """Return a process's share of the memory in MiB."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return None
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), None)


def processor(*command: str, folder: Path, packages: str = "") -> float:
    """Run a command; return the processor seconds of it and all its descendants.

    `packages`: a folder to import from, besides the project.

    Raises:
        RuntimeError: It failed.
    """

    def child() -> None:
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER: what a descendant leaves behind comes here
        code = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False).returncode
        with contextlib.suppress(ChildProcessError):
            while True:
                os.wait()
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        os.write(writer, json.dumps([code, used.ru_utime + used.ru_stime]).encode())
        os._exit(0)

    paths = os.pathsep.join(filter(None, (str(find_root()), packages)))
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": paths}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else the engine's own modules are compiled in every run
    reader, writer = os.pipe()
    if os.fork() == 0:
        child()
    os.close(writer)
    with os.fdopen(reader) as pipe:
        code, seconds = json.load(pipe)
    os.wait()
    if code:
        raise RuntimeError(f"{' '.join(command)} in {folder}: exit code {code}")
    return float(seconds)

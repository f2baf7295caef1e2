"""Runs a command; what it and all the processes that it starts take. Linux only."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import select
import subprocess
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from verbatim.project import find_root

#: How often memory is looked at. Seldom enough to cost less than a hundredth of a core.
SAMPLE_SECONDS = 0.25
#: prctl: what a descendant leaves behind becomes a child of the calling process, so that its time is counted.
PR_SET_CHILD_SUBREAPER = 36


@dataclass(frozen=True)
class Usage:
    """What a command took, and all that it started."""

    seconds: float
    processor: float
    """Processor seconds."""
    peak: float
    """MiB, shared pages counted once (PSS): the largest sample; 0 where it ended before the first."""


def measured(command: list[str], folder: Path, environment: Mapping[str, str]) -> Usage:
    """Run a command in a folder.

    Raises:
        RuntimeError: It failed; the message ends with what it said last.
    """
    reader, writer = os.pipe()
    with tempfile.TemporaryFile("w+") as log:
        if not (child := os.fork()):
            _run(command, folder, environment, log, writer)
        os.close(writer)
        peak = 0.0
        while not select.select([reader], [], [], SAMPLE_SECONDS)[0]:
            peak = max(peak, sum(map(_memory, descendants(child))))
        with os.fdopen(reader) as pipe:
            code, seconds, processor = json.load(pipe)
        os.waitpid(child, 0)
        if code:
            log.seek(0)
            said = [line for line in log.read().splitlines() if line.strip()]
            raise RuntimeError(f"{' '.join(command)} in {folder}: exit code {code}: {' | '.join(said[-3:])}")
    return Usage(seconds, processor, peak)


def _run(command: list[str], folder: Path, environment: Mapping[str, str], log: IO[str], writer: int) -> None:
    """Run a command in a forked process, which ends: only what it started counts as its children's time."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    started = time.perf_counter()
    code = subprocess.run(command, cwd=folder, env=environment, stdout=log, stderr=log, check=False).returncode
    seconds = time.perf_counter() - started
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    os.write(writer, json.dumps([code, seconds, used.ru_utime + used.ru_stime]).encode())
    os._exit(0)


def descendants(root: int) -> list[int]:
    """Return the processes that descend from one."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it has ended
            parent = int(path.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(path.parent.name))
    pids = list(children.get(root, []))
    for pid in pids:  # which grows
        pids += children.get(pid, [])
    return pids


def _memory(pid: int) -> float:
    """Return a process's share of the memory in MiB; 0 where it has ended."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:")), 0.0)


def environment(packages: Path | str = "", **more: str) -> dict[str, str]:
    """Return the environment of a command that imports the project, and `packages`, a folder, before the installed ones."""
    paths = os.pathsep.join(filter(None, (str(find_root()), str(packages))))
    variables = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": paths, **more}
    variables.pop("PYTHONDONTWRITEBYTECODE", None)  # else the engine's own modules are compiled in every run
    return variables

"""Scripts → outputs: a warm fork server, one fresh process a script, limits on each.

The only way in is `Runner.submit`, which takes a script and returns a future. What comes back is a `Result`, in the
vocabulary of notebooks (`stream`, `error`, `display_data`), and every problem of the run with its place.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from verbatim.project import Project
from verbatim.run import isolate, result, server, watch
from verbatim.run.job import Job, Limits
from verbatim.run.result import Result
from verbatim.run.script import Script


class Runner:
    """Runs scripts on this machine, as many at once as there are cores."""

    def __init__(
        self,
        project: Project,
        *,
        jobs: int | None = None,
        limits: Limits | None = None,
        gpus: int = 0,
        scripts: Iterable[Script] | None = None,
    ):
        """`gpus`: how many there are; each is lent to one script at a time. With none, scripts run on the CPU.

        `scripts`: those that are to come, where they are known. What none of them needs is not imported beforehand.
        """
        self.project = project
        self.limits = limits or Limits()
        self._pool = ThreadPoolExecutor(jobs or gpus or os.cpu_count() or 1, "verbatim")
        self._gpus = Lender(gpus) if gpus else None
        server.ensure(compiler=scripts is None or any(map(isolate.needs_compiler, scripts)))

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def submit(
        self, script: Script, without: str = "", *, go_on: bool = False, otherwise: tuple[str, ...] = ()
    ) -> Future[Result]:
        """Run a script, as if `without`, a capability, were missing here.

        `go_on`: also past a cell that fails, and without comparing what cells do with what they declare. `otherwise`:
        what is another than usual, keys of `verbatim.run.elsewhere.CONDITIONS`.

        The future's result never raises for what the script does.
        """
        return self._pool.submit(self._run, script, without, go_on, otherwise)

    def _run(self, script: Script, without: str, go_on: bool, otherwise: tuple[str, ...]) -> Result:
        if self._gpus is None or not script.gpus:
            return run(script, self.project, self.limits, without=without, go_on=go_on, otherwise=otherwise)
        with self._gpus.lend(script.gpus) as lent:
            return run(script, self.project, self.limits, gpus=",".join(map(str, lent)))


class Lender:
    """Lends GPUs by number, each to one borrower at a time."""

    def __init__(self, count: int):
        self.count = count
        self._free = list(range(count))
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def lend(self, wanted: int) -> Iterator[list[int]]:
        """Wait for as many GPUs as are wanted, or for all where there are fewer."""
        wanted = min(wanted, self.count)
        with self._changed:
            self._changed.wait_for(lambda: len(self._free) >= wanted)
            lent = [self._free.pop(0) for _ in range(wanted)]
        try:
            yield lent
        finally:
            with self._changed:
                self._free += lent
                self._changed.notify_all()


_again = threading.Lock()


def run(
    script: Script,
    project: Project,
    limits: Limits | None = None,
    gpus: str = "",
    without: str = "",
    *,
    go_on: bool = False,
    otherwise: tuple[str, ...] = (),
) -> Result:
    """Run one script in a fresh process and wait for it.

    `gpus`: numbers of the GPUs that it may see. `without`, `go_on`, `otherwise`: as `Runner.submit` takes them.
    """
    limits = limits or Limits()
    started = time.perf_counter()
    result, lost = _attempt(script, project, limits, gpus, without, go_on, otherwise)
    if lost:  # whoever ended the fork server ended others, too: each is tried once more, while no other of them is
        with _again:
            result, _ = _attempt(script, project, limits, gpus, without, go_on, otherwise)
    return replace(result, seconds=time.perf_counter() - started)


def _attempt(
    script: Script,
    project: Project,
    limits: Limits,
    gpus: str,
    without: str,
    go_on: bool,
    otherwise: tuple[str, ...],
) -> tuple[Result, bool]:
    """Run a script. Return its result, and whether the fork server was lost before the script was done."""
    scratch = tempfile.mkdtemp(prefix="verbatim-in-another-folder-" if "place" in otherwise else "verbatim-")
    pid = server.ensure()
    try:
        file = Path(script.path)
        path = str(file if file.is_absolute() else project.root / file)
        device = "cuda" if gpus else "cpu"
        job = Job(script, path, str(project.root), scratch, device, gpus, limits.memory, without, go_on, otherwise)
        try:
            end = watch.follow(job, limits)
        except (OSError, EOFError):  # the server was gone before the process was there
            end = watch.End()
        lost = not end.environment and not end.broken and not result.stopped(job, end) and server.gone(pid)
        return result.collect(script, job, end, limits), lost
    finally:
        shutil.rmtree(scratch, ignore_errors=True)

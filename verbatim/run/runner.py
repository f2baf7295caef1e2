"""Runs scripts: each in a new process, forked from a server that has torch imported, with resource limits.

The entry point is `Runner.submit`, which takes a script and returns a future. Its `Result` holds the outputs in the
notebook format (`stream`, `error`, `display_data`) and the problems of the run with their file and line.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from verbatim.problems import Problem
from verbatim.project import Project
from verbatim.run import isolate, leavings, perturb, reads, result, server, watch
from verbatim.run.clean import visible
from verbatim.run.job import Job, Limits
from verbatim.run.result import Result
from verbatim.run.script import Script


class Runner:
    """Runs scripts on this machine in parallel. Use it as a context manager."""

    def __init__(
        self,
        project: Project,
        *,
        jobs: int | None = None,
        limits: Limits | None = None,
        gpus: int = 0,
        scripts: Iterable[Script] | None = None,
    ):
        """Start the fork servers.

        Args:
            project: The project that the scripts belong to.
            jobs: Number of scripts run in parallel; the default is one per GPU, or one per CPU core without GPUs.
            limits: Limits on each script.
            gpus: Number of GPUs. Each is used by one script at a time. With 0, scripts run on the CPU.
            scripts: The scripts that will be submitted, if known: the servers then skip imports that none of them
                needs.
        """
        self.project = project
        self.limits = limits or Limits()
        self.jobs = jobs or gpus or os.cpu_count() or 1
        """Number of scripts run in parallel."""
        self._pool = ThreadPoolExecutor(self.jobs, "verbatim")
        self._gpus = Lender(gpus) if gpus else None
        self._late = isolate.together(scripts)
        for late in self._late:
            server.ensure(late)

    def __enter__(self) -> Runner:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def submit(
        self, script: Script, without: str = "", *, go_on: bool = False, perturbed: tuple[str, ...] = ()
    ) -> Future[Result]:
        """Schedule a script.

        Args:
            script: The script.
            without: A capability that is treated as missing on this machine.
            go_on: Continue after a cell that fails, and do not compare errors and warnings with the cell headers.
            perturbed: Conditions to change for this run, keys of `verbatim.run.perturb.CONDITIONS`.

        Returns:
            A future. Errors of the script are part of the result; the future does not raise them.
        """
        if "hashes" in perturbed:
            for late in self._late:
                server.ensure(late, perturb.HASH_SEED)
        return self._pool.submit(self._run, script, without, go_on, perturbed)

    def _run(self, script: Script, without: str, go_on: bool, perturbed: tuple[str, ...]) -> Result:
        if self._gpus is None or not script.gpus:
            return run(script, self.project, self.limits, without=without, go_on=go_on, perturbed=perturbed)
        with self._gpus.lend(script.gpus) as lent:
            return run(script, self.project, self.limits, gpus=",".join(map(str, lent)))


class Lender:
    """Assigns GPUs to scripts by number, so that each GPU is used by one script at a time."""

    def __init__(self, count: int):
        self.count = count
        self._free = list(range(count))
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def lend(self, wanted: int) -> Iterator[list[int]]:
        """Wait until enough GPUs are free and yield their numbers. Asking for more than there are yields all."""
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


_retrying = threading.Lock()


def run(
    script: Script,
    project: Project,
    limits: Limits | None = None,
    gpus: str = "",
    without: str = "",
    *,
    go_on: bool = False,
    perturbed: tuple[str, ...] = (),
) -> Result:
    """Run one script in a new process and wait for it.

    Args:
        script: The script.
        project: The project that it belongs to.
        limits: Limits on time, memory and output.
        gpus: Comma-separated numbers of the visible GPUs; empty for a run on the CPU.
        without: As in `Runner.submit`.
        go_on: As in `Runner.submit`.
        perturbed: As in `Runner.submit`.
    """
    limits = limits or Limits()
    started = time.perf_counter()
    result, retry = _attempt(script, project, limits, gpus, without, go_on, perturbed)
    # Other scripts lost the fork server, too, or kept this one from ending: retry each once, one at a time. What goes
    # on behind errors is run with an old release, in which some scripts never end: once is enough of these.
    if retry and not (go_on and result.late):
        with _retrying:
            result, _ = _attempt(script, project, limits, gpus, without, go_on, perturbed)
    return replace(result, seconds=time.perf_counter() - started)


def _attempt(
    script: Script,
    project: Project,
    limits: Limits,
    gpus: str,
    without: str,
    go_on: bool,
    perturbed: tuple[str, ...],
) -> tuple[Result, bool]:
    """Run a script. Return its result, and whether it may be another next time.

    It may if the script did not end in time, or if the fork server ended before the script did.
    """
    folder, began = f"{os.path.dirname(project.root / script.path)}/*", time.time()
    own_folder = {folder: reads.fingerprint(folder)} if script.path.startswith("examples/") else {}
    scratch = tempfile.mkdtemp(prefix="verbatim-in-another-folder-" if "place" in perturbed else "verbatim-")
    try:
        file = Path(script.path)
        path = str(file if file.is_absolute() else project.root / file)
        device = "cuda" if gpus else "cpu"
        job = Job(script, path, str(project.root), scratch, device, gpus, limits.memory, without, go_on, perturbed)
        try:
            end = watch.follow(job, limits)
        except (OSError, EOFError):  # the server ended before it could fork
            end = watch.End()
        # Without an exit code the server ended.
        lost = end.exitcode is None and not (end.environment or end.broken or result.stopped(job, end))
        collected = result.collect(script, job, end, limits)
        read = reads.collect(result.left(Path(scratch, "reads"), reads.MOST), began, scratch)
        return replace(collected, reads=read | own_folder), end.late or lost
    except Exception as error:  # whatever a script leaves, it costs the others nothing
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        message = f"the engine failed on what the script left: {visible(what)}"
        return Result(script.path, problems=(Problem(script.path, 1, message, f"report it: {result.ISSUES}"),)), False
    finally:
        leavings.remove(scratch)

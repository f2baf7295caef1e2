"""Runs scripts on a Dask cluster, for `--scheduler tcp://…`. It has the interface and the results of `Runner`.

Each worker gets all files below `examples/` once, and a script's text with each job. It runs the script as this machine
would: in a fresh process, with the same limits. Dask chooses the worker, and another one if that worker is lost. Only
this module imports Dask, and only `--scheduler` imports this module.

Outputs are equal bit for bit if packages, engine and the processor's instruction sets are equal. Packages and engine
are compared before work starts; other instruction sets are mentioned in a note.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import hashlib
import importlib.metadata
import itertools
import multiprocessing
import os
import re
import shutil
import sys
import threading
import uuid
import warnings
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from verbatim.problems import Problem, Problems
from verbatim.project import Project, write_if_changed
from verbatim.run import cache
from verbatim.run.gpus import Gpus, find
from verbatim.run.job import Limits
from verbatim.run.result import Result
from verbatim.run.runner import run
from verbatim.run.script import Script

try:
    import distributed
except ModuleNotFoundError as error:
    _hint = "python -m pip install '.[cluster]'"
    raise Problems([Problem("--scheduler", 0, f"Dask is not installed: {error}", _hint)]) from error

#: The number of attempts at a script whose worker is lost while it runs.
TRIES = 2
#: Seconds to wait for an answer of the scheduler.
CONNECT = 30
#: Seconds between two checks whether any worker is left.
WATCH = 1.0
SAME = "give every worker this commit: make .venv/.installed, then .venv/bin/python -m pip install '.[cluster]'"


@dataclass(frozen=True)
class Task:
    """A job for a worker."""

    run: str
    """The name of the run, for its files on workers and its notes on the scheduler."""
    script: Script
    limits: Limits
    device: str
    gpus: int
    versions: dict[str, str]
    root: str
    """The project's root on the client; paths in results are relative to it."""


@dataclass(frozen=True)
class About:
    """Properties of a worker, as it reports them to the client."""

    versions: dict[str, str]
    instructions: str
    daemon: bool
    """Whether its process is a daemon, which cannot start processes."""
    gpus: list[str]
    """The GPUs that it uses, as `CUDA_VISIBLE_DEVICES` names them."""


class Cluster:
    """Runs scripts on the workers of a Dask scheduler."""

    def __init__(
        self,
        project: Project,
        address: str,
        *,
        device: str = "cpu",
        limits: Limits | None = None,
        patience: float = 300.0,
    ):
        """Connect, compare the workers' versions with those of this machine, and send them the files.

        Args:
            project: The project.
            address: The scheduler's address.
            device: With ``cuda``, scripts run on workers that offer the resource ``GPU``.
            limits: Limits on each script.
            patience: Seconds without any worker after which the run is given up.

        Raises:
            Problems: The scheduler does not answer, or the workers differ from this machine.
        """
        self.project = project
        self.address = address
        self.limits = limits or Limits()
        self.jobs = sys.maxsize
        """Number of scripts that are sent at once: all, because the scheduler hands them out."""
        self.patience = patience
        self.gpus = Gpus()
        """The most GPUs that one worker offers, and the properties of the GPU, which are the same on all workers."""
        self.notes: list[Problem] = []
        self.device = device
        self._run = f"verbatim-{uuid.uuid4().hex[:12]}"
        self._numbers = itertools.count()
        self._sent: dict[distributed.Future[Any], tuple[Future[Result], int]] = {}
        """Task → the future that waits for it, and the number of GPUs it needs."""
        self._closed = threading.Event()
        self._client = _connect(address)
        try:
            self._inspect()
            self._client.register_plugin(Files(self._run, _files(project)))
        except BaseException:
            self._client.close()
            raise
        threading.Thread(target=self._watch, name="verbatim-cluster", daemon=True).start()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        with contextlib.suppress(Exception):  # the scheduler may be gone
            self._client.cancel(list(self._sent))
            self._client.set_metadata([self._run], None)
            self._client.unregister_worker_plugin(self._run)
        self._client.close()

    def submit(self, script: Script) -> Future[Result]:
        """Run a script on some worker. The future raises `Problems` where the cluster, not the script, fails."""
        result: Future[Result] = Future()
        if Path(script.path).is_absolute():
            hint = "copy it below the folder of the project"
            problem = Problem(script.path, 0, "a script from outside the project is not sent to a cluster", hint)
            result.set_result(Result(script.path, problems=(problem,)))
        else:
            self._send(script, result)
        return result

    def _send(self, script: Script, result: Future[Result]) -> None:
        gpus = min(script.gpus, self.gpus.count)
        root = str(self.project.root)
        task = Task(self._run, script, self.limits, self.device, gpus, versions(self.device), root)
        sent = self._client.submit(
            work, task, key=(self._run, next(self._numbers)), resources={"GPU": gpus} if gpus else None
        )
        self._sent[sent] = result, gpus
        sent.add_done_callback(functools.partial(self._done, script))

    def _done(self, script: Script, sent: distributed.Future[Any]) -> None:
        """Pass on the result of a task. Called in a thread of Dask's."""
        result, _ = self._sent.pop(sent, (None, 0))
        if result is None:  # given up
            return
        try:
            result.set_result(sent.result())
        except distributed.KilledWorker:
            # Another script killed the worker on which this one waited. The script that was running there reports that.
            self._send(script, result)
        except Exception as error:
            if sent.status == "error":
                problem = Problem(script.path, 0, f"the cluster cannot run it: {type(error).__name__}: {error}", SAME)
            else:
                problem = Problem(self.address, 0, "the scheduler was lost", "start it and run again")
            result.set_exception(Problems([problem]))

    def _watch(self) -> None:
        """Give up if no worker can run a task for too long; Dask itself would wait for ever."""
        without = 0.0
        while not self._closed.wait(WATCH):
            wanted = max((gpus for _, gpus in self._sent.copy().values()), default=0)
            with contextlib.suppress(Exception):  # the tasks report a lost scheduler
                offers = [worker["resources"].get("GPU", 0) for worker in self._workers().values()]
                without = 0.0 if max(offers, default=-1) >= wanted else without + WATCH
            if without > self.patience:
                kind = f"worker with GPU={wanted}" if wanted else "worker"
                message = f"no {kind} is left; waited {self.patience:g} s"
                problem = Problem(self.address, 0, message, "start some and run again")
                for sent in list(self._sent):
                    result, _ = self._sent.pop(sent, (None, 0))
                    if result:
                        result.set_exception(Problems([problem]))

    # -- before work starts ---------------------------------------------------------------------------

    def _workers(self) -> dict[str, dict[str, Any]]:
        """Return address → the scheduler's data, for the workers that can be used."""
        workers: dict[str, dict[str, Any]] = self._client.scheduler_info(n_workers=-1)["workers"]
        if self.device == "cuda":
            workers = {address: worker for address, worker in workers.items() if worker["resources"].get("GPU", 0) >= 1}
        return workers

    def _inspect(self) -> None:
        """Compare the workers with this machine, and find their GPUs."""
        workers, cuda = self._workers(), self.device == "cuda"
        if not workers:
            message = "no worker offers the resource GPU" if cuda else "the scheduler has no worker"
            hint = f"start one: dask worker {self.address} --nthreads 1" + (" --resources GPU=1" if cuda else "")
            raise Problems([Problem(self.address, 0, message, hint)])
        abouts, problems = {}, []
        answers = self._client.run(about, self.device, workers=list(workers), on_error="return")
        for address, answer in answers.items():
            if isinstance(answer, About):
                abouts[address] = answer
            else:
                problems.append(Problem(address, 0, f"the worker cannot be asked: {answer}", SAME))
        problems += _differences(self.address, versions(self.device), abouts)
        if problems:
            raise Problems(problems)
        for address, worker in abouts.items():
            if worker.daemon:
                hint = "start it with the environment variable DASK_DISTRIBUTED__WORKER__DAEMON=False"
                problems.append(Problem(address, 0, "the worker's process may start no other", hint))
            if workers[address]["nthreads"] != 1:
                hint = "start it with --nthreads 1, and with --nworkers as many as there are cores"
                problems.append(Problem(address, 0, "the worker runs several scripts in one process", hint))
        problems += _shared_gpus(workers, abouts)
        if problems:
            raise Problems(problems)
        if cuda:
            self.gpus = self._ask_gpus(workers)
        others = [address for address, worker in abouts.items() if worker.instructions != cache.instructions()]
        if others and not cuda:
            message = f"processors other than this one's: {_some(others)}; last digits may differ"
            self.notes.append(Problem(self.address, 0, message))

    def _ask_gpus(self, workers: dict[str, dict[str, Any]]) -> Gpus:
        """Return the most GPUs that a worker offers, and the properties of the GPU, which must be the same on all."""
        answers = self._client.run(find, workers=list(workers))
        first: Gpus = next(iter(answers.values()))
        problems = []
        for address, gpus in answers.items():
            offered = int(workers[address]["resources"]["GPU"])
            if gpus.count < offered:
                reason = gpus.reason or f"torch sees {gpus.count}"
                problems.append(Problem(address, 0, f"the worker offers GPU={offered}, but {reason}"))
            elif gpus.provenance != first.provenance:
                message = f"{' · '.join(gpus.provenance.values())}; others: {' · '.join(first.provenance.values())}"
                problems.append(Problem(address, 0, message, "a record names one kind of GPU: use one kind of worker"))
        if problems:
            raise Problems(problems)
        return replace(first, count=max(int(worker["resources"]["GPU"]) for worker in workers.values()))


def _connect(address: str) -> distributed.Client:
    hint = "give the address that `dask scheduler` prints, such as tcp://host:8786"
    if not re.fullmatch(r"(tcp|tls)://.+:\d+", address):
        raise Problems([Problem(address, 0, "this is no scheduler's address", hint)])
    try:  # a client waits for ever if another program listens there
        with ThreadPoolExecutor(1) as thread:  # this thread may have an event loop of its own
            kind = thread.submit(asyncio.run, _kind(address)).result()
    except TimeoutError as error:
        raise Problems([Problem(address, 0, f"no scheduler answers within {CONNECT} s", hint)]) from error
    except Exception as error:
        raise Problems([Problem(address, 0, f"the scheduler cannot be asked: {error}", hint)]) from error
    if kind != "Scheduler":
        raise Problems([Problem(address, 0, f"this is the address of a {kind}", hint)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # versions are compared here, with those of torch
        return distributed.Client(address, timeout=CONNECT, set_as_default=False)


async def _kind(address: str) -> str:
    """Ask a Dask server whether it is a scheduler or a worker."""
    security = distributed.Security().get_connection_args("client")
    async with asyncio.timeout(CONNECT), distributed.rpc(address, connection_args=security) as there:
        return str((await there.identity())["type"])


def _files(project: Project) -> dict[str, bytes]:
    """Path → bytes of all files that a script may read or import: `examples/` without hidden and compiled files."""
    files = {}
    for path in sorted(project.examples.rglob("*")):
        inside = path.relative_to(project.root)
        if path.is_file() and not any(part.startswith(".") or part == "__pycache__" for part in inside.parts):
            files[inside.as_posix()] = path.read_bytes()
    return files


def _differences(address: str, here: dict[str, str], abouts: dict[str, About]) -> list[Problem]:
    """Return one problem with all versions that differ on workers."""
    by_version: dict[tuple[str, str], list[str]] = {}
    for address_, worker in abouts.items():
        for name in sorted(here.keys() | worker.versions.keys()):
            if worker.versions.get(name) != here.get(name):
                by_version.setdefault((name, worker.versions.get(name, "unknown")), []).append(address_)
    if not by_version:
        return []
    lines = [
        f"  {name} is {version} on {_some(workers)}; here it is {here.get(name, 'unknown')}"
        for (name, version), workers in by_version.items()
    ]
    return [Problem(address, 0, "\n".join(["workers differ from this machine:", *lines]), SAME)]


def _shared_gpus(workers: dict[str, dict[str, Any]], abouts: dict[str, About]) -> Iterator[Problem]:
    """Return a problem for each GPU that two workers of one machine would use at the same time."""
    users: dict[tuple[str, str], str] = {}
    for address, worker in abouts.items():
        for number in worker.gpus:
            other = users.setdefault((workers[address]["host"], number), address)
            if other != address:
                hint = "start one worker a GPU, each with a CUDA_VISIBLE_DEVICES of its own"
                yield Problem(address, 0, f"the worker uses GPU {number}, as {other} does", hint)


def _some(addresses: list[str]) -> str:
    shown = ", ".join(sorted(addresses)[:3])
    return f"{shown} and {len(addresses) - 3} more" if len(addresses) > 3 else shown


# -- on a worker ------------------------------------------------------------------------------------


class Files(distributed.WorkerPlugin):
    """Writes the project's files into the worker's folder. Dask also runs it on workers that join later."""

    def __init__(self, name: str, files: dict[str, bytes]):
        self.name = name
        self.files = files

    def setup(self, worker: distributed.Worker) -> None:
        for path, data in self.files.items():
            target = Path(worker.local_directory, self.name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)

    def teardown(self, worker: distributed.Worker) -> None:
        shutil.rmtree(Path(worker.local_directory, self.name), ignore_errors=True)


def about(device: str, dask_worker: distributed.Worker) -> About:
    """Describe a worker, in its process."""
    daemon = multiprocessing.current_process().daemon
    return About(versions(device), cache.instructions(), daemon, _visible(dask_worker))


@functools.cache
def versions(device: str) -> dict[str, str]:
    """Return the versions that must be equal. The client's torch may be a build without CUDA, the workers' with it."""
    sender = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12]
    versions = {**cache.versions(), "distributed": importlib.metadata.version("distributed"), "cluster": sender}
    if device == "cuda":
        versions["torch"] = versions["torch"].partition("+")[0]
    return versions


def work(task: Task) -> Result:
    """Run the script, unless too many workers were lost while it ran."""
    script, here, scheduler = task.script, distributed.get_worker(), distributed.get_client()
    if versions(task.device) != task.versions:  # the worker joined after the others were compared
        abouts = {here.address: about(task.device, here)}
        (problem,) = _differences(script.path, task.versions, abouts)
        return Result(script.path, problems=(problem,))
    note = [task.run, script.path]
    lost = scheduler.get_metadata(note, default=None) or []
    if len(lost) >= TRIES:
        message = f"its worker was lost while it ran, {len(lost)} times ({', '.join(lost)}); it is not tried again"
        hint = f"if it kills its parents, mend it; else run it alone: python -m verbatim run {script.path}"
        return Result(script.path, problems=(Problem(script.path, script.cells[0].line, message, hint),))
    scheduler.set_metadata(note, [*lost, here.address])
    root = Path(here.local_directory, task.run)
    write_if_changed(root / script.path, script.text)
    gpus = _visible(here)[: task.gpus]
    result = run(script, Project(root), task.limits, ",".join(gpus))
    scheduler.set_metadata(note, lost)
    return replace(result, reads={name.replace(str(root), task.root, 1): sha for name, sha in result.reads.items()})


def _visible(worker: distributed.Worker) -> list[str]:
    """Return the GPUs that a worker offers: the first of those that it can see."""
    count = int(worker.state.total_resources.get("GPU", 0))
    named = os.environ.get("CUDA_VISIBLE_DEVICES")
    return [str(n) for n in range(count)] if named is None else named.split(",")[:count]

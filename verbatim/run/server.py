"""Starts the fork server, a process with torch already imported, and forks the processes of scripts from it."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.forkserver
import os
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from verbatim.run import isolate, variables

_lock = threading.Lock()


#: From how many scripts on it pays to prepare the server for them; with fewer, that it starts soon pays.
MANY = 150


def ensure(late: Collection[str] = isolate.LATE, scripts: int = 1) -> int:
    """Start the fork server unless it is already running.

    Args:
        late: Which modules of `isolate.LATE` the server imports besides torch.
        scripts: How many scripts will run, if known.

    Returns:
        The server's process id.
    """
    with _lock:
        if (running := _pid()) and not _ended(running):
            return running
        # Python reads some of these variables only at startup.
        with _without_main(), variables.meanwhile(**variables.PINNED):
            multiprocessing.set_forkserver_preload(modules(late, scripts))
            multiprocessing.forkserver.ensure_running()
        return _pid()


def modules(late: Collection[str], scripts: int) -> list[str]:
    """Return what the fork server imports, in this order."""
    first, last = ["verbatim.run.pinned"], ["verbatim.run.preload"]
    if scripts >= MANY:
        last.append("verbatim.run.many")
    else:
        first.append("verbatim.run.few")
    return [*first, *(name for name in isolate.LATE if name in late), *last]


def _pid() -> int:
    return int(multiprocessing.forkserver._forkserver._forkserver_pid or 0)  # type: ignore[attr-defined]


def gone(pid: int) -> bool:
    """Whether a child process has ended. Waits up to 5 s, because its pipes close before it ends."""
    for _ in range(500):
        if _ended(pid):
            return True
        time.sleep(0.01)
    return False


def _ended(pid: int) -> bool:
    """Whether a child process has ended. It is not reaped here; `multiprocessing` does that."""
    try:
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def start(target: Callable[..., None], *arguments: Any) -> tuple[BaseProcess, Connection]:
    """Fork a process from the server.

    Args:
        target: The function that the process calls with `arguments` and the sending end of a pipe.
        arguments: Its arguments; they are pickled.

    Returns:
        The process and the receiving end of the pipe.
    """
    ensure()
    context = multiprocessing.get_context("forkserver")
    results, sender = context.Pipe(duplex=False)
    process = context.Process(target=target, args=(*arguments, sender))
    with _lock, _without_main():
        process.start()
    sender.close()
    return process, results


def ask(function: Callable[[Any], Any], argument: Any) -> Any:
    """Call a function in a new process with PyTorch already imported, and return its result.

    Raises:
        EOFError: The process ended without a result.
    """
    process, results = start(_answer, function, argument)
    try:
        return results.recv()
    finally:
        results.close()
        process.join()


def _answer(function: Callable[[Any], Any], argument: Any, results: Connection) -> None:
    results.send(function(argument))


@contextlib.contextmanager
def _without_main() -> Iterator[None]:
    """Hide the parent's main module (mkdocs or a test runner); otherwise every child would import it again."""
    main = sys.modules["__main__"].__dict__
    hidden: dict[str, Any] = {key: main.pop(key) for key in ("__file__", "__spec__") if key in main}
    main["__spec__"] = None
    try:
        yield
    finally:
        main.update(hidden)

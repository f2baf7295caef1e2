"""Starts fork servers, processes with torch already imported, and has the processes of scripts forked from them.

There is one for scripts that use PyTorch's compiler and one for all others, as `isolate.together` says.

`multiprocessing` has a fork server, too. It listens at an address in the file system, and hands each process that it
forks the means to ask for another; nothing keeps a script from using them.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import pickle
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Collection, Iterable
from multiprocessing.connection import Connection, Pipe
from typing import Any

from verbatim.run import forks, isolate, variables
from verbatim.run.script import Script

_lock = threading.Lock()
#: Whether the compiler is imported, and the hash seed → the server whose processes have them.
_servers: dict[tuple[bool, str], Server] = {}


class Server:
    """A running fork server.

    Args:
        late: Which modules of `isolate.LATE` it imports besides torch.
        hash_seed: Value of `PYTHONHASHSEED`; empty for that of this process. Python reads it only at its start.
    """

    def __init__(self, late: Collection[str], hash_seed: str = ""):
        self._lock = threading.Lock()
        self._asked, its = socket.socketpair()
        with its:
            program = [sys.executable, *subprocess._args_from_interpreter_flags()]  # type: ignore[attr-defined]
            program += ["-c", _START]
            self._process = subprocess.Popen(
                [*program, json.dumps([its.fileno(), modules(late), sys.path])],
                pass_fds=[its.fileno()],
                stdin=subprocess.DEVNULL,
                env=variables.environment(hash_seed),
            )

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def leave(self) -> None:
        """Let it end by itself, as it does when its socket is closed."""
        self._asked.close()
        self._process.returncode = 0  # so that nothing waits for it

    def stop(self) -> None:
        """Kill it. Processes that it has forked stay."""
        with self._lock:
            self._asked.close()
            self._process.kill()
            self._process.wait()

    def fork(self, job: int, results: int, status: int) -> int:
        """Ask for a process, and return its number. The descriptors are those that `forks` describes.

        Raises:
            OSError: The server has ended, or cannot fork.
        """
        with self._lock:
            socket.send_fds(self._asked, [b"."], [job, results, status])
            number = _number(self._asked.recv(forks.NUMBER))
        if number is None or number < 0:
            raise OSError("no process could be forked")
        return number


def _number(data: bytes) -> int | None:
    return int.from_bytes(data, sys.byteorder, signed=True) if data else None


_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1])[2]; from verbatim.run.forks import main; main()"


class Child:
    """A process that was forked from the server.

    Args:
        server: The server.
        job: The function to call and its arguments, pickled.
        results: The sending end of a pipe, for its results.

    Raises:
        OSError: The server has ended, or cannot fork.
    """

    def __init__(self, server: Server, job: bytes, results: Connection):
        self._server = server
        job_reader, self._job = os.pipe()
        self.sentinel, status = os.pipe()
        """A descriptor that can be read from when the process has ended."""
        try:
            self.pid = server.fork(job_reader, results.fileno(), status)
            """Its number."""
        except OSError:
            self._close()
            raise
        finally:
            os.close(job_reader)
            os.close(status)
        with Connection(os.dup(self._job), readable=False) as sending, contextlib.suppress(BrokenPipeError):
            sending.send_bytes(job)

    def wait(self) -> int | None:
        """Wait for its end. Return its exit code, negative for a signal, or ``None``: the server ended before it."""
        code = _number(os.read(self.sentinel, forks.NUMBER))
        if code is None:
            self._server.stop()
        self._close()
        return code

    def _close(self) -> None:
        os.close(self.sentinel)
        os.close(self._job)


def prepare(scripts: Iterable[Script] | None = None) -> None:
    """Start the fork servers of `isolate.together`, unless they are already running."""
    for late in isolate.together(scripts):
        ensure(late)


def ensure(late: Collection[str] = (), hash_seed: str = "") -> Server:
    """Start a fork server unless it is already running.

    Args:
        late: Which modules of `isolate.LATE` it imports besides torch, if it is started now. There is one server that
            imports the compiler, and one that does not.
        hash_seed: As in `Server`; there are servers for each.
    """
    key = isolate.COMPILER in late, hash_seed
    with _lock:
        if key not in _servers or not _servers[key].runs:
            _servers[key] = server = Server(late, hash_seed)
            atexit.register(server.leave)
        return _servers[key]


def modules(late: Collection[str]) -> list[str]:
    """Return the modules that the fork server imports, in order."""
    return [*(name for name in isolate.LATE if name in late), "verbatim.run.preload"]


def start(
    function: Callable[..., None], *arguments: Any, late: Collection[str] = (), hash_seed: str = ""
) -> tuple[Child, Connection]:
    """Fork a process from the server.

    Args:
        function: The function that the process calls, with `arguments` and the sending end of a pipe.
        arguments: Its arguments; they are pickled.
        late: As in `ensure`.
        hash_seed: As in `Server`.

    Returns:
        The process and the receiving end of the pipe.

    Raises:
        OSError: The server has ended, or cannot fork.
    """
    results, sender = Pipe(duplex=False)
    with sender:
        return Child(ensure(late, hash_seed), pickle.dumps((function, arguments)), sender), results


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
        process.wait()


def _answer(function: Callable[[Any], Any], argument: Any, results: Connection) -> None:
    results.send(function(argument))

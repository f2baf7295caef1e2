"""The fork server: a process that imports what scripts need and forks a process for each. This runs in that process.

It has no address: requests come on a socket that only it and the build have, and a forked process closes that socket
before anything else. So no script can get a process that is less confined than itself.

A request is three file descriptors: a pipe from which the new process reads what to do, one into which it sends its
results, and one into which the server writes its exit code when it has ended. The answer is its number.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from multiprocessing.connection import Connection
from typing import NoReturn

from verbatim.run import reads

#: Bytes of the number of a process, or of an exit code, which is negative for a signal.
NUMBER = 4

parent = -1
"""In a forked process: a pipe whose other end the build holds until the process has ended, or the build itself has."""


def main() -> None:
    """Import modules, and fork until the build ends. The program's argument is the JSON text that `server` writes."""
    number, modules, _ = json.loads(sys.argv[1])
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends when the build does, and no sooner
    reads.begin()
    for name in modules:
        with contextlib.suppress(Exception):  # a script that needs it imports it itself, and then gets the error
            importlib.import_module(name)
    sys.stdout.flush()
    with socket.socket(fileno=number) as requests:
        _serve(requests)


def _serve(requests: socket.socket) -> None:
    woken, waker = os.pipe()
    os.set_blocking(waker, False)
    signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    running: dict[int, int] = {}  # process → the pipe for its exit code
    while True:
        ready, _, _ = select.select([requests.fileno(), woken], [], [])
        if woken in ready:
            os.read(woken, 1 << 12)
            _reap(running)
        if requests.fileno() in ready:
            message, descriptors, _, _ = socket.recv_fds(requests, 1, 3)
            if not message:
                return
            job, results, status = descriptors
            try:
                child = os.fork()
            except OSError:  # the machine has no room for one more
                child = -1
            if child == 0:
                requests.close()
                for other in (woken, waker, status, *running.values()):
                    os.close(other)
                _run(job, results)
            os.close(job)
            os.close(results)
            if child > 0:
                running[child] = status
            else:
                os.close(status)
            _write(requests.fileno(), child)


def _reap(running: dict[int, int]) -> None:
    """Wait for the processes that have ended, and report their exit codes."""
    for child in list(running):
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            _write(running[child], os.waitstatus_to_exitcode(status))
            os.close(running.pop(child))


def _write(pipe: int, number: int) -> None:
    with contextlib.suppress(BrokenPipeError):  # the build no longer waits for it
        os.write(pipe, number.to_bytes(NUMBER, sys.byteorder, signed=True))


def _run(job: int, results: int) -> NoReturn:
    """Do what the job says, and end this process."""
    global parent
    parent = job
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        receiver = Connection(job, writable=False)  # it closes the pipe when it is collected
        function, arguments = receiver.recv()
        function(*arguments, Connection(results, readable=False))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)

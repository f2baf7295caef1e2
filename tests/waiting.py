"""How tests wait: for what is complete, for a line that a program prints; and the ports that they take.

A busy machine makes everything late, so nothing here gives up before something is certain to be broken. To see that
something does *not* happen, hold its other side back, or wait for what comes after it.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")

#: Seconds after which what did not come never will.
PATIENCE = 900


def until(condition: Callable[[], Value], seconds: float = PATIENCE) -> Value:
    """Wait until a condition holds, and return what it returned. It must ask for what is complete, not for its begin."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.05)
    return value


def alive(pid: int) -> bool:
    """Whether a process exists and has not ended. Linux only."""
    try:
        return "(zombie)" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


def waits(thread: threading.Thread) -> bool:
    """Whether a thread waits for a condition or an event right now."""
    frame = sys._current_frames().get(thread.ident or 0)
    return frame is not None and frame.f_code is threading.Condition.wait.__code__


class Program:
    """A program that runs beside a test, and ends with the block. What it prints goes to a file, so it never waits.

    Args:
        arguments: A module and its arguments, for this Python.
        cwd: The folder that it runs in.
        log: The file for what it prints.
        variables: Variables of its environment, besides those of this process.
    """

    def __init__(self, arguments: Sequence[str | os.PathLike[str]], *, cwd: Path, log: Path, **variables: str):
        self._log = log
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *arguments],
                cwd=cwd,
                env={**os.environ, **variables},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
            )

    @property
    def runs(self) -> bool:
        """Whether it has not ended."""
        return self.process.poll() is None

    @property
    def said(self) -> str:
        """What it has printed."""
        return self._log.read_text(encoding="utf-8", errors="replace")

    def line(self, pattern: str) -> re.Match[str]:
        """Wait for a line in which a pattern is found, and return the match. One that is not complete is not looked at."""

        def found() -> re.Match[str] | None:
            runs = self.runs  # asked first: of a program that has ended, all that it printed is there
            lines = self.said.splitlines(keepends=True)
            match = next(filter(None, (re.search(pattern, line) for line in lines if line.endswith("\n"))), None)
            assert match or runs, f"it ended with {self.process.returncode} and never said {pattern}:\n{self.said}"
            return match

        return until(found)

    def end(self) -> str:
        """Ask it to end, wait, and return all that it has printed."""
        self.process.terminate()
        self.process.wait(PATIENCE)
        return self.said

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.end()
        finally:
            self.process.kill()
            self.process.wait()


def fetch(address: str) -> tuple[int, str]:
    """Return with what a server answers: the status and the text."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@contextlib.contextmanager
def listening(host: str = "127.0.0.1") -> Iterator[int]:
    """Yield a port at which somebody listens, and never answers."""
    with socket.create_server((host, 0)) as server:
        yield server.getsockname()[1]


@contextlib.contextmanager
def closed() -> Iterator[int]:
    """Yield a port at which nobody listens, nor can meanwhile: it is taken."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]

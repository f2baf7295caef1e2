"""How far a long step is: a bar on a terminal, and a line every ten seconds elsewhere."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator

#: Seconds between two lines where standard error is no terminal.
SECONDS_BETWEEN = 10.0
#: A step of fewer parts is over before anybody asks.
FEWEST_PARTS = 5


class Bar:
    """One step. Call it after each part with the parts done, their number, and the name of the part.

    Args:
        what: What the parts are, in the plural.
    """

    def __init__(self, what: str = "scripts"):
        self._what = what
        self._next = time.monotonic() + SECONDS_BETWEEN
        self.status = ""
        """How far the step is, such as ``12/286 scripts``; empty before the first part and after the last."""

    def __call__(self, done: int, count: int, name: str) -> None:
        """Show how far the step is, on standard error."""
        self.status = f"{done}/{count} {self._what}" if done < count else ""
        if count < FEWEST_PARTS:
            return
        if sys.stderr.isatty():
            filled = 30 * done // count
            drawn = "█" * filled + "·" * (30 - filled)
            end = "\r\033[K" if done == count else ""
            print(f"\r\033[K{drawn} {done}/{count} {self._what}: {name}", end=end, file=sys.stderr, flush=True)
        elif time.monotonic() >= self._next:
            self._next = time.monotonic() + SECONDS_BETWEEN
            print(f"{done}/{count} {self._what}: {name}", file=sys.stderr, flush=True)


class Steps:
    """The steps of a command, one after another: the bar of the one that takes time just now."""

    def __init__(self) -> None:
        self._bar, self._what, self._done = Bar(), "", 0

    @property
    def status(self) -> str:
        """How far the step is."""
        return self._bar.status

    def begin(self, what: str) -> Bar:
        """Begin a step, and return its bar. `what`: what its parts are."""
        self._bar, self._what, self._done = Bar(what), what, 0
        return self._bar

    def next(self, what: str, count: int, name: str) -> None:
        """Show that a part begins, the first one of another step or the next one of this.

        Args:
            what: What the step's parts are.
            count: How many parts the step has.
            name: The part.
        """
        if what != self._what or self._done >= count:
            self.begin(what)
        self._done += 1
        self._bar(self._done, count, name)


def doing(what: str) -> None:
    """Show on a terminal what takes time just now, in a line that the next one replaces."""
    if sys.stderr.isatty():
        print(f"\r\033[K{what} …", end="", file=sys.stderr, flush=True)


@contextlib.contextmanager
def reported() -> Iterator[None]:
    """Take away what `doing` shows when the block ends, however it ends."""
    try:
        yield
    finally:
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)

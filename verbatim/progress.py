"""A progress bar on a terminal, when there is something to wait for."""

from __future__ import annotations

import sys


def bar(done: int, count: int, script: str) -> None:
    """Redraw the bar on standard error. Without a terminal, or for fewer than five scripts, draw nothing."""
    if count < 5 or not sys.stderr.isatty():
        return
    filled = 30 * done // count
    drawn = "█" * filled + "·" * (30 - filled)
    end = "\r\033[K" if done == count else ""
    print(f"\r\033[K{drawn} {done}/{count} {script}", end=end, file=sys.stderr, flush=True)

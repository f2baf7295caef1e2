"""The extension of IPython and Jupyter, which do not ask `sys.excepthook`."""

from __future__ import annotations

import sys
from typing import Any

from pytorch_verbatim import telling


def load(shell: Any) -> None:
    """Explain errors below the tracebacks that a shell shows."""
    telling.install()  # threads
    if "showtraceback" in vars(shell):
        return
    shown = shell.showtraceback

    def showtraceback(*arguments: Any, **named: Any) -> Any:
        given = named.get("exc_tuple") or (arguments[0] if arguments else None)
        error = given[1] if isinstance(given, tuple) and len(given) > 1 else sys.exc_info()[1]
        result = shown(*arguments, **named)
        telling.tell(error)
        return result

    shell.showtraceback = showtraceback


def unload(shell: Any) -> None:
    """Show tracebacks alone again."""
    vars(shell).pop("showtraceback", None)

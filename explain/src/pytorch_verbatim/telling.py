"""Adds two lines below the traceback of an error that the book knows.

Python's own traceback, or whatever else was installed to show it, comes first and is not changed. What is not known
gets nothing, and nothing that goes wrong here is shown. All that is needed for it is imported when an error has come.
"""

from __future__ import annotations

import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import TracebackType
    from typing import Any, Optional

    from pytorch_verbatim import reading


def lines_about(error: Optional[BaseException]) -> str:
    """Return the two lines about an error; empty if the book does not know it, or if anything goes wrong."""
    if not isinstance(error, Exception):
        return ""
    try:
        from pytorch_verbatim import explaining

        explanation = explaining.explain_first(_messages(error))
        return explaining.below(explanation) if explanation else ""
    except Exception:
        return ""


def _messages(error: BaseException) -> Iterator[reading.Read]:
    """Yield the message of an error, then those of the errors before it in its chain, latest first."""
    from pytorch_verbatim import reading

    link: Optional[BaseException] = error
    for _ in range(reading.MOST_TRACEBACKS):
        if link is None:
            return
        trace, file = link.__traceback__, ""
        while trace:
            file, trace = trace.tb_frame.f_code.co_filename, trace.tb_next
        in_torch = reading.is_of_torch(file)
        for message in reading.messages(f"{_name(type(link))}: {reading.bounded(str(link))}"):
            yield message._replace(in_torch=message.in_torch or in_torch)
        link = link.__cause__ or (None if link.__suppress_context__ else link.__context__)


def _name(kind: type) -> str:
    """Return a class as a traceback names it."""
    own = kind.__module__ in ("builtins", "__main__")
    return kind.__qualname__ if own else f"{kind.__module__}.{kind.__qualname__}"


def tell(error: Optional[BaseException]) -> None:
    """Write the two lines about an error to standard error."""
    if text := lines_about(error):
        try:
            sys.stderr.write(text)
            sys.stderr.flush()
        except Exception:
            return


def install() -> None:
    """Explain errors that end the program or a thread, below what shows them already. The second time does nothing."""
    shown, shown_in_thread = sys.excepthook, threading.excepthook
    if getattr(shown, "tells", None) is tell:
        return

    def excepthook(kind: type[BaseException], error: BaseException, trace: Optional[TracebackType]) -> None:
        shown(kind, error, trace)
        tell(error)

    def of_thread(arguments: Any) -> None:
        shown_in_thread(arguments)
        tell(arguments.exc_value)

    excepthook.tells = tell  # type: ignore[attr-defined]
    sys.excepthook, threading.excepthook = excepthook, of_thread

"""``python -m pytorch_verbatim run train.py …``: runs a script as Python does, with `pytorch_verbatim.hook`."""

from __future__ import annotations

import io
import os
import sys
from types import ModuleType, TracebackType
from typing import Optional

#: The folder of this package, whose frames no traceback shows.
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def main(arguments: list[str]) -> int:
    """Run a script with its arguments. What it raises goes through, so that Python ends as it does without this."""
    if not arguments or arguments[0].startswith("-"):
        print("usage: python -m pytorch_verbatim run SCRIPT [ARGUMENT ...]", file=sys.stderr)
        return 2
    path = arguments[0]
    try:
        with io.open_code(file_name := os.path.abspath(path)) as file:
            source = file.read()
    except OSError as error:
        print(f"{path}: {error.strerror}", file=sys.stderr)
        return 2
    _hide_own_frames()
    import pytorch_verbatim.hook  # noqa: F401

    module = ModuleType("__main__")
    module.__dict__.update(__file__=file_name, __builtins__=__builtins__, __spec__=None)
    sys.modules["__main__"] = module
    sys.argv = arguments
    sys.path[0] = os.path.dirname(os.path.realpath(path))
    exec(compile(source, file_name, "exec", dont_inherit=True), module.__dict__)
    return 0


def _hide_own_frames() -> None:
    """Have tracebacks begin where they begin without this package."""
    shown = sys.excepthook

    def excepthook(kind: type[BaseException], error: BaseException, trace: Optional[TracebackType]) -> None:
        first = trace
        while first and _is_above(first):
            first = first.tb_next
        shown(kind, error.with_traceback(first), first)

    sys.excepthook = excepthook


def _is_above(trace: TracebackType) -> bool:
    """Whether a frame is Python's start of this package, or the package itself."""
    file = trace.tb_frame.f_code.co_filename
    return file.startswith(_OWN + os.sep) or file == "<frozen runpy>" or os.path.basename(file) == "runpy.py"

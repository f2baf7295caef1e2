"""Known messages: each says where it is from, and stands there, where that source can be read."""

from __future__ import annotations

from collections.abc import Iterator

from verbatim.book import origins
from verbatim.problems import Problem
from verbatim.run.script import Script


def check_origins(script: Script) -> Iterator[Problem]:
    """Yield the cells whose `origin=` has no known form, or names an installed file that does not hold the message."""
    for cell in script.cells:
        if not cell.origin:
            continue
        if not origins.well_formed(cell.origin):
            hint = 'name a file of PyTorch, or project, version and file: "LLVM OpenMP 20.1.8: openmp/…/en_US.txt"'
            yield Problem(script.path, cell.header_line, f"`{cell.origin}` is no origin of a message", hint)
        elif file := origins.installed(cell.origin):
            if part := origins.lacks(cell.says, file.read_text(encoding="utf-8", errors="replace")):
                hint = "quote it as it stands there, with … for what is filled in; else name another file"
                yield Problem(script.path, cell.header_line, f"`{cell.origin}` does not say “{part}”", hint)

"""Quoted messages have a valid origin, and stand in it where it can be read."""

from __future__ import annotations

from collections.abc import Iterator

from verbatim.book import origins
from verbatim.problems import Problem
from verbatim.run.script import Script


def check_origins(script: Script) -> Iterator[Problem]:
    """Yield the cells whose `origin=` has no valid form, or names an installed file without the message."""
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

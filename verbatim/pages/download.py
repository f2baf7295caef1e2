"""Generates the script that readers download. It runs to the end although some cells raise on purpose. Pure."""

from __future__ import annotations

import io
import tokenize

from verbatim.run.script import Cell, Script

#: The code after a cell that raises on purpose, and after a cell with `needs`.
RAISES = 'except Exception as error:  # on purpose\n    print(f"{type(error).__name__}: {error}")'
NEEDS = 'except Exception as error:\n    print(f"needs %s: {type(error).__name__}: {error}")'


def runnable(script: Script) -> str:
    """Return a script with each cell that raises or needs something wrapped in `try`, so that later cells run."""
    lines = script.text.splitlines()
    guarded: list[str] = []
    position = 0
    for cell in script.cells:
        first = cell.line - 1
        last = first + len(cell.source.splitlines())
        guarded += lines[position:first]
        guarded += _guarded(cell).splitlines() if cell.raises or cell.needs else lines[first:last]
        position = last
    return "\n".join([*guarded, *lines[position:]]) + "\n"


def _guarded(cell: Cell) -> str:
    inside = _within_strings(cell.source)
    body = "\n".join(
        f"    {line}" if line.strip() and number not in inside else line
        for number, line in enumerate(cell.source.splitlines(), 1)
    )
    return f"try:\n{body}\n{RAISES if cell.raises else NEEDS % cell.needs}"


def _within_strings(source: str) -> set[int]:
    """Return the numbers of lines that begin inside of a string: indenting them would change the string."""
    numbers: set[int] = set()
    starts: list[int] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        name = tokenize.tok_name[token.type]
        if name == "STRING":
            numbers.update(range(token.start[0] + 1, token.end[0] + 1))
        elif name == "FSTRING_START":  # Python 3.12 and later
            starts.append(token.start[0])
        elif name == "FSTRING_END":
            numbers.update(range(starts.pop() + 1, token.end[0] + 1))
    return numbers

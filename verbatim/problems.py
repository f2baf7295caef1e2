"""A problem says where it is, what is wrong, and how to mend it."""

from __future__ import annotations

import difflib
import itertools
import re
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

#: A hint names at most so many words.
MOST_NAMED = 16


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong: ``path:line: message`` and, on the next line, a hint."""

    path: str
    """Path from the project's root, with forward slashes."""
    line: int
    """1-based line; 0 where the whole file is meant."""
    message: str
    hint: str = ""

    def __str__(self) -> str:
        place = printable(f"{self.path}:{self.line}" if self.line else self.path)
        text = f"{place}: {self.message}"
        return obeyed_by_none(f"{text}\n  hint: {self.hint}" if self.hint else text)

    @property
    def brief(self) -> str:
        """The place and the fact on one line, for a terminal that scrolls; the page itself shows all of it."""
        return str(replace(self, hint="")).splitlines()[0]


#: What a terminal obeys, or cannot show: control characters but for ends of lines and tabs, marks of another direction,
#: unpaired surrogates.
_CONTROL_CHARACTER = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
#: What GitHub obeys in a job's log: `::` at the beginning of a line, `##[` anywhere.
_JOB_COMMAND = re.compile(r"^(\s*:)(?=:)|(##)(?=\[)", re.MULTILINE)


def printable(text: str) -> str:
    """Return a name as it can be printed: one line, and nothing that is obeyed."""
    return text if text.isprintable() else "".join(map(_letter, text))


def _letter(letter: str) -> str:
    return letter if letter.isprintable() else ascii(letter)[1:-1]


def obeyed_by_none(text: str) -> str:
    """Return lines as they can be printed, whatever they quote."""
    return _JOB_COMMAND.sub(lambda match: f"{match[0]} ", _CONTROL_CHARACTER.sub(lambda match: _letter(match[0]), text))


class Problems(Exception):
    """Raised once with everything that is wrong, so that one run reports it all."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = sorted(set(problems))
        super().__init__(report(self.problems))


def report(problems: Iterable[Problem]) -> str:
    """Return the problems as text, sorted by place, with their count at the end."""
    ordered = sorted(set(problems))
    count = "1 problem" if len(ordered) == 1 else f"{len(ordered)} problems"
    said = []
    for problem, following in itertools.zip_longest(ordered, ordered[1:]):
        # One remedy for several problems of a file stands once, below the last.
        same = following and problem.hint and (problem.path, problem.hint) == (following.path, following.hint)
        said.append(str(replace(problem, hint="") if same else problem))
    return as_typed("\n".join([*said, count]))


def as_typed(text: str) -> str:
    """Return a text with its commands as they work in the shell, whose `python` may be another than this one."""
    if python := shutil.which("python"):
        if Path(python).parent.resolve() == Path(sys.executable).parent.resolve():
            return text
    own = Path(sys.executable).with_name("python")
    name = own.relative_to(Path.cwd()) if own.is_relative_to(Path.cwd()) else own
    return text.replace("python -m verbatim", f"{name.as_posix()} -m verbatim")


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``did you mean `x`?`` for the nearest known word, else the known words."""
    known = sorted(known)
    near = difflib.get_close_matches(word, known, n=1)
    if near:
        return f"did you mean `{near[0]}`?"
    more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    return "known: " + ", ".join(f"`{k}`" for k in known[:MOST_NAMED]) + more if known else ""

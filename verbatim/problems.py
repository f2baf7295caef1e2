"""A problem says where it is, what is wrong, and how to mend it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


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
        place = f"{self.path}:{self.line}" if self.line else self.path
        text = f"{place}: {self.message}"
        return f"{text}\n  hint: {self.hint}" if self.hint else text


class Problems(Exception):
    """Raised once with everything that is wrong, so that one run reports it all."""

    def __init__(self, problems: Iterable[Problem]):
        self.problems = sorted(set(problems))
        super().__init__(report(self.problems))


def report(problems: Iterable[Problem]) -> str:
    """Return the problems as text, sorted by place, with their count at the end."""
    ordered = sorted(set(problems))
    count = "1 problem" if len(ordered) == 1 else f"{len(ordered)} problems"
    return "\n".join([*map(str, ordered), count])


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``did you mean `x`?`` for the nearest known word, else the known words."""
    known = sorted(known)
    near = difflib.get_close_matches(word, known, n=1)
    if near:
        return f"did you mean `{near[0]}`?"
    return "known: " + ", ".join(f"`{k}`" for k in known) if known else ""

"""What two releases print differently in a cell, as `changes` tells it, in the package and on the site. Pure."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import Any

from verbatim.book.changes import Said, kind, only

#: Kinds of change, in the order in which they are listed. ``missing``: the newer release lacks a name; ``gone``: it
#: lacks something that a page's code needs; ``new``: only the newer one has it.
DIFFERENCE_KINDS = (
    "missing", "gone", "new error", "deprecated", "changed message", "new warning", "message gone", "changed", "new",
)  # fmt: skip
#: Those with which code may stop working.
BREAKING_KINDS = ("missing", "gone", "new error")
#: Those about a message that the newer release prints.
MESSAGE_KINDS = ("new error", "deprecated", "changed message", "new warning")
#: How many lines of a difference are shown.
MOST_LINES = 12
#: So many characters of a message tell its cause.
CAUSE_CHARACTERS = 48
#: How alike two messages are, from 0 to 1, of which one only words the other.
REWORDED_LIKENESS = 0.85

#: Lines that show a graph: that it is drawn otherwise breaks nothing.
_GRAPH_LINE = re.compile(
    r"\s*(?:%\w+ ?[:=]|graph\(|return \(?%|def forward\(|class \w+\(torch\.nn\.Module\)|\w+: \"|return \("
    r"|\w+ = torch\.ops\.)"
)
_NUMBER = re.compile(r"[0-9]+")


def difference(old: Said, new: Said) -> dict[str, Any]:
    """Return what differs between two of a cell's outputs.

    Returns:
        ``kind``, one of `DIFFERENCE_KINDS`, empty where nothing is to be told; ``lines``, ``-`` the older release's and
        ``+`` the newer one's, and how many ``more`` there are; the causes by which the same change elsewhere is known.
    """
    is_now = kind(old, new)
    lost, come = only(old, new), only(new, old)
    lines = _diff(old.text, new.text)
    if _is_nothing(is_now, lost, come) or (is_now == "changed" and all(_GRAPH_LINE.match(line[1:]) for line in lines)):
        is_now = ""
    cause = causes(lost if is_now == "message gone" else come)
    return {"kind": is_now, "lines": lines[:MOST_LINES], "more": len(lines[MOST_LINES:]), "cause": cause}


def causes(messages: Sequence[str]) -> list[str]:
    """Return what tells the causes of messages."""
    return sorted({_NUMBER.sub("0", message[:CAUSE_CHARACTERS]) for message in messages})


def _is_nothing(kind: str, lost: Sequence[str], come: Sequence[str]) -> bool:
    """Whether a message is only worded otherwise, or only says that a package was not installed."""
    if kind == "changed message" and len(lost) == len(come):
        return all(_alike(*two) >= REWORDED_LIKENESS for two in zip(sorted(lost), sorted(come), strict=True))
    return kind == "new error" and all(re.search(r"No module named '(?!torch\b)", message) for message in come)


def _alike(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, _NUMBER.sub("0", one), _NUMBER.sub("0", other)).ratio()


def _diff(old: str, new: str) -> list[str]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]

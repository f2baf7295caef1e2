"""What the book's recorded releases of torch print differently for the names that code uses."""

from __future__ import annotations

import difflib
import functools
import json
import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple, Optional

FILE = os.path.join(os.path.dirname(__file__), "changes.json")

#: Kinds of change, in the order in which they are listed.
KINDS = (
    "missing", "gone", "new error", "deprecated", "changed message", "new warning", "message gone", "changed", "new",
)  # fmt: skip
#: Those with which code may stop working.
BREAKS = ("missing", "gone", "new error")
#: Those about a message that the newer release prints.
TOLD = ("new error", "deprecated", "changed message", "new warning")

#: Lines that show a graph: that it is drawn otherwise breaks nothing.
_GRAPH = re.compile(
    r"\s*(?:%\w+ ?[:=]|graph\(|return \(?%|def forward\(|class \w+\(torch\.nn\.Module\)|\w+: \"|return \("
    r"|\w+ = torch\.ops\.)"
)
#: So many characters of a message tell its cause.
CAUSE = 48
#: How alike two messages are, from 0 to 1, of which one only words the other.
REWORDED = 0.85
_NUMBER = re.compile(r"[0-9]+")

#: Names → the places that use them, such as ``train.py:3``, each with what is given there, as in `names.Use`.
Used = Mapping[str, Mapping[str, Optional[frozenset[str]]]]


class Change(NamedTuple):
    """A difference between two releases."""

    kind: str
    """One of `KINDS`. ``missing``: the newer release lacks the name; ``gone``: it lacks something that a page's code
    needs; ``new``: only the newer one has it."""
    names: tuple[str, ...]
    """The names that it is about."""
    uses: tuple[str, ...]
    """Where code uses them."""
    address: str = ""
    """The page and the section, from the site's root; empty where a name itself is missing or new."""
    titles: str = ""
    """The titles of the page and of the section, a line each."""
    diff: str = ""
    """The lines that differ between the two outputs: ``-`` the older release's, ``+`` the newer one's."""
    places: int = 0
    """How many sections show it; the address is that of the first."""


@functools.lru_cache(maxsize=1)
def recorded() -> dict[str, Any]:
    """Return the data as the build has written it.

    Raises:
        FileNotFoundError: This is a checkout in which ``python -m verbatim explain-data`` has not run.
    """
    with open(FILE, encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


def number(release: str) -> tuple[int, ...]:
    """``2.13.0`` → ``(2, 13, 0)``, by which releases are sorted.

    Raises:
        ValueError: It is no release.
    """
    return tuple(int(part) for part in release.split("."))


def nearest(release: str, *, after: bool = False) -> Optional[str]:
    """Return the recorded release that one is: ``2.4`` is ``2.4.1``.

    Args:
        release: The release.
        after: Where it is not recorded, whether to take the one after it, else the one before it.

    Returns:
        The recorded release; ``None`` if there is none on that side.

    Raises:
        ValueError: It is no release.
    """
    wanted, known = number(release), recorded()["releases"]
    own = [one for one in known if number(one)[: len(wanted)] == wanted]
    if own:
        return str(own[-1])
    beside = [one for one in known if (number(one) > wanted) == after]
    return str(beside[0 if after else -1]) if beside else None


def between(old: str, new: str, used: Used, language: str) -> list[Change]:
    """Return what two recorded releases do differently for the names that code uses, by kind.

    Args:
        old: The older release.
        new: The newer release.
        used: Full names, such as ``torch.nn.Linear``, with their uses.
        language: That of the pages.
    """
    found: dict[tuple[Any, ...], Change] = {}
    elsewhere: dict[tuple[Any, ...], set[str]] = {}
    for name, lacking in recorded()["names"].items():
        if name in used and (old in lacking) != (new in lacking):
            kind = "missing" if new in lacking else "new"
            found[kind, name] = Change(kind, (name,), tuple(used[name]))  # the newer release lacks it, or alone has it
    for cell in recorded()["cells"]:
        about = tuple(name for name in cell["names"] if name in used)
        here, there = (next((one for one in cell["prints"] if v in one["releases"]), None) for v in (old, new))
        kind = kind_of(here, there, about) if about and here and there else ""
        if kind == "changed message" and there and here and there["raises"] and not here["raises"]:
            kind = "new error"
        # What a page's code lacked in the older release is not what the reader's code uses, for that ran.
        if not here or not there or kind in ("", "new"):
            continue
        places = {place: given for name in about for place, given in used[name].items()}
        settles = frozenset(cell["settles"])
        if uses := [at for at, given in places.items() if kind not in TOLD or _may_be_told(given, settles)]:
            address, titles = cell["places"][language]
            differ = _diff(here["text"], there["text"]).splitlines()
            if kind == "deprecated" and not differ:  # in the older release, too
                differ = [f" {text}" for text in there["messages"]]
            if _is_nothing(kind, here, there):
                continue
            if kind == "changed" and all(_GRAPH.match(line[1:]) for line in differ):
                continue
            told = _apart(here, there) if kind == "message gone" else _apart(there, here)
            cause = tuple(sorted({_NUMBER.sub("0", one[:CAUSE]) for one in told}))
            key = kind, about, cause if kind in (*TOLD, "message gone") and cause else address
            elsewhere.setdefault(key, set()).add(address)
            if key in found and found[key].address != address:
                continue  # the same message on another page
            before = [found[key].diff] if key in found else []  # another cell of the same section
            found[key] = Change(kind, about, tuple(uses), address, titles, "\n".join([*before, *differ]))
    listed = [change._replace(places=len(elsewhere.get(key, ""))) for key, change in found.items()]
    return sorted(listed, key=lambda change: KINDS.index(change.kind))


def _may_be_told(given: Optional[frozenset[str]], settles: frozenset[str]) -> bool:
    """Whether a message can come from a place: it uses the name, and gives nothing that settles it."""
    return given is not None and not given & settles


def _is_nothing(kind: str, old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether a message is only worded otherwise, or only says that a package was not installed."""
    lost, come = _apart(old, new), _apart(new, old)
    if kind == "changed message" and len(lost) == len(come):
        return all(_alike(*two) >= REWORDED for two in zip(sorted(lost), sorted(come)))
    return kind == "new error" and all(re.search(r"No module named '(?!torch\b)", one) for one in come)


def _apart(one: dict[str, Any], other: dict[str, Any]) -> list[str]:
    """Return the messages that only the first of two releases prints."""
    return [text for text in one["messages"] if text not in other["messages"]]


def _alike(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, _NUMBER.sub("0", one), _NUMBER.sub("0", other)).ratio()


def kind_of(old: dict[str, Any], new: dict[str, Any], names: tuple[str, ...]) -> str:
    """Return the kind of change between what two releases print; empty if they print the same."""
    if not new["absent"] and any(name in new["deprecates"] for name in names):
        return "deprecated"
    if old is new or (old["absent"] and new["absent"]):
        return ""
    if old["absent"] or new["absent"]:
        return "gone" if new["absent"] else "new"
    lost = any(text not in new["messages"] for text in old["messages"])
    come = any(text not in old["messages"] for text in new["messages"])
    if lost or come:
        if lost and come:
            return "changed message"
        return "message gone" if lost else "new error" if new["raises"] else "new warning"
    return "changed" if old["text"] != new["text"] else ""


def _diff(old: str, new: str) -> str:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))

"""What the book's recorded releases of torch print differently for the names that code uses."""

from __future__ import annotations

import difflib
import functools
import json
import os
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
    for name, lacking in recorded()["names"].items():
        if name in used and (old in lacking) != (new in lacking):
            kind = "missing" if new in lacking else "new"
            found[kind, name] = Change(kind, (name,), tuple(used[name]))
    for cell in recorded()["cells"]:
        about = tuple(name for name in cell["names"] if name in used)
        here, there = (next((one for one in cell["prints"] if v in one["releases"]), None) for v in (old, new))
        kind = kind_of(here, there, about) if about and here and there else ""
        # What a page's code lacked in the older release is not what the reader's code uses, for that ran.
        if not here or not there or kind in ("", "new"):
            continue
        places = {place: given for name in about for place, given in used[name].items()}
        settles = frozenset(cell["settles"])
        if uses := [at for at, given in places.items() if kind not in TOLD or _may_be_told(given, settles)]:
            address, titles = cell["places"][language]
            key = kind, about, address
            before = [found[key].diff] if key in found else []  # another cell of the same section
            diff = "\n".join([*before, _diff(here["text"], there["text"])])
            found[key] = Change(kind, about, tuple(uses), address, titles, diff)
    return sorted(found.values(), key=lambda change: KINDS.index(change.kind))


def _may_be_told(given: Optional[frozenset[str]], settles: frozenset[str]) -> bool:
    """Whether a message can come from a place: it uses the name, and gives nothing that settles it."""
    return given is not None and not given & settles


def kind_of(old: dict[str, Any], new: dict[str, Any], names: tuple[str, ...]) -> str:
    """Return the kind of change between what two releases print; empty if they print the same."""
    if old is new or (old["absent"] and new["absent"]):
        return ""
    if old["absent"] or new["absent"]:
        return "gone" if new["absent"] else "new"
    if any(name in new["deprecates"] and name not in old["deprecates"] for name in names):
        return "deprecated"
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

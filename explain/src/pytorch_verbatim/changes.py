"""What the book's recorded releases of torch print differently for the names that code uses.

What differs between any two releases stands in the data; `verbatim/site/downloads/upgrades.py` in the book's repository
describes it. The book's site, `docs/assets/changes/between.js`, reads the same data by the same rules; a test holds
both together.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple, Optional

FILE = os.path.join(os.path.dirname(__file__), "changes.json")

#: Names → the places that use them, such as ``train.py:3``, each with what is given there, as in `names.Use`.
Used = Mapping[str, Mapping[str, Optional[frozenset[str]]]]


class Change(NamedTuple):
    """A difference between two releases."""

    kind: str
    """One of the data's ``kinds``."""
    names: tuple[str, ...]
    """The names that it is about."""
    uses: tuple[str, ...]
    """Where code uses them."""
    address: str = ""
    """The page and the section, from the site's root; empty where a name itself is missing or new."""
    titles: str = ""
    """The titles of the page and of the section, a line each."""
    lines: tuple[str, ...] = ()
    """The lines that differ between the two outputs: ``-`` the older release's, ``+`` the newer one's."""
    more: int = 0
    """How many more there are."""
    places: int = 0
    """How many sections show it; the address is that of the first."""


@functools.lru_cache(maxsize=1)
def recorded() -> dict[str, Any]:
    """Return the data as the build has written it.

    Raises:
        FileNotFoundError: This is a checkout in which ``python -m verbatim explain-data`` has not run.
    """
    with open(FILE, encoding="utf-8") as file:
        content: dict[str, Any] = json.load(file)
    return content


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
    own = [name for name in known if number(name)[: len(wanted)] == wanted]
    if own:
        return str(own[-1])
    beside = [name for name in known if (number(name) > wanted) == after]
    return str(beside[0 if after else -1]) if beside else None


def between(old: str, new: str, used: Used, language: str) -> list[Change]:
    """Return what two recorded releases do differently for the names that code uses, by kind.

    Args:
        old: The older release.
        new: The newer release.
        used: Full names, such as ``torch.nn.Linear``, with their uses.
        language: That of the pages.
    """
    data = recorded()
    by_key: dict[tuple[Any, ...], Change] = {}
    elsewhere: dict[tuple[Any, ...], set[str]] = {}
    for name, lacking in data["names"].items():
        if name in used and (old in lacking) != (new in lacking):
            kind = "missing" if new in lacking else "new"
            by_key[kind, name] = Change(kind, (name,), tuple(used[name]))  # the newer release lacks it, or alone has it
    for cell in data["cells"]:
        about = tuple(name for name in cell["names"] if name in used)
        step = _step(cell, old, new, about) if about else None
        if not step:
            continue
        kind = step["kind"]
        places = {place: given for name in about for place, given in used[name].items()}
        settles = frozenset(cell["settles"])
        uses = [at for at, given in places.items() if kind not in data["told"] or _may_be_told(given, settles)]
        if not uses:
            continue
        address, titles = cell["places"][language]
        by_message = step["cause"] and (kind in data["told"] or kind == "message gone")
        key = kind, about, tuple(step["cause"]) if by_message else address
        elsewhere.setdefault(key, set()).add(address)
        before = by_key.get(key)
        if before and before.address != address:
            continue  # the same message on another page
        lines, more = tuple(step["lines"]), step["more"]
        if before:  # another cell of the same section
            lines, more = (*before.lines, *lines), before.more + more
        by_key[key] = Change(kind, about, tuple(uses), address, titles, lines, more)
    listed = [change._replace(places=len(elsewhere.get(key, ""))) for key, change in by_key.items()]
    return sorted(listed, key=lambda change: data["kinds"].index(change.kind))


def _step(cell: dict[str, Any], old: str, new: str, about: tuple[str, ...]) -> Optional[dict[str, Any]]:
    """Return what differs between two releases in a cell that speaks for some names; ``None`` if nothing is told of it.

    That a name is deprecated, or removed, is told whatever the older release says: code that uses it ran there.
    """
    prints: list[dict[str, Any]] = cell["prints"]
    here, there = (next((n for n, row in enumerate(prints) if v in row["releases"]), None) for v in (old, new))
    if there is None:  # stale, or not run
        return None
    step: Optional[dict[str, Any]] = cell["steps"].get(f"{here} {there}")
    kind = step["kind"] if step else ""
    if any(name in prints[there]["deprecates"] for name in about):
        kind = "deprecated"
    elif any(name in prints[there]["removes"] for name in about) and here != there:
        kind = "gone"
    if not kind:
        return None
    told = [f" {text}" for text in prints[there]["messages"]]
    return {**(step or {"lines": told, "more": 0, "cause": []}), "kind": kind}


def _may_be_told(given: Optional[frozenset[str]], settles: frozenset[str]) -> bool:
    """Whether a message can come from a place: it uses the name, and gives nothing that settles it."""
    return given is not None and not given & settles

"""How pages, lists and notebooks speak of other releases of torch, and of other Pythons. Pure.

Releases between two that were run are never spoken of as if they had been: a range says how many of it were run. What
the newest Python that was run prints is said of those after it, too: a build with one of them is compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from verbatim.book.gather import Book
from verbatim.book.releases.model import PYTHON
from verbatim.book.releases.ranges import Kind, Range
from verbatim.words import VERSIONS


def named(versions: Sequence[str], language: str, newest: str = "") -> str:
    """Say which releases were run: each of one or two, else the first and the last and how many.

    Args:
        versions: The releases of torch, or the Pythons, or both, each oldest first.
        language: A key of `words.VERSIONS`.
        newest: The newest Python that was run.
    """
    words = VERSIONS[language]
    pythons = [name.removeprefix(PYTHON) for name in versions if name.startswith(PYTHON)]
    torch = [name for name in versions if not name.startswith(PYTHON)]
    said = []
    if len(torch) > 2:
        said.append(words["several"].format(first=torch[0], last=torch[-1], count=len(torch)))
    elif torch:
        said.append("torch " + words["and"].join(torch))
    if pythons and versions[-1] == newest:
        said.append(words["newer"].format(first=pythons[0]))
    elif pythons:
        said.append("Python " + _all(pythons, language))
    return words["also"].join(said)


def labelled(ranges: Iterable[Range], language: str, newest: str = "") -> str:
    """Say the releases of several ranges. `newest`: as in `named`."""
    return VERSIONS[language]["also"].join(named(one.versions, language, newest) for one in ranges)


def built(ranges: Iterable[Range]) -> list[Range]:
    """Return the ranges that print what the built version prints."""
    return [one for one in ranges if one.kind is Kind.SAME]


def others(ranges: Iterable[Range]) -> list[Range]:
    """Return the ranges that do not."""
    return [one for one in ranges if one.kind is not Kind.SAME]


def older(ranges: Sequence[Range]) -> list[Range]:
    """Return the ranges before the built version's that printed something else: what once was so."""
    before: list[Range] = []
    for one in ranges:
        if one.built:
            return before
        if one.kind is Kind.OTHER:
            before.append(one)
    return []


def absence(one: Range, ranges: Sequence[Range]) -> str:
    """Return the word's key for releases that have not what a cell asks for; nothing for others.

    Not yet, where they are older than the built version; else no longer.
    """
    if one.kind is not Kind.ABSENT:
        return ""
    before = ranges[: ranges.index(one)]
    return "gone" if any(other.built for other in before) else "absent"


def summary(ranges: Sequence[Range], language: str, newest: str = "", *, once: bool = False) -> str:
    """Return what the fold with the outputs of other releases is called.

    Args:
        ranges: The ranges of releases of torch, then those of Pythons.
        language: A key of `words.VERSIONS`.
        newest: As in `named`.
        once: Whether its page says that what the older releases of torch printed was so once.
    """
    words = VERSIONS[language]
    if once and (before := older(ranges)):
        rest = [one for one in others(ranges) if one not in before]
        said = words["once"].format(versions=labelled(before, language))
        return " · ".join([said, *(named(one.versions, language, newest) for one in rest)])
    return words["fold"].format(versions=" · ".join(named(one.versions, language, newest) for one in others(ranges)))


def ran(book: Book, scripts: Sequence[str], language: str) -> str:
    """Return a sentence or two on the releases that a page's scripts were run with; nothing where there are none."""
    words = VERSIONS[language]
    covered = book.covered(scripts)
    behind = [one.name for one in book.releases.all if one.name not in covered] if scripts else []
    unproved = [one.name for one in book.releases.all if one.name in _unproved(book, scripts)]
    said = []
    if covered:
        said.append(words["ran"].format(versions=listed(covered, language)))
    if unproved:
        said.append(words["unproved"].format(versions=listed(unproved, language)))
    if behind:
        said.append(words["behind"].format(versions=listed(behind, language)))
    return words["space"].join(said)


def _unproved(book: Book, scripts: Sequence[str]) -> set[str]:
    """Return the releases in which a hidden cell, which holds a claim of the page to account, does something else."""
    return {
        release
        for path in scripts
        if path in book.scripts
        for cell in book.scripts[path].cells
        if cell.hidden
        for one in others(book.ranges(path, cell.name))
        for release in one.versions
    }


def listed(versions: Sequence[str], language: str) -> str:
    """Name every one of some releases of torch."""
    return "torch " + _all(versions, language)


def _all(names: Sequence[str], language: str) -> str:
    words = VERSIONS[language]
    return words["comma"].join([*names[:-2], words["and"].join(names[-2:])])

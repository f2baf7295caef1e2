"""Names other releases of torch, and other Pythons, in the words of a language for pages, lists and notebooks. Pure.

A range of releases always says how many of them were run, because others lie between its ends. The newest Python that
was run also stands for newer ones, because a build with one of those is compared with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from verbatim.book.gather import Book
from verbatim.book.releases.model import PYTHON
from verbatim.book.releases.ranges import Kind, Range
from verbatim.words import VERSIONS


def named(versions: Sequence[str], language: str, newest: str = "") -> str:
    """Name the releases that were run: one or two by name, more as the first, the last and their number.

    Args:
        versions: The releases of torch, or the Pythons, or both, each oldest first.
        language: A key of `words.VERSIONS`.
        newest: The newest Python that was run.
    """
    words = VERSIONS[language]
    pythons = [name.removeprefix(PYTHON) for name in versions if name.startswith(PYTHON)]
    torch = [name for name in versions if not name.startswith(PYTHON)]
    names = []
    if len(torch) > 2:
        names.append(words["several"].format(first=torch[0], last=torch[-1], count=len(torch)))
    elif torch:
        names.append("torch " + words["and"].join(torch))
    if pythons and versions[-1] == newest:
        names.append(words["newer"].format(first=pythons[0]))
    elif pythons:
        names.append("Python " + _all(pythons, language))
    return words["also"].join(names)


def labelled(ranges: Iterable[Range], language: str, newest: str = "") -> str:
    """Name the releases of several ranges. `newest`: as in `named`."""
    return VERSIONS[language]["also"].join(named(span.versions, language, newest) for span in ranges)


def built(ranges: Iterable[Range]) -> list[Range]:
    """Return the ranges that print what the built version prints."""
    return [span for span in ranges if span.kind is Kind.SAME]


def others(ranges: Iterable[Range]) -> list[Range]:
    """Return the ranges that print something else than the built version."""
    return [span for span in ranges if span.kind is not Kind.SAME]


def older(ranges: Sequence[Range]) -> list[Range]:
    """Return the ranges before the built version's that printed something else."""
    before: list[Range] = []
    for span in ranges:
        if span.built:
            return before
        if span.kind is Kind.OTHER:
            before.append(span)
    return []


def absence(span: Range, ranges: Sequence[Range]) -> str:
    """Return the key of the word for releases without a feature that a cell uses; empty for others.

    The word is "not yet" for releases older than the built version, else "no longer".
    """
    if span.kind is not Kind.ABSENT:
        return ""
    before = ranges[: ranges.index(span)]
    return "gone" if any(other.built for other in before) else "absent"


def runs(span: Range, *, raises: bool) -> bool:
    """Whether a cell runs in the releases of a range. `raises`: whether it raises in the built version, too."""
    if span.kind is Kind.OTHER:
        return raises or all(output["output_type"] != "error" for output in span.outputs)
    return span.kind is Kind.SAME


def neighbours(span: Range, ranges: Sequence[Range], *, raises: bool) -> tuple[str, str]:
    """Return the nearest releases that run what the releases of a range cannot: the older one, the newer one.

    Each is empty where there is none, both where the range runs the cell. `raises`: as in `runs`.
    """
    if runs(span, raises=raises):
        return "", ""
    at = ranges.index(span)
    older = (other.last for other in reversed(ranges[:at]) if runs(other, raises=raises))
    newer = (other.first for other in ranges[at + 1 :] if runs(other, raises=raises))
    return next(older, ""), next(newer, "")


def summary(ranges: Sequence[Range], language: str, newest: str = "", *, once: bool = False) -> str:
    """Return the title of the fold with the outputs of other releases.

    Args:
        ranges: The ranges of releases of torch, then those of Pythons.
        language: A key of `words.VERSIONS`.
        newest: As in `named`.
        once: Whether the page claims that the output of older releases was once right.
    """
    words = VERSIONS[language]
    if once and (before := older(ranges)):
        rest = [span for span in others(ranges) if span not in before]
        title = words["once"].format(versions=labelled(before, language))
        return " · ".join([title, *(named(span.versions, language, newest) for span in rest)])
    return words["fold"].format(versions=" · ".join(named(span.versions, language, newest) for span in others(ranges)))


@dataclass(frozen=True)
class Tested:
    """In which other releases a page's scripts were run."""

    covered: tuple[str, ...] = ()
    """Those with an up-to-date finding for every cell."""
    failing: tuple[str, ...] = ()
    """Those in which a hidden cell, which checks a claim of the page, has another result."""
    behind: tuple[str, ...] = ()
    """Those for which some of the page has changed since."""


def tested(book: Book, scripts: Sequence[str]) -> Tested:
    """Return in which other releases a page's scripts were run."""
    covered, failed = book.covered(scripts), _failing_hidden_cells(book, scripts)
    releases = [release.name for release in book.releases.all]
    return Tested(
        covered,
        tuple(name for name in releases if name in failed),
        tuple(name for name in releases if name not in covered) if scripts else (),
    )


def ran(tested: Tested, language: str) -> str:
    """Return sentences about the releases that a page's scripts were run with; empty if there are none."""
    words = VERSIONS[language]
    said = (("ran", tested.covered), ("unproved", tested.failing), ("behind", tested.behind))
    return words["space"].join(words[key].format(versions=listed(some, language)) for key, some in said if some)


def _failing_hidden_cells(book: Book, scripts: Sequence[str]) -> set[str]:
    """Return the releases in which a hidden cell, which checks a claim of the page, has another result."""
    return {
        release
        for path in scripts
        if path in book.scripts
        for cell in book.scripts[path].cells
        if cell.hidden
        for span in others(book.ranges(path, cell.name))
        for release in span.versions
    }


def listed(versions: Sequence[str], language: str) -> str:
    """Name every one of some releases of torch."""
    return "torch " + _all(versions, language)


def _all(names: Sequence[str], language: str) -> str:
    words = VERSIONS[language]
    return words["comma"].join([*names[:-2], words["and"].join(names[-2:])])

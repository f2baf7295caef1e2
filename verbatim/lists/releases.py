"""Finds what each release of torch changed in the outputs that pages show, from the recorded releases. Pure.

Each recorded release is compared with the recorded release before it. Releases between the two were not run, so a
change that is attributed to a release may have come with one of those.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from verbatim.book.changes import kind, only, said
from verbatim.book.compare import Outputs, diff, same
from verbatim.book.gather import Book
from verbatim.book.releases.ranges import Kind, Range
from verbatim.lists.places import once
from verbatim.run.script import Cell, Script

if TYPE_CHECKING:
    from verbatim.lists.places import Place, Sources

#: Kinds of change, in the order in which they are listed.
CHANGE_KINDS = ("new", "gone", "new error", "new warning", "changed message", "message gone", "changed")


@dataclass(frozen=True)
class ReleaseChange:
    """A cell whose output differs from that in the previous release."""

    recipe: str
    cell: str
    kind: str
    """One of `CHANGE_KINDS`. ``new`` and ``gone``: a feature that the cell uses was added or removed."""
    before: str
    """The newest earlier release for which the output is known."""
    old: tuple[str, ...] = ()
    """First lines of the errors and warnings that are no longer printed."""
    new: tuple[str, ...] = ()
    """First lines of the errors and warnings that are printed for the first time."""
    diff: str = ""
    was: int = 0
    """Number of what was printed before among all that the cell prints in some release, oldest first."""
    now: int = 0
    """Number of what is printed from here on: equal to that of an earlier change if it was printed before."""


@dataclass(frozen=True)
class Step:
    """The differences between a recorded release (`new`) and the recorded release before it (`old`)."""

    old: str
    new: str
    date: str
    """Day on which the release was run, as an ISO date."""
    changes: tuple[ReleaseChange, ...] = ()
    """In reading order."""
    names: tuple[str, ...] = ()
    """Public names, used by the book, that `new` has and `old` lacks."""
    gone: tuple[str, ...] = ()
    """Public names, used by the book, that `old` has and `new` lacks."""

    @property
    def anchor(self) -> str:
        """The id of its heading."""
        return f"torch-{self.new.replace('.', '-')}"


@once
def steps(sources: Sources, language: str) -> list[Step]:
    """Return the steps between consecutive recorded releases, newest first; empty if there is only one release."""
    book = sources.book
    by_release: dict[str, list[ReleaseChange]] = {}
    for place in first_places(sources, language):
        for release, change in _changes(sources)[place.script.path, place.cell.name]:
            by_release.setdefault(release, []).append(change)
    dates = {recorded.name: recorded.environment.get("date", "") for recorded in book.releases.all}
    lacks = {recorded.name: set(recorded.missing) for recorded in book.releases.all}
    steps = []
    for at, (old, new) in enumerate(pairwise(book.releases.names), start=1):
        # The built version is recorded again whenever a page changes, so it has no single date.
        date = dates.get(new) or dates.get(old, "")
        here, before = lacks.get(new, set()), lacks.get(old, set())
        # What comes back was not gone: the old release could not be asked, since it cannot import the module here.
        for_good = set.intersection(*(lacks.get(name, set()) for name in book.releases.names[at:]))
        steps.append(
            Step(
                old,
                new,
                date,
                tuple(sorted(by_release.get(new, []), key=lambda change: CHANGE_KINDS.index(change.kind))),
                tuple(sorted(before - here)),
                tuple(sorted(for_good - before)),
            )
        )
    return steps[::-1]


def first_places(sources: Sources, language: str) -> list[Place]:
    """Return the first place of each cell on the pages of a language."""
    first: dict[tuple[str, str], Place] = {}
    for place in sources.places(language):
        first.setdefault((place.script.path, place.cell.name), place)
    return list(first.values())


@once
def _changes(sources: Sources) -> dict[tuple[str, str], list[tuple[str, ReleaseChange]]]:
    """Return script and cell → `changes`, which are the same in all languages."""
    book = sources.book
    return {
        (script.path, cell.name): changes(book, script, cell)
        for script in book.scripts.values()
        for cell in script.cells
    }


def changes(book: Book, script: Script, cell: Cell) -> list[tuple[str, ReleaseChange]]:
    """Return the changes of a cell's output as ``(release, change)``, oldest first.

    Releases in which the cell did not run because an earlier cell failed are skipped.
    """
    ranges = [span for span in book.ranges(script.path, cell.name) if span.kind is not Kind.NOT_RUN]
    if len(ranges) < 2:  # most cells print the same in all releases
        return []
    printed = [outputs(book, script, cell, span) for span in ranges]
    numbers = [
        next(
            n
            for n in range(len(ranges))
            if ranges[n].kind is span.kind and same(cell, printed[n], printed[i], across_releases=True)
        )
        for i, span in enumerate(ranges)
    ]
    return [
        (new.first, replace(_change(book, script, cell, old, new), was=was, now=now))
        for (old, was), (new, now) in pairwise(zip(ranges, numbers, strict=True))
    ]


def _change(book: Book, script: Script, cell: Cell, old: Range, new: Range) -> ReleaseChange:
    recipe, name = book.project.recipe(script.path), cell.name
    was, now = (outputs(book, script, cell, span) for span in (old, new))
    before, after = said(was, absent=old.kind is Kind.ABSENT), said(now, absent=new.kind is Kind.ABSENT)
    if before.absent or after.absent:
        came = before.absent and not after.absent
        lost, come = (before.messages, ()) if came else ((), after.messages)
        return ReleaseChange(recipe, name, kind(before, after) or "gone", old.last, lost, come)  # or lacked before, too
    return ReleaseChange(
        recipe,
        name,
        kind(before, after) or "changed",  # in a figure
        old.last,
        only(before, after),
        only(after, before),
        diff(was, now, f"{recipe}#{name}", (f"torch {old.last}", f"torch {new.first}")),
    )


def outputs(book: Book, script: Script, cell: Cell, span: Range) -> Outputs:
    """Return the outputs of a cell in the releases of a range."""
    if span.kind is not Kind.SAME:
        return span.outputs
    record = book.cpu.get(script.path)
    recorded = record.cell(cell.name) if record else None
    return recorded.outputs if recorded else ()

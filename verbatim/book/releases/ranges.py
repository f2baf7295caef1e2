"""All recorded releases beside the built version, grouped into ranges that print the same. Pure.

Pages use `Releases.ranges` for what to show below a cell and `Releases.covered` for the releases that were fully
compared. A run with another Python is compared with `Releases.expected`.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from verbatim.book.compare import Outputs, same
from verbatim.book.records import Record, RecordedCell
from verbatim.book.releases.model import (
    PYTHON,
    Finding,
    Release,
    Status,
    in_words,
    python_release,
    sort_key,
    torch_release,
)
from verbatim.problems import Problem
from verbatim.project import Project
from verbatim.run.script import Cell, Script


class Kind(str, Enum):
    """How the output of a range of releases relates to that of the built version."""

    __str__ = str.__str__  # as of a StrEnum, which Python 3.10 has not

    SAME = "same"
    """The output is the same."""
    OTHER = "other"
    """The output differs; it is in `Range.outputs`."""
    ABSENT = "absent"
    """The releases lack a feature that the cell uses; `Range.outputs` contains the error."""
    NOT_RUN = "not run"
    """The cell depends on an earlier cell that failed in these releases; `Range.reason` is that cell's name."""


@dataclass(frozen=True)
class Range:
    """Consecutive recorded releases that print the same."""

    versions: tuple[str, ...]
    """The releases that were run, oldest first. Releases between them that were not run may behave differently."""
    kind: Kind
    outputs: Outputs = ()
    """The outputs of the newest of them; empty for `Kind.SAME`, where the built version's outputs apply."""
    reason: str = ""
    built: bool = False
    """Whether the built version is one of them."""

    @property
    def first(self) -> str:
        """The oldest release."""
        return self.versions[0]

    @property
    def last(self) -> str:
        """The newest release."""
        return self.versions[-1]


@dataclass(frozen=True)
class Releases:
    """The built version and all other recorded releases."""

    built: str = ""
    """The release of the built version; empty if there are no records."""
    all: tuple[Release, ...] = ()
    """The other recorded releases, oldest first."""
    pythons: Releases | None = None
    """The other Pythons that the built version was run with; their built version is the Python of the CPU records."""

    @functools.cached_property
    def names(self) -> tuple[str, ...]:
        """Every release, the built one included, oldest first."""
        return tuple(sorted({*(release.name for release in self.all), *filter(None, [self.built])}, key=sort_key))

    @functools.cached_property
    def _differing(self) -> frozenset[tuple[str, str]]:
        """``(recipe, cell)`` of the few cells that differ in any release, stale findings included."""
        return frozenset(
            (recipe, name)
            for release in self.all
            for recipe, findings in release.findings.items()
            for name, finding in findings.items()
            if _differs(finding)
        )

    def find(self, name: str) -> Release | None:
        """Return the record of a release, or ``None``."""
        return next((release for release in self.all if release.name == name), None)

    def ranges(self, script: Script, cell: Cell, record: Record | None) -> tuple[Range, ...]:
        """Group the releases by what they print for a cell.

        Left out are releases in which the cell is stale, or could not be run because of the machine and not because of
        PyTorch.

        Args:
            script: The cell's script.
            cell: The cell.
            record: The built version's CPU record of the script.

        Returns:
            The ranges, oldest first; an empty tuple if all releases print the same.
        """
        if (Project.recipe(script.path), cell.name) not in self._differing:
            return ()
        single = [span for name in self.names if (span := self._range(name, script, cell, record))]
        if all(span.kind is Kind.SAME for span in single):
            return ()
        merged: list[Range] = []
        for span in single:
            if merged and _mergeable(cell, merged[-1], span):
                before = merged.pop()
                span = replace(span, versions=(*before.versions, *span.versions), built=before.built or span.built)
            merged.append(span)
        return tuple(merged)

    def unrun(self, script: Script, cell: Cell, record: Record | None) -> tuple[str, ...]:
        """Return the releases of which `ranges` knows nothing for a cell, oldest first. The arguments are its own."""
        return tuple(name for name in self.names if not self._range(name, script, cell, record))

    def _range(self, name: str, script: Script, cell: Cell, record: Record | None) -> Range | None:
        """Return a release as a range of its own; ``None`` if `ranges` leaves it out."""
        if name == self.built:
            return Range((name,), Kind.SAME, built=True)
        release = self.find(name)
        finding = release.finding(script, cell, record) if release else None
        if release is None or finding is None:
            return None
        match finding.status:
            case Status.SAME:
                return Range((name,), Kind.SAME)
            case Status.VARIES:  # nothing is known if it varies in this release only
                return Range((name,), Kind.SAME) if cell.varies else None
            case Status.NOT_RUN:
                kind, _, reason = finding.reason.partition(":")
                return Range((name,), Kind.NOT_RUN, reason=reason) if kind == "cell" else None
        outputs = release.outputs(Project.recipe(script.path), cell.name)
        return Range((name,), Kind.ABSENT if finding.status is Status.ABSENT else Kind.OTHER, outputs)

    def expected(self, script: Script, record: Record, here: str) -> Record:
        """Return a record with what its cells must print in a release: what the release was recorded to print.

        A release that was not recorded, or not with a cell as it is now, must print what the one before it does.

        Args:
            script: The script.
            record: The built version's CPU record of it.
            here: The release, such as ``python-3.14``.

        Returns:
            The record; cells that must print something else are other objects in it.
        """
        names = [name for name in self.names[::-1] if sort_key(name) <= sort_key(here)]
        since_built = itertools.takewhile(lambda name: name != self.built, names)
        newest = [release for name in since_built if (release := self.find(name))]
        if not newest:
            return record
        return replace(record, cells=tuple(self._expected(newest, script, cell, record) for cell in record.cells))

    def _expected(
        self, newest: Sequence[Release], script: Script, recorded: RecordedCell, record: Record
    ) -> RecordedCell:
        """Return a recorded cell with the outputs of the first of some releases that has a finding for it."""
        recipe, cell = Project.recipe(script.path), script.cell(recorded.name)
        if cell and (recipe, cell.name) in self._differing:
            for release in newest:
                if finding := release.finding(script, cell, record):
                    differs = finding.status is Status.DIFFERS
                    return replace(recorded, outputs=release.outputs(recipe, cell.name)) if differs else recorded
        return recorded

    def covered(self, scripts: Iterable[tuple[Script, Record | None]]) -> tuple[str, ...]:
        """Return the releases with an up-to-date finding for every cell of these scripts, oldest first.

        For these releases, a page that shows the ranges of its cells shows every known difference.

        Args:
            scripts: Scripts, each with the built version's CPU record of it. Without any, no release is returned.
        """
        scripts = list(scripts)
        return tuple(
            release.name
            for release in self.all
            if scripts and not any(any(release.stale(*script)) for script in scripts)
        )

    def stale(self, scripts: Mapping[str, Script], cpu: Mapping[str, Record]) -> list[Problem]:
        """Return a problem if releases, Pythons included, have stale or missing findings; else nothing.

        It is one line for all of them, as long as it is for one: who writes a page has nothing to do for it.

        Args:
            scripts: Script path → script.
            cpu: Script path → the built version's CPU record.
        """
        cells: set[tuple[str, str]] = set()
        names: list[list[str]] = []
        for releases in (self.all, self.pythons.all if self.pythons else ()):
            lacking = {
                release.name: [
                    (path, cell) for path, script in scripts.items() for cell in release.stale(script, cpu.get(path))
                ]
                for release in releases
            }
            cells.update(*lacking.values())
            names.append([name for name, missing in lacking.items() if missing])
        if not cells:
            return []
        which = " and ".join(in_words(some) for some in names if some)
        recipes = {Project.recipe(path) for path, _ in cells}
        of = recipes.pop() if len(recipes) == 1 else f"{len(recipes)} recipes"
        count = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
        message = f"still to be run with {which}: {count} of {of}; CI does that (design/other-releases.md)"
        return [Problem("outputs/versions", 0, message)]


def _differs(finding: Finding) -> bool:
    """Whether a finding can be of another kind than `Kind.SAME`."""
    if finding.status is Status.SAME or finding.status is Status.VARIES:
        return False
    return finding.status is not Status.NOT_RUN or finding.reason.startswith("cell:")


def _mergeable(cell: Cell, before: Range, after: Range) -> bool:
    """Whether two ranges have the same kind, the same reason and equivalent outputs."""
    alike = (before.kind, before.reason) == (after.kind, after.reason)
    return alike and same(cell, before.outputs, after.outputs, across_releases=True)


def collect(stored: Iterable[Release], approved: Mapping[str, str]) -> Releases:
    """Return recorded releases beside the built version.

    Args:
        stored: The releases, as `files.load` returns them; a record of the built version itself is left out.
        approved: The environment that produced the CPU records.
    """
    torch, here = torch_release(approved.get("torch", "")), python_release(approved.get("python", ""))
    stored = list(stored)
    pythons = tuple(release for release in stored if release.name.startswith(PYTHON) and release.name != here)
    releases = tuple(release for release in stored if not release.name.startswith(PYTHON) and release.name != torch)
    return Releases(torch, releases, Releases(here, pythons))

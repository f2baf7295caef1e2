"""What is recorded of one release: a finding for each cell, and the outputs that differ from the built version's."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from verbatim.book.compare import Outputs
from verbatim.book.form import DECIDING_PACKAGES
from verbatim.book.records import Record
from verbatim.project import Project
from verbatim.run.script import Cell, Script

#: Keys of a release's environment.
ENVIRONMENT_KEYS = (*DECIDING_PACKAGES, "platform", "date")
#: What the name of a Python begins with.
PYTHON = "python-"
#: Operators, which a script or a package registers: that a release has none says nothing of the release.
OPERATORS = "torch.ops."


class Status(str, Enum):
    """Outcome of one cell in one release, compared with the built version."""

    __str__ = str.__str__  # as of a StrEnum, which Python 3.10 has not

    SAME = "same"
    """Its output is the same, up to rounding."""
    DIFFERS = "differs"
    """Its output differs; the release's notebook contains it."""
    ABSENT = "absent"
    """It uses a feature that the release does not have; the notebook contains the error."""
    NOT_RUN = "skipped"
    """It could not be run; `Finding.reason` says why."""
    VARIES = "varies"
    """It ran, but its output changes from run to run and cannot be compared."""


#: Outcomes whose output the release's notebook contains.
IN_NOTEBOOK = (Status.DIFFERS, Status.ABSENT)


@dataclass(frozen=True)
class Finding:
    """Outcome of one cell in one release, with hashes that tell whether it is still up to date."""

    code: str
    """Hash of the code that ran: the script up to and including this cell (`Script.codes`)."""
    approved: str
    """Hash of the approved output that it was compared with (`approved_sha`)."""
    status: Status
    reason: str = ""
    """Why a cell was not run. `needs:no-cuda`: the machine lacked this capability. `cell:setup`: the cell depends on
    this earlier cell, which failed. `ended`: the process ended before the cell. `unrecorded`: the built version has no
    output to compare with."""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.code, self.approved or "-", self.status, self.reason)))


@dataclass(frozen=True)
class Counts:
    """Numbers of cells of one release, for its row in the table. Stale cells are counted only in `stale`."""

    run: int = 0
    """Cells that were run: the sum of `same`, `changed`, `absent` and `varies`."""
    same: int = 0
    changed: int = 0
    """Cells whose output differs, including `errors`."""
    errors: int = 0
    """Changed cells in which an error was added, removed, or has a different message."""
    absent: int = 0
    varies: int = 0
    not_run: int = 0
    stale: int = 0


@dataclass(frozen=True)
class Release:
    """The recorded findings and outputs of one release."""

    name: str
    """The release, such as ``2.6.0`` of torch or ``python-3.13``."""
    environment: dict[str, str] = field(default_factory=dict)
    """Its environment, by `ENVIRONMENT_KEYS`; here ``torch`` names the exact build, such as ``2.6.0+cu124``."""
    findings: dict[str, dict[str, Finding]] = field(default_factory=dict)
    """Recipe → cell → outcome."""
    records: dict[str, Record] = field(default_factory=dict)
    """Recipe → notebook of the cells with an outcome of `IN_NOTEBOOK`."""
    missing: tuple[str, ...] = ()
    """Public names that the book uses and that this release lacks, sorted."""

    def outputs(self, recipe: str, cell: str) -> Outputs:
        """Return the outputs of a cell that the notebook contains; empty for other cells."""
        record = self.records.get(recipe)
        recorded = record.cell(cell) if record else None
        return recorded.outputs if recorded else ()

    def finding(self, script: Script, cell: Cell, record: Record | None) -> Finding | None:
        """Return the finding for a cell; ``None`` if it is stale or does not exist.

        Args:
            script: The cell's script.
            cell: The cell.
            record: The built version's CPU record of the script.
        """
        finding = self.findings.get(Project.recipe(script.path), {}).get(cell.name)
        if finding and finding.code == script.codes[cell.name] and finding.approved == approved_sha(cell, record):
            return finding
        return None

    def stale(self, script: Script, record: Record | None) -> Iterator[str]:
        """Yield the cells of a script without an up-to-date finding. `record`: as in `finding`."""
        return (cell.name for cell in script.cells if not self.finding(script, cell, record))

    def counts(self, scripts: Mapping[str, Script], cpu: Mapping[str, Record]) -> Counts:
        """Count the cells of the book by outcome.

        Args:
            scripts: Script path → script.
            cpu: Script path → the built version's CPU record.
        """
        counts = dict.fromkeys(Status, 0)
        errors = stale = 0
        for path, script in scripts.items():
            record = cpu.get(path)
            for cell in script.cells:
                finding = self.finding(script, cell, record)
                if finding is None:
                    stale += 1
                    continue
                counts[finding.status] += 1
                old = record.cell(cell.name) if record else None
                if finding.status is Status.DIFFERS and old:
                    errors += _errors(old.outputs) != _errors(self.outputs(Project.recipe(path), cell.name))
        return Counts(
            run=sum(counts.values()) - counts[Status.NOT_RUN],
            same=counts[Status.SAME],
            changed=counts[Status.DIFFERS],
            errors=errors,
            absent=counts[Status.ABSENT],
            varies=counts[Status.VARIES],
            not_run=counts[Status.NOT_RUN],
            stale=stale,
        )


def _errors(outputs: Outputs) -> list[Any]:
    return [output["traceback"] for output in outputs if output["output_type"] == "error"]


def approved_sha(cell: Cell, record: Record | None) -> str:
    """Return the hash of a cell's approved output; empty if there is none or if it varies from run to run."""
    return "" if record is None or cell.varies else record.approved.get(cell.name, "")


def torch_release(version: str) -> str:
    """``2.13.0+cpu`` → ``2.13.0``."""
    return version.partition("+")[0]


def python_release(version: str) -> str:
    """``3.13.0`` → ``python-3.13``; an empty string stays empty."""
    return PYTHON + ".".join(version.split(".")[:2]) if version else ""


def sort_key(name: str) -> tuple[int, ...]:
    """Return the key that sorts releases by age: ``2.13.0`` → ``(2, 13, 0)``."""
    return tuple(map(int, re.findall(r"\d+", name)))


#: As many releases are named one by one.
MOST_NAMED = 3


def in_words(names: Sequence[str]) -> str:
    """Name releases of one kind in a message: ``torch 2.6.0, 2.8.0``, ``Python 3.13``, ``10 releases of torch``."""
    kind = "Python" if names[0].startswith(PYTHON) else "torch"
    if len(names) > MOST_NAMED:
        return f"{len(names)} releases of {kind}"
    return f"{kind} {', '.join(name.removeprefix(PYTHON) for name in names)}"


def command(names: Sequence[str]) -> str:
    """Return the command that runs stale cells with releases of one kind."""
    which = " ".join(name.replace(PYTHON, "python") for name in names)
    variable = "PYTHONS" if names[0].startswith(PYTHON) else "TORCH"
    return f'make versions {variable}="{which}"' if len(names) > 1 else f"make versions {variable}={which}"

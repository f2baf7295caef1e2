"""Compares two sets of outputs cell by cell and writes a readable report."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from verbatim import git
from verbatim.book import records
from verbatim.book.compare import Change, compare, diff
from verbatim.book.gather import Book
from verbatim.book.records import Record
from verbatim.markdown import fence
from verbatim.problems import Problem, Problems
from verbatim.project import Project

#: Kind of change → heading in the report, most severe first.
KINDS = {
    "failed": "Failed",
    "new error": "New errors",
    "changed error": "Changed error texts",
    "new warning": "New warnings",
    "changed": "Changed outputs",
    "added": "New cells",
    "removed": "Cells that are gone",
    "noise": "Within rounding",
    "unchanged": "Unchanged",
}
QUIET = ("noise", "unchanged")


@dataclass(frozen=True)
class CellChange:
    """How one cell's outputs differ."""

    recipe: str
    cell: str
    kind: str
    """A key of `KINDS`."""
    diff: str = ""


Outputs = tuple[dict[str, Any], ...]


def classify(recipe: str, cell: str, old: Outputs | None, new: Outputs | None) -> CellChange:
    """Compare the outputs of one cell.

    Args:
        recipe: The recipe's name, such as ``autograd/detach``.
        cell: The cell's name.
        old: The old outputs; ``None`` if the cell did not exist.
        new: The new outputs; ``None`` if the cell no longer exists.
    """
    if old is None or new is None:
        kind = "added" if old is None else "removed"
        return CellChange(recipe, cell, kind, diff(old or (), new or (), f"{recipe}#{cell}") if old or new else "")
    change = compare(old, new)
    if change is not Change.DRIFT:
        return CellChange(recipe, cell, "unchanged" if change is Change.SAME else "noise")
    kind = "changed"
    if _of(new, "error") != _of(old, "error"):
        kind = "changed error" if _of(old, "error") else "new error"
    elif len(_of(new, "stderr")) > len(_of(old, "stderr")):
        kind = "new warning"
    return CellChange(recipe, cell, kind, diff(old, new, f"{recipe}#{cell}"))


def _of(outputs: Outputs, kind: str) -> list[str]:
    """Return the outputs of one kind (``error`` or ``stderr``), each as a JSON string that can be compared."""
    return [
        json.dumps(o.get("text") or o.get("traceback")) for o in outputs if kind in (o["output_type"], o.get("name"))
    ]


def against_records(book: Book, old: dict[str, Record]) -> list[CellChange]:
    """Compare the outputs of this run with records.

    Cells that were skipped, or whose output varies from run to run, are left out.

    Args:
        book: The book of this run.
        old: Script path → record.
    """
    found = []
    for path, script in book.scripts.items():
        recipe, record, result = book.project.recipe(path), old.get(path), book.printed[path]
        recorded = [cell.name for cell in record.cells] if record else []
        for name in dict.fromkeys([*(cell.name for cell in script.cells), *recorded]):
            cell, ran = script.cell(name), result.cell(name)
            before = record.cell(name) if record else None
            if (ran and ran.skipped) or (before and before.skipped) or (cell and cell.varies):
                continue
            if cell and ran is None:
                continue  # the script ended before this cell, which is reported as its problem
            found.append(
                classify(recipe, name, before.outputs if before else None, ran.outputs if cell and ran else None)
            )
    for path, gone in old.items():
        if path not in book.scripts:
            recipe = book.project.recipe(path)
            found += [CellChange(recipe, one.name, "removed") for one in gone.cells]
    return found


def records_at(project: Project, reference: str) -> dict[str, Record]:
    """Read the CPU records of a git commit.

    Args:
        project: The project.
        reference: A branch, a tag or a commit.

    Returns:
        Script path → record.

    Raises:
        Problems: The commit does not exist, or one of its records is truncated or was edited by hand.
    """
    if not git.knows(project.root, reference):
        hint = "give a branch, a tag or a commit: python -m verbatim drift --against main"
        raise Problems([Problem(reference, 0, "git does not know this commit", hint)])
    paths = git.run(project.root, "ls-tree", "-r", "--name-only", reference, "--", "outputs/cpu").splitlines()
    paths = [path for path in paths if path.endswith(".ipynb")]
    texts = git.blobs(project.root, [f"{reference}:./{path}" for path in paths])
    found = {}
    for path in paths:
        recipe = path.removeprefix("outputs/cpu/").removesuffix(".ipynb")
        found[f"examples/{recipe}.py"] = records.read(texts[f"{reference}:./{path}"], path, recipe, "cpu")
    return found


def report(changes: Iterable[CellChange], problems: Iterable[Problem], title: str) -> str:
    """Return a Markdown report: counts, the changes with their diffs, most severe first, and the command to record.

    Args:
        changes: The changes. Those of a kind in `QUIET` are only counted.
        problems: The errors of the run.
        title: The report's heading.
    """
    changes, problems = list(changes), sorted(set(problems))
    counts = {kind: sum(change.kind == kind for change in changes) for kind in KINDS}
    counts["failed"] = len(problems)
    lines = [f"# {title}", "", "| | cells |", "| --- | ---: |"]
    lines += [f"| {heading} | {counts[kind]} |" for kind, heading in KINDS.items() if counts[kind]]
    if problems:
        lines += ["", f"## {KINDS['failed']}", "", *_fenced("\n".join(map(str, problems)), "text")]
    for kind, heading in KINDS.items():
        of_kind = [change for change in changes if change.kind == kind]
        if not of_kind or kind in QUIET:
            continue
        lines += ["", f"## {heading}"]
        for change in of_kind:
            lines += ["", f"`{change.recipe}#{change.cell}`"]
            if change.diff:
                lines += ["", *_fenced(change.diff, "diff")]
    recipes = sorted({change.recipe for change in changes if change.kind not in QUIET})
    if recipes:
        lines += ["", "If this is right:", "", *_fenced("python -m verbatim record " + " ".join(recipes), "sh")]
    return "\n".join(lines) + "\n"


def _fenced(text: str, language: str) -> list[str]:
    return fence(text, language)

"""Compares two sets of outputs cell by cell, and classifies each difference."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from verbatim import git
from verbatim.book import changes, records
from verbatim.book.compare import Outputs, diff, same, text_of
from verbatim.book.gather import Book
from verbatim.book.records import Record
from verbatim.problems import Problem, Problems
from verbatim.project import Project
from verbatim.run.script import Cell

#: Kind of change → its name in reports. The kinds that readers notice come first, the gravest at the top.
KINDS = {
    "new error": "raises an error now",
    "changed error": "raises another error",
    "changed": "prints something else",
    "figure": "draws another figure",
    "new warning": "warns now",
    "removed": "is gone",
    "added": "is new",
    "wording": "says it in other words",
    "noise": "prints the same but for rounding, layout or line numbers in torch",
    "not run": "was not run: the machine lacks what it needs",
    "not reached": "was not reached: an earlier cell of the script failed",
    "varies": "was not compared: it varies from run to run",
    "unchanged": "unchanged",
}
#: Kinds that readers notice, and kinds of cells that were not compared.
NOTICED_KINDS = ("new error", "changed error", "changed", "figure", "new warning", "removed", "added")
UNCOMPARED_KINDS = ("not run", "not reached", "varies")
#: Kinds that show no difference.
EQUAL_KINDS = ("noise", *UNCOMPARED_KINDS, "unchanged")


@dataclass(frozen=True)
class CellChange:
    """How one cell's outputs differ."""

    recipe: str
    cell: str
    kind: str
    """A key of `KINDS`."""
    diff: str = ""
    old: Outputs = ()
    new: Outputs = ()
    needs: str = ""
    """The capability that the machine lacks, if the cell was not run."""


def classify(recipe: str, name: str, cell: Cell | None, old: Outputs | None, new: Outputs | None) -> CellChange:
    """Compare the outputs of one cell.

    Args:
        recipe: The recipe's name, such as ``autograd/detach``.
        name: The cell's name.
        cell: The cell; ``None`` if it no longer exists.
        old: The old outputs; ``None`` if the cell did not exist.
        new: The new outputs; ``None`` if the cell no longer exists.
    """
    target = f"{recipe}#{name}"
    if cell is None or old is None or new is None:
        kind = "added" if old is None else "removed"
        shown = diff(old or (), new or (), target) if old or new else ""
        return CellChange(recipe, name, kind, shown, old or (), new or ())
    kind = _kind(cell, old, new)
    return CellChange(recipe, name, kind, "" if kind in EQUAL_KINDS else diff(old, new, target), old, new)


def _kind(cell: Cell, old: Outputs, new: Outputs) -> str:
    if list(old) == list(new):
        return "unchanged"
    if same(cell, old, new) or same(cell, old, new, across_releases=True):
        return "noise"
    if same(cell, _without_messages(old), _without_messages(new)):
        return "wording"
    before, after = changes.said(old), changes.said(new)
    kind = changes.kind(before, after)
    if kind in ("new error", "new warning"):
        return kind
    if before.raises != after.raises:
        return "changed error" if before.raises and after.raises else "changed"
    texts = [[o for o in outputs if o["output_type"] != "display_data"] for outputs in (old, new)]
    return "figure" if len(old) == len(new) and same(cell, *texts) else "changed"


def _without_messages(outputs: Outputs) -> Outputs:
    """Return outputs without the messages of errors and warnings; their types stay."""

    def without(output: dict[str, Any]) -> dict[str, Any]:
        if output["output_type"] == "error":
            return {**output, "evalue": "", "traceback": []}
        if output.get("name") == "stderr":
            return {**output, "text": " ".join(_WARNING_TYPE.findall(text_of(output)))}
        return output

    return tuple(map(without, outputs))


#: The type of a warning, as Python prints it: ``UserWarning: …``.
_WARNING_TYPE = re.compile(r"\b\w*Warning(?=:)")


def against_records(book: Book, old: dict[str, Record]) -> list[CellChange]:
    """Compare the outputs of this run with records.

    Args:
        book: The book of this run.
        old: Script path → record.

    Returns:
        A change for every cell, except cells that neither the record nor this run has an output of.
    """
    changes = []
    for path, script in book.scripts.items():
        recipe, record, result = book.project.recipe(path), old.get(path), book.fresh_results[path]
        recorded = [cell.name for cell in record.cells] if record else []
        for name in dict.fromkeys([*(cell.name for cell in script.cells), *recorded]):
            cell, ran = script.cell(name), result.cell(name)
            before = record.cell(name) if record else None
            if before and before.skipped:
                continue  # nothing to compare with
            if ran and ran.skipped:
                if before:
                    changes.append(CellChange(recipe, name, "not run", needs=ran.skipped))
            elif cell and cell.varies:
                changes.append(CellChange(recipe, name, "varies"))
            elif cell and ran is None:
                changes.append(CellChange(recipe, name, "not reached"))  # the script's problem says why
            else:
                printed = ran.outputs if cell and ran else None
                changes.append(classify(recipe, name, cell, before.outputs if before else None, printed))
    for path, gone in old.items():
        if path not in book.scripts:
            recipe = book.project.recipe(path)
            changes += [CellChange(recipe, recorded.name, "removed") for recorded in gone.cells]
    return changes


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
    by_path = {}
    for path in paths:
        recipe = path.removeprefix("outputs/cpu/").removesuffix(".ipynb")
        by_path[f"examples/{recipe}.py"] = records.read(texts[f"{reference}:./{path}"], path, recipe, "cpu")
    return by_path

"""Compares what a release printed with the built version's records, cell by cell. Pure."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from verbatim.book.compare import same
from verbatim.book.records import Record, RecordedCell
from verbatim.book.releases.model import IN_NOTEBOOK, Finding, Release, Status, approved_sha
from verbatim.project import Project
from verbatim.run.result import CellResult, Result
from verbatim.run.script import Cell, Script, tree_of

#: Errors by which Python and PyTorch say that something does not exist.
NOT_THERE = ("AttributeError", "ImportError", "ModuleNotFoundError", "TypeError")

#: What a torch that was built with CUDA says where there is no GPU.
NO_GPU = ("Found no NVIDIA driver", "No CUDA GPUs are available", "CUDA error: CUDA driver version is insufficient")

_NO_MODULE = re.compile(r"No module named '([\w-]+)")
#: What `torch.compile` says under a Python that is newer than the release.
_OLDER_PYTHON = re.compile(r"Python 3\.\d+\+ not (?:yet )?supported")
#: An error that was raised in Python and is reported by C++.
_THROUGH_CPP = re.compile(r"(AttributeError|TypeError): ")
_UNDEFINED_NAME = re.compile(r"name '(\w+)' is not defined")


def judge(script: Script, record: Record | None, result: Result) -> tuple[dict[str, Finding], tuple[RecordedCell, ...]]:
    """Compare what a release printed with the built version's record.

    Returns:
        Cell → finding, and the cells for the release's notebook.
    """
    codes = script.codes
    findings: dict[str, Finding] = {}
    notebook = []
    failed: dict[str, str] = {}  # cell that failed → the reason why cells that depend on it are not run
    for cell in script.cells:
        ran = result.cell(cell.name)
        status, reason = outcome(cell, ran, record.cell(cell.name) if record else None)
        if ran and status in IN_NOTEBOOK:
            if dependency := _failed_dependency(cell, ran, failed, script):
                status, reason = Status.NOT_RUN, failed[dependency]
            else:
                notebook.append(RecordedCell(cell.name, cell.source, cell.sha, ran.outputs, options=cell.options))
        if ran and not ran.skipped and (_undeclared_error(cell, ran) or reason.startswith(("cell:", "needs:"))):
            failed[cell.name] = reason if reason.startswith("needs:") else f"cell:{cell.name}"
        findings[cell.name] = Finding(codes[cell.name], approved_sha(cell, record), status, reason)
    return findings, tuple(notebook)


def rejudge(release: Release, scripts: Mapping[str, Script], cpu: Mapping[str, Record]) -> Release:
    """Apply today's rules to a release that was recorded under older ones: some differences no longer count as such."""
    findings, notebooks = dict(release.findings), dict(release.records)
    for path, script in scripts.items():
        recipe = Project.recipe(script.path)
        record = cpu.get(path)
        for cell in script.cells:
            finding, old = release.finding(script, cell, record), record.cell(cell.name) if record else None
            if not finding or not old:
                continue
            status, reason, printed = finding.status, finding.reason, release.outputs(recipe, cell.name)
            dependency = findings[recipe].get(reason.removeprefix("cell:"))
            if status is Status.DIFFERS:
                if same(cell, old.outputs, printed, across_releases=True):
                    status = Status.SAME
                elif lacking := _lacking(CellResult(cell.name, printed)):
                    status, reason = Status.NOT_RUN, f"needs:{lacking}"
            elif dependency and dependency.reason.startswith("needs:"):
                reason = dependency.reason
            if (status, reason) != (finding.status, finding.reason):
                findings[recipe] = {**findings[recipe], cell.name: replace(finding, status=status, reason=reason)}
            if status is not finding.status:
                left = tuple(recorded for recorded in notebooks[recipe].cells if recorded.name != cell.name)
                notebooks[recipe] = replace(notebooks[recipe], cells=left)
    return replace(release, findings=findings, records=notebooks)


def drop_unsteady(
    script: Script, findings: Mapping[str, Finding], notebook: Sequence[RecordedCell], second: Result
) -> tuple[dict[str, Finding], tuple[RecordedCell, ...]]:
    """Give the status `VARIES` to cells that print something else in a second run, such as uninitialized memory.

    Args:
        script: The script.
        findings: The findings of the first run, as `judge` returns them.
        notebook: The cells for the notebook, as `judge` returns them.
        second: The result of the second run.

    Returns:
        The findings, and the cells that stay in the notebook.
    """
    steady = []
    findings = dict(findings)
    for first in notebook:
        cell, ran = script.cell(first.name), second.cell(first.name)
        if cell and ran and same(cell, first.outputs, ran.outputs, across_releases=True):
            steady.append(first)
        else:
            findings[first.name] = replace(findings[first.name], status=Status.VARIES)
    return findings, tuple(steady)


def outcome(cell: Cell, ran: CellResult | None, old: RecordedCell | None) -> tuple[Status, str]:
    """Return the status and the reason of a cell, without regard to earlier cells."""
    if ran is None:
        return Status.NOT_RUN, "ended"
    if ran.skipped:
        return Status.NOT_RUN, f"needs:{ran.skipped}"
    if old is None or old.skipped:
        return Status.NOT_RUN, "unrecorded"
    if not cell.varies and same(cell, old.outputs, ran.outputs, across_releases=True):
        return Status.SAME, ""
    if lacking := _lacking(ran):
        return Status.NOT_RUN, f"needs:{lacking}"
    if name := _undeclared_error(cell, ran):
        return (Status.ABSENT if name.rpartition(".")[2] in NOT_THERE else Status.DIFFERS), ""
    return (Status.VARIES if cell.varies else Status.DIFFERS), ""


def _lacking(ran: CellResult) -> str:
    """Return what the machine lacks, by a cell's error: a package, a GPU, an older Python; empty if nothing."""
    for output in ran.outputs:
        if output["output_type"] == "error":
            if (module := _NO_MODULE.match(output["evalue"])) and module[1] != "torch":
                return module[1]
            if output["evalue"].startswith(NO_GPU):
                return "cuda"
            if _OLDER_PYTHON.match(output["evalue"]):
                return "python"
    return ""


def _undeclared_error(cell: Cell, ran: CellResult) -> str:
    """Return the type of the error that a cell raised without declaring one; empty if there is none."""
    for output in ran.outputs if not cell.raises else ():
        if output["output_type"] == "error":
            through = _THROUGH_CPP.match(output["evalue"])
            return through[1] if through else str(output["ename"])
    return ""


def _failed_dependency(cell: Cell, ran: CellResult, failed: Iterable[str], script: Script) -> str:
    """Return the earlier cell that failed and that this cell depends on; empty if there is none.

    A name that is not defined is one that a failed cell would have set. A cell that prints something else may do so
    because the failed cell did not change an object that both use; then its output says nothing about the release.
    """
    shared = _names(cell) - _imported(script) - set(dir(builtins))
    for output in ran.outputs:
        undefined = _UNDEFINED_NAME.search(output.get("evalue", ""))
        if output.get("ename") == "NameError" and undefined:
            shared |= {undefined[1]}
    return next((other.name for other in script.cells if other.name in failed and shared & _names(other)), "")


def _names(cell: Cell) -> set[str]:
    """Return all names that a cell reads or sets, imports and functions included."""
    names = _imports(cell)
    for node in ast.walk(tree_of(cell.source)):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
    return names


def _imported(script: Script) -> set[str]:
    """Return the names that a script imports. Two cells that use the same module do not depend on each other."""
    return set().union(*map(_imports, script.cells))


def _imports(cell: Cell) -> set[str]:
    return {
        alias.asname or alias.name.partition(".")[0]
        for node in ast.walk(tree_of(cell.source))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }

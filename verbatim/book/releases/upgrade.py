"""Keeps the records of other releases true when new CPU records are written, above all by another torch.

A release's record has only the outputs that differ from the built version; of other cells it says that they are the
same. So when an approved output changes because torch changed, the releases that agreed with the old output get it
written into their own records, and the release that was built until now becomes one of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace

from verbatim.book import records
from verbatim.book.compare import Outputs
from verbatim.book.records import Record, RecordedCell
from verbatim.book.releases import files
from verbatim.book.releases.judge import outcome
from verbatim.book.releases.model import (
    ENVIRONMENT_KEYS,
    IN_NOTEBOOK,
    PYTHON,
    Finding,
    Release,
    Status,
    approved_sha,
    python_release,
    torch_release,
)
from verbatim.project import Project
from verbatim.run.result import CellResult
from verbatim.run.script import Cell, Script


def keep(project: Project, scripts: Mapping[str, Script], before: Mapping[str, Record], was: Mapping[str, str]) -> int:
    """Update the releases' records after CPU records were written.

    Where an approved output changed and torch did not (another NumPy, or a change of the engine), the finding becomes
    stale, because nobody knows what the other releases would print now. Where torch changed, the same holds for the
    findings of other Pythons.

    Args:
        project: Where the records lie.
        scripts: The scripts of which records were written, by path.
        before: Their earlier CPU records, by path.
        was: The environment that printed those, from `records.environment`.

    Returns:
        The number of releases whose records changed.
    """
    after = {path: record for path in scripts if (record := records.load(project, project.recipe(path), "cpu"))}
    now = records.environment(project)
    releases, _ = files.load(project)  # every build reports the ones that cannot be read
    old, new = (torch_release(environment.get("torch", "")) for environment in (was, now))
    if old and any(_torch(record, now) != old for record in after.values()):
        # Where scripts fail under the new torch, it takes several runs until it has printed all records. Each adds its
        # own.
        built = _built_until_now(project, scripts, before, was)
        stored = next((release for release in releases if release.name == old), built)
        others = tuple(release for release in releases if release.name != old)
        releases = (*others, replace(stored, findings={**built.findings, **stored.findings}))
    changed = 0
    for release in releases:
        becomes_built = release.name == new != old or release.name == python_release(now.get("python", ""))
        if becomes_built:
            shutil.rmtree(files.folder(project) / release.name)
            changed += 1
            continue
        for path, script in scripts.items():
            if path in before and path in after:
                torch_before, torch_now = (
                    _torch(record, of) for record, of in ((before[path], was), (after[path], now))
                )
                torch_changed = torch_before != torch_now and not release.name.startswith(PYTHON)
                release = _updated(release, script, before[path], after[path], torch_changed=torch_changed)
        changed += files.save(project, release)
    return changed


def _torch(record: Record, shared: Mapping[str, str]) -> str:
    """Return the release that printed a record."""
    return torch_release((record.environment or shared).get("torch", ""))


def _built_until_now(
    project: Project, scripts: Mapping[str, Script], before: Mapping[str, Record], was: Mapping[str, str]
) -> Release:
    """Return the record of the release that was built until now. It printed the earlier records, so it agrees."""
    name = torch_release(was["torch"])
    findings: dict[str, dict[str, Finding]] = {}
    for path, record in before.items():
        if _torch(record, was) != name:
            continue  # the new torch printed it, in an earlier run
        script = scripts[path]
        # What a cell declares may have changed since (an error that the new torch no longer raises); its code, and that
        # of the cells before it, may not.
        codes = Script(path, "", record.title, records.cells_that_ran(record.cells)).codes
        of_recipe = findings.setdefault(project.recipe(path), {})
        for cell in script.cells:
            ran = record.cell(cell.name)
            if ran and codes[cell.name] == script.codes[cell.name]:
                status = Status.NOT_RUN if ran.skipped else Status.VARIES if cell.varies else Status.SAME
                reason = f"needs:{ran.skipped}" if ran.skipped else ""
                of_recipe[cell.name] = Finding(codes[cell.name], approved_sha(cell, record), status, reason)
    return Release(name, {key: value for key, value in was.items() if key in ENVIRONMENT_KEYS}, findings)


def _updated(release: Release, script: Script, before: Record, after: Record, *, torch_changed: bool) -> Release:
    """Return a release with its findings on one script compared with the new record instead of the earlier one."""
    recipe = Project.recipe(script.path)
    was = release.findings.get(recipe)
    if not was:
        return release
    findings = {cell.name: was[cell.name] for cell in script.cells if cell.name in was}
    notebook: list[RecordedCell] = []
    for cell in script.cells:
        finding, old, new = release.finding(script, cell, before), before.cell(cell.name), after.cell(cell.name)
        printed: Outputs = release.outputs(recipe, cell.name)
        if finding and old and new and approved_sha(cell, after) != finding.approved:
            if finding.status is Status.SAME:
                printed = old.outputs
            compared = _compared(cell, finding, printed, new, torch_changed=torch_changed)
            findings[cell.name] = replace(compared, approved=approved_sha(cell, after)) if compared else finding
        if cell.name in findings and findings[cell.name].status in IN_NOTEBOOK:
            notebook.append(_recorded(release, recipe, cell, printed))
    notebooks = {name: record for name, record in release.records.items() if name != recipe}
    if notebook:
        notebooks[recipe] = Record("", "cpu", tuple(notebook), script.title)
    return replace(release, findings={**release.findings, recipe: findings}, records=notebooks)


def _compared(
    cell: Cell, finding: Finding, printed: Outputs, new: RecordedCell, *, torch_changed: bool
) -> Finding | None:
    """Return a finding with its status against the new output; ``None`` if that is not known."""
    if finding.status not in (Status.SAME, Status.DIFFERS):
        return finding
    status, reason = outcome(cell, CellResult(cell.name, printed), new)
    return replace(finding, status=status, reason=reason) if torch_changed or status is Status.SAME else None


def _recorded(release: Release, recipe: str, cell: Cell, printed: Outputs) -> RecordedCell:
    """Return a cell for the release's notebook: the one that it has already, or one of the script's current code."""
    record = release.records.get(recipe)
    old = record.cell(cell.name) if record else None
    return old or RecordedCell(cell.name, cell.source, cell.sha, printed, options=cell.options)

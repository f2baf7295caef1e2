"""When the built version is raised, what other releases printed is kept.

A release's record holds only what differs from the built version; of all other cells it says that they agreed. So when
an approved output becomes another because torch became another, the releases that agreed with the old output get it
written into their own records, and the release that was built until now becomes one of them.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace

from verbatim.book import records, versions
from verbatim.book.records import Record, RecordedCell
from verbatim.book.versions import Finding, Outputs, Status, Version, Versions
from verbatim.project import Project
from verbatim.run.script import Cell, Script


def keep(project: Project, scripts: Mapping[str, Script], before: Mapping[str, Record], was: Mapping[str, str]) -> int:
    """Bring the releases' records up to date with CPU records that were just written.

    An approved output that became another without another torch (another NumPy, or a change of the engine) leaves the
    cell stale: what the releases would print now is not known. With another torch it is not known of other Pythons.

    Args:
        project: Where the records lie.
        scripts: The scripts of which records were written, by path.
        before: Their CPU records as they were, by path.
        was: What printed them: `records.environment` as it was.

    Returns:
        How many releases' records changed.
    """
    after = {path: record for path in scripts if (record := records.load(project, project.recipe(path), "cpu"))}
    now = records.environment(project)
    found, _ = versions.load(project)  # what cannot be read is told by every build
    old, new = (versions.release(one.get("torch", "")) for one in (was, now))
    if old and any(_torch(record, now) != old for record in after.values()):
        # Where scripts fail under the new torch, it takes several runs until all records are of it: each adds its own.
        made = _as_release(project, scripts, before, was)
        known = next((one for one in found if one.name == old), made)
        others = tuple(one for one in found if one.name != old)
        found = (*others, replace(known, cells={**made.cells, **known.cells}))
    changed = 0
    for version in found:
        if (version.name == new != old) or version.name == versions.python(now.get("python", "")):  # the built one now
            shutil.rmtree(versions.folder(project) / version.name)
            changed += 1
            continue
        for path, script in scripts.items():
            if path in before and path in after:
                one, other = (_torch(record, of) for record, of in ((before[path], was), (after[path], now)))
                raised = one != other and not version.name.startswith(versions.PYTHON)
                version = _kept(version, script, before[path], after[path], raised=raised)
        changed += versions.save(project, version)
    return changed


def _torch(record: Record, shared: Mapping[str, str]) -> str:
    """Return the release that printed a record."""
    return versions.release((record.environment or shared).get("torch", ""))


def _as_release(
    project: Project, scripts: Mapping[str, Script], before: Mapping[str, Record], was: Mapping[str, str]
) -> Version:
    """Return the record of the release that was built until now: it printed its own records."""
    cells: dict[str, dict[str, Finding]] = {}
    for path, record in before.items():
        if _torch(record, was) != versions.release(was["torch"]):
            continue  # the new torch printed it, in an earlier run
        script = scripts[path]
        codes = script.codes
        found = cells.setdefault(project.recipe(path), {})
        for cell in script.cells:
            ran = record.cell(cell.name)
            if ran and ran.sha == cell.sha:
                status = Status.NOT_RUN if ran.skipped else Status.VARIES if cell.varies else Status.SAME
                reason = f"needs:{ran.skipped}" if ran.skipped else ""
                found[cell.name] = Finding(codes[cell.name], versions.built(cell, record), status, reason)
    about = {key: value for key, value in was.items() if key in versions.ABOUT}
    return Version(versions.release(was["torch"]), about, cells)


def _kept(version: Version, script: Script, before: Record, after: Record, *, raised: bool) -> Version:
    """Return a release's record with what it says of one script's cells said of the new record."""
    recipe = Project.recipe(script.path)
    known = Versions("", (version,))
    was = version.cells.get(recipe, {})
    cells = {cell.name: was[cell.name] for cell in script.cells if cell.name in was}  # one that is gone says nothing
    own: list[RecordedCell] = []
    for cell in script.cells:
        found, old, new = known.finding(version, script, cell, before), before.cell(cell.name), after.cell(cell.name)
        printed: Outputs = version.outputs(recipe, cell.name)
        if found and old and new and versions.built(cell, after) != found.built:
            if found.status is Status.SAME:
                printed = old.outputs
            changed = _compared(found, printed, new, raised=raised)
            cells[cell.name] = replace(changed, built=versions.built(cell, after)) if changed else found
        if cell.name in cells and cells[cell.name].status in (Status.DIFFERS, Status.ABSENT):
            own.append(_recorded(version, recipe, cell, printed))
    if not was:
        return version
    kept = {name: record for name, record in version.records.items() if name != recipe}
    if own:
        kept[recipe] = Record("", "cpu", tuple(own), script.title)
    return replace(version, cells={**version.cells, recipe: cells}, records=kept)


def _compared(found: Finding, printed: Outputs, new: RecordedCell, *, raised: bool) -> Finding | None:
    """Return what came of a cell, against the new output; ``None`` where that cannot be told."""
    if found.status not in (Status.SAME, Status.DIFFERS):
        return found
    if versions.alike(printed, new.outputs):
        return replace(found, status=Status.SAME)
    return replace(found, status=Status.DIFFERS) if raised else None


def _recorded(version: Version, recipe: str, cell: Cell, printed: Outputs) -> RecordedCell:
    """Return a cell for the release's notebook: the one that it has, unless the script's cell is what was run."""
    record = version.records.get(recipe)
    old = record.cell(cell.name) if record else None
    return old or RecordedCell(cell.name, cell.source, cell.sha, printed, options=cell.options)

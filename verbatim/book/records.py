"""Records: executed notebooks on disk, the outputs that a person approved.

A record is nbformat 4.5, the same bytes whenever the same outputs are written: no times, no counters of the run.
Its own hash stands in it, so that a record that was cut off or edited by hand is told from a true one.

A record is made whole by one run: its text, its figures and its code come from one process, and a hash over them says
so. Where a new run agrees with a record in every cell, the record stays as it is; where it does not in one, all cells
are taken from the new run. A cell that the new run could not run keeps its outputs, and says what printed them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from verbatim.book.compare import Change, compare
from verbatim.book.form import DECIDES, KERNEL, LANGUAGE, OPTIONS, dumps, joined, sayings, wrong
from verbatim.problems import Problem, Problems
from verbatim.project import Project, write_if_changed
from verbatim.run.result import CellResult, Result
from verbatim.run.script import Cell, Script

#: What the records' environment says of how they were made. 2: each by one run, with that run's hash.
FORMAT = "2"


@dataclass(frozen=True)
class RecordedCell:
    """One cell as it was recorded."""

    name: str
    source: str
    sha: str
    outputs: tuple[dict[str, Any], ...]
    skipped: str = ""
    touched: bool = False
    """Whether a GPU was used."""
    options: dict[str, str | bool] = field(default_factory=dict)
    """The options that `sha` is of."""
    earlier: dict[str, str] = field(default_factory=dict)
    """What printed the outputs, where the last run could not run this cell and an earlier run's were kept."""


@dataclass(frozen=True)
class Record:
    """A record read from disk."""

    path: str
    device: str
    cells: tuple[RecordedCell, ...]
    title: str = ""
    """The script's title."""
    provenance: dict[str, str] = field(default_factory=dict)
    """What ran it and when; empty for the CPU's records, which share one `environment.json`."""
    environment: dict[str, str] = field(default_factory=dict)
    """What printed a CPU record, where that is not what `environment.json` says."""
    run: str = ""
    """Hash of what one run printed; empty in a record from before there was one."""

    def cell(self, name: str) -> RecordedCell | None:
        """Return the recorded cell of this name, or ``None``."""
        return next((c for c in self.cells if c.name == name), None)


def load(project: Project, recipe: str, device: str) -> Record | None:
    """Read a record; ``None`` where there is none.

    Raises:
        Problems: the record is cut off, or was not written by a run.
    """
    return load_from(project, project.record(recipe, device), recipe, device, _hint(recipe, device))


def load_from(project: Project, path: Path, recipe: str, device: str, hint: str) -> Record | None:
    """Read a record that lies at `path`; ``None`` where there is none. `hint`: how it can be mended.

    Raises:
        Problems: the record is cut off, or was not written by a run.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    place = project.relative(path)
    record, document = _read(text, place, hint, device)
    if fact := wrong(document, recipe, device) or ("" if text == dumps(document) else "it is laid out otherwise"):
        raise Problems([Problem(place, 0, f"the record holds what no run writes: {fact}", hint)])
    return record


def read(text: str, place: str, recipe: str, device: str) -> Record:
    """Read a record's text, also one of an earlier commit, whose form may be another. `place`: its path, for messages.

    Raises:
        Problems: the record is cut off, or was not written by a run.
    """
    return _read(text, place, _hint(recipe, device), device)[0]


def _read(text: str, place: str, hint: str, device: str) -> tuple[Record, dict[str, Any]]:
    try:
        notebook = json.loads(text)
        meta = notebook["metadata"]["verbatim"]
        sha = meta["sha"]
        cells = tuple(_recorded(cell) for cell in notebook["cells"] if cell["cell_type"] == "code")
        title = "".join(notebook["cells"][0]["source"]).removeprefix("# ")
        fits, run = sha == _sha(notebook), meta.get("run", "")
        one = not run or run == run_sha(cells)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise Problems([Problem(place, 0, f"the record cannot be read ({error!r})", hint)]) from error
    if not fits:
        raise Problems([Problem(place, 0, "the record was changed by something other than a run", hint)])
    if not one:
        raise Problems([Problem(place, 0, "the outputs of this record do not come from one run", hint)])
    provenance, environment = meta.get("provenance", {}), meta.get("environment", {})
    return Record(place, device, cells, title, provenance, environment, run), notebook


def _hint(recipe: str, device: str) -> str:
    if device != "cpu":
        return "restore it with git; the CUDA job writes it anew"
    return f"restore it with git, or write it anew: python -m verbatim record {recipe}"


def _recorded(cell: dict[str, Any]) -> RecordedCell:
    meta = cell["metadata"]["verbatim"]
    outputs = tuple(joined(output) for output in cell["outputs"])
    source = "".join(cell["source"])
    skipped, touched, earlier = meta.get("skipped", ""), meta.get("touched", False), meta.get("earlier", {})
    options = {key: value for key, value in meta.items() if key in OPTIONS}
    return RecordedCell(meta["name"], source, meta["sha"], outputs, skipped, touched, options, earlier)


def agrees(cell: Cell, old: RecordedCell, ran: CellResult) -> bool:
    """Whether a run printed what was recorded of this cell, of which the code did not change."""
    return cell.varies or compare(old.outputs, ran.outputs) is not Change.DRIFT


def agrees_whole(script: Script, record: Record, result: Result) -> bool:
    """Whether a run agrees with a record in every cell that it ran, so that the record stands for it."""
    if [cell.name for cell in script.cells] != [cell.name for cell in record.cells]:
        return False
    for cell, old in zip(script.cells, record.cells, strict=True):
        ran = result.cell(cell.name)
        if ran is None:
            return False
        if ran.skipped:
            continue
        if old.sha != cell.sha or old.skipped or old.earlier or not agrees(cell, old, ran):
            return False
    return True


def merged(script: Script, result: Result, previous: Record | None, shared: dict[str, str]) -> tuple[RecordedCell, ...]:
    """Return the cells that the record of a run has, given the record from before and what printed that.

    An output that was approved is never lost to a run that could not run its cell.
    """
    stays = previous is not None and bool(previous.run) and agrees_whole(script, previous, result)
    cells = []
    for cell in script.cells:
        ran, old = result.cell(cell.name), previous.cell(cell.name) if previous else None
        if previous and old and not old.skipped and (stays or ran is None or ran.skipped):
            earlier = old.earlier or (previous.environment or shared or {"torch": "unknown"})
            cells.append(replace(old, earlier=earlier if ran is None or ran.skipped else {}))
        elif ran is None:
            cells.append(RecordedCell(cell.name, cell.source, cell.sha, ()))
        else:
            cells.append(RecordedCell(cell.name, cell.source, cell.sha, ran.outputs, ran.skipped, ran.touched))
    return tuple(cells)


def notebook(
    script: Script,
    cells: Sequence[RecordedCell],
    *,
    recipe: str,
    device: str = "cpu",
    provenance: dict[str, str] | None = None,
    environment: dict[str, str] | None = None,
) -> str:
    """Return a record as text. `environment`: what printed it, where the other records' is another."""
    entries: list[dict[str, Any]] = [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": [f"# {script.title}"]}
    ]
    for number, (cell, recorded) in enumerate(zip(script.cells, cells, strict=True), 1):
        options = cell.options if recorded.sha == cell.sha else recorded.options
        meta: dict[str, Any] = {"name": cell.name, "sha": recorded.sha, **options}
        said = {key: getattr(recorded, key) for key in ("skipped", "touched", "earlier")}
        metadata: dict[str, Any] = {"verbatim": meta | {key: value for key, value in said.items() if value}}
        if options.get("raises"):
            metadata["tags"] = ["raises-exception"]
        entries.append(
            {
                "cell_type": "code",
                "execution_count": number,
                "id": cell.name[:64],
                "metadata": metadata,
                "outputs": [_split(output) for output in recorded.outputs],
                "source": recorded.source.splitlines(keepends=True),
            }
        )
    about: dict[str, Any] = {"device": device, "recipe": recipe, "run": run_sha(cells)}
    if provenance:
        about["provenance"] = provenance
    if environment:
        about["environment"] = environment
    document: dict[str, Any] = {
        "cells": entries,
        "metadata": {
            "kernelspec": KERNEL,
            "language_info": LANGUAGE,
            "verbatim": about,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    about["sha"] = _sha(document)
    return dumps(document)


def _split(output: dict[str, Any]) -> dict[str, Any]:
    output = dict(output)
    if "text" in output:
        output["text"] = output["text"].splitlines(keepends=True)
    if "data" in output:
        output["data"] = {k: v.splitlines(keepends=True) for k, v in output["data"].items()}
    return output


def _sha(document: dict[str, Any]) -> str:
    """Hash of a notebook without the hash that stands in it."""
    copy = json.loads(json.dumps(document))
    copy["metadata"]["verbatim"].pop("sha", None)
    return hashlib.sha256(json.dumps(copy, sort_keys=True).encode()).hexdigest()[:16]


def run_sha(cells: Iterable[RecordedCell]) -> str:
    """Hash of what one run printed: the cells that it ran, with their code and outputs."""
    ran = [(cell.name, cell.sha, cell.outputs) for cell in cells if not cell.skipped and not cell.earlier]
    return hashlib.sha256(json.dumps(ran, sort_keys=True).encode()).hexdigest()[:16]


def outputs_sha(outputs: tuple[dict[str, Any], ...]) -> str:
    """Hash of what a cell printed."""
    return hashlib.sha256(json.dumps(outputs, sort_keys=True).encode()).hexdigest()[:16]


def write(
    project: Project,
    script: Script,
    result: Result,
    provenance: dict[str, str] | None = None,
    *,
    all_anew: bool = False,
) -> bool:
    """Write the record of a run, with `provenance` the one of a run on a GPU. Return whether the file changed.

    `all_anew`: all records are written, so that what ran them becomes what `environment.json`
    says. Where nothing but the date would be new, the record stays as it is.
    """
    recipe, device = project.recipe(script.path), "cuda" if provenance else "cpu"
    shared = environment(project) if device == "cpu" else {}
    try:
        previous = load(project, recipe, device)
    except Problems:
        previous = None  # what cannot be read is what `record` mends
    old = previous.provenance if previous else {}
    cells = merged(script, result, previous, old or shared)
    here = {key: result.environment[key] for key in DECIDES} if device == "cpu" and result.environment else {}
    own = here if differs(shared, here) and not all_anew else None
    if previous and own and previous.run and agrees_whole(script, previous, result):
        own = previous.environment or None
    if previous and provenance and _undated(old) == _undated(provenance):
        same = notebook(script, cells, recipe=recipe, device=device, provenance=old)
        if project.record(recipe, device).read_text(encoding="utf-8") == same:
            return False
    text = notebook(script, cells, recipe=recipe, device=device, provenance=provenance, environment=own)
    return write_if_changed(project.record(recipe, device), text)


def _undated(provenance: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in provenance.items() if key != "date"}


def environment_path(project: Project) -> Path:
    """Where the CPU records say what printed them: once, so that a torch upgrade shows only what it changes."""
    return project.outputs / "cpu" / "environment.json"


def environment(project: Project) -> dict[str, str]:
    """Return what printed the CPU records; nothing where there are none yet."""
    try:
        found = json.loads(environment_path(project).read_text(encoding="utf-8"))
        if fact := sayings(found, (*DECIDES, "format")):
            raise ValueError(f"it {fact}")
        return dict(found)
    except FileNotFoundError:
        return {}
    except (ValueError, RecursionError) as error:
        place = project.relative(environment_path(project))
        raise Problems([Problem(place, 0, f"the file cannot be read ({error})", "restore it with git")]) from error


def differs(recorded: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Say in what an environment is another than the records', or nothing.

    Another patch release of Python prints the same. Another build of the same torch does not: one with CUDA skips what
    one without it says.
    """
    found = []
    for name in DECIDES:
        if name in recorded and name in here:
            old, new = recorded[name], here[name]
            if old != new and (name != "python" or old.split(".")[:2] != new.split(".")[:2]):
                found.append(f"{name} {new} instead of {old}")
    return ", ".join(found)


def write_environment(project: Project, environment: dict[str, str]) -> bool:
    """Write what printed the CPU records, all of them. Return whether the file changed."""
    kept = {**{key: environment[key] for key in DECIDES}, "format": FORMAT}
    return write_if_changed(environment_path(project), json.dumps(kept, indent=1) + "\n")


def orphans(project: Project) -> list[Path]:
    """Return the records whose script is gone."""
    return sorted(
        path
        for device in ("cpu", "cuda")
        for path in (project.outputs / device).rglob("*.ipynb")
        if not project.script(path.relative_to(project.outputs / device).with_suffix("").as_posix()).is_file()
    )

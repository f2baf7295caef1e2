"""Records: executed notebooks on disk that hold the approved outputs.

A record is an nbformat 4.5 notebook. The same outputs always give the same bytes: it has no timestamps and no run
counters. It contains its own hash, which detects records that were truncated or edited by hand.

All outputs of a record come from one run of the script, which a second hash (`run_sha`) verifies. If a new run agrees
with the record in every cell, the record does not change; if any cell disagrees, all cells are replaced by the new
run's. A cell that the new run skipped keeps its earlier outputs, together with the environment that produced them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from verbatim.book import allowed_svg
from verbatim.book.compare import agree
from verbatim.book.form import (
    DECIDING_PACKAGES,
    KERNEL_SPEC,
    LANGUAGE_INFO,
    RECORDED_OPTIONS,
    dumps,
    joined,
    wrong,
    wrong_names,
)
from verbatim.memo import Memo
from verbatim.problems import Problem, Problems
from verbatim.project import Project, write_if_changed
from verbatim.run.result import CellResult, Result, outputs_sha
from verbatim.run.script import Cell, Script

#: Version of the record format, stored in `environment.json`. Version 2: each record comes from one run and has its
#: hash.
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
    """The cell's header options at the time of recording; `sha` covers them."""
    earlier: dict[str, str] = field(default_factory=dict)
    """The environment that produced the outputs, if they were kept from an earlier run; empty otherwise."""

    @property
    def failed_elsewhere(self) -> bool:
        """Whether it failed unannounced and without a GPU, as a cell may on a machine with another torch."""
        failed = any(output["output_type"] == "error" for output in self.outputs)
        return failed and not self.touched and "raises" not in self.options

    @cached_property
    def outputs_sha(self) -> str:
        """Hash of its outputs."""
        return outputs_sha(self.outputs)


@dataclass(frozen=True)
class Record:
    """A record read from disk."""

    path: str
    device: str
    cells: tuple[RecordedCell, ...]
    title: str = ""
    """The script's title."""
    provenance: dict[str, str] = field(default_factory=dict)
    """Environment and date of a GPU record; empty for CPU records, which share one `environment.json`."""
    environment: dict[str, str] = field(default_factory=dict)
    """The environment of a CPU record, if it differs from `environment.json`; empty otherwise."""

    def cell(self, name: str) -> RecordedCell | None:
        """Return the recorded cell of this name, or ``None``."""
        return self._by_name.get(name)

    @cached_property
    def _by_name(self) -> dict[str, RecordedCell]:
        return {cell.name: cell for cell in reversed(self.cells)}

    @cached_property
    def approved(self) -> dict[str, str]:
        """Cell → the hash of its outputs by which releases are compared; without cells that did not run."""
        return {name: cell.outputs_sha[:8] for name, cell in self._by_name.items() if not cell.skipped}


def load(
    project: Project, recipe: str, device: str, memo: Memo | None = None, *, checked: bool = True
) -> Record | None:
    """Read a recipe's record.

    Args:
        project: The project.
        recipe: The recipe's name, such as ``autograd/detach``.
        device: ``cpu`` or ``cuda``.
        memo: Caches records that were read and checked.
        checked: Whether to look for what no run writes. Without, the seal alone is looked at.

    Returns:
        The record; ``None`` if the file does not exist.

    Raises:
        Problems: The record is truncated or was edited by hand.
    """
    return load_from(
        project, project.record(recipe, device), recipe, device, _hint(recipe, device), memo, checked=checked
    )


def load_from(
    project: Project,
    path: Path,
    recipe: str,
    device: str,
    hint: str,
    memo: Memo | None = None,
    *,
    checked: bool = True,
) -> Record | None:
    """Read the record at a path.

    Args:
        project: The project.
        path: The record's file.
        recipe: The recipe that it must belong to.
        device: The device that it must have been recorded on.
        hint: How to repair it, for error messages.
        memo: As in `load`.
        checked: As in `load`.

    Returns:
        The record; ``None`` if the file does not exist.

    Raises:
        Problems: The record is truncated or was edited by hand.
    """
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Problems([Problem(project.relative(path), 0, f"it cannot be read: {error.strerror}", hint)]) from error
    place = project.relative(path)

    def check() -> Record:
        record, document = _read(text, place, hint, device)
        if fact := wrong(document, recipe, device) or ("" if text == dumps(document) else "it is laid out otherwise"):
            raise Problems([Problem(place, 0, f"the record holds what no run writes: {fact}", hint)])
        return record

    if not checked:
        return _read(text, place, hint, device)[0]
    return (memo or Memo()).get("record", f"{place}\0{recipe}\0{device}\0{text}", check)


def read(text: str, place: str, recipe: str, device: str) -> Record:
    """Parse the text of a record. Unlike `load`, this accepts the older formats of earlier commits.

    Args:
        text: The record's content.
        place: Its path, for error messages.
        recipe: The recipe's name.
        device: ``cpu`` or ``cuda``.

    Raises:
        Problems: The record is truncated or was edited by hand.
    """
    return _read(text, place, _hint(recipe, device), device)[0]


def _read(text: str, place: str, hint: str, device: str) -> tuple[Record, dict[str, Any]]:
    try:
        notebook = json.loads(text)
        meta = notebook["metadata"]["verbatim"]
        sha = meta["sha"]
        cells = tuple(_recorded(cell) for cell in notebook["cells"] if cell["cell_type"] == "code")
        title = "".join(notebook["cells"][0]["source"]).removeprefix("# ")
        fits = sha == _sha(notebook)
        consistent = "run" not in meta or meta["run"] == run_sha(
            cells
        )  # records of format 1, in old commits, have none
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError) as error:
        raise Problems([Problem(place, 0, f"the record cannot be read ({error!r})", hint)]) from error
    if not fits:
        raise Problems([Problem(place, 0, "the record was changed by something other than a run", hint)])
    if not consistent:
        raise Problems([Problem(place, 0, "the outputs of this record do not come from one run", hint)])
    provenance, environment = meta.get("provenance", {}), meta.get("environment", {})
    return Record(place, device, cells, title, provenance, environment), notebook


def _hint(recipe: str, device: str) -> str:
    if device != "cpu":
        return "restore it with git; the CUDA job writes it anew"
    return f"restore it with git, or write it anew: python -m verbatim record {recipe}"


def _recorded(cell: dict[str, Any]) -> RecordedCell:
    meta = cell["metadata"]["verbatim"]
    outputs = tuple(joined(output) for output in cell["outputs"])
    source = "".join(cell["source"])
    skipped, touched, earlier = meta.get("skipped", ""), meta.get("touched", False), meta.get("earlier", {})
    options = {key: value for key, value in meta.items() if key in RECORDED_OPTIONS}
    return RecordedCell(meta["name"], source, meta["sha"], outputs, skipped, touched, options, earlier)


def recorded_result(script: Script, record: Record) -> Result:
    """Return the recorded outputs as the result of a run. Cells whose code has changed since have no outputs."""
    cells = []
    for cell in script.cells:
        old = record.cell(cell.name)
        same = old if old and old.sha == cell.sha else RecordedCell(cell.name, cell.source, cell.sha, ())
        missing = same.skipped or (cell.needs if same.earlier else "")  # the recording machine lacked this capability
        cells.append(CellResult(cell.name, () if missing else same.outputs, skipped=missing))
    return Result(script.path, tuple(cells))


def cells_that_ran(recorded: Iterable[RecordedCell]) -> tuple[Cell, ...]:
    """Return cells as they were when they were recorded, whatever the script has become."""
    return tuple(Cell(cell.name, cell.source, 0, 0, **cell.options) for cell in recorded)  # type: ignore[arg-type]


def agrees_whole(script: Script, record: Record, result: Result) -> bool:
    """Whether a run agrees with a record in every cell that it ran. If so, the record need not be replaced."""
    if [cell.name for cell in script.cells] != [cell.name for cell in record.cells]:
        return False
    for cell, old in zip(script.cells, record.cells, strict=True):
        ran = result.cell(cell.name)
        if ran is None:
            return False
        if ran.skipped:
            continue
        if old.sha != cell.sha or old.skipped or old.earlier or not agree(cell, old.outputs, ran.outputs):
            return False
    return True


def merged(script: Script, result: Result, previous: Record | None, shared: dict[str, str]) -> tuple[RecordedCell, ...]:
    """Return the cells of the new record, which combines a run with the previous record.

    A cell that this run skipped or did not reach keeps its recorded outputs.

    Args:
        script: The script.
        result: The result of the run.
        previous: The existing record, if any.
        shared: The environment that produced the previous record, unless the record names its own.
    """
    stays = previous is not None and agrees_whole(script, previous, result)
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
    """Return the text of a record.

    Args:
        script: The script.
        cells: Its cells, from `merged`.
        recipe: The recipe's name.
        device: ``cpu`` or ``cuda``.
        provenance: Environment and date of a GPU run.
        environment: The environment of a CPU run, if it differs from `environment.json`.
    """
    entries: list[dict[str, Any]] = [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": [f"# {script.title}"]}
    ]
    for number, (cell, recorded) in enumerate(zip(script.cells, cells, strict=True), 1):
        options = cell.options if recorded.sha == cell.sha else recorded.options
        meta: dict[str, Any] = {"name": cell.name, "sha": recorded.sha, **options}
        state = {key: getattr(recorded, key) for key in ("skipped", "touched", "earlier")}
        metadata: dict[str, Any] = {"verbatim": meta | {key: value for key, value in state.items() if value}}
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
            "kernelspec": KERNEL_SPEC,
            "language_info": LANGUAGE_INFO,
            "verbatim": about,
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    about["sha"] = _sha(document)
    return dumps(document)


def renamed(text: str, old: str, new: str) -> str:
    """Return a notebook's text as that of a recipe with another name, in the ids of its figures, too."""
    was, now = (allowed_svg.prefix(f"examples/{recipe}.py", "").removesuffix("-") for recipe in (old, new))
    document = json.loads(text)
    cells = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    for output in (output for cell in cells for output in cell["outputs"]):
        for kind, lines in output.get("data", {}).items():
            output["data"][kind] = [line.replace(was, now) for line in lines]
    about = document["metadata"]["verbatim"]
    about["recipe"] = new
    about["run"] = run_sha(map(_recorded, cells))
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
    """Return the hash of a notebook, without its own hash field."""
    copy = json.loads(json.dumps(document))
    copy["metadata"]["verbatim"].pop("sha", None)
    return hashlib.sha256(json.dumps(copy, sort_keys=True).encode()).hexdigest()[:16]


def run_sha(cells: Iterable[RecordedCell]) -> str:
    """Return the hash of one run: names, code hashes and outputs of the cells that it ran."""
    ran = [(cell.name, cell.sha, cell.outputs) for cell in cells if not cell.skipped and not cell.earlier]
    return hashlib.sha256(json.dumps(ran, sort_keys=True).encode()).hexdigest()[:16]


def write(
    project: Project,
    script: Script,
    result: Result,
    provenance: dict[str, str] | None = None,
    *,
    all_anew: bool = False,
) -> bool:
    """Write the record of a run. If only the date would change, the existing record stays.

    Args:
        project: The project.
        script: The script.
        result: The result of the run.
        provenance: Environment and date of a GPU run; the CUDA record is written if it is given, else the CPU record.
        all_anew: Whether all CPU records are being rewritten. The caller then updates `environment.json`, so the
            record does not need its own environment.

    Returns:
        Whether the file changed.
    """
    recipe, device = project.recipe(script.path), "cuda" if provenance else "cpu"
    shared = environment(project) if device == "cpu" else {}
    try:
        previous = load(project, recipe, device)
    except Problems:
        previous = None  # an unreadable record is replaced
    old = previous.provenance if previous else {}
    cells = merged(script, result, previous, old or shared)
    here = {key: result.environment[key] for key in DECIDING_PACKAGES} if device == "cpu" and result.environment else {}
    own = here if differs(shared, here) and not all_anew else None
    if previous and own and agrees_whole(script, previous, result):
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
    """Return the path of the environment shared by all CPU records.

    It is stored once so that the diff of a torch upgrade shows only the outputs that changed.
    """
    return project.outputs / "cpu" / "environment.json"


def environment(project: Project) -> dict[str, str]:
    """Return the environment that produced the CPU records; empty if there are none yet.

    Raises:
        Problems: The file cannot be read.
    """
    try:
        versions = json.loads(environment_path(project).read_text(encoding="utf-8"))
        if fact := wrong_names(versions, (*DECIDING_PACKAGES, "format")):
            raise ValueError(f"it {fact}")
        return dict(versions)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        place = project.relative(environment_path(project))
        why = error.strerror if isinstance(error, OSError) else error
        raise Problems([Problem(place, 0, f"the file cannot be read ({why})", "restore it with git")]) from error


def differs(recorded: Mapping[str, str], here: Mapping[str, str]) -> str:
    """Describe how two environments differ; empty if they are equivalent.

    Patch releases of Python count as equal. Builds of the same torch release do not: a CUDA build skips cells that a
    CPU build runs.

    Args:
        recorded: The environment of the records.
        here: The environment of this run.
    """
    differences = []
    for name in DECIDING_PACKAGES:
        if name in recorded and name in here:
            old, new = recorded[name], here[name]
            if old != new and (name != "python" or old.split(".")[:2] != new.split(".")[:2]):
                differences.append(f"{name} {new} instead of {old}")
    return ", ".join(differences)


def write_environment(project: Project, environment: dict[str, str]) -> bool:
    """Write the environment shared by all CPU records. Return whether the file changed."""
    content = {**{key: environment[key] for key in DECIDING_PACKAGES}, "format": FORMAT}
    return write_if_changed(environment_path(project), json.dumps(content, indent=1) + "\n")


def orphans(project: Project) -> list[Path]:
    """Return the records whose script no longer exists."""
    return sorted(
        path
        for device in ("cpu", "cuda")
        for path in (project.outputs / device).rglob("*.ipynb")
        if not project.script(path.relative_to(project.outputs / device).with_suffix("").as_posix()).is_file()
    )

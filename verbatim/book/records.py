"""Records: executed notebooks on disk, the outputs that a person approved.

A record is nbformat 4.5, the same bytes whenever the same outputs are written: no times, no counters of the run.
Its own hash stands in it, so that a record that was cut off or edited by hand is told from a true one.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from verbatim.book.compare import Change, compare
from verbatim.problems import Problem, Problems
from verbatim.project import Project, write_if_changed
from verbatim.run.runner import Result
from verbatim.run.script import Script

#: What of a run's environment decides its outputs on a CPU; kept once for all records.
DECIDES = ("torch", "python", "numpy", "matplotlib")


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


@dataclass(frozen=True)
class Record:
    """A record read from disk."""

    path: str
    device: str
    cells: tuple[RecordedCell, ...]
    provenance: dict[str, str] = field(default_factory=dict)
    """What ran it and when; empty for the CPU's records, which share one `environment.json`."""

    def cell(self, name: str) -> RecordedCell | None:
        """Return the recorded cell of this name, or ``None``."""
        return next((c for c in self.cells if c.name == name), None)


def load(project: Project, recipe: str, device: str) -> Record | None:
    """Read a record; ``None`` where there is none.

    Raises:
        Problems: the record is cut off, or was not written by a run.
    """
    path = project.record(recipe, device)
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return None
    return read(text, project.relative(path), recipe, device)


def read(text: str, place: str, recipe: str, device: str) -> Record:
    """Read a record's text. `place`: its path, for messages.

    Raises:
        Problems: the record is cut off, or was not written by a run.
    """
    hint = f"restore it with git, or write it anew: python -m verbatim record {recipe}"
    if device != "cpu":
        hint = "restore it with git; the CUDA job writes it anew"
    try:
        notebook = json.loads(text)
        meta = notebook["metadata"]["verbatim"]
        sha = meta["sha"]
        cells = tuple(_recorded(cell) for cell in notebook["cells"] if cell["cell_type"] == "code")
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Problems([Problem(place, 0, f"the record cannot be read ({error!r})", hint)]) from error
    if sha != _sha(notebook):
        raise Problems([Problem(place, 0, "the record was changed by something other than a run", hint)])
    return Record(place, device, cells, meta.get("provenance", {}))


def _recorded(cell: dict[str, Any]) -> RecordedCell:
    meta = cell["metadata"]["verbatim"]
    outputs = tuple(_joined(output) for output in cell["outputs"])
    source = "".join(cell["source"])
    return RecordedCell(meta["name"], source, meta["sha"], outputs, meta.get("skipped", ""), meta.get("touched", False))


def _joined(output: dict[str, Any]) -> dict[str, Any]:
    """Notebooks keep long text as lists of lines."""
    output = dict(output)
    if isinstance(output.get("text"), list):
        output["text"] = "".join(output["text"])
    if "data" in output:
        output["data"] = {k: "".join(v) for k, v in output["data"].items()}
    return output


def notebook(
    script: Script,
    result: Result,
    *,
    recipe: str,
    device: str = "cpu",
    provenance: dict[str, str] | None = None,
    previous: Record | None = None,
) -> str:
    """Return the record of a run as text.

    Outputs that differ from the previous record by noise only, or in a cell that varies, are kept as they were.
    """
    cells: list[dict[str, Any]] = [
        {"cell_type": "markdown", "id": "title", "metadata": {}, "source": [f"# {script.title}"]}
    ]
    for number, cell in enumerate(script.cells, 1):
        ran = result.cell(cell.name)
        old = previous.cell(cell.name) if previous else None
        meta: dict[str, Any] = {"name": cell.name, "sha": cell.sha, **cell.options}
        outputs = ran.outputs if ran else ()
        if ran and ran.touched:
            meta["touched"] = True
        if ran and ran.skipped:
            meta["skipped"] = ran.skipped
        elif old and old.sha == cell.sha and not old.skipped:
            if cell.varies or compare(old.outputs, outputs) is not Change.DRIFT:
                outputs = old.outputs
        metadata: dict[str, Any] = {"verbatim": meta}
        if cell.raises:
            metadata["tags"] = ["raises-exception"]
        cells.append(
            {
                "cell_type": "code",
                "execution_count": number,
                "id": cell.name[:64],
                "metadata": metadata,
                "outputs": [_split(output) for output in outputs],
                "source": cell.source.splitlines(keepends=True),
            }
        )
    document: dict[str, Any] = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "verbatim": {"device": device, "recipe": recipe},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    if provenance:
        document["metadata"]["verbatim"]["provenance"] = provenance
    document["metadata"]["verbatim"]["sha"] = _sha(document)
    return json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


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


def outputs_sha(outputs: tuple[dict[str, Any], ...]) -> str:
    """Hash of what a cell printed."""
    return hashlib.sha256(json.dumps(outputs, sort_keys=True).encode()).hexdigest()[:16]


def write(project: Project, script: Script, result: Result, provenance: dict[str, str] | None = None) -> bool:
    """Write the record of a run, with `provenance` the one of a run on a GPU. Return whether the file changed.

    Where nothing but the date would be new, the record stays as it is.
    """
    recipe, device = project.recipe(script.path), "cuda" if provenance else "cpu"
    try:
        previous = load(project, recipe, device)
    except Problems:
        previous = None  # what cannot be read is what `record` mends
    if previous and provenance and _undated(previous.provenance) == _undated(provenance):
        same = notebook(script, result, recipe=recipe, device=device, provenance=previous.provenance, previous=previous)
        if project.record(recipe, device).read_text(encoding="utf-8") == same:
            return False
    text = notebook(script, result, recipe=recipe, device=device, provenance=provenance, previous=previous)
    return write_if_changed(project.record(recipe, device), text)


def _undated(provenance: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in provenance.items() if key != "date"}


def environment_path(project: Project) -> Path:
    """Where the CPU records say what printed them: once, so that a torch upgrade shows only what it changes."""
    return project.outputs / "cpu" / "environment.json"


def write_environment(project: Project, environment: dict[str, str]) -> bool:
    """Write what printed the CPU records. Return whether the file changed."""
    kept = {key: environment[key] for key in DECIDES}
    return write_if_changed(environment_path(project), json.dumps(kept, indent=1) + "\n")


def orphans(project: Project) -> list[Path]:
    """Return the records whose script is gone."""
    return sorted(
        path
        for device in ("cpu", "cuda")
        for path in (project.outputs / device).rglob("*.ipynb")
        if not project.script(path.relative_to(project.outputs / device).with_suffix("").as_posix()).is_file()
    )

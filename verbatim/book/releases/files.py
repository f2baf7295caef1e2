"""Reads and writes what is recorded of releases: `outputs/versions/<release>/`."""

from __future__ import annotations

import functools
import hashlib
import json
import operator
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from verbatim.book import records
from verbatim.book.allowed import text, texts, wrong_keys
from verbatim.book.form import DECIDING_PACKAGES, wrong_names
from verbatim.book.records import Record
from verbatim.book.releases.model import (
    ENVIRONMENT_KEYS,
    IN_NOTEBOOK,
    OPERATORS,
    PYTHON,
    Finding,
    Release,
    Status,
    command,
    sort_key,
)
from verbatim.memo import Memo
from verbatim.paths import unfit
from verbatim.problems import Problem, Problems
from verbatim.project import Project, write_if_changed
from verbatim.run.script import Script

#: Version of the manifest's format.
FORMAT = 1


def folder(project: Project) -> Path:
    """Return the folder of the other releases; it has one subfolder for each."""
    return project.outputs / "versions"


def load(
    project: Project, memo: Memo | None = None, only: Collection[str] | None = None
) -> tuple[tuple[Release, ...], list[Problem]]:
    """Read all recorded releases.

    Args:
        project: The project.
        memo: As in `verbatim.book.records.load`.
        only: The recipes whose notebooks are looked at closely; all by default.

    Returns:
        The releases, oldest first, and problems for those that cannot be read or were edited by hand.
    """
    releases, problems = [], []
    for path in sorted(folder(project).glob("*/")):
        try:
            releases.append(read(project, path.name, memo, only))
        except Problems as error:
            problems += error.problems
    return tuple(sorted(releases, key=lambda release: sort_key(release.name))), problems


def read(project: Project, name: str, memo: Memo | None = None, only: Collection[str] | None = None) -> Release:
    """Read one release. The arguments are those of `load`.

    Raises:
        Problems: A file is missing, truncated, or was edited by hand.
    """
    path = folder(project) / name / "manifest.json"
    place, hint = project.relative(path), f"restore it with git, or run it again: {command([name])} FORCE=1"
    try:
        written = path.read_text(encoding="utf-8", errors="replace")
        environment, missing, findings = (memo or Memo()).get(
            "release", f"{name}\0{written}", lambda: _manifest(written, name)
        )
    except (OSError, ValueError, RecursionError) as error:
        raise Problems([Problem(place, 0, f"the manifest cannot be read: {error}", hint)]) from error
    notebooks, problems = {}, []
    for recipe in sorted({*_cells_in_notebooks(findings), *_notebooks(path.parent)}):
        try:
            notebooks[recipe] = _notebook(
                project, name, recipe, findings.get(recipe, {}), memo, checked=only is None or recipe in only
            )
        except Problems as error:
            problems += error.problems
    if problems:
        raise Problems(problems)
    return Release(name, environment, findings, notebooks, missing)


def _manifest(written: str, name: str) -> tuple[dict[str, str], tuple[str, ...], dict[str, dict[str, Finding]]]:
    """Return environment, missing names and findings of a release's manifest.

    Raises:
        ValueError: It is not what a run writes.
    """
    document = json.loads(written)
    if fact := _wrong(document, name):
        raise ValueError(fact)
    if written != _sealed(document):
        raise ValueError("it was changed by something other than a run")
    findings = {
        recipe: {name: _finding(line) for name, line in cells.items()} for recipe, cells in document["recipes"].items()
    }
    missing = tuple(name for name in document["missing"] if not name.startswith(OPERATORS))
    return document["environment"], missing, findings


def _notebooks(path: Path) -> list[str]:
    """Return the recipes that have a notebook in a release's folder."""
    return [notebook.relative_to(path).with_suffix("").as_posix() for notebook in path.rglob("*.ipynb")]


def _cells_in_notebooks(findings: dict[str, dict[str, Finding]]) -> dict[str, list[str]]:
    """Return recipe → the cells that its notebook contains. Recipes without such cells are left out."""
    cells = {recipe: _cells_in_notebook(of_recipe) for recipe, of_recipe in findings.items()}
    return {recipe: names for recipe, names in cells.items() if names}


def _cells_in_notebook(findings: dict[str, Finding]) -> list[str]:
    return [name for name, finding in findings.items() if finding.status in IN_NOTEBOOK]


def _notebook(
    project: Project,
    name: str,
    recipe: str,
    findings: dict[str, Finding],
    memo: Memo | None = None,
    *,
    checked: bool = True,
) -> Record:
    """Read a release's notebook of a recipe.

    Raises:
        Problems: It is missing, was edited by hand, or its cells are not those that the manifest lists.
    """
    path = folder(project) / name / f"{recipe}.ipynb"
    hint = f"restore it with git, or run it again: {command([name])} FORCE=1"
    record = records.load_from(project, path, recipe, "cpu", hint, memo, checked=checked)
    if record is None or [cell.name for cell in record.cells] != _cells_in_notebook(findings):
        message = "the notebook is missing" if record is None else "the cells are not those that the manifest names"
        raise Problems([Problem(project.relative(path), 0, message, hint)])
    return record


def save(project: Project, release: Release) -> bool:
    """Write one release and delete notebooks that are no longer needed. Return whether any file changed."""
    base = folder(project) / release.name
    wanted = _cells_in_notebooks(release.findings)
    changed = False
    for recipe in _notebooks(base):
        if recipe not in wanted:
            (base / f"{recipe}.ipynb").unlink()
            changed = True
    environment = {key: release.environment[key] for key in DECIDING_PACKAGES}
    for recipe, names in wanted.items():
        record = release.records[recipe]
        cells = [cell for name in names if (cell := record.cell(name))]
        script = Script(f"examples/{recipe}.py", "", record.title, records.cells_that_ran(cells))
        notebook = records.notebook(script, cells, recipe=recipe, environment=environment)
        changed |= write_if_changed(base / f"{recipe}.ipynb", notebook)
    recipes = {
        recipe: {cell: str(finding) for cell, finding in findings.items()}
        for recipe, findings in sorted(release.findings.items())
    }
    document = {
        "format": FORMAT,
        **_name(release.name),
        "environment": release.environment,
        "missing": list(release.missing),
        "recipes": recipes,
    }
    return write_if_changed(base / "manifest.json", _sealed(document)) or changed


def _name(name: str) -> dict[str, str]:
    """Return the field of a manifest that names its release."""
    return {"python": name.removeprefix(PYTHON)} if name.startswith(PYTHON) else {"torch": name}


def renamed(text: str, old: str, new: str, approved: Mapping[str, str]) -> str:
    """Return a manifest's text in which a recipe has another name.

    Args:
        text: The manifest.
        old: The recipe's name.
        new: Its new name.
        approved: `approved_sha` of its cells before → now, where that differs: figures contain the name.
    """
    document = json.loads(text)
    recipes = document["recipes"]
    if old in recipes:
        cells = recipes.pop(old).items()
        recipes[new] = {name: " ".join(approved.get(part, part) for part in finding.split()) for name, finding in cells}
    return _sealed({**document, "recipes": dict(sorted(recipes.items()))})


def without(text: str, recipe: str) -> str:
    """Return a manifest's text in which there is no such recipe."""
    document = json.loads(text)
    document["recipes"].pop(recipe, None)
    return _sealed(document)


def _sealed(document: dict[str, Any]) -> str:
    """Return a manifest as JSON text with its hash, one line per cell. Equal manifests give equal bytes."""
    body = {key: value for key, value in document.items() if key != "sha"}
    sha = hashlib.sha256(json.dumps(body).encode()).hexdigest()[:16]
    return json.dumps({**body, "sha": sha}, ensure_ascii=False, indent=1) + "\n"


_FINDING = re.compile(
    rf"(?P<code>[0-9a-f]{{8}}) (?P<approved>[0-9a-f]{{8}}|-) (?P<status>{'|'.join(Status)})(?: (?P<reason>[\w:.-]+))?"
)


def _finding(line: str) -> Finding:
    match = _FINDING.fullmatch(line)
    if not match:
        raise ValueError(f"a cell says {line[:60]!r}")
    approved = "" if match["approved"] == "-" else match["approved"]
    return Finding(match["code"], approved, Status(match["status"]), match["reason"] or "")


def _wrong(document: Any, name: str) -> str:
    """Describe the first error in the structure of a release's manifest; empty if it is valid."""
    shape: dict[str, Callable[[Any], bool]] = {
        "format": lambda value: value == FORMAT,
        **{key: functools.partial(operator.eq, which) for key, which in _name(name).items()},
        "environment": lambda value: not wrong_names(value, ENVIRONMENT_KEYS) and {*DECIDING_PACKAGES} <= {*value},
        "missing": texts,
        "recipes": lambda value: (
            isinstance(value, dict) and all(map(_cells, value.values())) and not any(map(unfit, value))
        ),
        "sha": text,
    }
    fact = wrong_keys(document, shape)
    return f"it {fact}" if fact else ""


def _cells(value: Any) -> bool:
    return isinstance(value, dict) and all(map(text, (*value, *value.values())))

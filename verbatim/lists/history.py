"""What each torch version changed in the outputs, from git's history of `outputs/`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime

from verbatim import git
from verbatim.book import records
from verbatim.book.drift import CellChange, classify
from verbatim.problems import Problems
from verbatim.project import Project

ENVIRONMENT = "outputs/cpu/environment.json"


@dataclass(frozen=True)
class Step:
    """A change of the torch version that printed the records."""

    old: str
    new: str
    time: int
    """Seconds since 1970."""
    changes: tuple[CellChange, ...] = ()

    @property
    def date(self) -> str:
        """Day of the change, 2026-11-21."""
        return datetime.fromtimestamp(self.time, UTC).strftime("%Y-%m-%d")

    @property
    def anchor(self) -> str:
        """The id of its heading."""
        return f"torch-{self.new.replace('.', '-')}"


def steps(project: Project) -> list[Step] | None:
    """Return every change of version, newest first; ``None`` where git's history is not at hand as a whole."""
    if not git.complete(project.root):
        return None
    log = git.run(project.root, "log", "--first-parent", "-m", "--format=%H %ct", "--", ENVIRONMENT).split("\n")
    found = []
    for line in filter(None, log):
        commit, time = line.split()
        old, new = version_at(project, f"{commit}^"), version_at(project, commit)
        if old and new and old != new:
            found.append(Step(old, new, int(time), changed(project, f"{commit}^", commit)))
    return found


def version_at(project: Project, commit: str) -> str:
    """The torch version that printed the records of a commit, without its build; nothing where there were none."""
    name = f"{commit}:./{ENVIRONMENT}"
    return _version(git.blobs(project.root, [name]).get(name, ""))


def version_now(project: Project) -> str:
    """The torch version that printed the records as they lie on disk."""
    try:
        return _version((project.root / ENVIRONMENT).read_text(encoding="utf-8"))
    except OSError:
        return ""


def _version(environment: str) -> str:
    try:
        return str(json.loads(environment)["torch"]).partition("+")[0]
    except (ValueError, KeyError, TypeError):
        return ""


def changed(project: Project, before: str, after: str) -> tuple[CellChange, ...]:
    """Return the cells whose code stayed and whose output did not, between two commits."""
    paths = git.run(project.root, "diff", "--name-only", "--relative", before, after, "--", "outputs/cpu").splitlines()
    paths = sorted(path for path in paths if path.endswith(".ipynb"))
    texts = git.blobs(project.root, [f"{commit}:./{path}" for path in paths for commit in (before, after)])
    found = []
    for path in paths:
        recipe = path.removeprefix("outputs/cpu/").removesuffix(".ipynb")
        try:
            old, new = (
                records.read(texts.get(f"{commit}:./{path}", ""), path, recipe, "cpu") for commit in (before, after)
            )
        except Problems:
            continue  # it did not exist, or was not a record yet
        for cell in new.cells:
            was = old.cell(cell.name)
            if was and was.sha == cell.sha and not was.skipped and not cell.skipped:
                change = classify(recipe, cell.name, was.outputs, cell.outputs)
                if change.diff:
                    found.append(change)
    return tuple(found)

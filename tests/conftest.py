"""A scratch project, and a way to run one script in it."""

from __future__ import annotations

import contextlib
import json
import textwrap
from pathlib import Path

import pytest

from verbatim.book import records
from verbatim.project import Project
from verbatim.run.job import Limits
from verbatim.run.result import Result
from verbatim.run.runner import run
from verbatim.run.script import parse


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "book"
    for folder in ("examples", "docs/zh", "docs/en"):
        (root / folder).mkdir(parents=True)
    (root / "mkdocs.yml").write_text("site_name: scratch\n")
    return Project(root)


@pytest.fixture
def write(project: Project):
    """Write a file of the scratch project; return its path."""

    def write(name: str, text: str) -> Path:
        path = project.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"))
        return path

    return write


@pytest.fixture
def run_script(project: Project, write):
    """Run a script given as text; a title and a first cell are put in front where it has none."""

    def run_script(text: str, **limits: float) -> Result:
        text = textwrap.dedent(text).lstrip("\n")
        if not text.startswith("# %%"):
            text = "# %% only\n" + text
        path = write("examples/topic/script.py", f'"""A script."""\n\n{text}')
        return run(parse(path.read_text(), project.relative(path)), project, Limits(**{"seconds": 30, **limits}))

    return run_script


def text_of(result: Result, cell: str | None = None) -> str:
    """Everything that a script, or one of its cells, printed."""
    from verbatim.book.compare import text_of

    return "".join(text_of(o) for c in result.cells if cell in (None, c.name) for o in c.outputs)


def rerecord(path: Path, old: str, new: str) -> None:
    """Replace a text in a record as if another run had printed it: its hashes fit again."""
    text = path.read_text()
    assert old in text
    path.write_text(sealed(json.loads(text.replace(old, new))))


def sealed(document: dict) -> str:
    """Return a record as text, its hashes computed anew."""
    about = document["metadata"]["verbatim"]
    with contextlib.suppress(TypeError, AttributeError):
        cells = [records._recorded(cell) for cell in document["cells"] if cell["cell_type"] == "code"]
        about["run"] = records.run_sha(cells)
    about["sha"] = records._sha(document)
    return records.dumps(document)

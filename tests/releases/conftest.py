"""Recipes with records that other releases of torch than the one here printed."""

from __future__ import annotations

import pytest

from tests.releases.recipes import RECORDED, SCRIPT, text
from verbatim.book import records
from verbatim.run.result import CellResult, Result
from verbatim.run.script import parse


@pytest.fixture
def of_torch_1(project, write, monkeypatch):
    """A recipe whose record says that torch 1.0.0 printed it, where every cell ran."""
    write("examples/a/b.py", SCRIPT)
    write("examples/a/other.py", '"""Another."""\n\n# %% one\nprint(1)\n')
    environment = {"torch": "1.0.0+cpu", "python": "3.11.7", "numpy": "2.4.6", "matplotlib": "3.11.2"}
    records.write_environment(project, environment)
    outputs = {
        "a/b": {"setup": (), "value": text("tensor([1.])"), "new": text("5"), "needs-it": text("7")},
        "a/other": {"one": text("1")},
    }
    for recipe, cells in outputs.items():
        path = f"examples/{recipe}.py"
        script = parse((project.root / path).read_text(), path)
        result = Result(path, tuple(CellResult(name, out) for name, out in cells.items()), environment)
        records.write(project, script, result)
    monkeypatch.chdir(project.root)
    return project


@pytest.fixture
def recorded(project, write):
    """A recipe with its record, printed by torch 2.13.0; returns what is read of it afresh."""
    write("examples/a/b.py", RECORDED)
    environment = {"torch": "2.13.0+cpu", "python": "3.11.7", "numpy": "2.4.6", "matplotlib": "3.11.2"}
    records.write_environment(project, environment)

    def record(value: str = "1\n"):
        script = parse((project.root / "examples/a/b.py").read_text(), "examples/a/b.py")
        outputs = {
            "setup": (),
            "value": text(value.rstrip("\n")),
            "last": text("2"),
        }
        cells = tuple(CellResult(name, out) for name, out in outputs.items())
        records.write(project, script, Result(script.path, cells, environment))
        return script, records.load(project, "a/b", "cpu")

    record()
    record.project = project
    return record

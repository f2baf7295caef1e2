"""What other releases of torch print: read, merged into ranges, found stale."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import stand_in_version
from verbatim.book import records, versions
from verbatim.book.gather import gather
from verbatim.book.versions import Finding, Kind, Status, Version, Versions
from verbatim.run.result import CellResult, Result
from verbatim.run.script import parse

SCRIPT = """
\"\"\"A script.\"\"\"

# %% setup
import torch

# %% value
print(1)

# %% last
print(2)
"""


def printed(text: str) -> tuple[dict, ...]:
    return ({"output_type": "stream", "name": "stdout", "text": text},)


@pytest.fixture
def recorded(project, write):
    """A recipe with its record, printed by torch 2.13.0; returns what is read of it afresh."""
    write("examples/a/b.py", SCRIPT)
    environment = {"torch": "2.13.0+cpu", "python": "3.11.7", "numpy": "2.4.6", "matplotlib": "3.11.2"}
    records.write_environment(project, environment)

    def record(text: str = "1\n"):
        script = parse((project.root / "examples/a/b.py").read_text(), "examples/a/b.py")
        outputs = {"setup": (), "value": printed(text), "last": printed("2\n")}
        cells = tuple(CellResult(name, out) for name, out in outputs.items())
        records.write(project, script, Result(script.path, cells, environment))
        return script, records.load(project, "a/b", "cpu")

    record()
    record.project = project
    return record


def ranges(recorded, cell: str = "value", text: str = "1\n") -> list[tuple]:
    """Return what is said of a cell, given what the built version prints in the cell `value`."""
    script, record = recorded(text)
    found, problems = versions.load(recorded.project)
    assert not problems
    ranges = Versions("2.13.0", found).ranges(script, script.cell(cell), record)
    return [(one.versions, one.kind, "".join(o.get("text", "") for o in one.outputs)) for one in ranges]


def test_nothing_is_said_where_all_releases_print_the_same(recorded):
    stand_in_version(recorded.project, "2.6.0", {})
    assert ranges(recorded) == []


def test_ranges_are_merged_in_the_order_of_releases(recorded):
    for torch, text in (("2.10.0", None), ("1.13.1", "0\n"), ("2.2.2", "0\n"), ("2.15.0", "3\n"), ("2.9.1", None)):
        stand_in_version(recorded.project, torch, {"a/b": {"value": text}} if text else {})
    assert ranges(recorded) == [
        (("1.13.1", "2.2.2"), Kind.OTHER, "0\n"),
        (("2.9.1", "2.10.0", "2.13.0"), Kind.SAME, ""),
        (("2.15.0",), Kind.OTHER, "3\n"),
    ]
    assert ranges(recorded, "last") == []


def test_rounding_parts_no_range(recorded):
    stand_in_version(recorded.project, "2.0.1", {"a/b": {"value": "0.50001\n"}})
    stand_in_version(recorded.project, "2.2.2", {"a/b": {"value": "0.50002\n"}})
    assert [one[0] for one in ranges(recorded)] == [("2.0.1", "2.2.2"), ("2.13.0",)]


def test_absent_and_what_needs_it(recorded):
    said = {"setup": ("AttributeError", "module 'torch' has no attribute 'new'"), "value": ["cell:setup"]}
    stand_in_version(recorded.project, "1.13.1", {"a/b": said})
    assert [one[:2] for one in ranges(recorded, "setup")] == [(("1.13.1",), Kind.ABSENT), (("2.13.0",), Kind.SAME)]
    assert [one[:2] for one in ranges(recorded)] == [(("1.13.1",), Kind.NOT_RUN), (("2.13.0",), Kind.SAME)]


def test_what_the_machine_lacked_is_not_said(recorded):
    stand_in_version(recorded.project, "1.13.1", {"a/b": {"value": ["needs:no-cuda"]}})
    assert ranges(recorded) == []


def test_a_cell_before_it_that_changed_makes_it_stale(recorded, write):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n", "last": "4\n"}})
    write("examples/a/b.py", SCRIPT.replace("print(1)", "print(1 + 0)"))
    assert ranges(recorded) == ranges(recorded, "last") == []
    script, record = recorded()
    found = Versions("2.13.0", versions.load(recorded.project)[0])
    [hint] = found.stale({script.path: script}, {script.path: record})
    assert "2 cells" in hint.message and "a/b#value, a/b#last" in hint.message
    assert hint.hint == "make versions TORCH=2.6.0"
    assert found.covered([(script, record)]) == ()


def test_releases_that_lack_the_same_cells_are_told_as_one(recorded, write):
    for release in ("2.0.1", "2.6.0"):
        stand_in_version(recorded.project, release, {"a/b": {"value": "0\n", "last": "4\n"}})
    write("examples/a/b.py", SCRIPT.replace("print(1)", "print(1 + 0)"))
    script, record = recorded()
    found = Versions("2.13.0", versions.load(recorded.project)[0])
    [hint] = found.stale({script.path: script}, {script.path: record})
    assert "2 cells are not what was run with torch 2.0.1, 2.6.0: a/b#value" in hint.message
    assert hint.hint == 'make versions TORCH="2.0.1 2.6.0"'


def test_another_approved_output_makes_it_stale(recorded):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n", "last": "4\n"}})
    assert ranges(recorded, text="7\n") == []
    assert [one[0] for one in ranges(recorded, "last", text="7\n")] == [("2.6.0",), ("2.13.0",)]


def test_covered_releases_and_counts(recorded):
    error = ("AttributeError", "gone")
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n", "setup": error, "last": ["cell:setup"]}})
    stand_in_version(recorded.project, "2.0.1", {})
    script, record = recorded()
    found = Versions("2.13.0", versions.load(recorded.project)[0])
    assert found.names == ("2.0.1", "2.6.0", "2.13.0")
    assert found.covered([(script, record)]) == ("2.0.1", "2.6.0")
    scripts, cpu = {script.path: script}, {script.path: record}
    assert found.stale(scripts, cpu) == []
    counts = found.counts(found.find("2.6.0"), scripts, cpu)
    assert (counts.run, counts.same, counts.changed, counts.absent, counts.not_run) == (2, 0, 1, 1, 1)
    assert (counts.errors, counts.stale) == (0, 0)


def test_a_changed_error_is_counted(recorded):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": ("TypeError", "no")}})
    version = versions.read(recorded.project, "2.6.0")
    old = version.cells["a/b"]["value"]
    version.cells["a/b"]["value"] = Finding(old.code, old.built, Status.DIFFERS)
    script, record = recorded()
    found = Versions("2.13.0", (version,))
    assert found.counts(version, {script.path: script}, {script.path: record}).errors == 1


def test_what_is_saved_is_read_again(recorded):
    saved = stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n"}}, missing=("torch.new",))
    read = versions.read(recorded.project, "2.6.0")
    assert (read.cells, read.about, read.missing) == (saved.cells, saved.about, ("torch.new",))
    assert read.outputs("a/b", "value") == printed("0\n")
    assert not versions.save(recorded.project, read)  # nothing would change


def test_a_notebook_that_says_nothing_any_more_is_removed(recorded):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n"}})
    notebook = recorded.project.outputs / "versions/2.6.0/a/b.ipynb"
    assert notebook.is_file()
    stand_in_version(recorded.project, "2.6.0", {})
    assert not notebook.exists()


def edit_manifest(path: Path, change) -> None:
    document = json.loads(path.read_text())
    change(document)
    path.write_text(json.dumps(document, indent=1) + "\n")


def said(recorded) -> str:
    found, problems = versions.load(recorded.project)
    assert not found
    assert all("make versions TORCH=2.6.0 FORCE=1" in problem.hint for problem in problems)
    return "\n".join(map(str, problems))


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        (lambda d: d["recipes"]["a/b"].update(value=d["recipes"]["a/b"]["last"]), "by something other than a run"),
        (lambda d: d.update(torch="2.7.0"), "wrong value of 'torch'"),
        (lambda d: d.update(extra=1), "unknown field 'extra'"),
        (lambda d: d["environment"].pop("numpy"), "wrong value of 'environment'"),
        (lambda d: d["recipes"]["a/b"].update(value=3), "wrong value of 'recipes'"),
    ],
)
def test_a_manifest_that_was_edited_is_told(recorded, change, fact):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n"}})
    edit_manifest(recorded.project.outputs / "versions/2.6.0/manifest.json", change)
    assert fact in said(recorded)


def test_a_status_that_no_run_gives_is_told(recorded):
    version = stand_in_version(recorded.project, "2.6.0", {})
    path = recorded.project.outputs / "versions/2.6.0/manifest.json"
    document = json.loads(path.read_text())
    document["recipes"]["a/b"]["value"] = str(version.cells["a/b"]["value"]).replace("same", "fine")
    path.write_text(versions._sealed(document))
    assert "fine" in said(recorded)


def test_a_notebook_that_was_edited_or_is_gone_is_told(recorded):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "zero\n"}})
    path = recorded.project.outputs / "versions/2.6.0/a/b.ipynb"
    path.write_text(path.read_text().replace("zero", "nil"))
    assert "changed by something other than a run" in said(recorded)
    path.unlink()
    assert "a/b.ipynb: the notebook is missing" in said(recorded)


def test_a_notebook_with_cells_that_the_manifest_does_not_name_is_told(recorded):
    stand_in_version(recorded.project, "2.7.0", {"a/b": {"value": "0\n"}})
    other = recorded.project.outputs / "versions/2.7.0"
    stand_in_version(recorded.project, "2.6.0", {})
    mine = recorded.project.outputs / "versions/2.6.0/a/b.ipynb"
    mine.parent.mkdir()
    (other / "a/b.ipynb").rename(mine)
    for file in other.glob("*.json"):
        file.unlink()
    (other / "a").rmdir()
    other.rmdir()
    assert "not those that the manifest names" in said(recorded)


def test_a_release_without_a_manifest_is_told(recorded):
    (recorded.project.outputs / "versions/2.6.0").mkdir(parents=True)
    assert "2.6.0/manifest.json: the manifest cannot be read" in said(recorded)


def test_releases_are_ordered_by_number():
    names = ["2.10.0", "2.9.1", "1.13.1"]
    assert sorted(names, key=versions.order) == ["1.13.1", "2.9.1", "2.10.0"]
    assert versions.release("2.6.0+cu124") == "2.6.0"
    assert Version("2.6.0").outputs("a/b", "c") == ()


def test_the_book_has_them(recorded):
    stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n"}})
    stand_in_version(recorded.project, "2.13.0", {"a/b": {"value": "0\n"}})  # the built one is no other release
    book = gather(recorded.project)
    path = "examples/a/b.py"
    assert [(one.first, one.built) for one in book.ranges(path, "value")] == [("2.6.0", False), ("2.13.0", True)]
    assert book.ranges(path, "last") == book.ranges(path, "gone") == book.ranges("gone.py", "value") == ()
    assert book.covered([path]) == ("2.6.0",)
    (recorded.project.outputs / "versions/2.6.0/a/b.ipynb").unlink()
    assert "outputs/versions/2.6.0/a/b.ipynb" in [problem.path for problem in gather(recorded.project).problems]

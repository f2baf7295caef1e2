"""What is recorded of a release on disk: written, read, refused where somebody edited it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import stand_in_version
from tests.releases.recipes import text
from verbatim.book.releases import files


def test_what_is_saved_is_read_again(recorded):
    saved = stand_in_version(recorded.project, "2.6.0", {"a/b": {"value": "0\n"}}, missing=("torch.new",))
    read = files.read(recorded.project, "2.6.0")
    assert (read.findings, read.environment, read.missing) == (saved.findings, saved.environment, ("torch.new",))
    assert read.outputs("a/b", "value") == text("0")
    assert not files.save(recorded.project, read)  # nothing would change


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
    found, problems = files.load(recorded.project)
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
    release = stand_in_version(recorded.project, "2.6.0", {})
    path = recorded.project.outputs / "versions/2.6.0/manifest.json"
    document = json.loads(path.read_text())
    document["recipes"]["a/b"]["value"] = str(release.findings["a/b"]["value"]).replace("same", "fine")
    path.write_text(files._sealed(document))
    assert "fine" in said(recorded)


@pytest.mark.parametrize("name", ["../../../evil", "/tmp/evil", "a/../b", "a/con", ""])
def test_a_manifest_names_recipes_alone(recorded, name):
    stand_in_version(recorded.project, "2.6.0", {})
    path = recorded.project.outputs / "versions/2.6.0/manifest.json"
    document = json.loads(path.read_text())
    document["recipes"][name] = document["recipes"].pop("a/b")
    path.write_text(files._sealed(document))
    assert "manifest.json: the manifest cannot be read: it has a wrong value of 'recipes'" in said(recorded)


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

"""The built torch under another Python: what it words differently is recorded, compared with, and shown.

No other Python is needed: the records are taken to be printed by Python 3.9, so that the one that is here is another.
"""

from __future__ import annotations

import json
import platform
import subprocess
from dataclasses import replace

import pytest

from tests.conftest import stand_in_version
from tests.expanded import expand, footer, weave
from tests.releases.recipes import error, text
from verbatim import lists
from verbatim.__main__ import main
from verbatim.book import records
from verbatim.book.gather import Book, drift, gather
from verbatim.book.releases import files, ranges, upgrade
from verbatim.book.releases.model import Status, python_release, sort_key, torch_release
from verbatim.lists import errors, manifest
from verbatim.pages import document
from verbatim.pages.page import load_pages
from verbatim.run.result import CellResult, Result
from verbatim.run.script import parse
from verbatim.site.search import reading

HERE = python_release(platform.python_version())
NAME = "examples/a/b.py"
SCRIPT = '''
"""T."""

# %% setup
import torch

# %% fails raises="AttributeError"
raise AttributeError("no such name. Did you mean: 'name'?")

# %% value
print(1)
'''
OLD, NEW = "no such name", "no such name. Did you mean: 'name'?"


@pytest.fixture
def recorded(project, write):
    """A recipe whose record says that Python 3.9 printed it, which words the error otherwise."""
    write(NAME, SCRIPT)
    ran = gather(project)
    environment = {**ran.ran, "python": "3.9.1"}
    result = ran.fresh_results[NAME]
    old = error("AttributeError", OLD)
    cells = tuple(replace(cell, outputs=old) if cell.name == "fails" else cell for cell in result.cells)
    records.write_environment(project, environment)
    records.write(project, ran.scripts[NAME], replace(result, cells=cells, environment=environment))
    return project


def other(project, name: str, **said: object) -> None:
    """Write what another Python printed: the cells of `said` raised or printed this, all else as in the record."""
    given = {cell: error("AttributeError", value)[0] if cell == "fails" else value for cell, value in said.items()}
    stand_in_version(project, name, {"a/b": given})


def told(project) -> list[str]:
    return [str(one.problem(book)) for book in [gather(project)] for one in drift(book)]


# -- what this run must print -----------------------------------------------------------------------


def test_what_is_not_recorded_of_this_python_is_drift(recorded):
    (said,) = told(recorded)
    assert "+AttributeError: no such name. Did you mean: 'name'?" in said
    assert f"if Python {HERE.removeprefix('python-')} alone prints it: python -m verbatim versions a/b" in said


def test_an_approved_difference_is_none_and_pages_show_the_record(recorded):
    other(recorded, HERE, fails=NEW)
    book = gather(recorded)
    assert drift(book) == []
    assert book.display_results[NAME].cell("fails").outputs == error("AttributeError", OLD)


def test_the_report_calls_it_no_change(recorded, monkeypatch, capsys):
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "--message", "A"]):
        subprocess.run([*git, *command], cwd=recorded.root, check=True)
    monkeypatch.chdir(recorded.root)
    assert main(["drift"]) == 0 and "1 message in other words" in capsys.readouterr().out
    other(recorded, HERE, fails=NEW)
    assert main(["drift"]) == 0 and "in other words" not in capsys.readouterr().out


def test_a_python_that_was_not_recorded_prints_what_the_one_before_it_does(recorded):
    other(recorded, "python-3.10", fails=NEW)
    other(recorded, "python-3.99", fails="something else")
    assert told(recorded) == []


def test_the_nearest_python_decides(recorded):
    other(recorded, "python-3.10", fails="something else")
    assert "-AttributeError: something else" in told(recorded)[0]
    other(recorded, HERE, fails=NEW)
    assert told(recorded) == []


def test_what_is_recorded_of_a_python_before_that_of_the_records_counts_for_it_alone(recorded):
    """As where the records are of a newer Python than the one that is here."""
    other(recorded, "python-3.5", fails="Old")
    other(recorded, "python-3.8", fails="Else")
    book = gather(recorded)
    script, record, pythons = book.scripts[NAME], book.cpu[NAME], book.releases.pythons

    def must(python: str) -> str:
        return pythons.expected(script, record, python).cell("fails").outputs[0]["evalue"]

    said = {"python-3.4": OLD, "python-3.5": "Old", "python-3.6": "Old", "python-3.8": "Else", "python-3.9": OLD}
    assert {python: must(python) for python in said} == said
    assert must("python-3.10") == OLD


def test_an_older_python_prints_what_the_record_has(recorded, write):
    other(recorded, "python-3.99", fails=NEW)
    assert "-AttributeError: no such name\n" in told(recorded)[0]


def test_what_was_approved_of_this_python_and_is_not_printed_is_drift(recorded):
    other(recorded, HERE, fails=NEW, value="one\n")
    (said,) = told(recorded)
    assert "-one" in said and "+1" in said


def test_patch_releases_of_a_python_are_one():
    assert python_release("3.13.0") == python_release("3.13.7") == "python-3.13"
    assert sort_key("python-3.9") < sort_key("python-3.13")


def test_of_code_that_changed_a_python_has_said_nothing(recorded, write):
    other(recorded, HERE, fails=NEW)
    write(NAME, SCRIPT.replace("import torch", "import torch  # once more"))
    book = gather(recorded)
    script, old = book.scripts[NAME], book.cpu[NAME]
    assert book.releases.pythons.expected(script, old, HERE).cell("fails").outputs == error("AttributeError", OLD)
    (hint,) = book.releases.stale(book.scripts, book.cpu)
    assert f"still to be run with {HERE.replace('python-', 'Python ')}: 3 cells of " in hint.message


def test_another_torch_is_no_other_python(recorded):
    other(recorded, HERE, fails=NEW)
    records.write_environment(recorded, {**records.environment(recorded), "torch": "1.0.0"})
    book = gather(recorded)
    assert book.another_python == "" and len(drift(book)) == 1


# -- the command ------------------------------------------------------------------------------------


def test_the_command_records_this_python(recorded, monkeypatch, capsys):
    monkeypatch.chdir(recorded.root)
    assert main(["versions"]) == 0
    assert "3 cells run: 2 same, 1 changed, 1 errors" in capsys.readouterr().out
    written = json.loads((recorded.outputs / "versions" / HERE / "manifest.json").read_text())
    assert written["python"] == HERE.removeprefix("python-") and "torch" not in written
    found = files.read(recorded, HERE)
    assert found.outputs("a/b", "fails") == error("AttributeError", NEW)
    assert found.findings["a/b"]["value"].status is Status.SAME
    assert told(recorded) == []
    assert main(["versions"]) == 0 and "3 cells run" in capsys.readouterr().out  # nothing is stale


def test_a_manifest_of_another_python_is_refused(recorded):
    other(recorded, "python-3.12", fails=NEW)
    (recorded.outputs / "versions/python-3.12").rename(recorded.outputs / "versions/python-3.13")
    (problem,) = files.load(recorded)[1]
    assert "wrong value of 'python'" in problem.message
    assert problem.hint.endswith("make versions PYTHONS=python3.13 FORCE=1")


def test_another_torch_leaves_stale_what_a_python_said(recorded):
    """What the new torch prints with the other Python is not known."""
    other(recorded, HERE, fails=NEW, value="one\n")
    was, before = records.environment(recorded), {NAME: records.load(recorded, "a/b", "cpu")}
    script = parse((recorded.root / NAME).read_text(), NAME)
    now = {**was, "torch": "99.0.0"}
    cells = [CellResult("setup", ()), CellResult("fails", error("AttributeError", OLD)), CellResult("value", text("2"))]
    records.write(recorded, script, Result(NAME, tuple(cells), now), all_anew=True)
    records.write_environment(recorded, now)
    upgrade.keep(recorded, {NAME: script}, before, was)
    found, _ = files.load(recorded)
    pythons = ranges.collect(found, now).pythons
    record = records.load(recorded, "a/b", "cpu")
    said = {cell.name: pythons.all[0].finding(script, cell, record) for cell in script.cells}
    assert [said["setup"].status, said["fails"].status, said["value"]] == [Status.SAME, Status.DIFFERS, None]


def test_a_python_that_becomes_that_of_the_records_is_no_other_one(recorded):
    other(recorded, "python-3.12", fails=NEW)
    was, before = records.environment(recorded), {NAME: records.load(recorded, "a/b", "cpu")}
    records.write_environment(recorded, {**was, "python": "3.12.4"})
    upgrade.keep(recorded, {NAME: parse((recorded.root / NAME).read_text(), NAME)}, before, was)
    assert not (recorded.outputs / "versions/python-3.12").exists()


# -- what readers see -------------------------------------------------------------------------------


def embed(cell: str) -> str:
    return f"```example\n{NAME}#{cell}\n```\n"


def page(book: Book, cell: str, language: str = "en") -> str:
    return expand(embed(cell), book, language, lambda svg, recipe, cell: "f.svg")


@pytest.fixture
def shown(recorded) -> Book:
    for name in ("python-3.10", "python-3.99"):
        other(recorded, name, fails=NEW)
    return gather(recorded)


def test_a_page_shows_what_other_pythons_say(shown):
    en, zh = page(shown, "fails"), page(shown, "fails", "zh")
    assert 'title="Error · Python 3.9"' in en
    assert '??? versions "In other versions: Python 3.10 and newer"' in en
    assert 'title="Error · recorded · Python 3.10 and newer"' in en
    assert '??? versions "在其他版本：Python 3.10 及更新版本"' in zh
    assert "Python" not in page(shown, "value")
    (found,) = reading.page(document.read(embed("fails"), shown, "en"), "a/b/", "T").sections
    assert NEW in found.messages and OLD in found.messages


def test_only_up_to_the_newest_python_is_it_said_of_newer_ones(recorded):
    other(recorded, "python-3.12", fails=NEW)
    other(recorded, "python-3.13", fails="Else")
    other(recorded, "python-3.14", fails="Else")
    said = page(gather(recorded), "fails")
    assert '"In other versions: Python 3.12 · Python 3.13 and newer"' in said


def test_releases_of_torch_stand_before_pythons(shown):
    stand_in_version(shown.project, "1.13.1", {"a/b": {"fails": error("AttributeError", "Old")[0]}})
    said = page(gather(shown.project), "fails")
    assert '"In other versions: torch 1.13.1 · Python 3.10 and newer"' in said
    assert f'title="Error · Python 3.9 · torch {torch_release(shown.ran["torch"])}"' in said


def test_the_notebook_of_a_page_shows_them_too(shown):
    made = weave(f"# T\n\n```example\n{NAME}#fails\n```\n", shown, "en", NAME, link=str)
    folds = ["".join(cell["source"]) for cell in made["cells"] if "<details>" in "".join(cell["source"])]
    assert len(folds) == 1 and "In other versions: Python 3.10 and newer" in folds[0] and NEW in folds[0]


def test_the_list_of_errors_says_of_which_python_a_message_is(shown, write):
    for language in ("zh", "en"):
        write(f"docs/{language}/a/b.md", f"# T\n\nMend it.\n\n```example\n{NAME}#fails\n```\n")
        write(f"docs/{language}/errors.md", "# E\n\n```list\nerrors\n```\n")
    sources = lists.gather(shown, load_pages(shown.project)[0], [])
    (listing,) = [one for one in sources.pages if one.path == "docs/en/errors.md"]
    said = "\n".join(errors.render(sources, listing))
    assert f"- `AttributeError: {NEW}` · Python 3.10 and newer" in said
    assert f"- `AttributeError: {OLD}`\n" in said
    rows = manifest.build(sources, {})["errors"]
    found = {place["text"]: place["pythons"] for row in rows for place in row["places"]}
    assert found == {f"AttributeError: {NEW}": ["3.10", "3.99"], f"AttributeError: {OLD}": []}


def test_the_site_is_the_same_whichever_python_builds_it(recorded):
    other(recorded, HERE, fails=NEW)
    assert "Python 3.9.1" in footer(gather(recorded), [NAME], "en")

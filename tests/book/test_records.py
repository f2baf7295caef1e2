from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import nbformat
import pytest

from tests.conftest import rerecord, sealed
from tests.expanded import expand
from tests.site.test_plugin import command
from verbatim.__main__ import main
from verbatim.book import records
from verbatim.book.gather import Options, drift, gather
from verbatim.book.releases import files
from verbatim.memo import Memo
from verbatim.problems import Problems

SCRIPT = '''
"""T."""

# %% prints
print("hello")

# %% fails raises="ValueError"
raise ValueError("no")

# %% draws
import matplotlib.pyplot as plt

plt.plot([1, 2])

# %% gpu needs="cuda"
print("gpu")

# %% clock varies=true
import time

print(time.perf_counter())
'''


@pytest.fixture
def recorded(project, write):
    path = write("examples/topic/a.py", SCRIPT)
    book = gather(project)
    assert book.problems == []
    records.write(project, book.scripts["examples/topic/a.py"], book.fresh_results["examples/topic/a.py"])
    return path, project.record("topic/a", "cpu")


def test_a_record_is_a_valid_notebook(recorded):
    notebook = nbformat.read(recorded[1], 4)
    nbformat.validate(notebook)
    assert [c.id for c in notebook.cells] == ["title", "prints", "fails", "draws", "gpu", "clock"]
    assert notebook.cells[2].metadata.tags == ["raises-exception"]


def test_recording_twice_changes_no_byte(project, recorded):
    before = recorded[1].read_bytes()
    again = gather(project, options=Options(fresh=True))
    name = "examples/topic/a.py"
    assert not records.write(project, again.scripts[name], again.fresh_results[name])
    assert recorded[1].read_bytes() == before


def test_a_fresh_run_does_not_drift(project, recorded):
    assert drift(gather(project, options=Options(fresh=True))) == []


def test_another_output_drifts_with_a_diff_and_the_command(project, recorded):
    # the world changed, not the code: as a new torch would
    rerecord(recorded[1], "hello\\n", "goodbye\\n")
    book = gather(project)
    (found,) = drift(book)
    told = str(found.problem(book))
    assert told.startswith("examples/topic/a.py:3: cell `prints` does not print what was recorded")
    assert "-goodbye\n+hello" in told
    assert "python -m verbatim record topic/a" in told


def test_changed_code_is_told_apart_from_changed_output(project, recorded, write):
    write("examples/topic/a.py", SCRIPT.replace('print("hello")', 'print("hel" + "lo")'))
    (found,) = drift(gather(project))
    assert found.reason == "cell `prints` is not the code that was recorded"


def test_a_record_of_other_code_is_replaced_although_it_prints_the_same(project, recorded, write):
    before = records.load(project, "topic/a", "cpu")
    for text, agrees in ((SCRIPT, True), (SCRIPT.replace('print("hello")', 'print("hel" + "lo")'), False)):
        write("examples/topic/a.py", text)
        book = gather(project)
        name = "examples/topic/a.py"
        assert records.agrees_whole(book.scripts[name], before, book.fresh_results[name]) == agrees


def test_a_removed_cell_is_drift(project, recorded, write):
    write("examples/topic/a.py", SCRIPT.replace('# %% fails raises="ValueError"\nraise ValueError("no")\n', ""))
    assert [d.cell for d in drift(gather(project))] == ["fails"]


def test_a_recipe_without_a_record_is_drift(project, write):
    write("examples/topic/a.py", SCRIPT)
    assert [d.reason for d in drift(gather(project))] == ["the recipe has no record yet"]


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("hello", "hullo"),
        lambda text: "{}",
        lambda text: "",
        lambda text: "[]",
    ],
    ids=["cut", "edited", "empty object", "empty", "list"],
)
def test_a_record_that_no_run_wrote_is_refused(project, recorded, damage):
    _, record = recorded
    record.write_text(damage(record.read_text()))
    with pytest.raises(Problems) as error:
        records.load(project, "topic/a", "cpu")
    assert "outputs/cpu/topic/a.ipynb: the record" in str(error.value)
    assert "git" in str(error.value)
    assert [p.path for p in gather(project).problems] == ["outputs/cpu/topic/a.ipynb"]


TWO = """
\"\"\"T.\"\"\"

# %% text
print(0.12345678)

# %% drawn
import matplotlib.pyplot as plt

plt.plot([1, 2])

# %% clock varies=true
import time

print("clock", time.perf_counter())
"""


@pytest.fixture
def two(project, write):
    """A recipe whose record another machine made: its text differs by rounding."""
    write("examples/topic/a.py", TWO)
    book = gather(project)
    name = "examples/topic/a.py"
    records.write(project, book.scripts[name], book.fresh_results[name])
    record = project.record("topic/a", "cpu")
    rerecord(record, "0.12345678\\n", "0.12345679\\n")
    return record


def recorded_again(project) -> None:
    book = gather(project, options=Options(fresh=True))
    name = "examples/topic/a.py"
    assert not book.problems
    records.write(project, book.scripts[name], book.fresh_results[name])


def test_noise_keeps_the_recorded_bytes(project, two):
    before = two.read_bytes()
    recorded_again(project)
    assert two.read_bytes() == before


def test_where_one_cell_drifts_the_whole_run_is_taken(project, two, write):
    write("examples/topic/a.py", TWO.replace("[1, 2]", "[1, 3]"))
    clock = two.read_text().partition("clock ")[2][:12]
    recorded_again(project)
    assert "0.12345678\\n" in two.read_text()
    assert clock not in two.read_text()


def test_a_record_that_mixes_two_runs_is_found(project, two):
    document = json.loads(two.read_text().replace("0.12345679\\n", "0.12345678\\n"))
    document["metadata"]["verbatim"]["sha"] = records._sha(document)  # as an engine would that mixes them
    two.write_text(json.dumps(document))
    (problem,) = gather(project).problems
    assert problem.path == "outputs/cpu/topic/a.ipynb" and "do not come from one run" in problem.message


def test_a_record_that_names_no_run_is_refused(project, two):
    document = json.loads(two.read_text())
    del document["metadata"]["verbatim"]["run"]
    document["metadata"]["verbatim"]["sha"] = records._sha(document)
    two.write_text(records.dumps(document))
    (problem,) = gather(project).problems
    assert "has no field 'run'" in problem.message and "record topic/a" in problem.hint


def test_pages_show_what_was_approved_where_the_run_agrees(project, two):
    book = gather(project, options=Options(fresh=True))
    shown, printed = (b["examples/topic/a.py"] for b in (book.display_results, book.fresh_results))
    assert (shown.cell("text").outputs[0]["text"], printed.cell("text").outputs[0]["text"]) == (
        "0.12345679\n",
        "0.12345678\n",
    )
    assert shown.cell("clock").outputs == records.load(project, "topic/a", "cpu").cell("clock").outputs


def test_pages_show_a_run_that_drifts_as_it_ran_and_whole(project, two, write):
    write("examples/topic/a.py", TWO.replace("[1, 2]", "[1, 3]"))
    book = gather(project)
    assert book.display_results["examples/topic/a.py"] == book.fresh_results["examples/topic/a.py"]


# -- what is not here erases nothing ------------------------------------------------------------------

SAYS = """
\"\"\"T.\"\"\"

# %% says needs="cuda"
print("what it says")

# %% always
print(1)
"""


@pytest.fixture
def said(project, write):
    """A recipe that was recorded where its capability was, on a machine where it is not."""
    write("examples/topic/a.py", SAYS)
    book = gather(project)
    name = "examples/topic/a.py"
    ran = book.fresh_results[name]
    there = replace(
        ran.cell("says"), skipped="", outputs=({"output_type": "stream", "name": "stdout", "text": "said\n"},)
    )
    assert ran.cell("says").skipped == "cuda"
    records.write(project, book.scripts[name], replace(ran, cells=(there, ran.cell("always"))))
    records.write_environment(project, {**book.ran, "torch": "9.9+cpu"})
    return project.record("topic/a", "cpu")


def test_a_run_that_skips_a_cell_keeps_its_output_and_says_what_printed_it(project, said):
    name = "examples/topic/a.py"
    for _ in range(2):
        book = gather(project)
        records.write(project, book.scripts[name], book.fresh_results[name])
        kept = records.load(project, "topic/a", "cpu").cell("says")
        assert kept.outputs[0]["text"] == "said\n" and not kept.skipped and kept.earlier["torch"] == "9.9+cpu"
    text = expand("```example\nexamples/topic/a.py#says\n```\n", gather(project), "en", lambda *_: "")
    assert 'title="Output · recorded on torch 9.9+cpu"' in text and "said" in text


def test_changed_code_that_cannot_run_here_is_not_approved_here(project, said, write):
    write("examples/topic/a.py", SAYS.replace("what it says", "something else"))
    name = "examples/topic/a.py"
    book = gather(project)
    records.write(project, book.scripts[name], book.fresh_results[name])
    kept = records.load(project, "topic/a", "cpu").cell("says")
    assert kept.outputs[0]["text"] == "said\n" and "what it says" in kept.source
    (found,) = drift(gather(project))
    assert "needs `cuda`, which is not here" in found.reason


# -- another environment -------------------------------------------------------------------------------


@pytest.fixture
def elsewhere(project, write):
    """Two recipes whose records another build of torch printed."""
    for name in "ab":
        write(f"examples/topic/{name}.py", f'"""T."""\n# %% a\nprint("{name}")')
    assert command(project, "verbatim", "record").returncode == 0
    path = records.environment_path(project)
    here = json.loads(path.read_text())
    assert set(here) == {"torch", "python", "numpy", "matplotlib", "format"}
    path.write_text(json.dumps({**here, "torch": "9.9+cpu"}))
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint("new")')
    return project


def test_another_build_is_told_and_asked_for(elsewhere):
    before = elsewhere.record("topic/a", "cpu").read_bytes()
    done = command(elsewhere, "verbatim", "record", "topic/a")
    assert done.returncode == 1
    assert "instead of 9.9+cpu" in done.stdout and "--new-environment" in done.stdout
    assert elsewhere.record("topic/a", "cpu").read_bytes() == before
    hint = drift(gather(elsewhere))[0].problem(gather(elsewhere)).hint
    assert hint.endswith("python -m verbatim record --new-environment topic/a")


def test_one_recipe_does_not_change_the_environment_of_all(elsewhere):
    assert command(elsewhere, "verbatim", "record", "--new-environment", "topic/a").returncode == 0
    assert records.environment(elsewhere)["torch"] == "9.9+cpu"
    record = records.load(elsewhere, "topic/a", "cpu")
    assert record.cell("a").outputs[0]["text"] == "new\n" and record.environment["torch"] != "9.9+cpu"
    assert not records.load(elsewhere, "topic/b", "cpu").environment


def test_all_recipes_do(elsewhere):
    assert command(elsewhere, "verbatim", "record", "--new-environment").returncode == 0
    assert records.environment(elsewhere)["torch"] != "9.9+cpu"
    assert not records.load(elsewhere, "topic/a", "cpu").environment


def test_what_was_run_here_already_is_approved_without_another_run(elsewhere, monkeypatch):
    gather(elsewhere)
    monkeypatch.chdir(elsewhere.root)
    monkeypatch.setattr("verbatim.book.gather._run", lambda *_, **__: pytest.fail("it runs again"))
    assert main(["record", "--new-environment", "--cached"]) == 0
    assert records.environment(elsewhere)["torch"] != "9.9+cpu"
    assert records.load(elsewhere, "topic/a", "cpu").cell("a").outputs[0]["text"] == "new\n"


def test_a_recipe_that_fails_keeps_the_environment_of_all(elsewhere, write):
    write("examples/topic/b.py", '"""T."""\n# %% a\n1 / 0')
    assert command(elsewhere, "verbatim", "record", "--new-environment").returncode == 1
    assert records.environment(elsewhere)["torch"] == "9.9+cpu"


def test_a_new_recipe_has_nothing_to_lose(elsewhere, write):
    for printed in ("c", "what its author has thought better of"):  # by the same torch, which is not the book's
        write("examples/topic/c.py", f'"""T."""\n# %% a\nprint("{printed}")')
        assert command(elsewhere, "verbatim", "record", "topic/c").returncode == 0
        record = records.load(elsewhere, "topic/c", "cpu")
        assert record.cell("a").outputs[0]["text"] == f"{printed}\n" and record.environment["torch"] != "9.9+cpu"
    write("examples/topic/c.py", '"""T."""\n# %% a\nprint("better still")')
    book = gather(elsewhere)
    hints = {one.script: one.problem(book).hint for one in drift(book)}
    assert hints["examples/topic/c.py"].endswith("python -m verbatim record topic/c")
    assert hints["examples/topic/a.py"].endswith("python -m verbatim record --new-environment topic/a")


@pytest.mark.parametrize(
    ("name", "old", "new", "other"),
    [
        ("python", "3.11.7", "3.11.9", False),
        ("python", "3.11.7", "3.12.0", True),
        ("torch", "2.13.0+cpu", "2.13.0+cu130", True),
        ("numpy", "2.4.6", "2.4.7", True),
    ],
)
def test_what_is_another_environment(name, old, new, other):
    assert bool(records.differs({name: old}, {name: new})) is other


def test_the_environment_is_written_once(project, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint(1)')
    book = gather(project)
    assert records.write_environment(project, book.ran)
    assert not records.write_environment(project, book.ran)


# -- what an earlier build found in order ----------------------------------------------------------


def test_a_record_that_was_in_order_is_not_checked_again(project, recorded, monkeypatch):
    check, checked = records.wrong, []
    monkeypatch.setattr(records, "wrong", lambda *of: checked.append(of[1]) or check(*of))

    def load() -> int:
        memo, before = Memo(project.cache), len(checked)
        records.load(project, "topic/a", "cpu", memo)
        memo.close()
        return len(checked) - before

    assert [load(), load()] == [1, 0]
    _, path = recorded
    path.write_text(path.read_text().replace("hello", "hullo"))
    with pytest.raises(Problems):  # damage is found whatever was in order before
        load()
    document = json.loads(path.read_text())
    document["cells"][1]["outputs"][0]["more"] = "forged"
    path.write_text(sealed(document))
    with pytest.raises(Problems, match="holds what no run writes"):
        load()


def test_releases_that_were_read_are_not_read_again(project, recorded, monkeypatch):
    book = gather(project)
    monkeypatch.setattr(files, "load", lambda *of: pytest.fail("read again"))
    assert gather(project, options=Options(releases=book.releases)).releases is book.releases


def test_a_book_with_another_script_asks_the_releases_anew(project, recorded):
    book = gather(project)
    asked = []
    book.releases = SimpleNamespace(ranges=lambda script, *of: asked.append(script.text) or ())
    path = "examples/topic/a.py"
    for one in (book, replace(book, scripts={path: replace(book.scripts[path], text="other")})):
        for _ in range(2):
            one.ranges(path, "prints")
    assert asked == [book.scripts[path].text, "other"]

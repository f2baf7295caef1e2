from __future__ import annotations

import json

import nbformat
import pytest

from verbatim.book import records
from verbatim.book.gather import drift, gather
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
    records.write(project, book.scripts["examples/topic/a.py"], book.results["examples/topic/a.py"])
    return path, project.record("topic/a", "cpu")


def test_a_record_is_a_valid_notebook(recorded):
    notebook = nbformat.read(recorded[1], 4)
    nbformat.validate(notebook)
    assert [c.id for c in notebook.cells] == ["title", "prints", "fails", "draws", "gpu", "clock"]
    assert notebook.cells[2].metadata.tags == ["raises-exception"]


def test_recording_twice_changes_no_byte(project, recorded):
    before = recorded[1].read_bytes()
    again = gather(project, use_cache=False)
    name = "examples/topic/a.py"
    assert not records.write(project, again.scripts[name], again.results[name])
    assert recorded[1].read_bytes() == before


def test_a_fresh_run_does_not_drift(project, recorded):
    assert drift(gather(project, use_cache=False)) == []


def test_another_output_drifts_with_a_diff_and_the_command(project, recorded):
    _, record = recorded
    fixture = json.loads(record.read_text())
    # the world changed, not the code: as a new torch would
    fixture["cells"][1]["outputs"][0]["text"] = ["goodbye\n"]
    fixture["metadata"]["verbatim"]["sha"] = records._sha(fixture)
    record.write_text(json.dumps(fixture))
    (found,) = drift(gather(project))
    told = str(found.problem("topic/a"))
    assert told.startswith("examples/topic/a.py:3: cell `prints` does not print what was recorded")
    assert "-goodbye\n+hello" in told
    assert "python -m verbatim record topic/a" in told


def test_changed_code_is_told_apart_from_changed_output(project, recorded, write):
    write("examples/topic/a.py", SCRIPT.replace('print("hello")', 'print("hel" + "lo")'))
    (found,) = drift(gather(project))
    assert found.reason == "cell `prints` is not the code that was recorded"


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


def test_noise_keeps_the_recorded_bytes(project, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint(0.12345678)')
    book = gather(project)
    name = "examples/topic/a.py"
    text = records.notebook(book.scripts[name], book.results[name], recipe="topic/a")
    old = json.loads(text)
    old["cells"][1]["outputs"][0]["text"] = ["0.12345679\n"]
    old["metadata"]["verbatim"]["sha"] = records._sha(old)
    project.record("topic/a", "cpu").parent.mkdir(parents=True)
    project.record("topic/a", "cpu").write_text(json.dumps(old, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    assert not records.write(project, book.scripts[name], book.results[name])


def test_the_environment_is_written_once(project, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint(1)')
    book = gather(project)
    assert records.write_environment(project, book.environment)
    assert not records.write_environment(project, book.environment)
    kept = json.loads(records.environment_path(project).read_text())
    assert set(kept) == {"torch", "python", "numpy", "matplotlib"}

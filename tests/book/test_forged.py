"""Records that somebody wrote, their hashes computed anew. None may pass for what a run wrote."""

from __future__ import annotations

import json

import pytest

from tests.conftest import sealed
from verbatim.book import records
from verbatim.book.gather import drift, gather
from verbatim.book.records import RecordedCell
from verbatim.problems import Problems
from verbatim.run.script import Cell

SCRIPT = '''
"""T."""

# %% prints
print("hello")

# %% draws
import matplotlib.pyplot as plt

plt.plot([1, 2])

# %% fails raises="ValueError"
raise ValueError("no")

# %% gpu needs="cuda"
print("gpu")
'''
NAME = "examples/topic/a.py"
GPU = {"gpu": "A GPU", "torch": "2.13.0+cu130", "date": "2026-11-22"}


@pytest.fixture(params=["cpu", "cuda"])
def record(request, project, write):
    """The record of a recipe, as a dictionary, and a way to write it back with fitting hashes."""
    write(NAME, SCRIPT)
    book = gather(project)
    assert book.problems == []
    script, result = book.scripts[NAME], book.fresh_results[NAME]
    records.write(project, script, result, GPU if request.param == "cuda" else None)
    path = project.record("topic/a", request.param)

    def forge(change) -> None:
        document = json.loads(path.read_text())
        change(document)
        path.write_text(sealed(document))

    return forge


def told(project) -> str:
    """Everything that a strict build says."""
    book = gather(project)
    return "\n".join(map(str, [*book.problems, *(one.problem(book) for one in drift(book))]))


def cell(document, number):
    return document["cells"][number]


def test_what_a_run_wrote_passes(project, record):
    record(lambda document: None)
    assert "holds what no run writes" not in told(project)


def other_source(document):
    cell(document, 1)["source"] = ["import os; os.system('curl evil')"]


def swapped(document):
    document["cells"][1:3] = [document["cells"][2], document["cells"][1]]


def renumbered(document):
    swapped(document)
    for number, one in enumerate(document["cells"][1:], 1):
        one["execution_count"] = number


def output(**fields):
    return lambda document: cell(document, 1)["outputs"].append(fields)


def figure(text):
    return output(output_type="display_data", data={"image/svg+xml": [text]}, metadata={"axes": []})


def skipped(document):
    cell(document, 1)["metadata"]["verbatim"]["skipped"] = "cuda"


FORGERIES = {
    "source": (other_source, "cell 1 (`prints`) has a source or options that do not fit its hash"),
    "options": (lambda d: cell(d, 1)["metadata"]["verbatim"].update(varies=True), "options that do not fit"),
    "option of another kind": (lambda d: cell(d, 1)["metadata"]["verbatim"].update(varies=[]), "value of 'varies'"),
    "Markdown": (
        lambda d: d["cells"].append({"cell_type": "markdown", "id": "x", "metadata": {}, "source": ["<script>"]}),
        "cell 5 has a wrong value of 'cell_type'",
    ),
    "second of a name": (lambda d: d["cells"].append(cell(d, 1) | {"execution_count": 5}), "a second cell is named"),
    "order": (swapped, "wrong value of 'execution_count'"),
    "text/html": (
        output(output_type="display_data", data={"text/html": ["<script>"]}, metadata={}),
        "wrong value of 'data'",
    ),
    "type": (output(output_type="execute_result", data={}, metadata={}), "unknown type 'execute_result'"),
    "no type": (output(text=["x"]), "unknown type 'None'"),
    "type of a type": (output(output_type=["stream"]), "unknown type"),
    "stream": (output(output_type="stream", name="evil", text=["x"]), "wrong value of 'name'"),
    "what a terminal obeys": (
        output(output_type="stream", name="stdout", text=["\x1b[2J"]),
        "wrong value of 'text'",
    ),
    "number for text": (output(output_type="stream", name="stdout", text=[1]), "wrong value of 'text'"),
    "figure": (figure("<script>alert(1)</script>"), "a figure is no SVG"),
    "skipped": (skipped, "was not run, it says"),
    "field": (lambda d: cell(d, 1).update(attachments={}), "unknown field 'attachments'"),
    "field of the notebook": (lambda d: d["metadata"].update(widgets={}), "unknown field 'widgets'"),
    "kernel": (lambda d: d["metadata"]["kernelspec"].update(name="bash"), "wrong value of 'kernelspec'"),
    "title": (lambda d: cell(d, 0).update(source=["<img src=x>"]), "its title has a wrong value of 'source'"),
    "recipe": (lambda d: d["metadata"]["verbatim"].update(recipe="topic/b"), "wrong value of 'recipe'"),
    "no cells": (lambda d: d["cells"].clear(), "cannot be read"),
    "cell without metadata": (lambda d: cell(d, 1).update(metadata=[]), "cannot be read"),
    "provenance": (lambda d: d["metadata"]["verbatim"].update(provenance=["x"]), "'provenance'"),
    "tags": (lambda d: cell(d, 1)["metadata"].update(tags=["raises-exception"]), "tags that do not fit"),
}


@pytest.mark.parametrize("forgery", FORGERIES, ids=list(FORGERIES))
def test_a_forged_record_is_refused(project, record, forgery):
    change, fact = FORGERIES[forgery]
    record(change)
    said = told(project)
    assert fact in said
    assert ": the record " in said and "hint: restore it with git" in said


@pytest.mark.parametrize("record", ["cpu"], indirect=True)
def test_a_forged_cpu_record_is_compared_with_script_and_run(project, record):
    record(lambda document: cell(document, 0).update(source=["# Click here"]))
    assert f"{NAME}:1: the title is not the one that was recorded" in told(project)
    record(lambda document: cell(document, 0).update(source=["# T."]))
    record(renumbered)
    assert "the cells were recorded in another order" in told(project)
    record(renumbered)

    def consistent(document):
        forged = cell(document, 1)
        forged["source"] = ["import os"]
        forged["metadata"]["verbatim"]["sha"] = Cell("prints", "import os", 0, 0).sha

    record(consistent)
    assert "cell `prints` is not the code that was recorded" in told(project)


@pytest.mark.parametrize("record", ["cuda"], indirect=True)
def test_what_a_record_says_of_its_machine_holds_no_markup(project, record):
    record(lambda d: d["metadata"]["verbatim"]["provenance"].update(gpu='"}<script>'))
    assert "wrong value of 'provenance'" in told(project)


@pytest.mark.parametrize("record", ["cpu"], indirect=True)
@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"cells": 1, "cells": 2}', '{"metadata": {"verbatim": {"sha": "\\ud800"}}}']
)
def test_what_is_hardly_json_is_a_problem(project, record, text):
    project.record("topic/a", "cpu").write_text(text)
    with pytest.raises(Problems, match="cannot be read"):
        records.load(project, "topic/a", "cpu")


@pytest.mark.parametrize("record", ["cpu"], indirect=True)
def test_a_key_that_stands_twice_is_a_problem(project, record):
    path = project.record("topic/a", "cpu")
    path.write_text(path.read_text().replace(' "nbformat": 4,', ' "nbformat": 4,\n "nbformat": 4,'))
    with pytest.raises(Problems, match="laid out otherwise"):
        records.load(project, "topic/a", "cpu")


@pytest.mark.parametrize("record", ["cpu"], indirect=True)
def test_what_printed_the_records_holds_no_markup(project, record):
    path = records.environment_path(project)
    path.write_text('{"torch": "<script>"}')
    assert "outputs/cpu/environment.json: the file cannot be read" in told(project)


def test_an_output_of_an_earlier_code_keeps_that_code(project, write):
    """A cell that cannot be run here stays in the record as it was, with the options that it had."""
    write(NAME, SCRIPT)
    book = gather(project)
    script = book.scripts[NAME]
    old = script.cell("gpu")
    kept = RecordedCell(
        "gpu", "print(1)", Cell("gpu", "print(1)", 0, 0, needs="cuda").sha, (), options={"needs": "cuda"}
    )
    cells = [kept if c is old else RecordedCell(c.name, c.source, c.sha, ()) for c in script.cells]
    path = project.record("topic/a", "cpu")
    path.parent.mkdir(parents=True)
    path.write_text(records.notebook(script, cells, recipe="topic/a"))
    assert records.load(project, "topic/a", "cpu").cell("gpu").source == "print(1)"

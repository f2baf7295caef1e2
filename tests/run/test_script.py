"""Scripts that are written wrong are told where and how to mend them."""

from __future__ import annotations

import dataclasses
import re
import textwrap
from pathlib import Path

import pytest

from verbatim.problems import Problems
from verbatim.run.script import OPTIONS, Cell, Effect, parse, read


def parsed(text: str):
    return parse(textwrap.dedent(text).lstrip("\n"), "examples/a.py")


def problems(text: str) -> str:
    with pytest.raises(Problems) as error:
        parsed(text)
    return str(error.value)


def test_cells_with_their_lines_and_options():
    script = parsed(
        '''
        """Title."""

        # %% setup
        import torch

        # %% fails raises="RuntimeError" varies=true

        torch.ones(2) @ torch.ones(3)  # (1)!

        '''
    )
    assert script.title == "Title."
    setup, fails = script.cells
    assert (setup.name, setup.source, setup.line, setup.header_line) == ("setup", "import torch", 4, 3)
    assert (fails.line, fails.source) == (8, "torch.ones(2) @ torch.ones(3)  # (1)!")
    assert fails.options == {"raises": "RuntimeError", "varies": True}
    assert fails.annotations == [1]


def test_a_question_makes_no_record_stale():
    (plain,), (asks,) = (parsed(f'"""T."""\n# %% a varies=true{more}\nx = 1').cells for more in ("", " asks=true"))
    assert asks.asks and not plain.asks
    assert (asks.sha, asks.options) == (plain.sha, plain.options)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '"""T."""\n# %% a\nx = 1\n# %% a\nx = 2',
            "examples/a.py:4: a second cell is named `a`; the first is on line 2",
        ),
        (
            '"""T."""\n# %% a rases="E"\nx = 1',
            "examples/a.py:2: unknown option `rases`\n  hint: did you mean `raises`?",
        ),
        ('"""T."""\n# %% a needs="cdua"\nx = 1', "unknown capability `cdua`\n  hint: did you mean `cuda`?"),
        ('"""T."""\n# %% a needs="cuda" raises="E" says="m"\nx = 1', "`says` and `origin` belong together"),
        ('"""T."""\n# %% a needs="cuda" raises="E" origin="o"\nx = 1', "`says` and `origin` belong together"),
        ('"""T."""\n# %% a raises="E" says="m" origin="o"\nx = 1', "stands on a cell that this machine could run"),
        ('"""T."""\n# %% a tolerance="1"\nx = 1', "`tolerance` is no share between 0 and 1"),
        ('"""T."""\n# %% a tolerance=true\nx = 1', "option `tolerance` has a value of the wrong kind"),
        ('"""T."""\n# %% a tolerance="0.01" varies=true\nx = 1', "what varies is not compared"),
        ('"""T."""\n# %% a hidden=true asks=true\nx = 1', "examples/a.py:2: a hidden cell asks what it prints"),
        ('"""T."""\n# %% a needs="sklearn:2"\nx = 1', "unknown capability `sklearn:2`"),
        ('"""T."""\n# %% a varies=yes\nx = 1', "cannot read the cell's options from `varies=yes`"),
        (
            '"""T."""\n# %% a varies="true"\nx = 1',
            "option `varies` has a value of the wrong kind\n  hint: write varies=true",
        ),
        ('"""T."""\n# %% a raises=true\nx = 1', "option `raises` has a value of the wrong kind"),
        ('"""T."""\n# %% a fold=true fold=true\nx = 1', "option `fold` is given twice"),
        ('"""T."""\n# %% Two words\nx = 1', "a cell needs a name, found `Two words`"),
        ('"""T."""\n# %%\nx = 1', "a cell needs a name"),
        ('"""T."""\n# %% a\n', "examples/a.py:2: cell `a` is empty"),
        ('"""T."""\n# %% a\nx = 1\nx = (', "examples/a.py:4: syntax error in cell `a`"),
        ("# %% a\nx = 1", "examples/a.py:1: the script has no title"),
        ('"""T."""\nimport torch\n# %% a\nx = 1', "examples/a.py:2: code above the first cell"),
        ('"""T."""\nx = 1', "the script has no cell"),
    ],
)
def test_mistakes(text, message):
    assert message in problems(text)


def test_every_mistake_is_told_at_once():
    told = problems('x = 1\n# %% a\nx = (\n# %% a needs="gpu"\nx = 1')
    assert told.endswith("5 problems") or told.count("examples/a.py:") >= 4


def test_the_hash_tells_code_and_options_apart():
    plain, other, raising = (
        parsed(f'"""T."""\n# %% a{o}\n{s}').cells[0].sha
        for o, s in (("", "x = 1"), ("", "x = 2"), (' raises="E"', "x = 1"))
    )
    assert len({plain, other, raising}) == 3


SOUND = '"""T."""\n\n# %% a\nx = "é"\nprint(x)\n'


@pytest.mark.parametrize(
    "data",
    [
        SOUND.encode(),
        SOUND.encode("utf-8-sig"),
        SOUND.replace("\n", "\r\n").encode(),
        SOUND.replace("\n", "\r").encode(),
        ("# coding: latin-1\n" + SOUND).encode("latin-1"),
    ],
    ids=["plain", "byte order mark", "CRLF", "CR", "latin-1"],
)
def test_a_script_is_read_as_python_reads_it(tmp_path, data):
    path = tmp_path / "a.py"
    path.write_bytes(data)
    (cell,) = parse(read(path, "a.py"), "examples/a.py").cells
    assert cell.source == 'x = "é"\nprint(x)' and cell.line in (4, 5)


@pytest.mark.parametrize("text", ["\ufeff" + SOUND, SOUND.replace("\n", "\r\n")])
def test_so_is_its_text(text):
    assert parse(text, "examples/a.py") == parse(SOUND, "examples/a.py")


@pytest.mark.parametrize("end", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_a_line_ends_where_python_says(end):
    """Else what stands in a comment for Python and for a reader of the code would be run."""
    (cell,) = parsed(f'"""T."""\n# %% a\n# note{end}print("run")\nx = "y{end}z"\n').cells
    assert cell.source == f'# note{end}print("run")\nx = "y{end}z"'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("(" * 5000 + ")" * 5000, "examples/a.py:3: syntax error in cell `a`"),
        ("+".join(["1"] * 100_000), ""),
        ("x = 1\0", "examples/a.py:3: syntax error in cell `a`"),
    ],
)
def test_what_python_cannot_parse_is_told_with_its_place(text, told):
    try:
        parsed(f'"""T."""\n# %% a\n{text}')
    except Problems as error:
        assert str(error).startswith(told or "examples/a.py:3: ")


def test_the_number_of_gpus_is_written_in_digits():
    assert "unknown capability `cuda:²`" in problems('"""T."""\n# %% a needs="cuda:²"\nx = 1')


@pytest.mark.parametrize(
    ("text", "cells", "notes"),
    [
        ("x = 1\nprint(x)", [("top", 1)], ["no title", "no cell"]),
        ('"""T."""\n\nx = 1', [("top", 3)], ["would never be shown", "no cell"]),
        ("import torch\n# %% a\nx = 1", [("top", 1), ("a", 3)], ["no title"]),
        ("# %% a\nx = 1", [("a", 2)], ["no title"]),
    ],
)
def test_any_script_can_be_run_and_is_told_what_a_recipe_has(text, cells, notes):
    noted = []
    script = parse(text, "examples/a.py", noted)
    assert [(cell.name, cell.line) for cell in script.cells] == cells
    assert len(noted) == len(notes) and all(any(n in str(one) for one in noted) for n in notes)
    problems(text)  # and it is no recipe


def test_an_empty_file_cannot_be_run():
    with pytest.raises(Problems):
        parse("", "examples/a.py", [])


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ('import os\nos.environ["OMP_NUM_THREADS"] = "4"\nimport torch', 4),
        ('import os\nos.environ.setdefault("TORCH_LOGS", "dynamo")\nfrom torch import nn', 4),
        ('import os\nif True:\n    os.environ["MKL_CBWR"] = "COMPATIBLE"\nimport torch.nn as nn', 5),
        ('import os\nimport torch\nos.environ["OMP_NUM_THREADS"] = "4"', 0),  # as late as without us
        ('import os\nos.environ["MASTER_ADDR"] = "localhost"\nimport torch', 0),  # read when it is needed
        ('import os\nprint(os.environ["OMP_NUM_THREADS"])\nimport torch', 0),
        ('import os\nenvironment = os.environ | {"OMP_NUM_THREADS": "1"}\nimport torch', 0),
    ],
)
def test_a_variable_that_torch_has_read_already_is_told(code, line):
    text = f'"""T."""\n# %% a\n{code}\n'
    notes = []
    parse(text, "examples/a.py", notes)  # a script that is no recipe is run all the same
    assert [note.line for note in notes] == ([line] if line else [])
    if line:
        assert f"examples/a.py:{line}: `" in problems(text) and "is set too late" in problems(text)


def test_those_who_write_and_those_who_read_the_data_are_told_of_every_option():
    root = Path(__file__).parents[2]
    style = (root / "book/STYLE.md").read_text(encoding="utf-8")
    assert [name for name in OPTIONS if not re.search(rf"[` ]{name}=", style)] == []
    schema = (root / "docs/assets/verbatim.schema.json").read_text(encoding="utf-8")
    told = re.search(r"Options of its header: (.*)\.", schema)[1].split(", ")
    assert told == [name for name, option in OPTIONS.items() if option.effect is not Effect.SHOW]


def test_every_option_of_a_cell_is_in_the_table():
    own = {field.name: field.type for field in dataclasses.fields(Cell)[4:]}
    assert own == {name: option.type.__name__ for name, option in OPTIONS.items()}

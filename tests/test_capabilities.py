"""A cell that is not run somewhere leaves nothing that other cells need."""

from __future__ import annotations

import pytest

from tests.test_plugin import command
from verbatim.book import capabilities
from verbatim.book.gather import gather
from verbatim.run.gpus import find

SCRIPT = """
\"\"\"T.\"\"\"

# %% first
count = 1

# %% says needs="{need}"
{held}
print(count)

# %% later
{later}
"""


@pytest.fixture
def checked(project, write):
    def checked(need: str, held: str, later: str) -> list[str]:
        write("examples/topic/a.py", SCRIPT.format(need=need, held=held, later=later))
        book = gather(project)
        assert not book.problems
        return [str(problem) for problem in capabilities.check(book)]

    return checked


def test_a_cell_that_needs_what_a_skipped_one_holds_is_told_with_both_places(checked):
    (told,) = checked("tensorboard", "held = 2", "print(held)")
    assert told.startswith("examples/topic/a.py:11: where `tensorboard` is missing, cell `later` raised NameError")
    assert "not run there: `says` (examples/topic/a.py:6)" in told and "hint: move" in told


def test_so_is_one_that_prints_something_else(checked):
    (told,) = checked("tensorboard", "count = 2", "print(count)")
    assert told.startswith("examples/topic/a.py:10: where `tensorboard` is missing, cell `later` prints something else")
    assert "-2\n+1" in told


def test_cells_that_stand_by_themselves_are_fine(checked):
    assert checked("tensorboard", "held = 2", "print(count)") == []


def test_what_is_missing_here_was_tried_by_the_run_itself(project, write):
    write("examples/topic/a.py", SCRIPT.format(need="cuda", held="held = 2", later="print(held)"))
    book = gather(project)
    assert find().count or "NameError" in str(book.problems)
    assert capabilities.check(book) == []


def test_each_is_run_once(checked, project, monkeypatch):
    assert len(checked("tensorboard", "held = 2", "print(1)")) == 0
    monkeypatch.setattr(capabilities, "Runner", None)
    assert capabilities.check(gather(project)) == []


def test_check_tells_it(project, write):
    write("examples/topic/a.py", SCRIPT.format(need="tensorboard", held="held = 2", later="print(held)"))
    assert "where `tensorboard` is missing" in command(project, "verbatim", "check").stdout

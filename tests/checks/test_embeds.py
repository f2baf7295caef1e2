"""Cells, scripts and records that nothing shows."""

from __future__ import annotations

from tests.checks.recipe import SMALL, SMALL_BOOK


def test_what_no_page_shows(told, write):
    write("outputs/cpu/topic/gone.ipynb", "{}")
    lost = {"examples/topic/lost.py": '"""T."""\n# %% a\nx = 1'}
    cell, script, record = told(
        of=SMALL_BOOK, **lost, **{"examples/topic/a.py": SMALL.replace(" hidden=true", "")}
    ).problems
    assert cell.startswith("examples/topic/a.py:9: no page shows the cell `proof`")
    assert script.startswith("examples/topic/lost.py: no page shows this script")
    assert "python -m verbatim new topic/lost" in script
    assert record.startswith("outputs/cpu/topic/gone.ipynb: the script of this record is gone\n  hint: remove it")

"""Cells that ask what they print; `tests/cases/check` has what pages say around them."""

from __future__ import annotations

import pytest

from tests.checks.recipe import PY

IN_SCRIPTS = {
    "nothing is printed": ("# %% setup", f"{PY}:3: cell `setup` asks what it prints, and prints nothing"),
    "a figure is drawn": ("# %% drawing", f"{PY}:15: cell `drawing` asks what it prints, and draws a figure"),
}


@pytest.mark.parametrize(("header", "message"), IN_SCRIPTS.values(), ids=IN_SCRIPTS)
def test_what_has_no_answer_cannot_be_asked(told, header, message):
    found = told(**{PY: (header, f"{header} asks=true")})
    assert message in found, found

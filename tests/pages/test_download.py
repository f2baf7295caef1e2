"""What a reader downloads runs to its end with nothing but Python and PyTorch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from verbatim.pages.download import runnable
from verbatim.run.script import parse

SCRIPT = '''"""Errors on purpose."""

# %% setup
value = 1

# %% error raises="ZeroDivisionError"
text = """two
lines"""
if value:
    made = 2
    1 / 0

# %% elsewhere needs="cuda"
import no_such_module

# %% end
print(made, repr(text))
'''


def test_cells_that_raise_or_lack_something_stop_nothing(tmp_path: Path):
    path = tmp_path / "script.py"
    path.write_text(runnable(parse(SCRIPT, "examples/a.py")))
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "ZeroDivisionError: division by zero",
        "needs cuda: ModuleNotFoundError: No module named 'no_such_module'",
        r"2 'two\nlines'",
    ]


def test_a_script_without_such_cells_is_taken_away_as_it_is():
    text = '"""T."""\n\n# %% a\nprint(1)\n\n\n# %% b\nprint(2)\n'
    assert runnable(parse(text, "examples/a.py")) == text


def test_every_recipe_can_be_taken_away():
    for path in sorted((Path(__file__).parents[2] / "examples").rglob("[!_]*.py")):
        text = runnable(parse(path.read_text(encoding="utf-8"), path.name))
        compile(text, str(path), "exec")

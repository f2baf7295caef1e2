"""What belongs to the machine and not to PyTorch leaves an output's text."""

from __future__ import annotations

import sys

import pytest

from verbatim.run.clean import Cleaner
from verbatim.run.job import Job
from verbatim.run.script import parse


def test_the_engines_frames_leave_stacks_that_cpp_writes(tmp_path):
    stack = """RuntimeError: AttributeError: 'Tensor' object has no attribute 'new'

At:
  examples/a/b.py(115): pack
  verbatim/run/worker.py(178): _execute
  verbatim/run/forks.py(113): _run
  <string>(1): <module>
"""
    clean = Cleaner(Job(parse('"""A."""\n\n# %% a\nx', "examples/a/b.py"), "b.py", str(tmp_path), str(tmp_path)))
    assert clean(stack).endswith("At:\n  examples/a/b.py(115): pack\n")


@pytest.mark.parametrize("folder", ["", ".venv/lib/python3.11/site-packages/", "/opt/x/site-packages/"])
def test_torchs_log_names_its_own_files_in_one_way(folder, tmp_path):
    """Where the environment lies below a folder of `sys.path`, torch writes the way from there."""
    clean = Cleaner(Job(parse('"""A."""\n\n# %% a\nx', "examples/a/b.py"), "b.py", str(tmp_path), str(tmp_path)))
    line = f"V1122 10:00:00.000000 77 {folder}torch/_dynamo/guards.py:5396] [0/1] in {folder}x.py\n"
    shown = clean(line)
    assert shown.startswith("V torch/_dynamo/guards.py:5396] [0/1] in ")
    assert clean(f"see {folder}torch\n").startswith("see ")  # text that is no log stays


def test_the_interpreter_is_named_in_one_way_in_all_environments(tmp_path, monkeypatch):
    """Releases are recorded in environments of their own, below the project: what calls Python again names theirs."""
    monkeypatch.setattr(sys, "prefix", f"{tmp_path}/.cache/scratch/release-1.13.1-ykwqh4w_")
    clean = Cleaner(
        Job(parse('"""A."""\n\n# %% a\nx', "examples/a/b.py"), "b.py", str(tmp_path), str(tmp_path / "run"))
    )
    assert clean(f"Command '['{sys.prefix}/bin/python', '-c', 'x']'") == "Command '['…/python/bin/python', '-c', 'x']'"


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("\x1b]8;;https://a.example/\x1b\\a link\x1b]8;;\x1b\\.", "a link."),
        ("\x1b]8;id=1;https://a.example/\x07a link\x1b]8;;\x07.", "a link."),
        ("\x1b]0;a title\x07text", "text"),
        ("\x1b[1;31mred\x1b[0m\x1b(B and \x1b[?25lplain", "red and plain"),
        ("\x1b]8;;never ends\n", "␛]8;;never ends\n"),
    ],
)
def test_of_what_a_terminal_obeys_the_text_stays(printed, shown, tmp_path):
    clean = Cleaner(Job(parse('"""A."""\n\n# %% a\nx', "examples/a/b.py"), "b.py", str(tmp_path), str(tmp_path)))
    assert clean(printed) == shown

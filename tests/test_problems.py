"""How problems are told."""

from __future__ import annotations

from pathlib import Path

from verbatim.problems import Problem, did_you_mean, report


def test_one_line_for_one_problem_while_serving():
    assert Problem("a.py", 3, "cell `x` differs\n--- a\n+++ b", "record it").brief == "a.py:3: cell `x` differs"


def test_one_remedy_for_several_problems_of_a_file_stands_once():
    problems = [Problem("a.py", line, f"cell {line} changed", "record it") for line in (1, 2, 3)]
    said = report([*problems, Problem("b.py", 1, "cell 1 changed", "record it")])
    assert said.count("hint: record it") == 2
    assert said.splitlines()[3:5] == ["  hint: record it", "b.py:1: cell 1 changed"]


def test_a_hint_names_no_more_words_than_one_reads():
    hint = did_you_mean("zzz", [f"page-{number}.md" for number in range(500)])
    assert len(hint) < 400 and hint.endswith("and 484 more")
    assert did_you_mean("zzz", ["a", "b"]) == "known: `a`, `b`"


def test_commands_in_hints_work_where_the_shell_has_another_python(monkeypatch, tmp_path):
    problem = Problem("a", 0, "b", "python -m verbatim check --fix")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(Path.cwd() / ".venv/bin/python"))
    assert "hint: .venv/bin/python -m verbatim check --fix" in report([problem])
    (tmp_path / "python").touch(mode=0o755)
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    assert "hint: python -m verbatim check --fix" in report([problem])


def test_what_a_problem_quotes_is_obeyed_by_nobody():
    told = str(
        Problem(
            "docs/en/a\n::error::b\x1b[31m.md", 1, "says\n  ::stop-commands::x\n##[group]\x1b[2J\ud800\u202e\r", "c"
        )
    )
    place, *lines = told.split("\n")
    assert place == r"docs/en/a\n::error::b\x1b[31m.md:1: says"
    assert lines == ["  : :stop-commands::x", r"## [group]\x1b[2J\ud800\u202e\r", "  hint: c"]
    text = "在 a\u00a0b\tc：“é” 🙂"
    assert text in str(Problem("docs/中文.md", 1, text)) and str(Problem("docs/中文.md", 1, text)).startswith(
        "docs/中文.md:1"
    )

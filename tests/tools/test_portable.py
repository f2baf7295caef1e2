"""Standing in for other machines: what a bare one has, and how its tests are counted."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"

REPORT = """<testsuites><testsuite>
<testcase classname="tests.test_a" name="test_one"/>
<testcase classname="tests.test_a" name="test_two"><failure message="x">no</failure></testcase>
<testcase classname="tests.test_a" name="test_three"><skipped/></testcase>
<testcase classname="tests.test_b" name="test_four"><error message="y"/></testcase>
</testsuite></testsuites>
"""


@pytest.fixture
def portable(monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    return pytest.importorskip("portable")


def test_a_bare_machine_has_nothing(portable, tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Somebody")
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    one, other = portable.bare(tmp_path / "bare")
    assert one.variables["TZ"] == "UTC" != other.variables["TZ"] and one.root == other.root
    for profile in (one, other):
        has = profile.variables
        assert "GIT_AUTHOR_NAME" not in has and "LC_ALL" not in has and has["LANG"] == "C"
        assert list(Path(has["HOME"]).iterdir()) == []
        subprocess.run(["git", "init", "-q", tmp_path / "repository"], env=has, check=True)
        commit = ["git", "-C", tmp_path / "repository", "commit", "-q", "--allow-empty", "-m", "x"]
        assert subprocess.run(commit, env=has, capture_output=True, check=False).returncode, "git has an identity"


def test_tests_are_counted_and_the_failed_named(portable, tmp_path):
    report = tmp_path / "tests.xml"
    report.write_text(REPORT)
    found = portable.counted(report, 1, "1 failed\n")
    assert found == {"tests": 3, "skipped": 1, "failed": ["tests.test_a::test_two: x", "tests.test_b::test_four: y"]}
    none = portable.counted(tmp_path / "none.xml", 4, "\nERROR: no such option\n")
    assert none == {"tests": 0, "skipped": 0, "failed": ["ERROR: no such option"]}
    lines = list(portable.of_tests([(portable.Profile("bare"), found), (portable.Profile("other"), none)]))
    assert (
        "| bare | 3 | 1 | 2 |" in lines and "tests.test_b::test_four: y" in lines and "| other | 0 | 0 | 1 |" in lines
    )


@pytest.mark.parametrize(
    ("options", "rows", "code"),
    [(["--only", "bare"], 2, 1), (["--only", "off"], 1, 1), (["--only", "bare", "--no-tests"], 0, 0)],
)
def test_the_tests_run_alone_where_nothing_else_is_asked_for(
    portable, options, rows, code, tmp_path, monkeypatch, capsys
):
    ran = []

    def tests(profile):
        ran.append(profile.name)
        return {"tests": 5, "skipped": 0, "failed": ["it"]}

    monkeypatch.setattr(portable.scratch, "BELOW", tmp_path / "scratch")
    monkeypatch.setattr(portable, "tests", tests)
    monkeypatch.setattr(portable, "surroundings", lambda beside: [])
    for name in ("look", "sites"):
        monkeypatch.setattr(portable, name, lambda *_: pytest.fail("was not asked for"))
    monkeypatch.setattr("sys.argv", ["portable.py", *options])
    assert portable.main() == code and len(ran) == rows
    assert capsys.readouterr().out.count("| 5 | 0 | 1 |") == rows
    assert os.listdir(tmp_path / "scratch") == []

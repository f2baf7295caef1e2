"""The rounds of the tests: each as it says, and what fails is told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from tests import conftest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def prove(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    return pytest.importorskip("prove_tests")


def test_rounds_are_run_as_often_as_asked_for(prove):
    assert prove.rows([]) == ["quiet", "busy", "shuffled", "one", "eight"]
    assert prove.rows(["busy=2", "one"]) == ["busy", "busy", "one"]
    with pytest.raises(SystemExit, match="there is no round `slow`\n  hint: the rounds are quiet, busy"):
        prove.rows(["slow"])


def test_what_keeps_the_machine_busy_runs_meanwhile_and_ends(prove, monkeypatch):
    started = []
    popen = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", lambda *a, **b: started.append(popen(*a, **b)) or started[-1])
    with prove.loops(2):
        assert [process.poll() for process in started] == [None, None]
    assert [process.returncode for process in started] == [-9, -9]


def test_a_row_is_printed_a_round_and_below_what_failed(prove, monkeypatch, capsys):
    def attempt(name: str, seed: int, tests: list[str]) -> dict[str, object]:
        return {"tests": 5, "skipped": 1, "failed": ["tests.a::b: why"] if name == "one" else []}

    monkeypatch.setattr(prove, "attempt", attempt)
    monkeypatch.setattr(sys, "argv", ["prove_tests.py", "shuffled", "one", "--seed", "7"])
    assert prove.main() == 1
    said = capsys.readouterr().out.splitlines()
    assert said[2:4] == ["| shuffled, seed 7 | 5 | 1 | 0 |", "| one | 5 | 1 | 1 |"] and "one: tests.a::b: why" in said


def test_pytest_takes_the_options(prove):
    found = prove.attempt("shuffled", 1, ["tests/test_problems.py"])
    assert found["failed"] == [] and found["tests"] > 1


def test_a_seed_gives_an_order_of_files_and_leaves_none_out():
    def files(seed: str | None) -> list[str]:
        items = [SimpleNamespace(path=Path(name), number=number) for name in "abcdefgh" for number in range(2)]
        conftest.pytest_collection_modifyitems(items, SimpleNamespace(getoption=lambda *_: seed))
        assert [one.number for one in items] == [0, 1] * 8  # the tests of a file stay together
        return [one.path.name for one in items[::2]]

    assert files("1") == files("1") != files("2") and sorted(files("1")) == sorted(files("2")) == files(None)


def test_each_round_but_the_plain_one_is_run_weekly(prove):
    job = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text())["jobs"]["prove"]
    assert job["strategy"]["matrix"]["round"] == [name for name in prove.ROUND_OPTIONS if name != "quiet"]
    assert "make prove" in job["steps"][-1]["run"]

"""`make versions`: which releases are installed, with what, and what is asked of them."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.conftest import stand_in_version
from verbatim.book.releases.ranges import collect
from verbatim.problems import Problem
from verbatim.run.script import parse

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def releases(of_torch_1, monkeypatch, tmp_path):
    """The script, where an environment is a list of what was asked of it."""
    monkeypatch.syspath_prepend(SCRIPTS)
    module = pytest.importorskip("versions")
    scratch = module.scratch
    asked: list[tuple] = []
    pythons: list[str] = []
    requirements = scratch.requirements()
    monkeypatch.setattr(scratch, "ROOT", of_torch_1.root)
    monkeypatch.setattr(scratch, "BELOW", tmp_path / "scratch")
    monkeypatch.setattr(scratch, "requirements", lambda: requirements)
    whole = SimpleNamespace(
        problems=[], fresh_results={}, releases=collect([], {"torch": "1.0.0", "python": "3.9.1"}), scripts={}
    )
    for recipe in ("a/b", "a/other"):
        path = f"examples/{recipe}.py"
        whole.scripts[path] = parse((of_torch_1.root / path).read_text(), path)
    monkeypatch.setattr(module, "gather", lambda project, options: asked.append(sorted(options.run)) or whole)

    @contextmanager
    def environment(name: str, python: str, *, ordinary: bool):
        pythons.append(python)

        def install(*requirements: str) -> None:
            asked.append(requirements)
            if "torch==9.9.9" in requirements:
                raise scratch.CannotInstall("no matching distribution")

        def run(*arguments: str) -> int:
            asked.append(arguments)
            return module.code

        assert ordinary
        yield SimpleNamespace(install=install, run=run, folder=tmp_path / name)

    monkeypatch.setattr(scratch, "environment", environment)
    module.asked, module.pythons, module.book, module.code = asked, pythons, whole, 0
    return module


def test_a_release_is_installed_run_and_one_that_cannot_be_had_left_out(releases, capsys):
    assert releases.main(["9.9.9", "2.6.0"], [], force=False) == 1
    (everything, _, (_, *packages), warm, ran) = releases.asked
    assert everything == ["examples/a/b.py", "examples/a/other.py"]
    assert packages[0] == "torch==2.6.0" and warm == ("scripts/warm.py",)
    assert ran[:3] == ("-m", "verbatim", "versions") and "--all" not in ran
    told = capsys.readouterr()
    assert "torch 9.9.9: cannot be had here and is left out: no matching distribution" in told.err
    assert "not recorded: 9.9.9" in told.err
    assert "torch 2.6.0: 2 scripts to run; installing" in told.out


def test_what_is_not_stale_is_not_installed(releases, of_torch_1, capsys):
    stand_in_version(of_torch_1, "2.6.0", {})
    assert releases.main(["2.6.0", "1.0.0"], [], force=False) == 0
    assert len(releases.asked) == 1  # the book alone
    told = capsys.readouterr().out
    assert "torch 2.6.0: nothing is stale" in told and "torch 1.0.0: the built version" in told
    releases.asked.clear()
    assert releases.main(["2.6.0"], ["a/other"], force=True) == 0
    assert releases.asked[0] == ["examples/a/other.py"]
    assert releases.asked[-1][-2:] == ("--all", "a/other")


def test_another_python_gets_the_built_torch(releases, capsys):
    assert releases.main([], [], [sys.executable, "python3.99"], force=False) == 1
    assert releases.pythons == [sys.executable]
    (_, (_, *packages), *_, ran) = releases.asked
    assert packages[0] == "torch==1.0.0" and ran[:3] == ("-m", "verbatim", "versions")
    told = capsys.readouterr()
    assert "python3.99: cannot be had here and is left out" in told.err and "not recorded: python3.99" in told.err
    releases.book.releases = collect([], {"torch": "1.0.0", "python": platform.python_version()})
    assert releases.main([], [], [sys.executable], force=True) == 0
    assert f"{sys.executable}: the built version" in capsys.readouterr().out


def test_a_run_that_fails_is_told(releases, capsys):
    releases.code = 1
    assert releases.main(["2.6.0"], [], force=False) == 1
    assert "not recorded: 2.6.0" in capsys.readouterr().err


def test_releases_are_written_as_numbers_and_a_book_with_problems_is_not_run(releases, capsys):
    assert releases.main(["newest"], [], force=False) == 1
    assert "write them as 2.6.0" in capsys.readouterr().err
    releases.book.problems.append(Problem("examples/a/b.py", 1, "is wrong"))
    for recipes in ([], ["a/b"]):
        releases.asked.clear()
        assert releases.main(["2.6.0"], recipes, force=False) == 1
        assert "examples/a/b.py:1: is wrong" in capsys.readouterr().err and len(releases.asked) == 1
    assert releases.main(["2.6.0"], ["a/other"], force=False) == 0  # which is not what is wrong


def test_numpy_is_the_one_that_the_release_was_built_with(releases):
    pinned = releases.scratch.requirements()
    old, new = (releases.wanted(release, pinned) for release in ("2.2.2", "2.10.0"))
    assert releases.NUMPY_1 in old and not any(pin.startswith("numpy==2") for pin in old)
    assert releases.NUMPY_1 not in new and any(pin.startswith("numpy==2") for pin in new)
    assert [pin for pin in new if pin.startswith("torch==")] == ["torch==2.10.0"]


def test_a_release_built_with_numpy_1_finds_numpy_2_in_a_folder_beside(releases):
    for release, beside in (("2.2.2", True), ("2.10.0", False)):
        releases.asked.clear()
        assert releases.main([release], [], force=True) == 0
        targets = [asked for asked in releases.asked if "--target" in asked]
        assert bool(targets) == beside
        for *_, folder, numpy in targets:
            assert folder.endswith(releases.BESIDE) and numpy.startswith("numpy==2")


def test_a_release_that_does_not_support_this_python_gets_one_that_it_supports(releases):
    for release, python in releases.PYTHONS.items():
        releases.asked.clear()
        assert releases.main([release], [], force=True) == 0
        assert releases.pythons[-1] == python != sys.executable
        installed = [pin for asked in releases.asked for pin in asked if isinstance(pin, str) and "==" in pin]
        newer = {name.partition("==")[0] for name in releases.FOR_PYTHON_3_10}
        given = {pin for pin in installed if pin.partition("==")[0] in newer}
        assert given == {*releases.FOR_PYTHON_3_10, releases.NUMPY_1}
    assert releases.main(["2.6.0"], [], force=True) == 0
    assert releases.pythons[-1] == sys.executable


def test_a_release_with_another_python_that_takes_the_pins_gets_them(releases, monkeypatch):
    text = releases.scratch.requirements()
    usual = releases.wanted("2.10.0", text)
    monkeypatch.setitem(releases.PYTHONS, "2.10.0", "python3.11")
    assert releases.wanted("2.10.0", text) == usual


def test_make_says_what_it_is_asked():
    def said(*variables: str) -> str:
        done = subprocess.run(
            ["make", "-n", "versions", f"VENV={sys.prefix}", *variables],
            cwd=SCRIPTS.parent,
            env={name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.splitlines()[-1].partition("scripts/versions.py")[2].strip()

    assert said() == ""
    assert said("PYTHONS=python3.12 python3.13").split() == ["--python", "python3.12", "--python", "python3.13"]
    assert said("TORCH=2.6.0 2.8.0", "RECIPES=a/b", "FORCE=1").split() == [
        *("2.6.0", "2.8.0", "--recipes", "a/b", "--force")
    ]

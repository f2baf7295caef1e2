"""What the two ways in install: `make`, and `pip install -r requirements.txt`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import browser

ROOT = Path(__file__).parents[2]
LINES = [line.partition("#")[0].strip() for line in (ROOT / "requirements.txt").read_text().splitlines()]


def make(target: str, *variables: str) -> list[str]:
    """Return the commands that make would run for a file that is not there."""
    done = subprocess.run(
        ["make", "-n", target, *variables],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "TORCH_"))},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.replace("\\\n", "").splitlines()


def installs(*variables: str) -> list[str]:
    return [
        line for line in make("no-such/.tests", "VENV=no-such", *variables) if "echo" not in line and "--no-" in line
    ]


def test_pip_installs_all_that_mkdocs_needs_from_one_file():
    asked = [line for line in LINES if line]
    assert "--editable ." in asked and any(re.match(r"torch==", line) for line in asked)
    assert [line for line in asked if not re.match(r"[\w.-]+==[\w.]+$", line)] == ["--editable ."]


def test_make_installs_what_is_locked_then_torch_and_the_project():
    packages, torch, tests = installs()
    assert packages.startswith("no-such/bin/python -m pip install") and torch.startswith("no-such/bin/python -m pip")
    assert packages.endswith("--require-hashes -r requirements/base.lock") and tests.endswith("requirements/dev.lock")
    assert "--editable ." in torch and "requirements.txt" in torch and "--index-url" not in torch
    assert "--no-deps" in packages and "--no-deps" not in torch  # what a build of torch with CUDA needs is in no lock


def test_torch_alone_comes_from_an_index_of_its_own():
    packages, torch, _ = installs("TORCH_INDEX=https://host/cpu")
    assert "--index-url https://host/cpu" in torch and "--index-url" not in packages


def test_another_program_may_install():
    assert all(line.startswith("uv pip install -q ") for line in installs("INSTALL=uv pip install -q"))


def test_make_says_what_it_does_before_each_silence():
    lines = make("no-such/.tests", "VENV=no-such")
    for number, line in enumerate(lines):
        if "--no-compile" in line or "warm.py" in line:
            assert lines[number - 1].startswith('echo "make: ')


def test_what_scripts_import_is_compiled_even_where_python_is_told_not_to(tmp_path):
    packages = tmp_path / "packages"
    for name in ("torch", "matplotlib"):
        (packages / name).mkdir(parents=True)
        (packages / name / "__init__.py").write_text("")
    (packages / "matplotlib" / "pyplot.py").write_text("raise RuntimeError('no display')\n")  # is left out
    variables = {
        "PYTHONPATH": str(packages),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPYCACHEPREFIX": str(tmp_path / "c"),
    }
    command = [sys.executable, "-S", ROOT / "scripts/warm.py"]  # -S: no other packages
    done = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert {path.parent.name for path in (tmp_path / "c").rglob("__init__.*.pyc")} >= {"torch", "matplotlib"}


# -- the browser ------------------------------------------------------------------------------------


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A machine on whose path there are only these programs; what is run to install is noted instead."""
    folder, asked = tmp_path / "bin", []
    folder.mkdir()
    run = subprocess.run

    def noted(command, **options):
        if command[-1] in ("--version", "true"):
            return run(command, **options)
        asked.append(command)
        return subprocess.CompletedProcess(command, 1)

    def machine(uid: int = 1000, **programs: str) -> list[list[str]]:
        for name, text in programs.items():
            path = folder / name.replace("_", "-")
            path.write_text(f"#!/bin/sh\n{text}\n")
            path.chmod(0o755)
        monkeypatch.setattr(browser.os, "geteuid", lambda: uid)
        return asked

    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("VERBATIM_BROWSER", raising=False)
    monkeypatch.setattr(browser, "MAC_BROWSERS", ())
    monkeypatch.setattr(browser, "_playwrights", lambda: str(folder / "playwrights"))
    monkeypatch.setattr(browser.subprocess, "run", noted)
    machine.folder = folder
    return machine


def test_a_browser_that_does_not_start_is_none(machine, monkeypatch):
    machine(chromium="echo 'requires the chromium snap' >&2; exit 1", chrome="echo Chrome 1")
    assert browser.present() == str(machine.folder / "chrome")
    monkeypatch.setenv("VERBATIM_BROWSER", str(machine.folder / "none"))
    assert browser.present() == str(machine.folder / "chrome")
    assert browser.refusal(str(machine.folder / "chromium")) == "requires the chromium snap"


def test_its_libraries_are_installed_where_we_may(machine):
    asked = machine(0, apt_get="exit 0")
    assert browser.main() == 1
    assert asked[0][1:] == ["-m", "playwright", "install", "--with-deps", "chromium"]
    assert asked[2][:2] == ["apt-get", "install"] and asked[2][-1] == "chromium-headless-shell"
    asked.clear()
    machine(1000, sudo="exit 0")  # without a password
    assert browser.main() == 1
    assert "--with-deps" in asked[0] and asked[2][:4] == ["sudo", "-n", "apt-get", "install"]
    asked.clear()
    machine(1000, sudo="exit 1")
    assert browser.main() == 1
    assert [command[1:] for command in asked] == [["-m", "playwright", "install", "chromium"]]


def test_what_keeps_it_from_starting_is_told_with_the_remedy(machine, capsys):
    machine(playwrights="echo 'libnss3.so: cannot open shared object file' >&2; exit 127")
    assert browser.main() == 1
    told = capsys.readouterr().err
    assert "playwrights does not start: libnss3.so: cannot open shared object file\n  hint: sudo " in told
    assert told.endswith("-m playwright install-deps chromium\n")
    machine(playwrights="exit 0")
    assert browser.main() == 0 and capsys.readouterr().out == f"{machine.folder / 'playwrights'}\n"

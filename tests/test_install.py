"""What the two ways in install: `make`, and `pip install -r requirements.txt`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
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
    assert packages.endswith("--require-hashes -r requirements.lock") and tests.endswith("requirements-dev.lock")
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

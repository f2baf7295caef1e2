"""Scratch environments: what is installed beside the project is gone afterwards, however that ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.waiting import PATIENCE

SCRIPTS = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def scratch(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(SCRIPTS)
    module = pytest.importorskip("scratch")
    monkeypatch.setattr(module, "BELOW", tmp_path / "scratch")
    return module


@pytest.fixture
def wheel(tmp_path) -> Path:
    """A package that pip can install without a network."""
    path = tmp_path / "tiny_package-1.0-py3-none-any.whl"
    about = "tiny_package-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("tiny_package.py", "x = 1\n" * 10_000)
        file.writestr(f"{about}/METADATA", "Metadata-Version: 2.1\nName: tiny-package\nVersion: 1.0\n")
        file.writestr(f"{about}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        file.writestr(f"{about}/RECORD", "")
    return path


def test_what_is_installed_runs_says_its_size_and_is_removed(scratch, wheel, capfd):
    with scratch.environment("try") as made:
        made.install("--no-index", str(wheel))
        assert made.run("-c", "import tiny_package, verbatim; print(tiny_package.x)") == 0
        assert scratch.size(made.folder) > 60_000
    told = capfd.readouterr()
    assert told.out == "1\n" and "GB, removed afterwards" in told.err
    assert list(scratch.BELOW.iterdir()) == []


def test_what_pip_refuses_is_told_and_leaves_nothing(scratch, tmp_path):
    refused = pytest.raises(scratch.CannotInstall, match="No matching distribution found for tiny-package")
    with refused, scratch.environment("try") as made:
        made.install("--no-index", "tiny-package==9")
    with pytest.raises(scratch.CannotInstall, match="python9 is not here"), scratch.environment("try", "python9"):
        pass
    assert list(scratch.BELOW.iterdir()) == []


def test_only_an_ordinary_environment_takes_packages_as_pip_itself_does(scratch, wheel, monkeypatch, tmp_path):
    limits = tmp_path / "constraints.txt"
    limits.write_text("tiny-package<1\n")
    monkeypatch.setenv("PIP_CONSTRAINT", str(limits))
    with scratch.environment("try") as made, pytest.raises(scratch.CannotInstall):
        made.install("--no-index", str(wheel))
    with scratch.environment("try", ordinary=True) as made:
        made.install("--no-index", str(wheel))
        assert made.variables["PIP_CONFIG_FILE"] == os.devnull


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_one_that_is_ended_leaves_nothing(scratch, number, tmp_path):
    code = (
        "import signal, sys, time; from pathlib import Path; sys.path.insert(0, sys.argv[1]); import scratch\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a shell's background job starts without it
        "scratch.BELOW = Path(sys.argv[2])\n"
        "with scratch.folder('try') as made:\n"
        "    (made / 'file').write_text('x'); print('ready', flush=True); time.sleep(600)\n"
    )
    command = [sys.executable, "-c", code, SCRIPTS, scratch.BELOW]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            assert process.stdout.readline() == b"ready\n"
            with scratch.folder("another"):  # it does not take the one in use for one that was left
                assert len(list(scratch.BELOW.glob("*/file"))) == 1
            process.send_signal(number)
            process.wait(PATIENCE)
        finally:
            process.kill()
    if number == signal.SIGKILL:
        assert len(list(scratch.BELOW.iterdir())) == 1
        with scratch.folder("next"):
            pass
    assert list(scratch.BELOW.iterdir()) == []


def test_pins_are_those_of_the_project(scratch):
    text = "# Direct\ntorch==2.13.0   # x\nPyYAML==6.0.3\n\n# Transitive\nattrs==1\n"
    assert scratch.pins(text, ("pyyaml", "torch")) == ["PyYAML==6.0.3", "torch==2.13.0"]
    with pytest.raises(SystemExit, match="`jax` is not pinned there\n  hint: known: torch, PyYAML"):
        scratch.pins(text, ("torch", "jax"))
    assert len(scratch.pins(scratch.requirements(), scratch.NEEDED_PACKAGES)) == len(scratch.NEEDED_PACKAGES)

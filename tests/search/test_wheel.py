"""The engine as a wheel, installed elsewhere, has all that a search is made with."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import verbatim
from verbatim.run import used_names
from verbatim.site.search import message_words, terms

ROOT = Path(__file__).parents[2]

MAKE = """
import sys
from verbatim.site.search import index, sections, terms
sections_of = [sections.Section("", "Memory of tensors", "It is shared.")]
sys.stdout.write(f"{terms.SCRIPT}\\n" + index.files([sections.Page("a/detach/", sections_of)])["terms-0.js"])
"""


def test_an_installed_engine_makes_a_search(tmp_path):
    source, wheels, installed = tmp_path / "source", tmp_path / "wheels", tmp_path / "installed"
    shutil.copytree(ROOT / "verbatim", source / "verbatim", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(
        [*pip, "wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", wheels, source],
        check=True, env=own, capture_output=True,
    )  # fmt: skip
    subprocess.run(
        [*pip, "install", "--no-deps", "--no-index", "--target", installed, *wheels.glob("*.whl")],
        check=True, env=own, capture_output=True,
    )  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", MAKE],
        check=False, cwd=tmp_path, env={**own, "PYTHONPATH": str(installed)}, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    script, _, made = done.stdout.partition("\n")
    assert Path(script).is_relative_to(installed) and '["memory",' in made


@pytest.mark.parametrize("module", [message_words, used_names], ids=lambda module: module.__name__)
def test_the_package_reads_messages_and_code_as_the_engine_does(module):
    """It depends on nothing, so it has a copy."""
    ours = Path(module.__file__)
    assert (ROOT / "explain/src/pytorch_verbatim" / ours.name).read_text() == ours.read_text(), f"copy {ours} there"


def test_the_script_that_cuts_texts_is_the_engine_s():
    assert terms.SCRIPT.is_relative_to(Path(verbatim.__file__).parent)

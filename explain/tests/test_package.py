"""The package is built with its data or not at all, and is of the repository's licence."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from pytorch_verbatim import data
from pytorch_verbatim.__main__ import COMMANDS

EXPLAIN = Path(__file__).parents[1]
ROOT = EXPLAIN.parent


def built(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import setuptools.build_meta as b; print(b.build_wheel('dist'))"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def checkout(tmp_path):
    ignored = shutil.ignore_patterns("__pycache__", "messages.json", "dist", "build", "*.egg-info", "tests")
    return shutil.copytree(EXPLAIN, tmp_path / "explain", ignore=ignored)


def test_without_data_there_is_no_wheel(checkout):
    done = built(checkout)
    assert done.returncode and "the book's messages are missing" in done.stderr and "make explain" in done.stderr
    assert not list(checkout.glob("dist/*"))


def test_a_wheel_has_the_data_and_is_small(checkout):
    shutil.copy(data.FILE, checkout / "src/pytorch_verbatim/messages.json")
    if not data.book().about["date"]:
        assert "of which commit" in built(checkout).stderr  # no git here
        return
    done = built(checkout)
    assert done.returncode == 0, done.stderr
    (wheel,) = checkout.glob("dist/*.whl")
    with zipfile.ZipFile(wheel) as packed:
        assert packed.getinfo("pytorch_verbatim/messages.json").compress_size < 300 * 1024
        assert {name.rpartition("/")[2] for name in packed.namelist()} >= {"LICENSE", "LICENSE-TEXT.md", "py.typed"}
    day = ".".join(str(int(part)) for part in data.book().about["date"].split("-"))
    assert re.match(rf"pytorch_verbatim-{day}(\+edited)?-py3", wheel.name)


def test_licences_are_those_of_the_repository():
    for name in ("LICENSE", "LICENSE-TEXT.md"):
        assert (EXPLAIN / name).read_bytes() == (ROOT / name).read_bytes()


def test_no_text_of_the_book_controls_a_terminal():
    text = Path(data.FILE).read_text(encoding="utf-8")
    assert not re.search(r"\\u00[01]|\\u007f|[\x7f-\x9f]", text)


def test_every_command_is_there():
    for name, (module, help) in COMMANDS.items():
        path = EXPLAIN / f"src/pytorch_verbatim/commands/{module}.py"
        assert name and help and "def main(arguments: list[str]) -> int:" in path.read_text()


def test_it_needs_nothing_but_python():
    for path in (EXPLAIN / "src").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
        for node in ast.walk(tree):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top = name.partition(".")[0]
                assert top in {"pytorch_verbatim", *sys.stdlib_module_names} or (path.name, top) == (
                    "pytest.py",
                    "pytest",
                )

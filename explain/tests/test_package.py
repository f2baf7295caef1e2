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
    ignored = shutil.ignore_patterns("__pycache__", "*.json", "*.zip", "dist", "build", "*.egg-info", "tests")
    return shutil.copytree(EXPLAIN, tmp_path / "explain", ignore=ignored)


@pytest.mark.parametrize("there", [(), ("messages.json",), ("changes.json",)])
def test_without_its_data_there_is_no_wheel(checkout, there):
    for name in there:
        shutil.copy(Path(data.FILE).with_name(name), checkout / "src/pytorch_verbatim")
    done = built(checkout)
    assert done.returncode and "the book's data is missing" in done.stderr and "make explain" in done.stderr
    assert not list(checkout.glob("dist/*"))


def test_without_pages_there_is_no_wheel_of_them(checkout):
    done = built(checkout / "book")
    assert done.returncode and "the book's pages are missing" in done.stderr and "make explain" in done.stderr


@pytest.fixture
def version():
    """The version of the packages; without git there is none, and no wheel."""
    about = data.book().about
    day = ".".join(str(int(part)) for part in about["date"].split("-")) if about["date"] else ""
    assert about["version"] == (f"{day}+edited" if day and about["edited"] else day)
    return about["version"]


def test_a_wheel_has_the_data_is_small_and_needs_nothing(checkout, version):
    for name in ("messages.json", "changes.json"):
        shutil.copy(Path(data.FILE).with_name(name), checkout / "src/pytorch_verbatim")
    done = built(checkout)
    if not version:
        assert "of which commit" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    (wheel,) = checkout.glob("dist/*.whl")
    assert wheel.stat().st_size < 400 * 1024 and wheel.name.startswith(f"pytorch_verbatim-{version}-py3")
    with zipfile.ZipFile(wheel) as packed:
        assert {name.rpartition("/")[2] for name in packed.namelist()} >= {"LICENSE", "LICENSE-TEXT.md", "py.typed"}
        (about,) = (packed.read(name).decode() for name in packed.namelist() if name.endswith("/METADATA"))
    needs = re.findall(r"^Requires-Dist: (.*)$", about, re.MULTILINE)
    assert all("; extra == " in one for one in needs) and f'pytorch-verbatim-book=={version}; extra == "book"' in needs
    assert {re.split("[=<>]", one)[0] for one in needs} == {"pytorch-verbatim-book", "mini-racer", "mcp"}


def test_the_wheel_of_the_pages_has_the_same_version(checkout, version, shelf):
    shutil.copy(shelf / "pytorch_verbatim_book/book.zip", checkout / "book/src/pytorch_verbatim_book")
    done = built(checkout / "book")
    if not version:
        assert "of which commit" in done.stderr
        return
    assert done.returncode == 0, done.stderr
    (wheel,) = (checkout / "book").glob("dist/*.whl")
    assert wheel.name.startswith(f"pytorch_verbatim_book-{version}-py3")
    with zipfile.ZipFile(wheel) as packed:
        assert "pytorch_verbatim_book/book.zip" in packed.namelist()
        assert {name.rpartition("/")[2] for name in packed.namelist()} >= {"LICENSE", "LICENSE-TEXT.md"}


def test_licences_are_those_of_the_repository():
    for folder in (EXPLAIN, EXPLAIN / "book"):
        for name in ("LICENSE", "LICENSE-TEXT.md"):
            assert (folder / name).read_bytes() == (ROOT / name).read_bytes()


def test_no_text_of_the_book_controls_a_terminal():
    text = Path(data.FILE).read_text(encoding="utf-8")
    assert not re.search(r"\\u00[01]|\\u007f|[\x7f-\x9f]", text)


def test_every_command_is_there():
    for name, (module, help) in COMMANDS.items():
        path = EXPLAIN / f"src/pytorch_verbatim/commands/{module}.py"
        assert name and help and "def main(arguments: list[str]) -> int:" in path.read_text()


#: What extras bring, and what a reader has who uses the module: module → what it may import.
OTHERS = {"pytest.py": "pytest", "terminal.py": "rich", "searching.py": "py_mini_racer", "commands/mcp.py": "mcp"}


def test_it_needs_nothing_but_python():
    for path in (EXPLAIN / "src/pytorch_verbatim").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
        for node in ast.walk(tree):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top = name.partition(".")[0]
                own = path.relative_to(EXPLAIN / "src/pytorch_verbatim").as_posix()
                assert top in {"pytorch_verbatim", *sys.stdlib_module_names, OTHERS.get(own)}

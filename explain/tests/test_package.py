"""The packages as wheels, which pip takes from the site alone; and what they hold."""

from __future__ import annotations

import ast
import base64
import csv
import functools
import hashlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
import venv
import zipfile
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
from verbatim.lists import approved, package
from verbatim.project import Project
from verbatim.site.downloads import wheels

from pytorch_verbatim import data
from pytorch_verbatim.__main__ import COMMANDS

EXPLAIN = Path(__file__).parents[1]
ROOT = EXPLAIN.parent


@pytest.fixture
def version():
    """The version of the packages; without git there is none."""
    about = data.book().about
    day = ".".join(str(int(part)) for part in about["date"].split("-")) if about["date"] else ""
    assert about["version"] == (f"{day}+edited" if day and about["edited"] else day)
    return about["version"] or "0"


@pytest.fixture
def made(version, shelf):
    """The wheels of both packages."""
    folder = Path(data.FILE).parent
    files = {name: (folder / name).read_text(encoding="utf-8") for name in ("messages.json", "changes.json")}
    book = {"book.zip": (shelf / "pytorch_verbatim_book/book.zip").read_bytes()}
    return [wheels.wheel(EXPLAIN, files, version), wheels.wheel(EXPLAIN / "book", book, version)]


def metadata(packed: zipfile.ZipFile) -> str:
    (about,) = (packed.read(name).decode() for name in packed.namelist() if name.endswith("/METADATA"))
    return about


def test_a_wheel_has_the_data_is_small_and_needs_nothing(made, version):
    wheel = made[0]
    assert len(wheel.data) < 500 * 1024 and wheel.name == f"pytorch_verbatim-{version}-py3-none-any.whl"
    with zipfile.ZipFile(io.BytesIO(wheel.data)) as packed:
        names, about = packed.namelist(), metadata(packed)
    assert {name.rpartition("/")[2] for name in names} >= {"LICENSE", "LICENSE-TEXT.md", "py.typed", "messages.json"}
    needs = re.findall(r"^Requires-Dist: (.*)$", about, re.MULTILINE)
    assert all("; extra == " in one for one in needs) and f"pytorch-verbatim-book=={version}; extra == 'book'" in needs
    assert {re.split("[=<>]", one)[0] for one in needs} == {"pytorch-verbatim-book", "mini-racer", "mcp"}


def test_the_wheel_of_the_pages_has_the_same_version(made, version):
    assert made[1].name == f"pytorch_verbatim_book-{version}-py3-none-any.whl"
    with zipfile.ZipFile(io.BytesIO(made[1].data)) as packed:
        assert "pytorch_verbatim_book/book.zip" in packed.namelist()
        assert {name.rpartition("/")[2] for name in packed.namelist()} >= {"LICENSE", "LICENSE-TEXT.md"}


def test_a_wheel_lists_its_files_and_equal_data_make_equal_wheels(made, version):
    for wheel in made:
        with zipfile.ZipFile(io.BytesIO(wheel.data)) as packed:
            (record,) = (name for name in packed.namelist() if name.endswith("/RECORD"))
            rows = list(csv.reader(packed.read(record).decode().splitlines()))
            assert {name for name, *_ in rows} == {*packed.namelist()}
            for name, digest, size in rows[:-1]:
                content = packed.read(name)
                raw = base64.urlsafe_b64decode(digest.removeprefix("sha256=") + "=")
                assert (raw, int(size)) == (hashlib.sha256(content).digest(), len(content))
            assert len({info.date_time for info in packed.infolist()}) == 1
    with zipfile.ZipFile(io.BytesIO(made[0].data)) as packed:
        files = {name: packed.read(f"pytorch_verbatim/{name}") for name in ("changes.json", "messages.json")}
    assert wheels.wheel(EXPLAIN, files, version).data == made[0].data


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def served(made, tmp_path):
    """A site that serves the wheels, below a path of its own, and its address."""
    folder = tmp_path / "served/book/pip"
    folder.mkdir(parents=True)
    for wheel in made:
        (folder / wheel.name).write_bytes(wheel.data)
    sources = SimpleNamespace(languages=Project(ROOT).languages, pages=[])
    (folder / "index.html").write_text(wheels.listing(made, sources, data.book().about))
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=tmp_path / "served"))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield folder, f"http://127.0.0.1:{server.server_port}/book/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def fresh(tmp_path_factory) -> Path:
    """The Python of an environment that has nothing but pip, and no index."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=True)
    return folder / "bin/python"


def installed(python: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Run a command that pages show, in an environment, where no index can be reached."""
    variables = {"PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_CONFIG_FILE": os.devnull, "PIP_RETRIES": "0"}
    typed = command.replace("pip install", f"{python} -m pip install --disable-pip-version-check --force-reinstall", 1)
    environ = {**os.environ, **variables, "PYTHONPATH": ""}
    return subprocess.run(shlex.split(typed), env=environ, capture_output=True, text=True, check=False)


def test_what_pages_say_installs_from_the_site_alone_and_works(served, fresh):
    folder, address = served
    project = Project(ROOT)
    assert not project.package_on_index
    alone, (own, _) = package.commands(project), package.commands(project, "book")
    for command in (*alone, own):
        done = installed(fresh, command.replace(project.site_url, address))
        assert done.returncode == 0, done.stdout + done.stderr
    command = [fresh, "-m", "pytorch_verbatim", "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert told.returncode == 0 and data.book().about["address"] in told.stdout, told.stdout + told.stderr
    shown = subprocess.run(
        [fresh, "-m", "pytorch_verbatim", "show", "autograd/detach"], capture_output=True, check=False
    )
    assert shown.returncode == 0
    offline = installed(fresh, alone[0].replace(project.site_url, f"{folder.parent.as_uri()}/"))
    assert offline.returncode == 0, offline.stderr


def test_a_wheel_that_is_not_the_one_listed_is_refused(served, fresh):
    folder, address = served
    (wheel,) = folder.glob("pytorch_verbatim-*")
    wheel.write_bytes(wheel.read_bytes() + b"\0")
    project = Project(ROOT)
    done = installed(fresh, package.commands(project)[0].replace(project.site_url, address))
    assert done.returncode and "THESE PACKAGES DO NOT MATCH THE HASHES" in done.stdout + done.stderr


#: A command that would take a name of ours from an index.
FROM_INDEX = re.compile(r"pip install (?!--no-index)[^`\n]*pytorch[-_]verbatim(?!-engine)")


def test_no_text_says_to_take_our_names_from_an_index_that_has_them_not():
    assert not Project(ROOT).package_on_index
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "*.html", "*.yml", "*.py", "*.toml", "*.sh", "Makefile"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    own = {"explain/tests/test_package.py", "verbatim/lists/package.py"}
    found = [
        f"{name}: {match[0]}"
        for name in listed
        if name not in own and (ROOT / name).is_file()
        for match in FROM_INDEX.finditer((ROOT / name).read_text(encoding="utf-8"))
    ]
    assert not found


def test_once_the_index_has_them_their_names_are_enough(tmp_path):
    shutil.copytree(EXPLAIN, tmp_path / "explain", ignore=shutil.ignore_patterns("src", "tests", "dist"))
    (tmp_path / "mkdocs.yml").write_text("plugins:\n  - verbatim:\n      package_on_index: true\n")
    project = Project(tmp_path)
    assert package.commands(project) == ["pip install pytorch-verbatim"]
    assert package.commands(project, "mcp") == ["pip install 'pytorch-verbatim[mcp]'"]


def test_licences_are_those_of_the_repository():
    for folder in (EXPLAIN, EXPLAIN / "book"):
        for licence in (ROOT / "LICENSE", ROOT / "book/LICENSE-TEXT.md"):
            assert (folder / licence.name).read_bytes() == licence.read_bytes()


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


def test_the_version_says_as_many_messages_as_are_approved(python):
    done = python("-m", "pytorch_verbatim", "--version")
    found, problems = approved.read(Project(ROOT))
    count = len({template for templates in found.values() for template in templates})
    assert not problems and done.returncode == 0, done.stderr
    assert f"\n{count} messages of " in done.stdout

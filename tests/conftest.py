"""A scratch project, and a way to run one script in it."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import random
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import jinja2
import pytest

from tests.browsing import _windows, browser, fonts, serve, windows  # noqa: F401
from tests.leftovers import _nothing_is_left, _seen_here  # noqa: F401
from tests.once import built_once  # noqa: F401
from verbatim.book import records
from verbatim.book.releases.files import save
from verbatim.book.releases.model import Finding, Release, Status, approved_sha
from verbatim.project import Project
from verbatim.run import server
from verbatim.run.job import Limits
from verbatim.run.result import Result
from verbatim.run.runner import run
from verbatim.run.script import parse

HERE = Path(__file__).parent

# Else each of the processes that tests start, and there are hundreds, compiles the engine for itself.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

#: The files that take longest. They come first, so that the workers end together; which comes when changes nothing else.
LONGEST = (
    "run/test_cluster.py",
    "browser/test_pages.py",
    "site/test_incremental.py",
    "search/test_dialog.py",
    "site/test_serve.py",
    "test_editions.py",
    "browser/test_releases.py",
    "browser/test_reading.py",
    "tools/test_benchmarks.py",
    "browser/test_every_page.py",
    "site/test_deterministic.py",
    "run/test_runner.py",
    "run/test_cuda.py",
    "run/test_trust.py",
    "run/test_limits.py",
    "browser/test_serve.py",
    "browser/test_asks.py",
    "run/test_confine.py",
    "browser/test_light.py",
    "run/test_variables.py",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--shuffle", metavar="SEED", help="run the files in the order that this seed gives")


def pytest_collection_modifyitems(items: list[pytest.Item], config: pytest.Config) -> None:
    if seed := config.getoption("--shuffle", None):
        files = sorted({item.path for item in items})
        random.Random(seed).shuffle(files)
        items.sort(key=lambda item: files.index(item.path))
        return
    place = {HERE / name: number for number, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(place)))


@pytest.fixture(scope="session", autouse=True)
def _without_icons() -> Iterator[None]:
    """Twice a build MkDocs lists the files of its theme, fourteen thousand icons among them, to leave all of these out.

    What begins with a dot is left out here before it is listed; of a small site that is a sixth of a build.
    """

    def names(loader: jinja2.FileSystemLoader) -> list[str]:
        found: set[str] = set()
        for folder in map(Path, loader.searchpath):
            for within, folders, files in os.walk(folder):
                folders[:] = [name for name in folders if not name.startswith(".")]
                found.update((Path(within) / name).relative_to(folder).as_posix() for name in files)
        return sorted(found)

    with mock.patch.object(jinja2.FileSystemLoader, "list_templates", names):
        yield


@pytest.fixture(scope="session", autouse=True)
def _compiled_once() -> Iterator[None]:
    """A build that takes nothing from a cache compiles a hundred templates for each language; here, once a process."""
    compile_, known = jinja2.Environment.compile, {}

    def compiled(env: jinja2.Environment, source: str, *arguments: object) -> object:
        how = env.autoescape, env.trim_blocks, env.lstrip_blocks, env.optimized, env.finalize
        key = (source, arguments, how, *env.extensions, *env.filters, *env.tests)
        if key not in known:
            known[key] = compile_(env, source, *arguments)
        return known[key]

    with mock.patch.object(jinja2.Environment, "compile", compiled):
        yield


@pytest.fixture
def project(tmp_path: Path) -> Project:
    root = tmp_path / "book"
    for folder in ("examples", "docs/zh", "docs/en"):
        (root / folder).mkdir(parents=True)
    (root / "mkdocs.yml").write_text("site_name: scratch\n")
    return Project(root)


@pytest.fixture
def write(project: Project):
    """Write a file of the scratch project; return its path."""

    def write(name: str, text: str) -> Path:
        path = project.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"))
        return path

    return write


@pytest.fixture
def run_script(project: Project, write):
    """Run a script given as text; a title and a first cell are put in front where it has none."""
    server.prepare()  # before a test sets variables: its server is that of the tests after it, too

    def run_script(text: str, gpus: str = "", **limits: float) -> Result:
        text = textwrap.dedent(text).lstrip("\n")
        if not text.startswith("# %%"):
            text = "# %% only\n" + text
        path = write("examples/topic/script.py", f'"""A script."""\n\n{text}')
        return run(
            parse(path.read_text(), project.relative(path)),
            project,
            Limits(**{"seconds": 30, "asleep": 30, **limits}),
            gpus,
        )

    return run_script


@functools.cache
def has_cuda() -> bool:
    """Whether the torch that is installed was built with CUDA."""
    return bool(server.ask(eval, "__import__('torch').version.cuda"))


class OtherServers:
    """Fork servers with other variables, that tests use in turns with their own. They start when they are first used."""

    def __init__(self, **variables: str):
        self._variables = variables
        self._servers: dict[tuple[bool, str], server.Server] = {}

    @contextlib.contextmanager
    def __call__(self) -> Iterator[None]:
        """Have scripts forked from these servers meanwhile."""
        with mock.patch.object(server, "_servers", self._servers), mock.patch.dict("os.environ", self._variables):
            server.ensure()  # with torch alone
            yield

    def stop(self) -> None:
        for one in self._servers.values():
            one.stop()


def printed_text(result: Result, cell: str | None = None) -> str:
    """Everything that a script, or one of its cells, printed."""
    from verbatim.book.compare import text_of

    return "".join(text_of(o) for c in result.cells if cell in (None, c.name) for o in c.outputs)


def rerecord(path: Path, old: str, new: str) -> None:
    """Replace a text in a record as if another run had printed it: its hashes fit again."""
    text = path.read_text()
    assert old in text
    path.write_text(sealed(json.loads(text.replace(old, new))))


def sealed(document: dict) -> str:
    """Return a record as text, its hashes computed anew."""
    about = document["metadata"]["verbatim"]
    with contextlib.suppress(TypeError, AttributeError):
        cells = [records._recorded(cell) for cell in document["cells"] if cell["cell_type"] == "code"]
        about["run"] = records.run_sha(cells)
    about["sha"] = records._sha(document)
    return records.dumps(document)


def stand_in_version(project: Project, torch: str, said: dict[str, dict[str, object]], **more) -> Release:
    """Write the record of another release, as if it had run every recipe: what `said` names it printed, else the same.

    `said`: recipe → cell → text that it printed, ``(exception, message)`` that it raised because something is not
    there, a reason such as ``Finding.reason`` has, as ``["cell:setup"]``, or an output of a notebook.
    """
    cells, own = {}, {}
    for path in project.scripts():
        script = parse(path.read_text(), project.relative(path))
        recipe = project.recipe(script.path)
        record = records.load(project, recipe, "cpu")
        cells[recipe], kept = {}, []
        for cell in script.cells:
            value = said.get(recipe, {}).get(cell.name)
            status, reason, outputs = Status.VARIES if cell.varies else Status.SAME, "", ()
            if isinstance(value, str):
                status, outputs = Status.DIFFERS, ({"output_type": "stream", "name": "stdout", "text": value},)
            elif isinstance(value, tuple):
                name, message = value
                error = {"ename": name, "evalue": message, "traceback": [f"{name}: {message}"]}
                status, outputs = Status.ABSENT, ({"output_type": "error", **error},)
            elif isinstance(value, list):
                status, reason = Status.NOT_RUN, value[0]
            elif isinstance(value, dict):
                status, outputs = Status.DIFFERS, (value,)
            finding = Finding(script.codes[cell.name], approved_sha(cell, record), status, reason)
            cells[recipe][cell.name] = finding
            if outputs:
                kept.append(records.RecordedCell(cell.name, cell.source, cell.sha, outputs, options=cell.options))
        if kept:
            own[recipe] = records.Record("", "cpu", tuple(kept), script.title)
    about = {"torch": f"{torch}+cu117", "python": "3.11.7", "numpy": "1.26.4", "matplotlib": "3.11.2"}
    about |= {"platform": "Linux x86_64", "date": "2026-11-22"}
    version = Release(torch, about, cells, own, **more)
    save(project, version)
    return version

"""Which packages an output depends on: a script runs again where one of these is another, and only there."""

from __future__ import annotations

import re

import pytest

from tests.site.test_incremental import Book
from tests.site.test_plugin import command
from verbatim.book.gather import gather
from verbatim.project import Project
from verbatim.run import cache, packages
from verbatim.run.runner import Runner

SITE = packages.SITES[0]


@pytest.fixture
def install(monkeypatch):
    """Let names stand in the folder of packages that are not there, for the parent of scripts; and others not."""
    listed = packages._listed

    def install(*added: str, removed: str = "") -> None:
        def names(folder: str) -> list[str]:
            kept = [name for name in listed(folder) if not removed or not re.match(removed, name)]
            return sorted([*kept, *added]) if folder == SITE else kept

        monkeypatch.setattr(packages, "_listed", names)
        forget()

    def forget() -> None:
        packages._fingerprint.cache_clear()
        packages._contents.cache_clear()

    yield install
    forget()


TOOL = "pytest-99.0.dist-info"
LATER = "later-1.0.dist-info"
NUMPY = {"added": ("numpy-99.0.dist-info",), "removed": r"numpy-[\d.]+\.dist-info"}
TRIES = "try:\n    import later\nexcept ImportError:\n    print('not there')"
VERSION = "import importlib.metadata\nprint([one.version for one in importlib.metadata.distributions(name='{}')])"
ALL = "import importlib.metadata\nprint(len(list(importlib.metadata.distributions())) > 9)"
STARTS = "import subprocess\nsubprocess.run(['true'])"


@pytest.mark.parametrize(
    ("code", "changed", "again"),
    [
        ("print(1)", {"added": (TOOL, "pytest_later")}, 0),
        ("print(1)", {"added": (LATER, "later.py")}, 0),
        ("print(1)", NUMPY, 1),  # torch has it imported before the script begins
        (TRIES, {"added": (LATER, "later.py")}, 1),
        (TRIES, {"added": ("later",)}, 1),
        (TRIES, {"added": ("late", "later_on.py")}, 0),
        ("import importlib.util\nprint(importlib.util.find_spec('later'))", {"added": ("later.cpython-311.so",)}, 1),
        (VERSION.format("later"), {"added": (LATER,)}, 1),
        (VERSION.format("La_ter"), {"added": ("la_ter-2.0.dist-info",)}, 1),
        (VERSION.format("later"), {"added": (TOOL,)}, 0),
        (ALL, {"added": (LATER,)}, 1),
        (ALL, {"added": (TOOL,)}, 0),
        (STARTS, {"added": (LATER,)}, 1),
        (STARTS, {"added": (TOOL,)}, 0),
        ("import yaml\nprint(yaml.__name__)", {"added": ("pyyaml-99.dist-info",), "removed": r"pyyaml-.*info"}, 1),
    ],
)
def test_a_script_runs_again_where_a_package_that_it_can_notice_is_another(
    project, write, install, code, changed, again
):
    write("examples/topic/a.py", f'"""T."""\n\n# %% a\n{code}\n')
    assert (gather(project).executed, gather(project).executed) == (1, 0)
    install(*changed["added"], removed=changed.get("removed", ""))
    assert (gather(project).executed, gather(project).executed) == (again, 0)


def test_what_the_tools_need_is_not_what_the_site_needs():
    tools = packages._tools()
    assert {"pytest", "mypy", "playwright"} <= tools
    assert not tools & {"torch", "numpy", "matplotlib", "mkdocs", "pillow", "pyyaml"}
    assert TOOL not in packages.distributions(SITE, packages.ALL)


@pytest.mark.parametrize(
    ("path", "logged"),
    [
        ("/numpy/linalg/__init__.py", "/numpy"),
        ("/six.py", "/six"),
        ("/later", "/later"),
        ("/__pycache__/six.cpython-311.pyc", None),
        ("/numpy-2.0.dist-info/METADATA", "/numpy-2.0.dist-info"),
        ("/", "/*.dist-info"),
        ("/*.dist-info", "/*.dist-info"),
    ],
)
def test_of_a_path_in_a_folder_of_packages_the_package_is_logged(path, logged):
    assert packages.entry(SITE + path) == (SITE + logged if logged else "")
    assert packages.entry(f"/elsewhere{path}") is None


def test_the_key_has_the_modules_that_run_in_the_child_or_drive_it():
    found = cache.modules()
    assert {"runner", "server", "forks", "preload", "worker", "watch", "result", "clean", "plots"} <= found.keys()
    assert not {"cache", "cluster"} & found.keys()


@pytest.mark.parametrize(
    ("edit", "same"),
    [
        (lambda text: f"# A comment.\n{text}", True),
        (lambda text: text.replace('"""', '"""Said otherwise. ', 1), True),
        (lambda text: text.replace("def main(", "def begin("), False),
    ],
    ids=["comment", "docstring", "code"],
)
def test_words_about_the_engine_leave_results_as_they_are(monkeypatch, edit, same):
    import ast
    from pathlib import Path

    before = cache.engine.__wrapped__()
    path = Path(cache.__file__).with_name("worker.py")
    edited = cache.modules() | {"worker": ast.parse(edit(path.read_text()))}
    monkeypatch.setattr(cache, "modules", lambda: edited)
    assert (cache.engine.__wrapped__() == before) is same


@pytest.mark.parametrize(
    ("options", "again"),
    [("fold=true", 0), ("hidden=true", 0), ("asks=true", 0), ("varies=true", 0), ('needs="no-cuda"', 1)],
)
def test_how_pages_show_a_cell_does_not_run_it_again(project, write, options, again):
    write("examples/topic/a.py", '"""T."""\n\n# %% a\nprint(1)\n')
    assert gather(project).executed == 1
    write("examples/topic/a.py", f'"""T."""\n\n# %% a {options}\nprint(1)\n')
    assert gather(project).executed == again


@pytest.mark.parametrize("order", [("check", "build", "check"), ("build", "check", "build")], ids="-".join)
def test_commands_in_any_order_run_each_script_once(tmp_path, install, monkeypatch, order):
    """What tests and lint need is installed in between."""
    book = Book(tmp_path)
    ran = []
    submit = Runner.submit

    def counted(runner, script, without="", **how):
        ran.append((script.path, without, tuple(cell.name for cell in script.cells)))  # a page may have its own order
        return submit(runner, script, without, **how)

    monkeypatch.setattr(Runner, "submit", counted)
    for number, name in enumerate(order):
        command(Project(book.root), "verbatim", name)
        install(TOOL, f"mypy-{number}.0.dist-info", "mypy_later")
    scripts = {path for path, *_ in ran}
    assert scripts == {"examples/autograd/leaf.py", "examples/tensors/print.py"} and len(ran) == len(set(ran)), ran

"""MkDocs builds with the plugin, as a user starts them: in a process of their own."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import pytest
from mkdocs.__main__ import cli as mkdocs

from tests.conftest import rerecord
from verbatim.__main__ import main
from verbatim.project import Project
from verbatim.run import server
from verbatim.site.pages import set_titles

CONFIG = """
site_name: mini
theme: {{name: {theme}}}
plugins:
  - verbatim:
      offline: !ENV [VERBATIM_OFFLINE, false]
  - i18n:
      docs_structure: folder
      reconfigure_search: false
      fallback_to_default: false
      languages:
        - {{locale: zh, name: 中文, default: true, build: true}}
        - {{locale: en, name: English, build: true}}
markdown_extensions: [admonition, attr_list, pymdownx.highlight, pymdownx.superfences, pymdownx.details]
"""

SCRIPT = '''
"""T."""

# %% first
print("hello <script>document.title='owned'</script>")

# %% draw
import matplotlib.pyplot as plt

plt.plot([1, 2])
'''

PAGE = """
---
title: {title}
description: D
---

# {title}

```example
examples/topic/a.py#first
```

```example
examples/topic/a.py#draw
```

*{figure}: a rising line.*
"""

INDEX = "---\ntitle: Home\ndescription: About Home\n---\n\n# Home\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Project:
    """A small book, recorded and built once."""
    project = Project(tmp_path_factory.mktemp("made") / "book")
    files = {"mkdocs.yml": CONFIG.format(theme="mkdocs"), "examples/topic/a.py": SCRIPT.lstrip("\n")}
    for language, figure in (("zh", "图"), ("en", "Figure")):
        text = PAGE.format(title=f"Title {language}", figure=figure).lstrip("\n")
        files[f"docs/{language}/topic/a.md"] = text.replace("图: ", "图：")
        files[f"docs/{language}/index.md"] = INDEX
    for name, text in files.items():
        (project.root / name).parent.mkdir(parents=True, exist_ok=True)
        (project.root / name).write_text(text)
    assert command(project, "verbatim", "record").returncode == 0
    done = build(project, "--strict")
    assert done.returncode == 0, done.stdout
    return project


@pytest.fixture
def built(made, project: Project) -> Project:
    """A copy of the book with its site."""
    shutil.copytree(made.root, project.root, dirs_exist_ok=True)
    return project


@pytest.fixture
def mini(built) -> Project:
    """A copy of the book without its site."""
    shutil.rmtree(built.root / "site")
    return built


def start(project: Project, *arguments: str, **variables: str) -> subprocess.Popen:
    root = os.fspath(Path(__file__).parents[2])
    environment = {**os.environ, "PYTHONPATH": root, "NO_MKDOCS_2_WARNING": "1", **variables}
    return subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=project.root,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def command(project: Project, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    """Run a module as a command in the project's folder; return what it said, and its exit code.

    The engine's and MkDocs' run in this process, unless a script may see the variables: they share the tests' own fork
    server, where a process of its own would import PyTorch once more.
    """
    if arguments[0] in INSIDE and variables.keys() <= OF_BUILDS:
        code, output = inside(project, *arguments, **variables)
    else:
        process = start(project, *arguments, **variables)
        output, _ = process.communicate(timeout=3600)
        code = process.returncode
    return subprocess.CompletedProcess(arguments, code, output, "")


INSIDE = {"verbatim": main, "mkdocs": mkdocs}
#: What a build asks for, and no script.
OF_BUILDS = {"SITE_URL", "VERBATIM_OFFLINE", "VERBATIM_EDITIONS", "MIRROR_URL"}


@contextlib.contextmanager
def _loggers() -> Iterator[None]:
    """Leave loggers as they were: a command gives them levels and handlers for its own process, as `--quiet` asks."""
    loggers = [logging.getLogger(name) for name in (None, "mkdocs", "mkdocs.commands.build")]
    before = [(one.level, one.propagate, [*one.handlers], [*one.filters]) for one in loggers]
    try:
        yield
    finally:
        for one, (level, propagate, handlers, filters) in zip(loggers, before, strict=True):
            one.setLevel(level)
            one.propagate, one.handlers[:], one.filters[:] = propagate, handlers, filters


def inside(project: Project, name: str, *arguments: str, **variables: str) -> tuple[int, str]:
    server.prepare()  # with all that scripts of other tests need
    said, code = io.StringIO(), 0
    with (
        contextlib.chdir(project.root),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(said),
        mock.patch.dict(os.environ, NO_MKDOCS_2_WARNING="1", **variables),
        _loggers(),
    ):
        try:
            code = INSIDE[name](list(arguments))
        except SystemExit as ended:
            code = ended.code
    return int(code or 0), said.getvalue()


def build(project: Project, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
    return command(project, "mkdocs", "build", *arguments, **variables)


def tree(project: Project) -> list[str]:
    return sorted(p.name for p in project.root.iterdir())


def page(project: Project, path: str) -> str:
    return (project.root / "site" / path / "index.html").read_text()


def test_both_languages_show_what_was_printed(built):
    for path, label in (("topic/a", "输出"), ("en/topic/a", "Output")):
        html = page(built, path)
        assert "hello &lt;script&gt;" in html and "<script>document" not in html
        assert 'data-verbatim="topic/a#first"' in html and 'data-device="cpu"' in html
        assert label in html
        assert re.search(r'<svg role="img" aria-label="(图：|Figure: )a rising line\.', html)
        assert 'class="verbatim-ran"' in html


@pytest.mark.parametrize(
    ("meta", "shown", "title"),
    [
        ({"title": "The long title", "nav": "Short"}, "Short", "The long title"),
        ({"title": "The long title"}, "From nav in mkdocs.yml", "The long title"),
        ({}, "From nav in mkdocs.yml", "From nav in mkdocs.yml"),
        ({"title": "a < b", "nav": "<script>"}, "&lt;script&gt;", "a &lt; b"),
        ({"title": 7, "nav": 8}, "8", "7"),
    ],
)
def test_the_navigation_shows_the_short_title_and_templates_get_text(meta, shown, title):
    page = SimpleNamespace(meta=meta, title="From nav in mkdocs.yml")
    set_titles(page)
    assert (page.title, page.meta["title"]) == (shown, title)


def test_what_languages_share_is_linked_where_it_lies(mini, write):
    write("docs/assets/plot.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    for language in ("zh", "en"):
        text = (mini.docs(language) / "topic/a.md").read_text()
        write(f"docs/{language}/topic/a.md", text + "\n![A line](../../assets/plot.svg)\n")
    done = build(mini, "--strict")
    assert done.returncode == 0, done.stdout
    for path in ("topic/a", "en/topic/a"):
        address = re.search(r'src="([^"]*plot\.svg)"', page(mini, path))[1]
        assert (mini.root / "site" / path / address).is_file()


def test_a_named_config_file_may_be_relative(mini):
    assert build(mini, "-f", "mkdocs.yml").returncode == 0


def test_a_second_build_runs_nothing(mini):
    build(mini)
    shutil.rmtree(mini.root / "site")
    assert "1 scripts, 0 run now" in build(mini).stdout
    assert "nothing changed since site/ was built" in command(mini, "verbatim", "build").stdout


def test_the_manifest_lists_recipes_and_cells(built):
    manifest = json.loads((built.root / "site/verbatim.json").read_text())
    recipe = manifest["recipes"]["topic/a"]
    assert recipe["pages"] == {"zh": "topic/a/", "en": "en/topic/a/"}
    assert [c["name"] for c in recipe["cells"]] == ["first", "draw"]
    for cell in recipe["cells"]:
        assert set(cell) >= {"source", "outputs", "device", "environment"}
    assert manifest["environment"]["torch"] == recipe["cells"][0]["environment"]["torch"]


def test_every_problem_is_told_and_the_old_site_is_kept(built, write):
    before = page(built, "topic/a")
    write("examples/topic/a.py", SCRIPT + "\n# %% extra\n1 / 0\n")
    write("docs/en/more.md", INDEX)
    done = build(built)
    assert done.returncode == 1
    assert "examples/topic/a.py:12: cell `extra` raised ZeroDivisionError" in done.stdout
    assert "docs/zh/more.md is missing" in done.stdout
    assert "Traceback" not in done.stdout
    assert page(built, "topic/a") == before
    assert not [name for name in tree(built) if name.startswith(".site")]


def test_what_an_editor_has_beside_a_page_is_not_published_and_may_go_at_any_moment(mini, write):
    write("docs/en/topic/a.md~", "the text before")
    write("docs/assets/a.html~", "an image before")
    goes = write("docs/assets/4913.txt", "to see whether this folder can be written")
    write(
        "goes.py",
        f"import os\n\ndef on_nav(nav, **_):\n    if os.path.exists({str(goes)!r}):\n        os.remove({str(goes)!r})\n    return nav\n",
    )
    write("mkdocs.yml", (mini.root / "mkdocs.yml").read_text() + "hooks: [goes.py]\n")
    done = build(mini)
    assert done.returncode == 0, done.stdout
    assert not goes.exists() and not list((mini.root / "site").rglob("*~"))


def test_a_failure_after_pages_are_written_keeps_the_old_site(built, write):
    before = page(built, "topic/a")
    write("docs/zh/topic/a.md", (built.root / "docs/zh/topic/a.md").read_text() + "\nMore.\n")
    write("broken.py", "def on_post_build(config, **_):\n    raise SystemExit(1)\n")
    config = (built.root / "mkdocs.yml").read_text()
    write("mkdocs.yml", config + "hooks: [broken.py]\n")
    assert build(built).returncode == 1
    assert page(built, "topic/a") == before
    assert not [name for name in tree(built) if name.startswith(".site")]


def test_drift_fails_a_strict_build_and_only_warns_in_another(mini, write):
    rerecord(
        mini.record("topic/a", "cpu"),
        "hello <script>document.title='owned'</script>\\n",
        "what another torch printed\\n",
    )
    strict = build(mini, "--strict")
    assert strict.returncode == 1
    assert "-what another torch printed\n+hello" in strict.stdout
    assert "python -m verbatim record topic/a" in strict.stdout
    loose = build(mini)
    assert loose.returncode == 0
    assert "does not print what was recorded" in loose.stdout
    assert "hello" in page(mini, "topic/a") and "another torch" not in page(mini, "topic/a")


def test_two_builds_at_once_leave_one_whole_site(mini):
    builds = [start(mini, "mkdocs", "build", "-q") for _ in range(2)]
    outputs = [b.communicate(timeout=3600)[0] for b in builds]
    assert [b.returncode for b in builds] == [0, 0], outputs
    assert "hello" in page(mini, "topic/a") and "hello" in page(mini, "en/topic/a")
    assert not [name for name in tree(mini) if name.startswith(".site")]


def test_a_place_that_cannot_be_written_is_told(built):
    before = page(built, "topic/a")
    (built.root / "file").write_text("in the way")
    done = build(built, "-d", "file/site")
    assert done.returncode == 1
    assert "file" in done.stdout and "Traceback" not in done.stdout
    assert page(built, "topic/a") == before


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_told_and_the_old_site_is_kept(built, write):
    before = page(built, "topic/a")
    # A page that cannot be written: its place is taken by a link to a device that is always full.
    write(
        "full.py",
        "import os\ndef on_post_page(output, page, config):\n"
        "    os.makedirs(os.path.dirname(page.file.abs_dest_path), exist_ok=True)\n"
        "    os.path.lexists(page.file.abs_dest_path) or os.symlink('/dev/full', page.file.abs_dest_path)\n"
        "    return output\n",
    )
    write("mkdocs.yml", (built.root / "mkdocs.yml").read_text() + "hooks: [full.py]\n")
    done = build(built)
    assert done.returncode == 1
    assert "No space left on device\n  hint: make room on the disk" in done.stdout and "Traceback" not in done.stdout
    assert page(built, "topic/a") == before
    assert not [name for name in tree(built) if name.startswith(".site")]


def test_only_the_adapter_imports_mkdocs():
    root = os.fspath(Path(__file__).parents[2])
    code = (
        "import sys, pkgutil, importlib, verbatim\n"
        "names = [m.name for m in pkgutil.walk_packages(verbatim.__path__, 'verbatim.')]\n"
        "apart = ('site.plugin', 'site.adapt', 'site.command', 'site.configuration', 'site.pages', 'site.finishing.finish',\n"
        "  'site.theme', 'site.serving.page_builder', 'site.serving.preview', 'site.html.highlight', 'commands.build',\n"
        "  'commands.serve', 'run.preload', 'run.plots', 'run.cluster', '__main__')\n"
        "[importlib.import_module(n) for n in names if n.removeprefix('verbatim.') not in apart]\n"
        "print([m for m in ('mkdocs', 'torch', 'matplotlib', 'numpy', 'distributed') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_hostile_page_stops_the_build_and_says_where(mini, write):
    path = mini.docs("en") / "topic/a.md"
    text = path.read_text().replace("title: Title en", "title: </title><script src=//x.example></script>")
    path.write_text(text + '\n<img src="verbatim:x" alt="x">\n\n\ue0007i\ue001\n')
    done = build(mini)
    assert done.returncode == 1 and "Traceback" not in done.stdout
    for told in ("`<` in the front matter's `title`", "the image `verbatim:x` comes from", "U+E000 is a character"):
        assert told in done.stdout
    assert not (mini.root / "site").exists()

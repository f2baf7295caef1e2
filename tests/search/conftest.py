"""A small site with a search, built with the project's own configuration, and a visit to it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.windows import Visit, Windows
from tests.site.test_plugin import command
from verbatim.project import Project

ROOT = Path(__file__).parents[2]

CONFIG = """
INHERIT: {root}/mkdocs.yml
site_url: https://example.org/
theme:
  custom_dir: {root}/overrides
nav:
  - index.md
  - topic/mm.md
  - topic/leaf.md
  - errors.md
"""


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, built_once) -> Path:
    return built_once("search", lambda folder: build(tmp_path_factory.mktemp("search"), folder))


def build(root: Path, folder: Path) -> None:
    """Write the book into one folder, and its site into another."""
    shutil.copytree(Path(__file__).parent / "book", root, dirs_exist_ok=True)
    shutil.copytree(ROOT / "docs/assets", root / "docs/assets")
    (root / "mkdocs.yml").write_text(CONFIG.format(root=ROOT))
    done = command(Project(root), "mkdocs", "build", "--quiet", "-d", str(folder))
    assert done.returncode == 0, done.stdout


@pytest.fixture(scope="session")
def base(site: Path, serve) -> str:
    return serve(site)


@pytest.fixture
def seen(windows: Windows) -> Iterator[Visit]:
    """A visit to a browser without history; what scripts raise fails the test."""
    seen = windows.lend(1280, 800)
    yield seen
    assert not seen.errors


@pytest.fixture
def page(seen: Visit) -> Page:
    """The page of the visit."""
    return seen.page

"""The package as a wheel installs it, with data made of the book's records. No script is run for it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import written
from tests import once
from verbatim import build as stages
from verbatim.book.gather import Options, gather
from verbatim.memo import Memo
from verbatim.project import Project
from verbatim.site.downloads import explain, explain_book
from verbatim.site.search import index, sections, terms

from pytorch_verbatim import changes, data, pages

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "explain/src/pytorch_verbatim"
BOOK = ROOT / "explain/book/src/pytorch_verbatim_book"

built_once = once.built_once


@pytest.fixture(scope="session")
def site_packages(built_once) -> Path:
    """A folder with the package and its data, to be put on Python's path."""
    return built_once("site-packages", _package)


def _package(folder: Path) -> None:
    shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("__pycache__", "*.json"))
    project = Project(ROOT)
    memo = Memo(project.cache)
    made = stages.outline(gather(project, options=Options(memo=memo, run=())), memo=memo)
    memo.close()
    explain.write(made.sources, "https://book.example/", folder / PACKAGE.name / "messages.json")


@pytest.fixture(scope="session", autouse=True)
def _data(site_packages) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(data, "FILE", str(site_packages / PACKAGE.name / "messages.json"))
        patch.setattr(changes, "FILE", str(site_packages / PACKAGE.name / "changes.json"))
        patch.setenv("PYTORCH_VERBATIM_LANG", "en")
        data.book.cache_clear()
        data.matcher.cache_clear()
        yield
    data.book.cache_clear()
    data.matcher.cache_clear()


@pytest.fixture(scope="session")
def site(site_packages, built_once) -> Path:
    """A site of a few pages, as a build leaves it: their Markdown, the search, the messages of the whole book."""
    return built_once("pages", _site)


def _site(folder: Path) -> None:
    search = folder / explain_book.SEARCH
    shutil.copytree(ROOT / "docs" / explain_book.SEARCH, search, ignore=shutil.ignore_patterns("*.md"))
    shutil.copy(terms.SCRIPT, search)
    for language, below in (("zh", ""), ("en", "en/")):
        (folder / below / "tensors").mkdir(parents=True, exist_ok=True)
        (folder / below / written.NAME).write_text(written.page(language)[0], encoding="utf-8")
    messages = {text for text, *_ in json.loads(Path(data.FILE).read_text(encoding="utf-8"))["texts"]}
    for language, below in (("zh", ""), ("en", "en/")):
        found = []
        own = Path(__file__).parent / "pages" / language
        shutil.copytree(own, folder / below, dirs_exist_ok=True)
        for name in sorted([written.NAME, *(path.relative_to(own).as_posix() for path in own.rglob("*.md"))]):
            path = folder / below / name
            title = path.read_text(encoding="utf-8").partition("# ")[2].partition("\n")[0]
            address = below + name.removesuffix("index.md").replace(".md", "/")
            found.append(sections.Page(address, [sections.Section("", title, path.read_text(encoding="utf-8"))]))
        (search / language).mkdir()
        for name, text in index.files(found).items():
            (search / language / name).write_text(text, encoding="utf-8")
        count = data.book().about["messages"]
        errors = {"count": count, "errors": [{"message": text[:200]} for text in messages]}
        (folder / below / "errors.json").write_text(json.dumps(errors), encoding="utf-8")


@pytest.fixture(scope="session")
def shelf(site, built_once) -> Iterator[Path]:
    """A folder with the package of the pages, to be put on Python's path; in this process they are installed, too."""

    def pack(folder: Path) -> None:
        shutil.copytree(BOOK, folder / BOOK.name, ignore=shutil.ignore_patterns("__pycache__", "*.zip"))
        texts = json.loads(Path(data.FILE).read_text(encoding="utf-8"))["texts"]
        zipped = folder / BOOK.name / "book.zip"
        known = [text for text, *_ in texts]
        released = {below + written.NAME: written.page(language) for language, below in (("zh", ""), ("en", "en/"))}
        explain_book.pack(site, zipped, data.book().about, Project(ROOT).languages, known, released)

    folder = built_once("shelf", pack)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "shelf", lambda: pages.Shelf(str(folder / BOOK.name / "book.zip")))
        yield folder


@pytest.fixture
def python(site_packages, tmp_path):
    """Run Python with the package in an empty folder; return what it wrote, and its exit code.

    `paths`: further folders of packages, which come first.
    """

    def python(
        *arguments: str, given: str | bytes = "", paths: tuple[Path, ...] = (), **variables: str
    ) -> subprocess.CompletedProcess[str]:
        paths = os.pathsep.join(map(str, (*paths, site_packages, ROOT)))
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=tmp_path,
            input=given.encode() if isinstance(given, str) else given,
            env={
                **os.environ,
                "PYTHONPATH": paths,
                "PYTHONWARNINGS": "ignore",
                "PYTHONIOENCODING": "utf-8",
                **variables,
            },
            capture_output=True,
            check=False,
        )

    def decoded(*arguments: str, **more) -> subprocess.CompletedProcess[str]:
        done = python(*arguments, **more)
        done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        return done

    return decoded

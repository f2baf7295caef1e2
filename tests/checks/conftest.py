"""The sound recipes, and what is told of them with changes."""

from __future__ import annotations

import pytest

from tests.checks.recipe import OTHER, PAGE, SMALL, written
from verbatim import checks
from verbatim.book.gather import Book, gather
from verbatim.build import prepare
from verbatim.pages.page import Page, load_pages
from verbatim.problems import report


@pytest.fixture(scope="session")
def book(tmp_path_factory) -> Book:
    """One sound recipe, run once."""
    return gather(written(tmp_path_factory.mktemp("mistakes") / "book"))


@pytest.fixture
def told(book):
    """Return what is said of the recipe with its pages changed: path → text; ``None`` removes one."""

    def told(**changes: str | None) -> str:
        pages, problems = load_pages(book.project)
        texts = {page.path: page.text for page in pages} | changes
        changed = [Page(path, text) for path, text in texts.items() if text is not None]
        return report([*problems, *book.problems, *checks.check(book, changed)])

    return told


@pytest.fixture
def broken(tmp_path):
    """Return what is said of the recipe with a file changed on disk, its script run again."""

    def broken(name: str, old: str, new: str, encoding: str = "utf-8") -> str:
        project = written(tmp_path / "book")
        text = (project.root / name).read_text(encoding="utf-8")
        assert old in text
        (project.root / name).write_bytes(text.replace(old, new, 1).encode(encoding))
        return report(prepare(gather(project)).problems)

    return broken


@pytest.fixture
def small(project, write):
    """Write a sound project with one change; return what `check` says."""

    def small(**changes: str) -> list[str]:
        files = {
            "examples/topic/a.py": SMALL,
            "docs/zh/topic/a.md": PAGE,
            "docs/en/topic/a.md": PAGE,
            "docs/zh/topic/b.md": OTHER,
            "docs/en/topic/b.md": OTHER,
        }
        for old, new in changes.pop("replace", []):
            files["docs/en/topic/a.md"] = files["docs/en/topic/a.md"].replace(old, new)
        for name, text in {**files, **changes}.items():
            if text is not None:
                write(name, text)
        book = gather(project)
        pages, problems = load_pages(project)
        return [str(p) for p in sorted(problems + book.problems + checks.check(book, pages))]

    return small

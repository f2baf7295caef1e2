"""Cases as files below `tests/cases`: a page goes in, problems or Markdown come out.

A file of `check/` is a page, and what `check` says of its English version; its Chinese version is the same text, or what
stands below `=== zh`. A file of `render/` is a page, and the Markdown that it becomes in each language. All of them stand
in the book of `book/`, whose scripts are run once.

Write a new case without its last sections, or change what the engine says, and let it fill them in:

    WRITE_CASES=1 python -m pytest -n 0 tests/pages/test_cases.py

Then read `git diff`: what stands there afterwards is what is expected from now on.
"""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path

import pytest

from tests.expanded import expand
from verbatim import checks
from verbatim.book.gather import Book, gather
from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.pages.page import Page, load_pages
from verbatim.project import Project

CASES = Path(__file__).parents[1] / "cases"
NAME = "topic/case.md"
SECTION = re.compile(r"^=== (\w+)\n", re.MULTILINE)


@pytest.fixture(scope="module")
def book(tmp_path_factory) -> Book:
    root = tmp_path_factory.mktemp("cases") / "book"
    shutil.copytree(CASES / "book", root)
    made = gather(Project(root))
    assert made.problems == []
    return made


def case(path: Path) -> tuple[str, dict[str, str]]:
    """Return a case's page and its sections."""
    page, *rest = SECTION.split(path.read_text(encoding="utf-8"))
    return page, dict(zip(rest[::2], rest[1::2], strict=True))


def expect(path: Path, page: str, sections: dict[str, str]) -> None:
    """Compare a case with what was made of it; write it instead, if that is asked for."""
    text = "".join([page, *(f"=== {name}\n{content}" for name, content in sections.items())])
    if os.environ.get("WRITE_CASES"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("path", sorted((CASES / "check").glob("*.md")), ids=lambda path: path.stem)
def test_check(book, path):
    text, sections = case(path)
    twin = sections.get("zh", text)
    others, _ = load_pages(book.project)
    pages = [Page(f"docs/zh/{NAME}", twin.rstrip("\n") + "\n"), Page(f"docs/en/{NAME}", text.rstrip("\n") + "\n")]
    own = f"docs/en/{NAME}:"
    found = map(str, sorted(checks.check(book, [*others, *pages])))
    told = [problem.removeprefix(own) for problem in found if problem.startswith(own)]
    sections.pop("problems", None)
    expect(path, text, {**sections, "problems": "".join(f"{one}\n" for one in told) or "none\n"})


@pytest.mark.parametrize("path", sorted((CASES / "render").glob("*.md")), ids=lambda path: path.stem)
def test_render(book, path):
    text, _ = case(path)

    def figure(svg: str, recipe: str, cell: str) -> str:
        assert svg.startswith("<svg ")
        return f"{recipe.replace('/', '-')}-{cell}.svg"

    expect(path, text, {language: expand(text, book, language, figure) for language in DEFAULT_LANGUAGES.all})

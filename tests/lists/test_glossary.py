"""The glossary as a page."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from verbatim.languages import USUAL
from verbatim.lists import LISTS, expand
from verbatim.lists.glossary import FILE, PAGE, Term, terms
from verbatim.lists.places import Sources
from verbatim.pages.page import Page
from verbatim.project import find_root
from verbatim.site.context import SiteContext

TABLE = """
# Words

| English | 中文 | 不用 | note |
| --- | --- | --- | --- |
| batch | 批 | 批次 | a *few* |
| leaf | 叶子 | | |
"""


def test_the_table_is_read_without_its_heading():
    assert terms(TABLE) == [Term("batch", "批", "批次", "a *few*"), Term("leaf", "叶子")]


@pytest.mark.parametrize(
    ("language", "rows"),
    [
        ("zh", ["| 中文 | English | 本站不用 |", "| --- | --- | --- |", "| 批 | batch | 批次 |", "| 叶子 | leaf |  |"]),
        ("en", ["| English | 中文 | Note |", "| --- | --- | --- |", "| batch | 批 | a *few* |", "| leaf | 叶子 |  |"]),
    ],
)
def test_a_page_has_its_own_language_first(project, write, language, rows):
    write(FILE, TABLE)
    page = Page(f"docs/{language}/{PAGE}", "# G\n\n```verbatim\nglossary\n```\n")
    text = expand(page.text, Sources(SimpleNamespace(project=project), [page]), page)
    assert [line for line in text.splitlines() if line.startswith("|")] == rows


def test_pages_link_to_it_where_there_is_one(project, write):
    write(f"docs/en/{PAGE}", "# G\n")
    site = SimpleNamespace(book=SimpleNamespace(project=project), languages=USUAL)
    assert (SiteContext._glossary(site, "en"), SiteContext._glossary(site, "zh")) == ("en/ways/glossary/", "")


@pytest.mark.parametrize("language", USUAL.all)
def test_the_book_shows_all_of_it(language):
    root = find_root()
    found = terms((root / FILE).read_text(encoding="utf-8"))
    assert len(found) > 100 and all(term.english and term.chinese for term in found)
    assert "glossary" in LISTS and "```verbatim\nglossary\n```" in (root / "docs" / language / PAGE).read_text()

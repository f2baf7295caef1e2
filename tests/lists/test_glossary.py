"""The glossary as a page."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.lists import RENDERERS, lines
from verbatim.lists.glossary import FILE, PAGE, Term, explained, terms
from verbatim.lists.places import Sources
from verbatim.pages.page import Page
from verbatim.project import find_root
from verbatim.site.glossary_links import GlossaryLinks

TABLE = """
# Words

| English | 中文 | 不用 | note | page |
| --- | --- | --- | --- | --- |
| batch | 批 | 批次 | a *few* | |
| leaf / twig (of a graph) | 叶子 / 枝（twig） | | | a/leaf |
"""


def test_the_table_is_read_without_its_heading():
    assert terms(TABLE) == [
        Term("batch", "批", "批次", "a *few*"),
        Term("leaf / twig (of a graph)", "叶子 / 枝（twig）", page="a/leaf"),
    ]


def test_a_term_that_a_page_explains_is_known_by_its_words():
    (_, leaf) = terms(TABLE)
    assert explained(TABLE, "en") == {"leaf": leaf, "twig": leaf}
    assert explained(TABLE, "zh") == {"叶子": leaf}  # a single letter is part of too many words


@pytest.mark.parametrize(
    ("language", "rows"),
    [
        (
            "zh",
            [
                "| 中文 | English | 本站不用 | 讲解 |",
                "| --- | --- | --- | --- |",
                "| 批 | batch | 批次 |  |",
                "| 叶子 / 枝（twig） | leaf / twig (of a graph) |  | [Leaves](../a/leaf.md) |",
            ],
        ),
        (
            "en",
            [
                "| English | 中文 | Note | Explained in |",
                "| --- | --- | --- | --- |",
                "| batch | 批 | a *few* |  |",
                "| leaf / twig (of a graph) | 叶子 / 枝（twig） |  | [Leaves](../a/leaf.md) |",
            ],
        ),
    ],
)
def test_a_page_has_its_own_language_first(project, write, language, rows):
    write(FILE, TABLE)
    page = Page(f"docs/{language}/{PAGE}", "# G\n\n```verbatim\nglossary\n```\n")
    leaf = Page(f"docs/{language}/a/leaf.md", "# Leaves\n")
    made = lines(Sources(SimpleNamespace(project=project), [page, leaf]), page)["glossary"]
    assert [line for line in "\n".join(made).splitlines() if line.startswith("|")] == rows


def test_pages_link_to_it_where_there_is_one(project, write):
    write(f"docs/en/{PAGE}", "# G\n")
    explained = GlossaryLinks(project)
    assert (explained.page("en"), explained.page("zh")) == ("en/ways/glossary/", "")


@pytest.mark.parametrize("language", DEFAULT_LANGUAGES.all)
def test_the_book_shows_all_of_it(language):
    root = find_root()
    found = terms((root / FILE).read_text(encoding="utf-8"))
    assert len(found) > 100 and all(term.english and term.chinese for term in found)
    assert len(explained((root / FILE).read_text(encoding="utf-8"), language)) > 50
    assert "glossary" in RENDERERS and "```verbatim\nglossary\n```" in (root / "docs" / language / PAGE).read_text()

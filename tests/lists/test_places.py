"""Which page shows which cell, and how lists link there."""

from __future__ import annotations

import dataclasses
import posixpath
import re

import pytest

from tests.lists.book import rendered
from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.lists.places import first_sentence, link, relink
from verbatim.markdown import code
from verbatim.pages.page import Page


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("First. Second.", "First."),
        ("第一句。第二句。", "第一句。"),
        ("Call `x.sum()`. Then go on.", "Call `x.sum()`."),
        ("See [a page. Really](a.md). More.", "See [a page. Really](a.md)."),
        ("Values, e.g. `nan`. More.", "Values, e.g. `nan`."),
        ("Version 2.13 has it. More.", "Version 2.13 has it."),
        ("No end", "No end"),
    ],
)
def test_first_sentences(text, sentence):
    assert first_sentence(text) == sentence


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["errors", "names", "errata", "changes", "coverage"])
def test_every_link_of_a_list_leads_to_a_heading_that_exists(sources, name, language):
    text = rendered(sources, name, language)
    by_name = {p.name: p for p in sources.pages_in(language)}
    for target, anchor in re.findall(r"\]\((?!https:)([^)#]*)(?:#([^)]+))?\)", text):
        there = by_name[posixpath.normpath(posixpath.join("ways", target))]
        assert not anchor or anchor in {h.id for h in there.headings}


@pytest.mark.parametrize(
    ("page", "base", "moved", "after"),
    [
        (
            "a/b.md",
            "ways/errors.md",
            {},
            "[x](../a/c.md#y) [z](../d/e.md) [w](https://example.org/) [v](../a/b.md#here)",
        ),
        ("a/b.md", "a/b.md", {"d/e.md": "a/f.md"}, "[x](./c.md#y) [z](f.md) [w](https://example.org/) [v](#here)"),
        (
            "a/b.md",
            "n/b.md",
            {"a/b.md": "n/b.md"},
            "[x](../a/c.md#y) [z](../d/e.md) [w](https://example.org/) [v](#here)",
        ),
    ],
    ids=["on another page", "another page moved", "the page itself moved"],
)
def test_links_move_with_the_text(page, base, moved, after):
    assert relink("[x](./c.md#y) [z](../d/e.md) [w](https://example.org/) [v](#here)", page, base, moved) == after


def test_a_link_leads_from_page_to_page():
    here, there = Page("docs/en/a/b.md", ""), Page("docs/en/ways/errors.md", "")
    assert link("a", here, "", there) == "[a](../a/b.md)"


@pytest.mark.parametrize("text, span", [("a", "`a`"), ("a `b` c", "``a `b` c``"), ("`a`", "`` `a` ``")])
def test_code_spans_hold_backticks(text, span):
    assert code(text) == span


def test_addresses_are_those_of_the_site():
    assert DEFAULT_LANGUAGES.address("zh", "index.md") == ""
    assert DEFAULT_LANGUAGES.address("zh", "topic/a.md") == "topic/a/"
    assert DEFAULT_LANGUAGES.address("en", "topic/index.md") == "en/topic/"
    assert DEFAULT_LANGUAGES.address("zh", "topic/return-index.md") == "topic/return-index/"


def test_pages_come_in_the_order_of_the_map_and_those_that_it_lacks_last(sources):
    unmapped = Page("docs/en/topic/0.md", "# T\n")
    more = dataclasses.replace(sources, pages=[unmapped, *sources.pages], _cache={})
    assert [page.name for page in more.pages_in("en") if page.name.startswith("topic/")] == ["topic/a.md", "topic/0.md"]

"""The navigation is made of the map."""

from __future__ import annotations

from verbatim.pages import chapters
from verbatim.pages.page import Page
from verbatim.site import sections


def test_chapters_are_called_what_their_first_page_says_and_pages_come_in_the_order_of_the_map(project, write):
    write("topics.yml", "index:\n\na:\n  index:\n  one: [topic]\nmore:\n  ../b/two:\n\nlast:\n  page:\n")
    said = {"docs/en/a/index.md": "A < B", "docs/zh/a/index.md": "甲", "docs/en/b/two.md": "More"}
    pages = [Page(path, f"---\ntitle: T\nchapter: {title}\n---\n# T\n") for path, title in said.items()]
    book = chapters.read(project)
    assert sections.nav(book, pages, "en") == [
        "index.md",
        {"A &lt; B": ["a/index.md", "a/one.md"]},
        {"More": ["b/two.md"]},
        {"last": ["last/page.md"]},  # `check` tells that it has no title
    ]
    nav = sections.nav(book, pages, "zh")
    assert nav and nav[1] == {"甲": ["a/index.md", "a/one.md"]}


def test_without_a_map_the_navigation_is_that_of_the_settings(project):
    assert sections.nav(chapters.read(project), [], "en") is None

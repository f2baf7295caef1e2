"""The navigation, and the steps of a path, are made of the map."""

from __future__ import annotations

from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.pages import chapters
from verbatim.pages.page import Page
from verbatim.site import navigation


def test_chapters_are_called_what_their_first_page_says_and_pages_come_in_the_order_of_the_map(project, write):
    write("book/topics.yml", "index:\n\na:\n  index:\n  one: [topic]\nmore:\n  ../b/two:\n\nlast:\n  page:\n")
    said = {"docs/en/a/index.md": "A < B", "docs/zh/a/index.md": "甲", "docs/en/b/two.md": "More"}
    pages = [Page(path, f"---\ntitle: T\nchapter: {title}\n---\n# T\n") for path, title in said.items()]
    book = chapters.read(project)
    assert navigation.nav(book, pages, "en") == [
        "index.md",
        {"A &lt; B": ["a/index.md", "a/one.md"]},
        {"More": ["b/two.md"]},
        {"last": ["last/page.md"]},  # `check` tells that it has no title
    ]
    nav = navigation.nav(book, pages, "zh")
    assert nav and nav[1] == {"甲": ["a/index.md", "a/one.md"]}


INDEX = """---
chapter: A
---
# A

[one](one.md)

## Start here { #start }

1. [one](one.md)

## I got an error { #errors }

- `m`: [three](three.md#x), [two](two.md#y), [two](two.md#y)

## `None` & more { #none }

- [two](two.md#x)
- [four](four.md), [four again](four.md#x)

## Later { #later }

- [two](two.md), [four](four.md), [elsewhere](../b/two.md)
"""


def test_the_pages_of_a_chapter_stand_in_the_groups_of_its_index_page(project, write):
    write("book/topics.yml", "a:\n  index:\n  one:\n  two:\n  three:\n  four:\n  five:\n")
    nav = navigation.nav(chapters.read(project), [Page("docs/en/a/index.md", INDEX)], "en")
    assert nav == [
        {
            "A": [
                "a/index.md",
                "a/one.md",
                "a/five.md",
                {"I got an error": ["a/three.md"]},
                {"None &amp; more": ["a/four.md"]},
                {"Later": ["a/two.md"]},
            ]
        }
    ]


def test_a_chapter_for_the_footer_is_not_in_the_navigation(project, write):
    write("book/topics.yml", "index:\n\na:\n  index:\n\nkeep:\n  ../a/numbers:\n")
    said = {"docs/en/a/index.md": "chapter: A", "docs/en/a/numbers.md": "chapter: Upkeep\nfooter: true"}
    pages = [Page(path, f"---\n{meta}\n---\n# T\n") for path, meta in said.items()]
    book = chapters.read(project)
    assert navigation.nav(book, pages, "en") == ["index.md", {"A": ["a/index.md"]}]
    assert navigation.footer(book, pages, DEFAULT_LANGUAGES, "en") == (("Upkeep", "en/a/numbers/"),)


def test_chapters_in_a_row_that_name_the_same_tab_stand_below_it(project, write):
    write("book/topics.yml", "index:\n\na:\n  index:\n\nb:\n  index:\n\nc:\n  index:\n\nd:\n  index:\n\ne:\n  index:\n")
    said = {"a": "A", "b": "B\ntab: Both & more", "c": "C\ntab: Both & more", "d": "D", "e": "E\ntab: Both & more"}
    pages = [Page(f"docs/en/{name}/index.md", f"---\nchapter: {meta}\n---\n# T\n") for name, meta in said.items()]
    assert navigation.nav(chapters.read(project), pages, "en") == [
        "index.md",
        {"A": ["a/index.md"]},
        {"Both &amp; more": [{"B": ["b/index.md"]}, {"C": ["c/index.md"]}]},
        {"D": ["d/index.md"]},
        {"Both &amp; more": [{"E": ["e/index.md"]}]},
    ]


def test_without_a_map_the_navigation_is_that_of_the_settings(project):
    assert navigation.nav(chapters.read(project), [], "en") is None


def test_the_pages_of_a_path_are_its_steps_in_the_order_of_the_map(project, write):
    write("book/topics.yml", "a:\n  index:\n  two:\n  one:\n  missing:\n\nb:\n  index:\n  three:\n")
    texts = {
        "a/index": "path: true",
        "a/one": "nav: one",
        "a/two": "nav: two",
        "b/index": "nav: b",
        "b/three": "nav: 3",
    }
    pages = [Page(f"docs/en/{name}.md", f"---\n{meta}\n---\n# T\n") for name, meta in texts.items()]
    assert navigation.steps(chapters.read(project), pages) == {"docs/en/a/two.md": (1, 2), "docs/en/a/one.md": (2, 2)}

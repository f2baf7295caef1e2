"""The page and the feed of changes."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

from tests.conftest import stand_in_version
from tests.lists.book import BUILT, LIST, NEW, rendered
from verbatim import lists
from verbatim.book.gather import gather
from verbatim.lists import changes, places
from verbatim.pages.page import load_pages


def test_the_page_of_changes_names_releases_names_and_messages(several):
    text = rendered(several, "changes", "en")
    assert text.index("## torch 2.15.0 { #torch-2-15-0 }") < text.index("## torch 2.13.0 { #torch-2-13-0 }")
    assert "[`torch.ones`](names.md#torch.ones)" in text
    assert f"- {BUILT}\n    + {NEW}\n" in text and "[Matrices \\[2, 3\\]](../topic/a.md#product)" in text
    assert "**Runs from here on**: 1, in the [list by chapter](#by-chapter)." in text
    zh = rendered(several, "changes", "zh")
    assert "**措辞变了的信息**" in zh and "与运行过的前一个版本 torch 1.13.1 相比。" in zh


def test_the_changes_stand_by_chapter_for_a_choice_of_two_releases(several):
    text = rendered(several, "changes", "en")
    chapters = text[text.index("## By chapter") : text.index("## torch 2.15.0")]
    assert 'data-torch="1.13.1 2.13.0 2.15.0"' in chapters and "<b>3</b> places" in chapters
    assert "### Topic { #in-topic }" in chapters
    first, last = "· 2.13.0 message in other words", "· 2.15.0 message in other words"
    steps = 'data-steps="2.13.0 0 1 changed message;2.15.0 1 2 changed message"'
    assert f"- [Matrices \\[2, 3\\]](../topic/a.md#product) <span {steps}>{first} {last}</span>\n" in chapters
    assert '<span data-steps="2.13.0 0 1 new">· 2.13.0 runs</span>' in chapters
    assert "· 2.15.0 信息换了措辞" in rendered(several, "changes", "zh")


def test_a_heading_that_several_pages_have_is_told_with_its_page(several):
    (page, *_) = (one for one in several.pages if one.path == "docs/en/topic/a.md")
    place = next(
        place
        for place in changes._places(several, "en").values()
        if place.cell.name == "product" and place.page is page
    )
    other = replace(place, page=replace(page, path="docs/en/topic/b.md"))
    (alone,) = changes.links({("topic/a", "product"): place}, page).values()
    first, second = changes.links({("topic/a", "product"): place, ("topic/b", "product"): other}, page).values()
    assert alone.startswith("[Matrices ") and first.startswith(f"[{places.title(page)}: Matrices ")
    assert second.endswith("(b.md#product)")


def test_it_is_said_why_the_book_is_not_built_with_the_newest_release(several):
    said = rendered(several, "changes", "en")
    assert "Why this site is built with torch 2.13.0 although torch 2.15.0 is out" in said
    assert "已有 torch 2.15.0" in rendered(several, "changes", "zh")


def test_what_is_printed_again_has_the_number_that_it_had(several, project):
    stand_in_version(project, "2.16.0", {})
    book = gather(project)
    sources = lists.gather(book, several.pages, [])
    assert "2.15.0 1 2 changed message;2.16.0 2 1 changed message" in rendered(sources, "changes", "en")


def test_what_releases_changed_stands_on_pages_of_their_own(several, project, write):
    for language in ("zh", "en"):
        write(f"docs/{language}/ways/changes/torch-2-15.md", LIST.format(name="changes 2.15.*"))
    split = lists.gather(several.book, load_pages(project)[0], [])
    whole, part = rendered(split, "changes", "en"), rendered(split, "changes/torch-2-15", "en")
    link = "[All of it, one by one](changes/torch-2-15.md#torch-2-15-0)"
    assert "## torch 2.15.0 { #torch-2-15-0 }" in whole  # the old address leads to the new one
    assert f"New warnings and messages 1. {link}" in whole.replace(
        "Messages that are worded differently", "New warnings and messages"
    )
    assert NEW not in whole[whole.index("## torch 2.15.0") : whole.index("## torch 2.13.0")]
    assert f"- {BUILT}\n    + {NEW}\n" in part and "[Matrices \\[2, 3\\]](../../topic/a.md#product)" in part
    assert "2.13.0 {" not in part and "## torch 2.13.0" in whole  # what no part takes stands in the list
    older = lists.gather(several.book, load_pages(project)[0], [])
    write("docs/en/ways/changes/torch-2-13.md", LIST.format(name="changes 2.13.*"))
    older = lists.gather(several.book, load_pages(project)[0], [])
    text = rendered(older, "changes/torch-2-13", "en")
    assert "in the [list by chapter](../changes.md#by-chapter)." in text and "(../names.md#torch.ones)" in text


def test_the_table_counts_what_came_of_the_cells(several):
    head, _, first, second, *_ = changes.table(several, "en")
    assert head.split(" | ")[:5] == ["| torch", "Run", "Same", "Different", "Of them errors"]
    time = '<time datetime="2026-11-22">2026-11-22</time>'
    assert first == f"| 1.13.1 | 5 | 1 | 2 | 1 | 1 | 1 | 1 | 0 | {time} |"
    assert second == f"| 2.15.0 | 6 | 4 | 1 | 1 | 0 | 1 | 0 | 0 | {time} |"


def test_the_page_and_the_feed_tell_the_same(several):
    feed = changes.feed(several, "en", "https://example.org/book/", "Book")
    entries = ElementTree.fromstring(feed).findall("{http://www.w3.org/2005/Atom}entry")
    ids = [entry.findtext("{http://www.w3.org/2005/Atom}id") for entry in entries]
    assert sorted(ids) == [f"https://example.org/book/en/ways/changes/#torch-2-1{n}-0" for n in (3, 5)]
    assert all(f"{{ #{one.partition('#')[2]} }}" in rendered(several, "changes", "en") for one in ids)
    assert "New names 1, Runs from here on 1, New warnings and messages 1" in feed


def test_a_release_that_changed_nothing_is_not_in_the_feed(several, project):
    stand_in_version(project, "2.14.1", {})
    again = lists.gather(gather(project), several.pages, [])
    feed = changes.feed(again, "en", "https://example.org/book/", "Book")
    assert "2.14.1" in again.book.releases.names and "torch-2-15-0" in feed and "torch-2-14-1" not in feed

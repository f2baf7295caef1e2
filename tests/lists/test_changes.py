"""The page and the feed of changes."""

from __future__ import annotations

from xml.etree import ElementTree

from tests.lists.book import BUILT, NEW, rendered
from verbatim.lists import changes


def test_the_page_of_changes_names_releases_names_and_messages(several):
    text = rendered(several, "changes", "en")
    assert text.index("## torch 2.15.0 { #torch-2-15-0 }") < text.index("## torch 2.13.0 { #torch-2-13-0 }")
    assert "[`torch.ones`](names.md#torch.ones)" in text
    assert f"- {BUILT}\n    + {NEW}\n" in text and "[Matrices \\[2, 3\\]](../topic/a.md#product)" in text
    assert "**Runs from here on**\n\n[The rest](../topic/a.md#rest)" in text
    zh = rendered(several, "changes", "zh")
    assert "**措辞变了的信息**" in zh and "与运行过的前一个版本 torch 1.13.1 相比。" in zh


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

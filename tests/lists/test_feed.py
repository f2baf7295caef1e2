"""The Atom feed."""

from __future__ import annotations

from datetime import UTC, datetime
from xml.etree import ElementTree

from verbatim.lists.feed import MOST_ENTRIES, Entry, atom

NAMES = {"a": "http://www.w3.org/2005/Atom"}


def feed(entries) -> ElementTree.Element:
    text = atom(entries, title="A & B", url="https://x/", feed_url="https://x/feed.xml", language="zh", author="A & B")
    return ElementTree.fromstring(text)


def entry(day: int) -> Entry:
    return Entry(f"https://x/{day}/", f"<{day}>", "s", datetime(2026, 1, 1 + day % 28, day // 28, tzinfo=UTC))


def test_newest_first():
    root = feed([entry(1), entry(3), entry(2)])
    assert [e.text for e in root.findall("a:entry/a:title", NAMES)] == ["<3>", "<2>", "<1>"]
    assert root.find("a:updated", NAMES).text == "2026-01-04T00:00:00+00:00"
    assert root.find("a:title", NAMES).text == "A & B"


def test_no_more_than_readers_want():
    assert len(feed(map(entry, range(MOST_ENTRIES + 5))).findall("a:entry", NAMES)) == MOST_ENTRIES


def test_an_empty_feed_is_valid():
    assert feed([]).find("a:updated", NAMES).text.startswith("1970")

"""Makes an Atom feed of the pages that changed last. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from html import escape

#: The number of pages in the feed.
MOST_ENTRIES = 30


@dataclass(frozen=True)
class Entry:
    """A page in the feed."""

    url: str
    """Absolute."""
    title: str
    summary: str
    updated: datetime


def atom(entries: Iterable[Entry], *, title: str, url: str, feed_url: str, language: str, author: str) -> str:
    """Return the feed (RFC 4287) of the pages that changed last.

    Args:
        entries: Pages in any order.
        title: The site's name.
        url: The address of the site's home in this language.
        feed_url: The feed's own address.
        language: For ``xml:lang``.
        author: Who writes the site.
    """
    newest = sorted(entries, key=lambda entry: (entry.updated, entry.url), reverse=True)[:MOST_ENTRIES]
    updated = newest[0].updated if newest else datetime.fromisoformat("1970-01-01T00:00:00+00:00")
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        f'<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="{escape(language)}">',
        f"  <title>{escape(title)}</title>",
        f"  <id>{escape(url)}</id>",
        f'  <link href="{escape(url)}"/>',
        f'  <link rel="self" type="application/atom+xml" href="{escape(feed_url)}"/>',
        f"  <updated>{updated.isoformat()}</updated>",
        f"  <author><name>{escape(author)}</name></author>",
    ]
    for entry in newest:
        lines += [
            "  <entry>",
            f"    <title>{escape(entry.title)}</title>",
            f"    <id>{escape(entry.url)}</id>",
            f'    <link href="{escape(entry.url)}"/>',
            f"    <updated>{entry.updated.isoformat()}</updated>",
            f"    <summary>{escape(entry.summary)}</summary>",
            "  </entry>",
        ]
    return "\n".join([*lines, "</feed>", ""])

"""Finds pages, as the search of the site does: its scripts and index are in the package with the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pytorch_verbatim import pages, searching

#: Where the search lies on the site.
FOLDER = "assets/search/"


class Section(NamedTuple):
    """A section that was found."""

    name: str
    """What `pages.Shelf.page` takes: ``autograd/detach#detach-shares-storage``."""
    title: str
    """The title of the page, then that of the section if it has another."""
    remedy: str
    """Where it shows the message that was looked for: what to do, one paragraph, with code in backticks."""
    kind: str
    """What the excerpt is of: ``prose``, ``code``, ``outputs`` or ``messages``."""
    excerpt: str
    """What of the section has what was looked for: a line or two; may be empty."""

    def __str__(self) -> str:
        lines = [self.title, *(self.remedy or self.excerpt).splitlines()]
        return "\n  ".join([self.name, *lines])


class Found(NamedTuple):
    """What a query finds."""

    results: list[Section]
    """Best first."""
    note: str
    """The key of a sentence about it in `explaining.WORDS`; empty if the best of it is likely to answer."""


class Finder:
    """The search of one language. To be closed.

    Raises:
        pages.MissingError: The pages, or what runs the search, are not installed.
    """

    def __init__(self, language: str) -> None:
        shelf = pages.shelf()
        self._named = shelf.named
        self._address = str(shelf.about["address"])
        scripts = [shelf.read(FOLDER + name) for name in searching.SCRIPTS]
        files = [shelf.read(file) for file in shelf.below(f"{FOLDER}{language}/")]
        try:
            self._search = searching.Search(scripts, files, language)
        except ImportError:
            raise pages.MissingError(pages.EXTRA) from None

    def close(self) -> None:
        """End the engine."""
        self._search.close()

    def find(self, query: str) -> Found:
        """Return the sections that a query finds."""
        answer = self._search.ask(query.strip())
        results = []
        for result in answer["results"]:
            named = self._named(self._address + result["url"], "")
            name = f"{named.name}#{result['id']}" if result["id"] else named.name
            title = " › ".join(dict.fromkeys([result["page"], result["title"]]))
            results.append(Section(name, title, result.get("remedy", ""), *result["excerpt"]))
        if not results:
            return Found(results, "unknown" if answer["unknown"] else "none")
        # Doubt alone is no news: the first may be right all the same.
        return Found(results, "no message" if answer["unknown"] else "nearest" if _strange(answer) else "")


def _strange(answer: Mapping[str, Any]) -> bool:
    """Whether nothing fits, and a word of the query is on no page."""
    return not answer["fits"] and bool(answer["strange"])

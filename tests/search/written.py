"""Pages for the search, from Markdown."""

from __future__ import annotations

from typing import Any
from urllib.parse import urljoin

from verbatim.pages.document import Block, Document, Prose
from verbatim.site.search import reading, sections


def prose(markdown: str) -> Prose:
    """Return the block of an author's lines."""
    return Prose(tuple(markdown.strip("\n").splitlines()))


def page(markdown: str | tuple[Block, ...], url: str, title: str = "", **more: Any) -> sections.Page:
    """Return a page of one block, or of several. Its links are addresses from its own."""

    def address(target: str) -> tuple[str, str] | None:
        path, _, section = urljoin(url, target).partition("#")
        return None if "://" in path else (path, section)

    blocks = (prose(markdown),) if isinstance(markdown, str) else markdown
    return reading.page(Document("en", blocks), url, title, address=address, **more)

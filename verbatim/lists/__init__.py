"""Lists that are generated from the whole book. A page asks for one with a fence whose only line is the list's name.

```verbatim
errors
```

After the name of a long list, the fence may name a part of it: see `parts`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

from verbatim.book.gather import Book
from verbatim.lists import (
    api,
    changes,
    coverage,
    errata,
    errors,
    first_releases,
    glossary,
    home,
    names,
    package,
    parts,
    urgency,
)
from verbatim.lists.parts import Part
from verbatim.lists.places import Sources
from verbatim.pages import chapters
from verbatim.pages.freshness import StaleSection
from verbatim.pages.page import Page

#: Name of a list → the function that returns its Markdown, given the page that shows it.
RENDERERS: dict[str, Callable[[Sources, Page], list[str]]] = {
    "awaiting": coverage.render_awaiting,
    "changes": changes.render,
    "coverage": coverage.render,
    "doors": home.render_doors,
    "errata": errata.render,
    "errors": errors.render,
    "glossary": glossary.render,
    "install": functools.partial(package.render, ""),
    "install-book": functools.partial(package.render, "book"),
    "install-mcp": functools.partial(package.render, "mcp"),
    "names": names.render,
    "since": first_releases.render,
    "start": home.render_start,
    "urgency": urgency.render,
}

#: Name of a list that pages can split → the function that returns the Markdown of one part.
PART_RENDERERS: dict[str, Callable[[Sources, Part], list[str]]] = {
    "changes": changes.render_part,
    "errors": errors.render_part,
    "names": names.render_part,
}


def exists(text: str) -> bool:
    """Whether the list, or the part of a list, in a fence exists."""
    name, *words = text.split() or [""]
    return name in (PART_RENDERERS if words else RENDERERS) and bool(words) == bool(parts.groups(words))


def gather(
    book: Book, pages: list[Page], behind: list[StaleSection], address: Callable[[str], str] = api.address
) -> Sources:
    """Return the data that lists are generated from, the chapters of `book/topics.yml` included."""
    return Sources(book, pages, chapters.read(book.project), behind, address)


def lines(sources: Sources, page: Page) -> dict[str, list[str]]:
    """Return what a page asks for → the lines of that list; nothing of unknown ones, which `checks` reports."""
    rendered: dict[str, list[str]] = {}
    for listing in page.listings:
        if exists(listing.name):
            name, part = parts.read(listing.name, page)
            rendered[listing.name] = (
                PART_RENDERERS[name](sources, part) if part.groups else RENDERERS[name](sources, page)
            )
    return rendered

"""Lists that are made from the whole book. A page asks for one with a fence whose only line is the list's name.

```verbatim
errors
```

Behind the name of a long list may stand the part of it that the page shows: see `parts`.
"""

from __future__ import annotations

from collections.abc import Callable

from verbatim.book.gather import Book
from verbatim.lists import api, changes, coverage, errata, errors, front, glossary, more, names, parts, since
from verbatim.lists.parts import Part
from verbatim.lists.places import Sources
from verbatim.markdown import listings
from verbatim.pages import chapters
from verbatim.pages.freshness import Behind
from verbatim.pages.page import Page

#: Name of a list → the function that returns its Markdown, given the page that shows it.
LISTS: dict[str, Callable[[Sources, Page], list[str]]] = {
    "awaiting": coverage.render_awaiting,
    "changes": changes.render,
    "coverage": coverage.render,
    "doors": front.render_doors,
    "errata": errata.render,
    "errors": errors.render,
    "glossary": glossary.render,
    "names": names.render,
    "since": since.render,
    "start": front.render_start,
}

#: Name of a list that pages can split → the function that returns the Markdown of one part.
PARTED: dict[str, Callable[[Sources, Part], list[str]]] = {
    "errors": errors.render_part,
    "names": names.render_part,
}


def known(asked: str) -> bool:
    """Whether there is the list, or the part of a list, that a fence asks for."""
    name, *words = asked.split() or [""]
    return name in (PARTED if words else LISTS) and bool(words) == bool(parts.groups(words))


def gather(book: Book, pages: list[Page], behind: list[Behind], address: Callable[[str], str] = api.address) -> Sources:
    """Read what the lists need besides the book and its pages: the map."""
    return Sources(book, pages, chapters.read(book.project), behind, address)


def below(sources: Sources, page: Page) -> str:
    """Return what stands below a page's own text; empty if nothing does."""
    return names.used_here(sources, page) + more.render(sources, page)


def expand(text: str, sources: Sources, page: Page) -> str:
    """Return a page's text with its lists inserted. An unknown name is left as it is: `checks` reports it."""
    lines = text.splitlines()
    for listing in reversed(listings(text)):
        if known(listing.name):
            name, part = parts.read(listing.name, page)
            made = PARTED[name](sources, part) if part.groups else LISTS[name](sources, page)
            lines[listing.line - 1 : listing.end] = made
    return "\n".join(lines) + "\n"

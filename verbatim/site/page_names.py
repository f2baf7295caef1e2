"""The names that pages and their scripts use, whose addresses in PyTorch's documentation pages link to."""

from __future__ import annotations

import re
from collections.abc import Iterable

from verbatim.book.gather import Book
from verbatim.lists import api
from verbatim.pages.page import Page
from verbatim.run import server

#: A name in the text of a page.
_CODE_SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


def on_pages(book: Book, pages: Iterable[Page]) -> set[str]:
    """Return the code spans of pages, and the names that their scripts use, with the classes that have them."""
    pages = list(pages)
    spans = (span[1].strip() for page in pages for span in _CODE_SPAN.finditer(page.text))
    shown = (book.display_results[s] for page in pages for s in page.scripts if s in book.display_results)
    used = (name for result in shown for cell in result.cells for name in cell.names)
    return {*spans, *(part for name in used for part in (name, name.rpartition(".")[0]))}


def learn(addresses: api.Addresses, book: Book, pages: Iterable[Page]) -> None:
    """Find the addresses of the names on pages where PyTorch is imported, not here."""
    addresses.learn(on_pages(book, pages), server.ask)

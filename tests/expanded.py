"""A page's text → the site's Markdown, without the stages before and behind it."""

from __future__ import annotations

from typing import Any

from verbatim import lists
from verbatim.book.gather import Book
from verbatim.lists.places import Sources
from verbatim.markdown import without_front_matter
from verbatim.pages import document
from verbatim.pages.page import Page
from verbatim.write import markdown, notebook


def expand(text: str, book: Book, language: str, figure: markdown.FigureAddress) -> str:
    """Return a text with code and outputs inserted."""
    return markdown.site(document.read(text, book, language), figure)


def footer(book: Book, scripts: list[str], language: str) -> str:
    """Return the line at a page's foot."""
    return markdown.footer(document.footer(book, scripts), language)


def with_lists(page: Page, sources: Sources) -> str:
    """Return a page's text with its lists inserted."""
    made = document.read(page.text, sources.book, page.language, lists=lists.lines(sources, page))
    return markdown.site(made, lambda *_: "figure.svg")


def weave(text: str, book: Book, language: str, script: str, **options: Any) -> dict[str, Any]:
    """Return a page as a notebook. `script`: that of the page's recipe."""
    return notebook.weave(document.read(without_front_matter(text), book, language, own=script), **options)

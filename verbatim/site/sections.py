"""Turns the map of the book into MkDocs' navigation."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from markupsafe import escape

from verbatim.pages.chapters import Map
from verbatim.pages.page import Page


def nav(book: Map, pages: Iterable[Page], language: str) -> list[Any] | None:
    """Return MkDocs' setting `nav` for a language; nothing where there is no map.

    A chapter is called what its first page says as `chapter`. Templates write titles as they are.
    """
    titles = {page.name: page.meta.get("chapter") for page in pages if page.language == language}
    found: list[Any] = []
    for chapter, entries in itertools.groupby(book.entries, key=lambda entry: entry.chapter):
        names = [entry.name for entry in entries]
        found += [{str(escape(titles.get(names[0]) or chapter)): names}] if chapter else names
    return found or None

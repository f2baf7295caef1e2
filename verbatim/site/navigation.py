"""Turns the map of the book into MkDocs' navigation."""

from __future__ import annotations

import itertools
import posixpath
import re
from collections import Counter
from collections.abc import Container, Iterable, Sequence
from typing import Any

from markupsafe import escape

from verbatim.languages import Languages
from verbatim.markdown import resolve
from verbatim.pages.chapters import Map, path
from verbatim.pages.page import Page

#: Id of the section of a chapter's index page that says where to start.
START = "start"
#: Id of the section of a chapter's index page with its messages: the group of pages that no other section links to.
ERRORS = "errors"


def nav(book: Map, pages: Iterable[Page], language: str, partial: Container[str] = ()) -> list[Any] | None:
    """Return MkDocs' setting `nav` for a language; nothing where there is no map.

    A chapter is called what its first page says as `chapter`, and its pages stand in the groups of its index page.
    Chapters in a row whose first pages say the same as `tab` stand below one tab of that name, others are one
    themselves. A chapter whose first page says `footer` is linked there and left out here. Templates write titles as
    they are. A partial language has the pages that exist.
    """
    of = {page.name: page for page in pages if page.language == language}
    placed: list[tuple[str, Any]] = []  # the tab that an entry stands below, if any, and the entry
    for chapter, entries in itertools.groupby(book.entries, key=lambda entry: entry.chapter):
        names = [entry.name for entry in entries if entry.name in of or language not in partial]
        if not names:
            continue
        first = of.get(names[0])
        meta = first.meta if first else {}
        if not chapter:
            placed += [("", name) for name in names]
        elif not meta.get("footer"):
            entry = {str(escape(meta.get("chapter") or chapter)): grouped(names, first)}
            placed.append((str(escape(meta.get("tab") or "")), entry))
    made: list[Any] = []
    for tab, group in itertools.groupby(placed, key=lambda pair: pair[0]):
        below = [entry for _, entry in group]
        made += [{tab: below}] if tab else below
    return made or None


def grouped(names: Sequence[str], index: Page | None) -> list[Any]:
    """Return the pages of a chapter in groups: the sections of its index page that link to them.

    A page stands in the section with the most links to it, of two such in the later one, which is the more particular.
    Pages that are linked nowhere, or only where the chapter says what to read first, come before all groups.

    Args:
        names: The pages in reading order.
        index: The chapter's first page; its sections are groups if it is an index page.
    """
    if index is None or posixpath.basename(index.name) != "index.md":
        return [*names]
    sections = [heading for heading in index.headings if heading.level == 2 and heading.id != START]
    links: dict[str, Counter[int]] = {}
    for line, target in index.links:
        name, _ = resolve(target, index.name)
        below = [number for number, heading in enumerate(sections) if heading.line < line]
        if below and name != index.name and not _within_start(index, line):
            links.setdefault(name, Counter())[below[-1]] += 1
    groups: dict[int, list[str]] = {}
    rest = []
    for name in names:
        counts = links.get(name, Counter())
        own = {number: n for number, n in counts.items() if sections[number].id != ERRORS} or counts
        if own:
            groups.setdefault(max(own, key=lambda number: (own[number], number)), []).append(name)
        else:
            rest.append(name)
    return [*rest, *({_title(sections[number].text): groups[number]} for number in sorted(groups))]


def _within_start(index: Page, line: int) -> bool:
    """Whether a line belongs to the section that says what to read first."""
    above = [heading for heading in index.headings if heading.line < line]
    return bool(above) and above[-1].id == START


def _title(heading: str) -> str:
    return str(escape(re.sub(r"[`*]", "", heading)))


def steps(book: Map, pages: Sequence[Page]) -> dict[str, tuple[int, int]]:
    """Return for each step of the path its number and how many there are: page (its path) → number, count."""
    places: dict[str, tuple[int, int]] = {}
    for language in {page.language for page in pages}:
        there = path(book, pages, language)[1:]
        places.update({page.path: (number, len(there)) for number, page in enumerate(there, 1)})
    return places


def footer(book: Map, pages: Iterable[Page], languages: Languages, language: str) -> tuple[tuple[str, str], ...]:
    """Return title and address, from the site's root, of each chapter that is linked in the footer."""
    of = {page.name: page for page in pages if page.language == language}
    firsts = (of.get(entries[0].name) for entries in book.chapters.values())
    return tuple(
        (str(page.meta.get("chapter")), languages.address(language, page.name))
        for page in firsts
        if page and page.meta.get("footer")
    )

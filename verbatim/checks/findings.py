"""What one page says and shows: all that is found on it by its text, its other languages and its scripts alone. Pure.

It is cached for as long as none of these changes, so that an edit of one page has one page looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from verbatim.book.gather import Book
from verbatim.checks import (
    asks,
    characters,
    claims,
    embeds,
    files,
    html,
    keywords,
    messages,
    names,
    outputs,
    placeholders,
    prose,
    remedies,
    structure,
    syntax,
    wording,
)
from verbatim.checks import pages as forms
from verbatim.memo import Memo, digest
from verbatim.pages.page import Page
from verbatim.problems import Problem


@dataclass(frozen=True)
class Findings:
    """What is found on a page."""

    wording: tuple[Problem, ...]
    """The problems that a comment on the page may say to be meant (`exemptions`)."""
    others: tuple[Problem, ...]
    named: names.Named
    unanswered: tuple[keywords.Unanswered, ...]
    quoted: tuple[tuple[int, str], ...]
    """Line and text of what sentences quote as messages."""
    links: tuple[tuple[int, str], ...]
    """Line and target of every link and image."""


def find(book: Book, page: Page, twins: Sequence[Page], memo: Memo) -> Findings:
    """Return what is found on a page.

    Args:
        book: The scripts and what they printed.
        page: The page.
        twins: The same page in the other languages.
        memo: Caches the findings.
    """
    texts = (text for twin in (page, *twins) for text in (twin.path, twin.text))
    shown = [*map(book.display_hash, page.scripts), outputs.whole(book, page), claims.recorded(book)]
    return memo.get("findings", digest(*texts, shown), lambda: _find(book, page, twins))


def _find(book: Book, page: Page, twins: Sequence[Page]) -> Findings:
    return Findings(
        wording=(*_wording(page), *_claims(book, page)),
        others=(*form(page), *_shown(book, page)),
        named=names.named(book, page),
        unanswered=tuple(keywords.unanswered(book, page, twins)),
        quoted=tuple(messages.quoted(page)),
        links=tuple(page.links),
    )


def _wording(page: Page) -> Iterator[Problem]:
    """Yield what the checks of wording say of a page's own text."""
    yield from prose.typography([page])
    yield from characters.check_language(page)
    yield from wording.check_words(page)


def _claims(book: Book, page: Page) -> Iterator[Problem]:
    """Yield where sentences differ from what scripts print."""
    yield from outputs.check_numbers(book, page)
    yield from claims.check_releases(book, page)
    yield from asks.check_answers(book, page)


def form(page: Page) -> Iterator[Problem]:
    """Yield what is wrong with the form of a page's own text."""
    yield from forms.check_front_matter(page)
    yield from forms.check_heading_ids(page)
    yield from forms.check_lists(page)
    yield from html.check_html(page)
    yield from syntax.check_syntax(page)
    yield from characters.check_characters(page.path, page.text)
    yield from structure.check_typed(page)
    yield from files.check_conflicts(page.path, page.text)
    yield from structure.check_boxes(page)
    yield from structure.check_tabs(page)
    yield from structure.check_marks(page)
    yield from remedies.check_keys(page)
    yield from structure.check_sections(page)
    yield from structure.check_images(page)
    yield from structure.check_shown_once(page)
    yield from structure.check_paragraphs_once(page)
    yield from placeholders.check_placeholders(page)
    yield from placeholders.check_todo(page.path, page.text)


def _shown(book: Book, page: Page) -> Iterator[Problem]:
    """Yield what is wrong with a page's embeds, beside the cells that they show."""
    yield from embeds.check_annotations(book, page)
    yield from embeds.check_captions(book, page)
    yield from outputs.check_commands(book, page)

"""Every problem of pages and scripts as ``path:line: message``. Pure: text in, problems out."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from verbatim.book.gather import Book, drift
from verbatim.checks import (
    chapters,
    characters,
    embeds,
    errata,
    files,
    html,
    languages,
    left,
    links,
    origins,
    printed,
    prose,
    structure,
    syntax,
    wording,
)
from verbatim.checks import pages as forms
from verbatim.lists.places import Sources
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.run.script import Script
from verbatim.store import Passed


def check(
    book: Book,
    pages: list[Page],
    *,
    whole: bool = True,
    passed: Passed | None = None,
    sources: Sources | None = None,
) -> list[Problem]:
    """Return everything that is wrong, besides what the book itself found, and besides drift.

    Args:
        book: The scripts and what they printed.
        pages: The pages.
        whole: Whether these are all pages, so that no topic may be missing.
        passed: Remembers in whose own text nothing is wrong: pages, pages beside their twins, figures. It depends on
            the engine and its packages.
        sources: What lists are made from, if it is there already.
    """
    passed = passed or Passed()
    found = list(embeds.check_embeds(book, pages))
    found += embeds.check_cells_used(book, pages, whole=whole)
    found += languages.check_twins(pages, passed)
    found += _alone(pages, passed)
    for page in pages:
        found += errata.check_errata(book, page)
        found += embeds.check_annotations(book, page)
        found += embeds.check_captions(book, page)
    for script in book.scripts.values():
        found += passed.check(f"{script.path}\0{script.text}", functools.partial(_script_alone, script))
    found += structure.check_keywords(pages)
    found += wording.check_swapped(pages)
    found += wording.check_titles_differ(pages)
    found += forms.check_front_matter_differs(pages)
    found += printed.check_sizes(book)
    found += printed.check_ink(book, passed)
    found += printed.check_silenced(book)
    found += printed.check_numbers(book, pages, passed)
    found += printed.check_remedies(sources or Sources(book, pages))
    found += files.check_files(book.project)
    found += links.check_links(book.project, pages)
    found += links.check_orphans(book.project)
    if whole:
        found += files.check_edited(book.project)
        found += chapters.check_map(book.project, pages)
    found += prose.glossary(book.project, pages, passed)
    return found


def _alone(pages: list[Page], passed: Passed) -> list[Problem]:
    """Return what is wrong with pages by their own text alone. Pages that passed before are not looked at again."""
    new = [page for page in pages if _text(page) not in passed]
    found = list(prose.typography(new))
    for page in new:
        found += forms.check_front_matter(page)
        found += forms.check_heading_ids(page)
        found += forms.check_lists(page)
        found += html.check_html(page)
        found += syntax.check_syntax(page)
        found += characters.check_characters(page.path, page.text)
        found += characters.check_language(page)
        found += structure.check_typed(page)
        found += files.check_conflicts(page.path, page.text)
        found += structure.check_boxes(page)
        found += structure.check_marks(page)
        found += structure.check_images(page)
        found += structure.check_shown_once(page)
        found += structure.check_said_once(page)
        found += wording.check_words(page)
        found += left.check_left(page)
        found += left.check_todo(page.path, page.text)
    wrong = {problem.path for problem in found}
    for page in pages:
        if page.path not in wrong:
            passed.add(_text(page))
    return found


def _script_alone(script: Script) -> Iterator[Problem]:
    """Yield what is wrong with a script by its own text alone."""
    yield from origins.check_origins(script)
    yield from left.check_title_left(script)
    yield from characters.check_characters(script.path, script.text)
    yield from characters.check_comments(script)
    yield from left.check_todo(script.path, script.text)


def _text(page: Page) -> str:
    return f"{page.path}\0{page.text}"


def check_drift(book: Book) -> list[Problem]:
    """Return every output that is not what was recorded, with its diff."""
    return [d.problem(book) for d in drift(book)]

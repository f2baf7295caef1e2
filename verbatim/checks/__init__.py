"""Finds all problems of pages and scripts. Pure: text in, problems out.

The docstring of a check says what must hold; the check yields a problem wherever it does not.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator

from verbatim.book.gather import Book, drift
from verbatim.checks import (
    asks,
    chapters,
    characters,
    claims,
    embeds,
    errata,
    exemptions,
    facts,
    files,
    html,
    keywords,
    languages,
    lengths,
    links,
    messages,
    names,
    origins,
    outputs,
    placeholders,
    prose,
    structure,
    syntax,
    wording,
)
from verbatim.checks import pages as forms
from verbatim.lists.places import Sources
from verbatim.memo import Memo
from verbatim.pages import moved
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.run.script import Script


def check(
    book: Book,
    pages: list[Page],
    *,
    whole: bool = True,
    memo: Memo | None = None,
    sources: Sources | None = None,
) -> list[Problem]:
    """Return all problems, except those of the book itself and drift.

    Args:
        book: The scripts and what they printed.
        pages: The pages.
        whole: Whether these are all pages, so that no topic may be missing.
        memo: Caches the problems of texts.
        sources: The data that lists are generated from, if it exists already.
    """
    memo = memo or Memo()
    found = list(embeds.check_embeds(book, pages))
    found += embeds.check_cells_used(book, pages, whole=whole)
    found += languages.check_twins(pages, memo, book.project.languages)
    glossary = _by_page(prose.glossary(book.project, pages, memo))
    differ = _by_page(facts.check_facts(pages, memo, book.project.languages))
    numbers = _by_page(outputs.check_numbers(book, pages, memo))
    printed = messages.printed_by(book)
    claimed = _by_page(
        [
            *claims.check_releases(book, pages),
            *claims.check_colours(book, pages),
            *messages.check_quoted(book, pages, printed),
            *names.check_calls(book, pages, memo),
            *names.check_switches(book, pages, memo),
            *names.check_misspelt(book, pages),
        ]
    )
    for page in pages:
        found += memo.check("page alone", f"{page.path}\0{page.text}", functools.partial(_page_alone, page))
        words = memo.check("page words", f"{page.path}\0{page.text}", functools.partial(_page_words, page))
        told = [one for by_page in (glossary, numbers, differ, claimed) for one in by_page[page.path]]
        found += exemptions.apply(page, [*words, *told, *asks.check_answers(book, page)])
        found += errata.check_errata(book, page)
        found += embeds.check_remedies_once(book, page)
        found += embeds.check_annotations(book, page)
        found += embeds.check_captions(book, page)
    for script in book.scripts.values():
        found += memo.check("script alone", f"{script.path}\0{script.text}", functools.partial(_script_alone, script))
    found += lengths.check_lengths(book, pages)
    found += structure.check_keywords(pages)
    found += structure.check_read_on(pages)
    found += keywords.check_keywords_answered(book, pages)
    found += wording.check_swapped(pages)
    found += wording.check_titles_differ(pages)
    found += forms.check_front_matter_differs(pages)
    found += forms.check_descriptions_end(pages)
    found += asks.check_asking(book)
    found += outputs.check_sizes(book)
    found += outputs.check_ink(book, memo)
    found += outputs.check_silenced(book)
    found += outputs.check_hidden(book)
    found += outputs.check_network(book)
    found += messages.check_slips(book, pages)
    found += messages.check_headings(book, pages, printed)
    found += names.check_names(book, pages, memo)
    found += names.check_deprecated(book, pages, memo)
    found += outputs.check_remedies(sources := sources or Sources(book, pages))
    found += messages.check_named(sources, pages)
    found += files.check_files(book.project)
    found += links.check_links(book.project, pages)
    found += links.check_link_texts(pages)
    found += links.check_orphans(book.project)
    found += links.check_built(book)
    found += links.check_library(book.project)
    if whole:
        found += files.check_edited(book.project)
        found += links.check_pins(book.project)
        found += links.check_origins(book.project)
        found += chapters.check_map(book.project, pages)
        found += moved.check(book.project, pages)
        found += prose.check_tables(book.project)
        found += prose.check_glossary(book.project)
        found += prose.check_thesaurus(book.project, pages, (script.text for script in book.scripts.values()))
    return found


def _by_page(problems: Iterable[Problem]) -> dict[str, list[Problem]]:
    found = defaultdict[str, list[Problem]](list)
    for problem in problems:
        found[problem.path].append(problem)
    return found


def _page_words(page: Page) -> Iterator[Problem]:
    """Yield what the checks of wording say of a page's own text."""
    yield from prose.typography([page])
    yield from characters.check_language(page)
    yield from wording.check_words(page)
    yield from wording.check_ends(page)
    yield from claims.check_counts(page)


def _page_alone(page: Page) -> Iterator[Problem]:
    """Yield the problems that depend on a page's own text alone."""
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
    yield from structure.check_sections(page)
    yield from structure.check_images(page)
    yield from structure.check_shown_once(page)
    yield from structure.check_paragraphs_once(page)
    yield from placeholders.check_placeholders(page)
    yield from placeholders.check_todo(page.path, page.text)


def _script_alone(script: Script) -> Iterator[Problem]:
    """Yield the problems that depend on a script's own text alone."""
    yield from origins.check_origins(script)
    yield from placeholders.check_title(script)
    yield from placeholders.check_named(script)
    yield from characters.check_characters(script.path, script.text)
    yield from characters.check_comments(script)
    yield from characters.check_printed(script)
    yield from placeholders.check_todo(script.path, script.text)


def check_drift(book: Book) -> list[Problem]:
    """Return a problem, with its diff, for each output that differs from the record."""
    return [d.problem(book) for d in drift(book)]

"""Finds all problems of pages and scripts. Pure: text in, problems out.

The docstring of a check says what must hold; the check yields a problem wherever it does not.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterator

from verbatim.book.gather import Book, drift
from verbatim.checks import (
    advice,
    asks,
    chapters,
    characters,
    embeds,
    errata,
    exemptions,
    facts,
    files,
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
    remedies,
    structure,
    wording,
)
from verbatim.checks import findings as on_page
from verbatim.checks import pages as forms
from verbatim.lists import questions
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
    of: Callable[[Page], bool] | None = None,
) -> list[Problem]:
    """Return all problems, except those of the book itself and drift.

    Args:
        book: The scripts and what they printed.
        pages: The pages.
        whole: Whether these are all pages, so that no topic may be missing.
        memo: Caches the problems of texts.
        sources: The data that lists are generated from, if it exists already.
        of: Selects the pages that are looked at one by one, with their links to any page; all by default. What pages
            have in common with others, such as titles, is looked at all the same.
    """
    memo = memo or Memo()
    own = [page for page in pages if not of or of(page)]
    twins = defaultdict[str, list[Page]](list)
    for page in pages:
        twins[page.name].append(page)
    findings = [
        (page, on_page.find(book, page, [one for one in twins[page.name] if one is not page], memo)) for page in own
    ]
    named = [(page, one.named) for page, one in findings]
    printed = messages.printed_by(book)
    found = list(embeds.check_embeds(book, pages))
    found += embeds.check_cells_used(book, pages, whole=whole)
    found += languages.check_twins(own, memo, book.project.languages)
    wordings = defaultdict[str, list[Problem]](list)
    for problem in (
        *(problem for _, one in findings for problem in one.wording),
        *prose.glossary(book.project, own, memo),
        *facts.check_facts(own, memo, book.project.languages),
        *messages.check_quoted(book, [(page, one.quoted) for page, one in findings], printed, memo),
        *names.check_calls(book, named, memo),
        *names.check_switches(book, named, memo),
    ):
        wordings[problem.path].append(problem)
    for page, one in findings:
        found += exemptions.apply(page, wordings[page.path])
        found += one.others
        found += errata.check_errata(book, page)
    for script in book.scripts.values():
        found += memo.check("script alone", f"{script.path}\0{script.text}", functools.partial(_script_alone, script))
    found += lengths.check_lengths(book, pages)
    found += structure.check_keywords(pages)
    found += structure.check_read_on(pages)
    found += keywords.check_keywords_answered(book, [(page, one.unanswered) for page, one in findings], memo)
    found += wording.check_titles_differ(pages)
    found += forms.check_front_matter_differs(pages)
    found += forms.check_descriptions_end(pages)
    found += asks.check_asking(book)
    found += outputs.check_sizes(book)
    found += outputs.check_ink(book, memo)
    found += outputs.check_silenced(book)
    found += outputs.check_hidden(book)
    found += outputs.check_network(book)
    found += messages.check_missing_names(book, pages)
    found += messages.check_headings(book, pages, printed, memo)
    found += names.check_names(book, named, memo)
    found += names.check_deprecated(book, pages, memo)
    found += remedies.check_remedies(sources := sources or Sources(book, pages))
    found += remedies.check_twins(sources)
    found += remedies.check_approved(sources, whole=whole)
    found += advice.check_advice(sources, whole=whole)
    found += messages.check_named(sources, pages)
    found += files.check_files(book.project)
    looked_at = {page.path: one for page, one in findings}
    found += links.check_links(
        book.project, [(page, looked_at[page.path].links if page.path in looked_at else ()) for page in pages]
    )
    found += links.check_orphans(book.project)
    found += links.check_built(book)
    if whole:
        found += files.check_edited(book.project)
        found += links.check_pins(book.project)
        found += links.check_origins(book.project)
        found += chapters.check_map(book.project, pages)
        found += moved.check(book.project, pages)
        found += questions.check(book.project, pages)
        found += prose.check_tables(book.project)
        found += prose.check_glossary(book.project)
    return found


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

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
        (page, on_page.find(book, page, [twin for twin in twins[page.name] if twin is not page], memo)) for page in own
    ]
    named = [(page, finding.named) for page, finding in findings]
    printed = messages.printed_by(book)
    problems = list(embeds.check_embeds(book, pages))
    problems += embeds.check_cells_used(book, pages, whole=whole)
    problems += languages.check_twins(own, memo, book.project.languages)
    wordings = defaultdict[str, list[Problem]](list)
    for problem in (
        *(problem for _, finding in findings for problem in finding.wording),
        *prose.glossary(book.project, own, memo),
        *facts.check_facts(own, memo, book.project.languages),
        *messages.check_quoted(book, [(page, finding.quoted) for page, finding in findings], printed, memo),
        *names.check_calls(book, named, memo),
        *names.check_switches(book, named, memo),
    ):
        wordings[problem.path].append(problem)
    for page, finding in findings:
        problems += exemptions.apply(page, wordings[page.path])
        problems += finding.others
        problems += errata.check_errata(book, page)
    for script in book.scripts.values():
        problems += memo.check(
            "script alone", f"{script.path}\0{script.text}", functools.partial(_script_alone, script)
        )
    problems += lengths.check_lengths(book, pages)
    problems += structure.check_keywords(pages)
    problems += structure.check_read_on(pages)
    problems += keywords.check_keywords_answered(book, [(page, finding.unanswered) for page, finding in findings], memo)
    problems += wording.check_titles_differ(pages)
    problems += forms.check_front_matter_differs(pages)
    problems += forms.check_descriptions_end(pages)
    problems += asks.check_asking(book)
    problems += outputs.check_sizes(book)
    problems += outputs.check_ink(book, memo)
    problems += outputs.check_silenced(book)
    problems += outputs.check_hidden(book)
    problems += outputs.check_network(book)
    problems += messages.check_missing_names(book, pages)
    problems += messages.check_headings(book, pages, printed, memo)
    problems += names.check_names(book, named, memo)
    problems += names.check_deprecated(book, pages, memo)
    problems += remedies.check_remedies(sources := sources or Sources(book, pages))
    problems += remedies.check_twins(sources)
    problems += remedies.check_approved(sources, whole=whole)
    problems += advice.check_advice(sources, whole=whole)
    problems += messages.check_named(sources, pages)
    problems += files.check_files(book.project)
    looked_at = {page.path: finding for page, finding in findings}
    problems += links.check_links(
        book.project, [(page, looked_at[page.path].links if page.path in looked_at else ()) for page in pages]
    )
    problems += links.check_orphans(book.project)
    problems += links.check_built(book)
    if whole:
        problems += files.check_edited(book.project)
        problems += links.check_pins(book.project)
        problems += links.check_origins(book.project)
        problems += chapters.check_map(book.project, pages)
        problems += moved.check(book.project, pages)
        problems += questions.check(book.project, pages)
        problems += prose.check_tables(book.project)
        problems += prose.check_glossary(book.project)
    return problems


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

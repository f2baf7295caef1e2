"""Finds all problems of pages and scripts. Pure: text in, problems out.

The docstring of a check says what must hold; the check yields a problem wherever it does not.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

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
from verbatim.project import Project
from verbatim.run.script import Script

#: Checks by what they look at: a new one is a row here, or a line of `findings` where it looks at one page by itself.
OF_PAGES: tuple[Callable[[list[Page]], Iterable[Problem]], ...] = (
    structure.check_keywords,
    structure.check_read_on,
    wording.check_titles_differ,
    forms.check_front_matter_differs,
    forms.check_descriptions_end,
)
OF_BOOK: tuple[Callable[[Book], Iterable[Problem]], ...] = (
    asks.check_asking,
    outputs.check_sizes,
    outputs.check_silenced,
    outputs.check_hidden,
    outputs.check_network,
    links.check_built,
)
OF_BOOK_AND_PAGES: tuple[Callable[[Book, list[Page]], Iterable[Problem]], ...] = (
    embeds.check_embeds,
    lengths.check_lengths,
    messages.check_missing_names,
)
OF_PROJECT: tuple[Callable[[Project], Iterable[Problem]], ...] = (files.check_files, links.check_orphans)
#: These are left out where a selection of pages is looked at.
OF_WHOLE_PROJECT: tuple[Callable[[Project], Iterable[Problem]], ...] = (
    files.check_edited,
    links.check_pins,
    links.check_origins,
    prose.check_tables,
    prose.check_glossary,
)
OF_PROJECT_AND_ALL_PAGES: tuple[Callable[[Project, list[Page]], Iterable[Problem]], ...] = (
    chapters.check_map,
    moved.check,
    questions.check,
)


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
    problems = list(embeds.check_cells_used(book, pages, whole=whole))
    problems += languages.check_twins(own, memo, book.project.languages)
    wordings = _wordings(book, findings, printed, memo)
    for page, finding in findings:
        problems += exemptions.apply(page, wordings[page.path])
        problems += finding.others
        problems += errata.check_errata(book, page)
    for script in book.scripts.values():
        problems += memo.check(
            "script alone", f"{script.path}\0{script.text}", functools.partial(_script_alone, script)
        )
    problems += keywords.check_keywords_answered(book, [(page, finding.unanswered) for page, finding in findings], memo)
    problems += outputs.check_ink(book, memo)
    problems += messages.check_headings(book, pages, printed, memo)
    problems += names.check_names(book, named, memo)
    problems += names.check_deprecated(book, pages, memo)
    problems += _of_messages(sources or Sources(book, pages), pages, whole)
    looked_at = {page.path: finding for page, finding in findings}
    problems += links.check_links(
        book.project, [(page, looked_at[page.path].links if page.path in looked_at else ()) for page in pages]
    )
    problems += [problem for look in OF_PAGES for problem in look(pages)]
    problems += [problem for look in OF_BOOK for problem in look(book)]
    problems += [problem for look in OF_BOOK_AND_PAGES for problem in look(book, pages)]
    problems += [problem for look in OF_PROJECT for problem in look(book.project)]
    if whole:
        problems += [problem for look in OF_WHOLE_PROJECT for problem in look(book.project)]
        problems += [problem for look in OF_PROJECT_AND_ALL_PAGES for problem in look(book.project, pages)]
    return problems


def _wordings(
    book: Book, findings: list[tuple[Page, on_page.Findings]], printed: messages.Printed, memo: Memo
) -> dict[str, list[Problem]]:
    """Return what is wrong with sentences, by page: what a page may be exempt from."""
    own = [page for page, _ in findings]
    named = [(page, finding.named) for page, finding in findings]
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
    return wordings


def _of_messages(sources: Sources, pages: list[Page], whole: bool) -> Iterator[Problem]:
    """Yield what is wrong with messages and with what readers are told to do about them."""
    yield from remedies.check_remedies(sources)
    yield from remedies.check_twins(sources)
    yield from remedies.check_approved(sources, whole=whole)
    yield from advice.check_advice(sources, whole=whole)
    yield from messages.check_named(sources, pages)


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

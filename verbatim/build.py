"""The stages from scripts and pages to documents, in order. The only way from a page to what is written of it.

1. ``book``: run the scripts, read the records.
2. ``pages``: read every page.
3. ``checks``: every problem of scripts, runs and pages; drift from the records.
4. ``lists``: what other pages are made of, which sections are behind.

MkDocs' plugin, ``verbatim check`` and ``verbatim render`` all start here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from verbatim import checks, lists
from verbatim.book.gather import Book
from verbatim.lists import api, names, unlinked
from verbatim.lists.places import Sources
from verbatim.markdown import without_front_matter
from verbatim.memo import Memo
from verbatim.pages import document, freshness, verdicts
from verbatim.pages.document import Document, Unlinked, UsedNames
from verbatim.pages.freshness import StaleSection
from verbatim.pages.page import Page, load_pages
from verbatim.problems import Problem
from verbatim.write import markdown

log = logging.getLogger(__name__)


@dataclass
class Build:
    """Scripts that were run, pages that were read, and what is wrong with both."""

    book: Book
    pages: list[Page]
    problems: list[Problem]
    """Everything that is wrong, except drift."""
    drifted: list[Problem] = field(default_factory=list)
    """Outputs that differ from the approved ones."""
    address: Callable[[str], str] = api.address
    """Given a name, returns the address of its page in PyTorch's documentation."""
    memo: Memo | None = None
    """Has what was made of pages before."""
    of: Callable[[Page], bool] | None = None
    """Selects the pages that are looked at one by one; all by default."""
    known_behind: list[StaleSection] | None = None
    """What another build has found `behind`, so that this one need not look."""
    known_sources: Sources | None = None
    """The `sources` of another build, of which this one has other results and pages."""

    @cached_property
    def behind(self) -> list[StaleSection]:
        """The sections, of the pages that are looked at, whose version in the other language is newer."""
        if self.known_behind is not None:
            return self.known_behind
        pages = [page for page in self.pages if not self.of or self.of(page)]
        return freshness.stale(self.book.project, pages)

    @cached_property
    def _behind(self) -> dict[str, list[StaleSection]]:
        by_page: dict[str, list[StaleSection]] = {}
        for item in self.behind:
            by_page.setdefault(item.page, []).append(item)
        return by_page

    @cached_property
    def sources(self) -> Sources:
        """The data that lists are made from."""
        if self.known_sources:
            return replace(self.known_sources, book=self.book, pages=self.pages, _cache={})
        return lists.gather(self.book, self.pages, self.behind, self.address)

    def changed(self, **values: Any) -> Build:
        """Return this build with other fields. What it knows of all pages, such as which are behind, is kept."""
        return replace(self, **values, known_behind=self.behind, known_sources=self.sources)

    @cached_property
    def _by_path(self) -> dict[str, Page]:
        return {page.path: page for page in self.pages}

    def page(self, path: str) -> Page | None:
        """Return the page of this path from the project's root, or ``None``."""
        return self._by_path.get(path)

    def problems_of(self, page: Page) -> list[Problem]:
        """Return what is wrong with a page or with a script that it shows."""
        own = {page.path, *page.scripts}
        return [problem for problem in self.problems if problem.path in own]

    def drifted_of(self, page: Page) -> list[Problem]:
        """Return the outputs of a page's scripts that are not the approved ones, cells that are new or edited aside."""
        return [problem for problem in self.drifted if problem.path in page.scripts and "\n" in problem.message]

    def inputs(self, page: Page) -> tuple[str, ...]:
        """Return everything that determines a page's HTML.

        Its lists are expanded, because they depend on other pages.
        """
        book = self.book
        lists_shown = repr(lists.lines(self.sources, page))
        scripts = list(dict.fromkeys(filter(None, [*page.scripts, self._script(page)])))
        return (
            page.text,
            lists_shown,
            repr((self._behind.get(page.path), self.problems_of(page))),
            repr((book.environment, book.releases.names, book.newest_python, book.covered(scripts))),
            names.used_here(self.sources, page) + unlinked.render(self.sources, page),
            repr(document.footer(book, page.scripts)),
            verdicts.text(book, page),
            *map(book.display_hash, scripts),
        )

    def _script(self, page: Page) -> str:
        """Return the path of the script of the recipe that a page is about; empty for other pages."""
        path = f"examples/{page.name.removesuffix('.md')}.py"
        return path if path in self.book.scripts else ""

    def document(self, page: Page) -> Document:
        """Return one of the build's pages, or a changed copy of one, as a value."""
        used, more = names.used_here(self.sources, page), unlinked.render(self.sources, page)
        return document.read(
            without_front_matter(page.text),
            self.book,
            page.language,
            own=self._script(page),
            behind=self._behind.get(page.path, []),
            lists=lists.lines(self.sources, page),
            below=[
                *([UsedNames(used)] if used else []),
                *([Unlinked(more)] if more else []),
                document.footer(self.book, page.scripts),
            ],
        )

    def markdown(self, page: Page, figure: markdown.FigureAddress) -> str:
        """Return a page as the site's Markdown: with code, outputs, lists, and the versions that ran them.

        Args:
            page: As in `document`.
            figure: Given a figure's SVG, its recipe and cell: returns the address to write into the page.
        """
        return markdown.site(self.document(page), figure)


def outline(
    book: Book,
    *,
    only: Callable[[Page], bool] | None = None,
    memo: Memo | None = None,
    address: Callable[[str], str] | None = None,
) -> Build:
    """Read the pages and check nothing. The arguments are those of `prepare`."""
    pages, problems = load_pages(book.project)
    chosen = [page for page in pages if not only or only(page)]
    return Build(
        book,
        chosen,
        problems + book.problems,
        address=address or api.Addresses(memo or Memo()).address,
        memo=memo,
    )


def prepare(
    book: Book,
    *,
    only: Callable[[Page], bool] | None = None,
    more: Callable[[list[Page]], list[Problem]] | None = None,
    memo: Memo | None = None,
    address: Callable[[str], str] | None = None,
    of: Callable[[Page], bool] | None = None,
) -> Build:
    """Read the pages and check everything.

    Args:
        book: Scripts that were run, as `verbatim.book.gather.gather` returns them.
        only: Selects the pages to build; all by default. With a selection, topics of other pages are not missed.
        more: Further checks of the pages, such as formulas that cannot be typeset.
        memo: Has what was found in pages before.
        address: As in `Build`.
        of: As in `checks.check`.
    """
    log.info("scripts: %d, %d run now, the others unchanged", len(book.scripts), book.executed)
    pages, problems = load_pages(book.project)
    if only:
        pages = [page for page in pages if only(page)]
    log.info("pages: %d", len(pages))
    unread = {problem.path for problem in problems}
    made = Build(book, pages, problems, address=address or api.Addresses(memo or Memo()).address, memo=memo, of=of)
    reported = (more([page for page in pages if not of or of(page)]) if more else []) + book.problems
    reported += checks.check(book, pages, whole=only is None, memo=memo, sources=made.sources, of=of)
    problems += [problem for problem in reported if problem.path not in unread]  # of half a page all else is a guess
    made.drifted = checks.check_drift(book)
    log.info("checks: %d problems, %d outputs that drifted", len(problems), len(made.drifted))
    return made

"""While serving, makes single pages of a site that was built, or outlined, before."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from verbatim.book.gather import Options, drift, gather, shown_result
from verbatim.build import Build
from verbatim.pages.page import Page
from verbatim.run.result import Result
from verbatim.site import adapt
from verbatim.site.additions import Site
from verbatim.site.making import Making
from verbatim.site.pages import Pages

#: Maximum number of pages to rebuild immediately; if more are affected, the whole site is built.
MOST = 12

log = logging.getLogger("mkdocs.plugins.verbatim")


class Maker:
    """Makes single pages. All is called in the build thread.

    Args:
        show: Has the events of MkDocs go to the pages of a language while its context lasts.
    """

    def __init__(self, show: Callable[[Pages], contextlib.AbstractContextManager[None]]):
        self._show = show
        self.making: Making | None = None
        """The site that is shown."""
        self.next: Making | None = None
        """The site that was built last."""

    def built(self) -> None:
        """Show the site that was built last."""
        if self.making and self.making is not self.next:
            self.making.parts.memo.close()
        self.making = self.next

    def make(self, file: str) -> list[str]:
        """Make a page (its file from the documentation's root) and all that belongs to it. Return its scripts."""
        making = self.making
        page = making.build.page(f"docs/{file}") if making else None
        if making is None or page is None:
            return []
        try:
            making.parts.typeset([page])
            self._make(page)
        except Exception as error:  # the whole build meets it, too
            log.error(f"docs/{file} cannot be shown before the whole site: {error!r}")
        return list(page.scripts)

    def saved(self, paths: list[str]) -> list[str]:
        """Make the pages of saved files; return these pages, or nothing if the whole site must be built."""
        making = self.making
        if making is None or not making.languages:
            return []
        build = making.build
        try:
            found = updated(build, making.parts, paths)
            if found is None:
                return []
            making.build, shown = found
            for page in shown:
                self._make(page)
            return [page.path for page in shown]
        except Exception as error:  # whatever it is, the whole build meets it, too, and tells it as it always does
            log.debug(f"{', '.join(paths)} cannot be shown before the whole site: {error!r}")
            making.build = build
            return []

    def ran(self, results: list[Result], made: Callable[[str], bool]) -> list[str]:
        """Take results of scripts; make again the pages that show them, and return these pages.

        Args:
            results: The results.
            made: Whether the page of an address has been made.
        """
        making = self.making
        if making is None:
            return []
        names = {result.script for result in results if result.script in making.build.book.pending}
        making.build = with_results(making.build, [result for result in results if result.script in names])
        pages = [page for page in making.build.pages if names & set(page.scripts)]
        shown = [page for page in pages if made(self._file(making, page).url)]
        making.parts.book = making.build.book
        if shown:
            making.parts.learn(shown)
        for page in shown:
            self._make(page)
        return [page.path for page in shown]

    @staticmethod
    def _file(making: Making, page: Page) -> Any:
        return making.languages[page.language].language.files.src_uris[page.path.removeprefix("docs/")]

    def _make(self, page: Page) -> None:
        """Make one page, with what was known when its language was built."""
        assert self.making
        file, pages = self._file(self.making, page), self.making.languages[page.language]
        pages.forget(file.src_uri)
        with self._show(pages):
            adapt.make_page(file, pages.language)
        self.making.parts.write_sheets(Path(pages.language.config.site_dir))


def updated(build: Build, parts: Site, saved: list[str]) -> tuple[Build, list[Page]] | None:
    """Update a build with the saved files.

    Args:
        build: The last build.
        parts: The additions to pages; they are updated in place.
        saved: Paths of the saved files.

    Returns:
        The updated build and the affected pages; ``None`` if the whole site must be built, because a file is new or
        more than `MOST` pages are affected.
    """
    book, project = build.book, build.book.project
    pages = {page.path: page for page in build.pages}
    if any(name not in pages and name not in book.scripts for name in saved):
        return None
    scripts = [name for name in saved if name in book.scripts]
    for name in saved:
        if name in pages:
            pages[name] = Page(name, (project.root / name).read_text(encoding="utf-8"))
    problems = [problem for problem in build.problems if problem.path not in saved]
    if scripts:
        new = gather(project, [project.root / name for name in scripts], Options(releases=book.releases))
        if new.scripts.keys() != set(scripts):
            return None  # one can no longer be read: a whole build says so on each page that shows it
        book = replace(
            book,
            scripts={**book.scripts, **new.scripts},
            printed={**book.printed, **new.printed},
            results={**book.results, **new.results},
            cpu={**book.cpu, **new.cpu},
            cuda={**book.cuda, **new.cuda},
            pending=book.pending - new.printed.keys(),
        )
        problems += new.problems
    shown = [page for page in pages.values() if page.path in saved or set(page.scripts) & set(scripts)]
    if not shown or len(shown) > MOST:
        return None
    parts.book = book
    problems += parts.typeset(shown)
    parts.learn(shown)
    made = replace(build, book=book, pages=list(pages.values()), problems=problems, drifted=[])
    return made.sharing(build), shown


def with_results(build: Build, results: list[Result]) -> Build:
    """Return a build with the results of scripts that have run since it was made."""
    names = {result.script for result in results}
    book = replace(
        build.book,
        printed={**build.book.printed, **{result.script: result for result in results}},
        pending=build.book.pending - names,
    )
    book = replace(book, results={**book.results, **{name: shown_result(book, name) for name in names}})
    alone = replace(
        book,
        scripts={name: book.scripts[name] for name in names},
        printed={name: book.printed[name] for name in names},
    )
    problems = [problem for problem in build.problems if problem.path not in names]
    problems += [problem for result in results for problem in result.problems]
    drifted = [problem for problem in build.drifted if problem.path not in names]
    drifted += [one.problem(book) for one in drift(alone)]
    return replace(build, book=book, problems=problems, drifted=drifted).sharing(build)

"""While serving, makes single pages of a site that was built before, or of which only the addresses are known."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from verbatim.book.gather import Options, display_result, drift, gather
from verbatim.build import Build
from verbatim.pages.page import Page
from verbatim.run.result import Result
from verbatim.site import adapt
from verbatim.site.pages import LanguagePages
from verbatim.site.site_build import SiteBuild

#: Maximum number of pages to rebuild immediately; if more are affected, the whole site is built.
MOST_PAGES = 12

log = logging.getLogger("mkdocs.plugins.verbatim")


class PageBuilder:
    """Makes single pages. All is called in the build thread.

    Args:
        show: Has the events of MkDocs go to the pages of a language while its context lasts.
    """

    def __init__(self, show: Callable[[LanguagePages], contextlib.AbstractContextManager[None]]):
        self._show = show
        self.languages: dict[str, LanguagePages] = {}
        """The site that is shown."""
        self.next: dict[str, LanguagePages] = {}
        """The site that was built last."""

    @property
    def site_build(self) -> SiteBuild | None:
        """The build of the site that is shown."""
        return next((pages.site_build for pages in self.languages.values()), None)

    def built(self) -> None:
        """Show the site that was built last."""
        if self.site_build and self.languages is not self.next:
            self.site_build.shared.memo.close()
        self.languages = self.next

    def make(self, file: str) -> list[str]:
        """Make a page (its file from the documentation's root) and all that belongs to it. Return its scripts."""
        site_build = self.site_build
        page = site_build.build.page(f"docs/{file}") if site_build else None
        if site_build is None or page is None:
            return []
        try:
            site_build.shared.typeset([page])
            self._make(page)
        except Exception as error:  # the whole build meets it, too
            log.error(f"docs/{file} cannot be shown before the whole site: {error!r}")
        return list(page.scripts)

    def saved(self, paths: list[str]) -> list[str]:
        """Make the pages of saved files; return these pages, or nothing if the whole site must be built."""
        site_build = self.site_build
        if site_build is None:
            return []
        before = site_build.build
        try:
            made = updated(before, paths)
            if made is None:
                return []
            build, shown = made
            site_build.update(build)
            build.problems += site_build.shared.typeset(shown)
            site_build.learn_names(shown)
            for page in shown:
                self._make(page)
            return [page.path for page in shown]
        except Exception as error:  # whatever it is, the whole build meets it, too, and tells it as it always does
            log.debug(f"{', '.join(paths)} cannot be shown before the whole site: {error!r}")
            site_build.update(before)
            return []

    def ran(self, results: list[Result], made: Callable[[str], bool]) -> list[str]:
        """Take results of scripts; make again the pages that show them, and return these pages.

        Args:
            results: The results.
            made: Whether the page of an address has been made.
        """
        site_build = self.site_build
        if site_build is None:
            return []
        names = {result.script for result in results if result.script in site_build.build.book.pending}
        site_build.update(with_results(site_build.build, [result for result in results if result.script in names]))
        pages = [page for page in site_build.build.pages if names & set(page.scripts)]
        shown = [page for page in pages if made(self._file(page).url)]
        if shown:
            site_build.learn_names(shown)
        for page in shown:
            self._make(page)
        return [page.path for page in shown]

    def _file(self, page: Page) -> Any:
        return self.languages[page.language].language.files.src_uris[page.path.removeprefix("docs/")]

    def _make(self, page: Page) -> None:
        """Make one page, with what was known when its language was built."""
        file, pages = self._file(page), self.languages[page.language]
        pages.forget(file.src_uri)
        with self._show(pages):
            adapt.make_page(file, pages.language)


def updated(build: Build, saved: list[str]) -> tuple[Build, list[Page]] | None:
    """Return a build with the saved files, and the pages that they affect.

    Args:
        build: The last build.
        saved: Paths of the saved files.

    Returns:
        ``None`` if the whole site must be built, because a file is new or more than `MOST_PAGES` pages are affected.
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
            fresh_results={**book.fresh_results, **new.fresh_results},
            display_results={**book.display_results, **new.display_results},
            cpu={**book.cpu, **new.cpu},
            cuda={**book.cuda, **new.cuda},
            pending=book.pending - new.fresh_results.keys(),
        )
        problems += new.problems
    shown = [page for page in pages.values() if page.path in saved or set(page.scripts) & set(scripts)]
    if not shown or len(shown) > MOST_PAGES:
        return None
    return build.changed(book=book, pages=list(pages.values()), problems=problems, drifted=[]), shown


def with_results(build: Build, results: list[Result]) -> Build:
    """Return a build with the results of scripts that have run since it was made."""
    names = {result.script for result in results}
    book = replace(
        build.book,
        fresh_results={**build.book.fresh_results, **{result.script: result for result in results}},
        pending=build.book.pending - names,
    )
    book = replace(
        book, display_results={**book.display_results, **{name: display_result(book, name) for name in names}}
    )
    alone = replace(
        book,
        scripts={name: book.scripts[name] for name in names},
        fresh_results={name: book.fresh_results[name] for name in names},
    )
    problems = [problem for problem in build.problems if problem.path not in names]
    problems += [problem for result in results for problem in result.problems]
    drifted = [problem for problem in build.drifted if problem.path not in names]
    drifted += [change.problem(book) for change in drift(alone)]
    return build.changed(book=book, problems=problems, drifted=drifted)

"""One build of the site: what it is asked for, and what it knows. `start` runs the scripts and checks everything."""

from __future__ import annotations

import functools
import itertools
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from verbatim.book.gather import Options, awaiting, gather
from verbatim.build import Build, outline, prepare
from verbatim.incremental.records import SiteRecord
from verbatim.incremental.reuse import Reuse
from verbatim.lists import api
from verbatim.lists.places import title
from verbatim.memo import Memo, digest
from verbatim.pages.page import Page, scripts_of
from verbatim.paths import unfit
from verbatim.problems import Problem, Problems
from verbatim.project import Project
from verbatim.run import cache, server
from verbatim.site import navigation, page_names
from verbatim.site.context import SiteContext
from verbatim.site.downloads import editions
from verbatim.site.page_dates import PageDates
from verbatim.site.repository import Repository

log = logging.getLogger("mkdocs.plugins.verbatim")


@dataclass(frozen=True)
class SiteOptions:
    """What a build is asked for."""

    repository: str = ""
    branch: str = "main"
    notebooks: str = ""
    """The branch with the notebooks of pages; empty where there is none."""
    strict: bool = False
    """Whether outputs that are not the recorded ones are problems."""
    offline: bool = False
    """Whether a zip of each language is made."""
    editions: str = ""
    """The folder of the book's files that are offered, from the project's root; empty if none are."""
    recipes: tuple[str, ...] = ()
    """The recipes to show, with the home pages; all if empty."""
    serving: bool = False
    """Whether problems are shown on pages, where a build stops."""
    outline_only: bool = False
    """Whether no script is run and nothing checked: pages are made when somebody asks for them."""

    def shows(self, name: str) -> bool:
        """Whether a page (its path below its language) belongs to what is shown."""
        return not self.recipes or name == "index.md" or name.removesuffix(".md") in self.recipes


@dataclass
class SiteBuild:
    """One build of the site, in all languages."""

    options: SiteOptions
    build: Build
    """What was run, read and checked."""
    shared: SiteContext
    """What all its pages share."""
    names: api.Addresses
    """Where names are documented."""
    dates: PageDates
    """When pages were last changed."""
    reuse: Reuse | None = None
    """The pages of the existing site that are as they were; ``None`` if every page is made."""
    record: SiteRecord | None = None
    """What the next build must know of this one, once it has ended."""
    deferred: set[str] = field(default_factory=set)
    """While serving, pages that wait until somebody asks for them: files from the documentation's root."""
    figures: dict[str, str] = field(default_factory=dict)
    """Key → SVG."""
    addresses: dict[str, dict[str, str]] = field(default_factory=dict)
    """Script → language → address of the page that shows it."""
    refused: list[Problem] = field(default_factory=list)
    """What is wrong with the HTML that came of pages: nothing is published then."""
    missing: dict[str, str] = field(default_factory=dict)
    """Language → the page for addresses that do not exist, as it was rendered."""
    theme_css: str = ""
    """The text of the theme's stylesheets."""
    common: list[Any] = field(default_factory=list)
    """The files that the languages share."""
    contents: Memo = field(default_factory=Memo)
    """Has contents that were made before; empty if another plugin takes part in making them."""

    def update(self, build: Build) -> None:
        """Show other results and pages from now on."""
        self.build = build
        self.shared.book = build.book

    def learn_names(self, pages: Iterable[Page]) -> None:
        """Find the addresses of the names that pages and their scripts use."""
        page_names.learn(self.names, self.build.book, pages)

    def editions(self, language: str) -> tuple[editions.Edition, ...]:
        """Return the book's files in a language that are offered."""
        return editions.find(self.build.book.project, self.options.editions, language)

    @functools.cached_property
    def newest(self) -> datetime | None:
        """When any page was last changed; nothing where that is not known."""
        return max(filter(None, (self.dates.date(page.path) for page in self.build.pages)), default=None)

    @functools.cached_property
    def metadata(self) -> str:
        """Fingerprint of what pages say of themselves to others: see `SiteRecord.metadata`."""
        build, languages = self.build, self.shared.languages
        said = [(page.path, page.meta, title(page), self.dates.date(page.path)) for page in build.pages]
        navs = [
            navigation.nav(build.sources.map, build.pages, language, languages.partial) for language in languages.all
        ]
        releases = build.book.releases
        return digest(said, navs, sorted(build.book.display_results), releases.names, releases.built)


def start(project: Project, options: SiteOptions, memo: Memo, how: Options) -> SiteBuild:
    """Run the scripts that must be run, and check everything.

    Args:
        project: The project.
        options: What is asked for.
        memo: Has what was made before.
        how: How scripts are run.

    Raises:
        Problems: everything that is wrong; while serving, pages show it.
    """
    only = None
    if options.recipes:
        shown_at_home = (project.root / script for script in sorted(scripts_of(project, ["index"])))
        paths = [*(project.script(recipe) for recipe in options.recipes if not unfit(recipe)), *shown_at_home]
        only = [path for path in dict.fromkeys(paths) if path.is_file()]
    how = replace(how, memo=memo, run=() if options.outline_only else how.run)
    book = gather(project, only, how)
    shared = SiteContext(book, memo, Repository(options.repository, options.branch, options.notebooks))
    names, dates = api.Addresses(memo), PageDates(project.root)
    shown = (lambda page: options.shows(page.name)) if options.recipes else None
    if options.outline_only:
        build = outline(book, only=shown, memo=memo, address=names.address)
        return SiteBuild(options, build, shared, names, dates, contents=memo)
    build = prepare(book, only=shown, more=shared.typeset, memo=memo, address=names.address)
    if options.strict:
        build.problems += build.drifted
    if build.problems and not options.serving:
        raise Problems(build.problems)
    site_build = SiteBuild(options, build, shared, names, dates, contents=memo)
    if book.executed:  # so there is a process that has PyTorch
        site_build.learn_names(build.pages)
    elif options.serving:
        server.prepare()  # PyTorch is imported while the author writes, not when the first script is saved
    _report(build)
    cache.sweep(project.cache)
    return site_build


def _report(build: Build) -> None:
    """Log what is worth knowing of a build that goes on."""
    for problem in build.problems:
        log.error(problem.brief)
    for line in _briefly(build.drifted):
        log.warning(line)
    for note in build.book.notes:
        log.info(str(note))
    if waiting := awaiting(build.book):
        stale = sum(item.stale for item in waiting)
        log.info(f"{len(waiting)} cells await the CUDA job, {stale} of them recorded for an earlier version")
    log.info(f"{len(build.book.scripts)} scripts, {build.book.executed} run now, the others unchanged")


def _briefly(drifted: list[Problem]) -> Iterator[str]:
    """Yield a line for each script whose outputs are not the approved ones."""
    for path, group in itertools.groupby(sorted(drifted), lambda problem: problem.path):
        problems = list(group)
        yield problems[0].brief if len(problems) == 1 else f"{path}: {len(problems)} cells are not what was recorded"

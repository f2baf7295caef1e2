"""One build of the site: runs scripts, checks everything, gathers what pages need. Knows no MkDocs."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from verbatim.book.gather import Options, awaiting, gather
from verbatim.build import Build, outline, prepare
from verbatim.incremental.records import SiteRecord
from verbatim.incremental.reuse import Reuse
from verbatim.memo import Memo
from verbatim.pages.page import scripts_of
from verbatim.problems import Problem, Problems
from verbatim.project import Project
from verbatim.run import cache, server
from verbatim.site.additions import Site

if TYPE_CHECKING:  # it imports MkDocs
    from verbatim.site.pages import Pages

log = logging.getLogger("mkdocs.plugins.verbatim")


@dataclass(frozen=True)
class Settings:
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
    outlined: bool = False
    """Whether no script is run and nothing checked: pages are made when somebody asks for them."""

    def shows(self, name: str) -> bool:
        """Whether a page (its path below its language) belongs to what is shown."""
        return not self.recipes or name == "index.md" or name.removesuffix(".md") in self.recipes


@dataclass
class Making:
    """One build of the site, in all languages."""

    settings: Settings
    build: Build
    parts: Site
    reuse: Reuse | None = None
    """The pages of the existing site that are as they were; ``None`` if every page is made."""
    record: SiteRecord | None = None
    """What the next build must know of this one, once it has ended."""
    unmade: set[str] = field(default_factory=set)
    """While serving, pages that wait until somebody asks for them: files from the documentation's root."""
    figures: dict[str, str] = field(default_factory=dict)
    """Key → SVG."""
    addresses: dict[str, dict[str, str]] = field(default_factory=dict)
    """Script → language → address of the page that shows it."""
    languages: dict[str, Pages] = field(default_factory=dict)
    """The languages that were built."""
    theme: str = ""
    """The text of the theme's stylesheets."""
    common: list[Any] = field(default_factory=list)
    """The files that the languages share."""
    contents: Memo = field(default_factory=Memo)
    """Has contents that were made before; empty if another plugin takes part in making them."""


def make(project: Project, settings: Settings, memo: Memo, options: Options) -> Making:
    """Run the scripts that must be run, and check everything.

    Args:
        project: The project.
        settings: What is asked for.
        memo: Has what was made before.
        options: How scripts are run.

    Raises:
        Problems: everything that is wrong; while serving, pages show it.
    """
    only = None
    if settings.recipes:
        shown_at_home = (project.root / script for script in sorted(scripts_of(project, ["index"])))
        paths = [*map(project.script, settings.recipes), *shown_at_home]
        only = [path for path in dict.fromkeys(paths) if path.is_file()]
    options = replace(options, memo=memo, run=() if settings.outlined else options.run)
    book = gather(project, only, options)
    parts = Site(
        book,
        memo,
        settings.repository,
        settings.branch,
        settings.notebooks,
        offline=settings.offline,
        editions=settings.editions,
    )
    shown = (lambda page: settings.shows(page.name)) if settings.recipes else None
    if settings.outlined:
        return Making(settings, outline(book, only=shown, memo=memo, address=parts.names.address), parts, contents=memo)
    build = prepare(book, only=shown, more=parts.typeset, memo=memo, address=parts.names.address)
    if settings.strict:
        build.problems += build.drifted
    if build.problems and not settings.serving:
        raise Problems(build.problems)
    if book.executed:  # so there is a process that has PyTorch
        parts.learn(build.pages)
    elif settings.serving:
        server.ensure()  # PyTorch is imported while the author writes, not when the first script is saved
    _report(build)
    cache.sweep(project.cache)
    return Making(settings, build, parts, contents=memo)


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

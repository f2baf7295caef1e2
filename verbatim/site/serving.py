"""While serving, makes single pages of a site that was built, or outlined, before."""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any

from mkdocs.commands.build import _build_page, _populate_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files

from verbatim.book.gather import Options, drift, gather, shown_result
from verbatim.build import Build
from verbatim.pages.page import Page
from verbatim.run.result import Result
from verbatim.site.additions import Site

#: Maximum number of pages to rebuild immediately; if more are affected, the whole site is built.
MOST = 12


@dataclass
class Language:
    """The state of MkDocs and its plugins after the pages of a language were built."""

    name: str
    config: MkDocsConfig
    files: Files
    nav: Any
    env: Any
    frames: Any


def remember(name: str, config: MkDocsConfig, files: Files, nav: Any, env: Any, frames: Any) -> Language:
    """Save the state of a language. Settings are copied, because static-i18n changes them for the next language."""
    kept = copy.copy(config)
    kept.theme = copy.copy(config.theme)
    for key, value in vars(config.theme).items():
        if isinstance(value, dict):
            setattr(kept.theme, key, copy.deepcopy(value))
    kept.extra = copy.deepcopy(config.extra)
    return Language(name, kept, files, nav, env, frames)


def again(build: Build, parts: Site, saved: list[str]) -> tuple[Build, list[Page]] | None:
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
        new = gather(project, [project.root / name for name in scripts], Options(versions=book.versions))
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
    parts.again(book, shown)
    problems += parts.typeset(shown)
    parts.learn(shown)
    made = replace(build, book=book, pages=list(pages.values()), problems=problems, drifted=[])
    return _with_shared(made, build), shown


def ran(build: Build, results: list[Result]) -> Build:
    """Update a build with the results of scripts that have run since it was made."""
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
    return _with_shared(replace(build, book=book, problems=problems, drifted=drifted), build)


def _with_shared(made: Build, before: Build) -> Build:
    """Give a build what the one before it knew of all pages, such as git's history; the next whole build asks anew."""
    vars(made)["behind"] = before.behind
    vars(made)["sources"] = replace(before.sources, book=made.book, pages=made.pages, _made={})
    return made


def render(page: Any, language: Language) -> None:
    """Render one page and write it, with all plugin events of a normal build."""
    config = language.config
    translator = config.plugins.get("i18n")
    before = translator.current_language if translator else None
    if translator:
        translator.current_language = language.name
    try:
        _populate_page(page, config, language.files)
        _build_page(page, config, language.files.documentation_pages(), language.nav, language.env)
    finally:
        if translator:
            translator.current_language = before

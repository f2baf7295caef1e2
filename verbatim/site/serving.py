"""While serving: the page that was saved is shown first, everything else follows.

MkDocs' server calls one function whenever something was saved, and tells browsers to load their pages again when that
returns. Here it is called twice: at once it makes just the pages that were saved, or that show a script that was saved;
a little later, when nothing more was saved, it builds the whole site. Whatever this cannot do (a page that is new, a
setting) goes the second way alone.
"""

from __future__ import annotations

import contextlib
import copy
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mkdocs.commands.build import _build_page, _populate_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import Files
from watchdog.observers.polling import PollingObserver

from verbatim.book.gather import gather
from verbatim.build import Build
from verbatim.pages.page import Page
from verbatim.project import Project
from verbatim.site.additions import Site

#: Seconds between two looks at the files.
LOOKS = 0.2
#: Seconds after a save in which nothing else must be saved before the whole site is built.
QUIET = 2.0
#: More pages than these at once are no edit: they go with all others.
MOST = 12


@dataclass
class Language:
    """What MkDocs and the plugins knew when they had built the pages of a language."""

    name: str
    config: MkDocsConfig
    files: Files
    nav: Any
    env: Any
    frames: Any


def remember(name: str, config: MkDocsConfig, files: Files, nav: Any, env: Any, frames: Any) -> Language:
    """Return a language as it is now; static-i18n changes the settings for the next one."""
    kept = copy.copy(config)
    kept.theme = copy.copy(config.theme)
    for key, value in vars(config.theme).items():
        if isinstance(value, dict):
            setattr(kept.theme, key, copy.deepcopy(value))
    kept.extra = copy.deepcopy(config.extra)
    return Language(name, kept, files, nav, env, frames)


def state(project: Project) -> dict[Path, tuple[int, int]]:
    """Return when pages and scripts were saved, and how long they are."""
    found = {}
    for folder, pattern in ((project.root / "docs", "*.md"), (project.examples, "*.py")):
        for path in folder.rglob(pattern):
            with contextlib.suppress(OSError):  # saved by being replaced just now
                about = path.stat()
                found[path] = (about.st_mtime_ns, about.st_size)
    return found


def again(build: Build, parts: Site, saved: list[str]) -> tuple[Build, list[Page]] | None:
    """Return the build with the files that were saved read anew, and the pages to be shown first.

    ``None`` where that takes a whole build: something that was not there, or more pages than an edit changes.
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
        new = gather(project, [project.root / name for name in scripts])
        if new.scripts.keys() != set(scripts):
            return None  # one can no longer be read: a whole build says so on each page that shows it
        book = replace(
            book,
            scripts={**book.scripts, **new.scripts},
            printed={**book.printed, **new.printed},
            results={**book.results, **new.results},
            cpu={**book.cpu, **new.cpu},
            cuda={**book.cuda, **new.cuda},
        )
        problems += new.problems
    shown = [page for page in pages.values() if page.path in saved or set(page.scripts) & set(scripts)]
    if not shown or len(shown) > MOST:
        return None
    parts.again(book, shown, scripts)
    problems += parts.typeset(shown)
    parts.learn(shown)
    made = replace(build, book=book, pages=list(pages.values()), problems=problems, drifted=[])
    # What all pages share, such as git's history, is what it was; the whole build looks again.
    vars(made)["behind"] = build.behind
    vars(made)["sources"] = replace(build.sources, book=book, pages=made.pages, _places={})
    return made, shown


def render(page: Any, language: Language) -> None:
    """Make one page anew and write it, with every event of a build."""
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


class First:
    """Stands in the place of the server's own function.

    Args:
        server: MkDocs' server.
        project: What is served.
        first: Shows the pages of the given files at once; returns them, or nothing where it cannot.
    """

    def __init__(self, server: Any, project: Project, first: Callable[[list[str]], list[str]]):
        self._server, self._project, self._first = server, project, first
        self._whole = server.builder
        self._state = state(project)
        self._timer: threading.Timer | None = None
        self._folder = tempfile.TemporaryDirectory(prefix="verbatim-serve-")
        self._bell = Path(self._folder.name) / "bell"
        self._bell.touch()
        self._rung = False

    def start(self, watched: list[str]) -> None:
        """Take the server's place for it, and look at the watched files more often than it does."""
        for path in watched:
            self._server.unwatch(path)
        self._server.observer = PollingObserver(timeout=LOOKS)
        for path in (*watched, str(self._bell)):
            self._server.watch(path)
        self._server.builder = self

    def stop(self) -> None:
        """End what may still be waiting."""
        if self._timer:
            self._timer.cancel()
        self._folder.cleanup()

    def __call__(self) -> None:
        """Do what is to be done: called when something was saved, or when the bell rang."""
        started = time.monotonic()
        now = state(self._project)
        saved = [path for path in now if now[path] != self._state.get(path)]
        gone = self._state.keys() - now.keys()
        self._state = now
        names = sorted(self._project.relative(path) for path in saved)
        if names and not gone and (shown := self._first(names)):
            taken = time.monotonic() - started
            where = "" if shown == names else f" on {', '.join(shown)}"
            print(f"{', '.join(names)}: shown{where} after {taken:.2f} s; the other pages follow", flush=True)
            self._later()
            return
        if self._timer:
            self._timer.cancel()
        self._whole()
        print(f"all pages: {time.monotonic() - started:.1f} s", flush=True)

    def _later(self) -> None:
        """Have the whole site built when nothing more was saved for a while."""
        if self._timer:
            self._timer.cancel()
        self._timer = threading.Timer(QUIET, self._ring)
        self._timer.daemon = True
        self._timer.start()

    def _ring(self) -> None:
        with contextlib.suppress(OSError):
            self._bell.write_text(str(time.monotonic_ns()))

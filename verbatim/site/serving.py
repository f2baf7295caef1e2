"""While serving, rebuilds the saved page immediately and the rest of the site afterwards.

MkDocs' server calls one function after every save and then tells browsers to reload. Here that function runs twice: at
once for the pages that were saved or that show a saved script, and again for the whole site when nothing was saved for
as long as that build takes, `QUIET` seconds at least: a page that is saved meanwhile has to wait for it. Other changes
(a new page, a setting) trigger only the build of the whole site.
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

from verbatim.book.gather import Options, gather
from verbatim.build import Build
from verbatim.pages.page import Page
from verbatim.project import Project
from verbatim.site.additions import Site

#: Interval in seconds at which files are checked for changes.
LOOKS = 0.2
#: Seconds without a save after which the whole site is built at the earliest.
QUIET = 2.0
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


def state(project: Project) -> dict[Path, tuple[int, int]]:
    """Return the modification time (ns) and size (bytes) of each page and script."""
    found = {}
    for folder, pattern in ((project.root / "docs", "*.md"), (project.examples, "*.py")):
        for path in folder.rglob(pattern):
            with contextlib.suppress(OSError):  # an editor may be replacing the file right now
                about = path.stat()
                found[path] = (about.st_mtime_ns, about.st_size)
    return found


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
        )
        problems += new.problems
    shown = [page for page in pages.values() if page.path in saved or set(page.scripts) & set(scripts)]
    if not shown or len(shown) > MOST:
        return None
    parts.again(book, shown)
    problems += parts.typeset(shown)
    parts.learn(shown)
    made = replace(build, book=book, pages=list(pages.values()), problems=problems, drifted=[])
    # Data shared by all pages, such as git's history, is reused; the build of the whole site refreshes it.
    vars(made)["behind"] = build.behind
    vars(made)["sources"] = replace(build.sources, book=book, pages=made.pages, _made={})
    return made, shown


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


class First:
    """Replaces the build function of MkDocs' server.

    Args:
        server: MkDocs' server.
        project: The project.
        first: Given saved files, rebuilds the affected pages and returns them; empty if the whole site must be built.
    """

    def __init__(self, server: Any, project: Project, first: Callable[[list[str]], list[str]]):
        self._server, self._project, self._first = server, project, first
        self._whole = server.builder
        self._state = state(project)
        self._timer: threading.Timer | None = None
        self._taken = 0.0
        """Seconds that the last build of the whole site took."""
        self._folder = tempfile.TemporaryDirectory(prefix="verbatim-serve-")
        self._bell = Path(self._folder.name) / "bell"
        self._bell.touch()
        self._rung = False

    def start(self, watched: list[str]) -> None:
        """Install this object as the server's build function and check the watched files every `LOOKS` seconds."""
        for path in watched:
            self._server.unwatch(path)
        self._server.observer = PollingObserver(timeout=LOOKS)
        for path in (*watched, str(self._bell)):
            self._server.watch(path)
        self._server.builder = self

    def stop(self) -> None:
        """Cancel a pending build of the whole site and delete the temporary folder."""
        if self._timer:
            self._timer.cancel()
        self._folder.cleanup()

    def __call__(self) -> None:
        """Rebuild: called by the server when a file was saved, or when the timer touched the bell file."""
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
        self._taken = time.monotonic() - started
        print(f"all pages: {self._taken:.1f} s", flush=True)

    def _later(self) -> None:
        """Schedule the build of the whole site."""
        if self._timer:
            self._timer.cancel()
        self._timer = threading.Timer(max(QUIET, self._taken), self._ring)
        self._timer.daemon = True
        self._timer.start()

    def _ring(self) -> None:
        with contextlib.suppress(OSError):
            self._bell.write_text(str(time.monotonic_ns()))

"""The adapter to MkDocs: with `serving` and `state`, the only file that imports it.

MkDocs builds the default language; static-i18n then builds the others from inside its own `on_post_build`, so every
event but `on_startup` and `on_shutdown` comes once a language. State that must last lives on the plugin.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import functools
import hashlib
import itertools
import json
import logging
import os
import posixpath
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import rjsmin
from markupsafe import Markup, escape
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority, get_plugin_logger
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.structure.toc import get_toc
from mkdocs.utils import get_relative_url

from verbatim import garbage, kept, progress, store
from verbatim.book.gather import Options, awaiting, gather
from verbatim.build import Build, outline, prepare
from verbatim.lists import changes, manifest
from verbatim.pages import chapters, outputs
from verbatim.pages.page import Page
from verbatim.problems import Problem, Problems, report
from verbatim.project import LANGUAGES, Project, write_if_changed
from verbatim.run import server as process
from verbatim.run.result import Result
from verbatim.site import (
    assistants,
    cards,
    index,
    markup,
    offline,
    policy,
    publish,
    search,
    sections,
    serving,
    sharing,
    stylesheet,
    untouched,
)
from verbatim.site.additions import Additions, Site, home
from verbatim.site.carried import Carried, Facts, restore
from verbatim.site.contents import Contents, restored
from verbatim.site.drawing import inline
from verbatim.site.highlight import Coloured
from verbatim.site.navigation import Pruned
from verbatim.site.preview import Preview
from verbatim.site.reuse import Compiled, Frames, Shelf, digest, maker
from verbatim.site.state import State
from verbatim.site.together import Together
from verbatim.words import OUTPUTS

log = get_plugin_logger("verbatim")

#: The recipes that `serve` was asked for; all where empty.
ONLY: list[str] = []
#: The folder of pages that are made of lists.
LISTS = "ways"

#: Set to anything, it makes every page anew: `make build CLEAN=1`, and wherever the site is published.
CLEAN = "VERBATIM_CLEAN"
#: The events by which another plugin, or a hook, could change pages: where there is one, every page is made anew.
OF_PAGES = ("pre_page", "page_read_source", "page_markdown", "page_content", "page_context", "post_page", "env", "nav")

#: Files of Material that no page of ours asks for: its search is not used, and its stylesheets are `SHEET`.
UNUSED = re.compile(r"assets/(?:javascripts/(?:lunr|workers)/|stylesheets/|images/favicon)|.*\.map$")
#: Material's stylesheets in one file, without what no page uses.
SHEET = "assets/stylesheets/material.css"

FIGURE = re.compile(r'<img (?P<before>[^>]*?)src="verbatim:(?P<key>\w+)"(?P<after>[^>]*?)/?>')


class VerbatimConfig(Config):
    """The plugin has no options in mkdocs.yml."""


class VerbatimPlugin(BasePlugin[VerbatimConfig]):
    """Runs the scripts once a build and expands each page's embeds."""

    def __init__(self) -> None:
        self.command = "build"
        self.site: Path | None = None
        """Where the finished site goes; the build works beside it."""
        self.seen: MkDocsConfig | None = None
        self.now = State()
        """The site that is being made."""
        self.served: State | None = None
        """While serving: the site that is shown."""
        self.preview: Preview | None = None
        """While serving: what is shown, and what is waited for."""
        self.bar = progress.Bar()
        """The step that takes time just now."""
        self.step, self.count = "", 0
        self.coloured: Coloured | None = None
        self.told: _Told | None = None
        """Counts what the build warns of: what warns is built again, and warns again."""

    # -- once a command ---------------------------------------------------------------------------

    def on_startup(self, *, command: str, dirty: bool) -> None:
        self.command = command
        self.now, self.served = State(), None  # MkDocs keeps a plugin from one command to the next
        if command == "serve":
            signal.signal(signal.SIGTERM, self._end)
        garbage.seldom()

    def _end(self, *_: object) -> None:
        """End the server as Ctrl-C does, with its temporary folders, where an editor or a service ends it.

        `make` passes the signal on, so that it can come twice; the second must not interrupt what the first began. The
        exception can be lost (in a destructor, say): the server ends all the same when it waits next.
        """
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if self.preview:
            self.preview.end()
        raise KeyboardInterrupt

    def on_shutdown(self) -> None:
        if self.preview:
            self.preview.stop()
            self.preview = None
        if self.coloured:
            self.coloured.keep(whole=not ONLY and not (self.now.shelf and self.now.shelf.taken))
        if self.site is None:
            self._listen(None)
            return
        staging = publish.staging(self.site)
        # MkDocs calls this in a `finally`: an exception on its way out means that the build failed.
        try:
            if sys.exc_info()[0] is None and staging.is_dir():
                with _told(self.site):
                    if self.now.carried:
                        self.now.carried.link(staging)
                    if self.now.parts and self.now.parts.offline:
                        for language, url in self.now.packed.items():
                            offline.pack(staging, language, url)
                    publish.swap(staging, self.site)
                if self.now.build and (before := self._before()):
                    untouched.remember(self.now.build.book.project, self.site, before)
                if self.now.build and not ONLY:
                    store.collect(self.now.build.book.project.cache)
        finally:
            shutil.rmtree(staging, ignore_errors=True)
            self._listen(None)
        self.site = None
        garbage.keep()

    # -- once a language --------------------------------------------------------------------------

    @event_priority(100)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        alone = all(self._ours(method, config) for e in OF_PAGES for method in config.plugins.events[e])
        if self.command == "build" and self.site is None:
            self.site = publish.place(Path(config.site_dir))
            self.now.read = self.now.carried = None
            if alone and not config.hooks and not os.environ.get(CLEAN):
                self._leave(self.site, config)
            with _told(self.site):
                config.site_dir = str(publish.begin(self.site))
        if config is not self.seen:  # static-i18n builds the second language with the same object
            self.seen = config
            if self.command == "serve":
                self._serve(config, alone=alone and not config.hooks)
            else:
                self.now.build = self._prepare(config, self.now)
            if self.command == "build":  # a server makes another one after each change
                garbage.keep()
            self._colour(config)
            self._version(config)
            cache = Project(_root(config)).cache
            self.now.shelf = Shelf(cache, self.command, fresh=bool(os.environ.get(CLEAN))) if alone else None
        self.now.contents = self.now.frames = None
        config.nav = self._nav(config)
        if ONLY:
            config.nav = None
            config.validation.links.not_found = logging.DEBUG
        return config

    def _nav(self, config: MkDocsConfig) -> Any:
        """Return the navigation of the language that is built now; that of the settings where there is no map."""
        translator, build = config.plugins.get("i18n"), self.now.build
        language = (translator.current_language or translator.default_language) if translator else LANGUAGES[0]
        return sections.nav(chapters.read(Project(_root(config))), build.pages if build else [], language) or config.nav

    def _leave(self, site: Path, config: MkDocsConfig) -> None:
        """End the build where it has nothing to do."""
        self.now.read = self._inputs(site, config)
        before = untouched.before(Project(_root(config)), site)
        if before and before.read == self.now.read:
            log.info(f"nothing changed since {site.name}/ was built: it is left as it is")
            raise SystemExit(0)
        self.now.carried = Carried(site, before, self.now.read)
        self._listen(config)

    @staticmethod
    def _inputs(site: Path, config: MkDocsConfig) -> untouched.Inputs:
        settings = {name: value for name, value in config.items() if name not in ("plugins", "site_dir")}
        plugins = {name: plugin.config for name, plugin in config.plugins.items()}
        return untouched.inputs(
            Project(_root(config)),
            site.absolute(),
            filter(None, [config.theme.custom_dir]),
            (settings, plugins, bool(os.environ.get(offline.ASKED))),
        )

    def _before(self) -> untouched.Before | None:
        """Return what the next build must know of this one, once it is finished."""
        if not self.now.read or not self.now.carried or not self.told:
            return None
        # What warned is built again, and warns again.
        read = dataclasses.replace(self.now.read, all="") if self.told.any else self.now.read
        return untouched.Before(read, self.now.carried.noted(without=self.told.pages))

    def _serve(self, config: MkDocsConfig, *, alone: bool) -> None:
        """While serving, begin a build: the first one only finds the pages, each later one makes the whole site.

        Args:
            config: MkDocs' settings.
            alone: Whether no other plugin, or hook, has a hand in pages.
        """
        if "--no-livereload" in sys.argv:  # MkDocs then builds once, and never calls `on_serve`
            self.now = State()
            self.now.build = self._prepare(config, self.now)
            return
        host, port = config.dev_addr
        config.site_url = f"http://{host}:{port}/"  # not below the path that the published site has
        if self.preview is None:
            self.now = State(outline=alone)
            self.preview = Preview(Project(_root(config)), self, lambda: self.bar.said)
            self._announce(self.preview, host, port)
            self.now.build = self._prepare(config, self.now)
            return
        self.now = made = State()
        site = self.preview.site
        config.site_dir = self.preview.begin()
        made.build = self.preview.meanwhile(lambda: self._prepare(config, made))
        if alone and not ONLY:
            made.read = self._inputs(site, config)
            made.carried = Carried(site, self.served.noted if self.served else None, made.read)
            self._listen(config)

    @staticmethod
    def _announce(preview: Preview, host: str, port: int) -> None:
        """Listen, and say at which addresses."""
        try:
            preview.listen(host, port)
        except Problems as error:
            raise PluginError(str(error)) from error
        for language in LANGUAGES:
            for recipe in ONLY or [""]:
                folder = home(language).removeprefix("./")
                print(f"http://{host}:{port}/{folder}{recipe}{'/' if recipe else ''}")
        print("Ctrl-C ends it", flush=True)

    def _listen(self, config: MkDocsConfig | None) -> None:
        """Note what a build warns of; of another build, or of none, from now on."""
        if self.told:
            logging.getLogger("mkdocs").removeHandler(self.told)
        self.told = _Told(config) if config else None
        building = logging.getLogger("mkdocs.commands.build")
        building.removeFilter(self._says)
        if self.told:
            logging.getLogger("mkdocs").addHandler(self.told)
            building.addFilter(self._says)

    def _says(self, record: logging.LogRecord) -> bool:
        """Whether MkDocs says what it has to say: not that nothing was rendered of a page that is carried over."""
        page = self.seen._current_page if self.seen else None
        left = page is not None and (self._facts(page) or page.file.src_uri in self.now.left)
        return not left or not record.getMessage().startswith("Page skipped")

    @staticmethod
    def _ours(method: Any, config: MkDocsConfig) -> bool:
        """Whether a plugin's method is known to leave pages to what is noted of them."""
        return getattr(method, "__self__", None) in (config.plugins.get("verbatim"), config.plugins.get("i18n"))

    def _colour(self, config: MkDocsConfig) -> None:
        """Let pages take the code blocks that an earlier build, or the other language, has coloured already."""
        if self.coloured is None:
            cache = Project(_root(config)).cache
            self.coloured = Coloured(cache, config.mdx_configs.get("pymdownx.highlight"))
        fences = config.mdx_configs.setdefault("pymdownx.superfences", {}).setdefault("custom_fences", [])
        fences.insert(0, self.coloured.fence)  # what a site itself asks for comes later, and wins

    def _version(self, config: MkDocsConfig) -> None:
        """Give the site's own styles and scripts an address that changes with them."""
        assert self.now.parts is not None
        config.extra_css = [self.now.parts.versioned(path) for path in config.extra_css]
        scripts = config.extra_javascript
        config.extra_javascript = [self.now.parts.versioned(s) if isinstance(s, str) else s for s in scripts]

    def _prepare(self, config: MkDocsConfig, made: State) -> Build:
        """Run what must be run, and stop with every problem at once; a server shows them and goes on."""
        project = Project(_root(config))
        only = list(dict.fromkeys([*map(project.script, ONLY), *_on_home(project)])) if ONLY else None
        clean = bool(os.environ.get(CLEAN))
        passed = store.Passed(None if clean else store.file(project.cache, "passed", maker(), "json"))
        known = kept.Kept(None if clean else kept.file(project.cache), maker())
        how = Options(progress=self._bar("scripts"), passed=passed, kept=known)
        if made.outline:
            how = dataclasses.replace(how, run=())
        elif self.preview:
            how = dataclasses.replace(how, wanted=self.preview.wanted, finished=self.preview.finished)
        book = gather(project, only and [path for path in only if path.is_file()], how)
        branch = re.match(r"edit/([^/]+)/", config.edit_uri or "")
        notebooks = str(config.extra.get("notebooks") or "")
        made.parts = Site(book, config.repo_url or "", branch[1] if branch else "main", notebooks)
        address = made.parts.names.address
        some = _wanted if ONLY else None
        if made.outline:
            return outline(book, only=some, kept=known, address=address)
        typeset = functools.partial(made.parts.typeset, passed=passed)
        build = prepare(book, only=some, more=typeset, passed=passed, kept=known, address=address)
        if not ONLY:
            passed.keep()
            known.keep()
        if config.strict:
            build.problems += build.drifted
        if build.problems and self.command == "build":
            raise PluginError(report(build.problems))
        if book.executed:  # so there is a process that has PyTorch
            made.parts.learn(build.pages)
        elif self.preview:
            process.ensure()  # PyTorch is imported while the author writes, not when the first script is saved
        for problem in build.problems:
            log.error(problem.brief)
        for line in _briefly(build.drifted):
            log.warning(line)
        for note in book.notes:
            log.info(str(note))
        if waiting := awaiting(book):
            stale = sum(item.stale for item in waiting)
            log.info(f"{len(waiting)} cells await the CUDA job, {stale} of them recorded for an earlier version")
        log.info(f"{len(book.scripts)} scripts, {book.executed} run now, the others unchanged")
        return build

    def _bar(self, what: str) -> progress.Bar:
        """Return the bar of a new step; while serving, pages that are waited for say how far it is."""
        self.bar = progress.Bar(what)
        return self.bar

    def on_build_error(self, *, error: Exception) -> None:
        """Tell in a sentence what the disk refused, where MkDocs would show a traceback."""
        if isinstance(error, OSError) and self.site:
            raise PluginError(publish.explain(error, self.site)) from error

    def on_serve(self, server: Any, *, config: MkDocsConfig, builder: Any) -> Any:
        assert self.preview
        self.served = self.now
        root = _root(config)
        watched = [config.docs_dir, str(root / "examples"), *filter(None, [config.config_file_path])]
        watched += [str(root / chapters.MAP)] if (root / chapters.MAP).is_file() else []
        server.mount_path, server.url = "/", config.site_url
        self.preview.take(server, watched)
        return server

    # -- while serving: single pages ----------------------------------------------------------------

    @contextlib.contextmanager
    def _as_served(self) -> Iterator[State]:
        """Make pages of the site that is shown, whatever is being made besides."""
        assert self.served
        making, self.now = self.now, self.served
        try:
            yield self.served
        finally:
            self.now.hurried = False
            self.now.searched.clear()
            self.now.texts.clear()
            self.now = making

    def built(self) -> None:
        """Show the site that was just made."""
        self.served = self.now

    def make(self, file: str) -> list[str]:
        """Make a page that is asked for (its file from the documentation's root); return the scripts that it shows."""
        with self._as_served() as served:
            page = served.build.page(f"docs/{file}") if served.build else None
            if page is None or served.parts is None:
                return []
            try:
                served.parts.typeset([page])
                self._make(page)
            except Exception as error:  # the whole build meets it, too
                log.error(f"docs/{file} cannot be shown before the whole site: {error!r}")
            return list(page.scripts)

    def saved(self, paths: list[str]) -> list[str]:
        """Show the pages of files that were saved just now; return them, or nothing where a whole build is needed."""
        with self._as_served() as served:
            if not served.build or not served.parts or not served.languages:
                return []
            build = served.build
            served.hurried = True
            try:
                found = serving.again(build, served.parts, paths)
                if found is None:
                    return []
                served.build, shown = found
                for page in shown:
                    self._make(page)
                return [page.path for page in shown]
            except Exception as error:  # whatever it is, the whole build meets it, too, and tells it as it always does
                log.debug(f"{', '.join(paths)} cannot be shown before the whole site: {error!r}")
                served.build = build
                return []

    def ran(self, results: list[Result], made: Callable[[str], bool]) -> list[str]:
        """Take results of scripts; make again the pages that show them, and return these."""
        with self._as_served() as served:
            if not served.build or not served.parts:
                return []
            names = {result.script for result in results if result.script in served.build.book.pending}
            served.build = serving.ran(served.build, [result for result in results if result.script in names])
            pages = [page for page in served.build.pages if names & set(page.scripts)]
            shown = [page for page in pages if made(self._file(page).url)]
            served.parts.again(served.build.book, shown)
            if shown:
                served.parts.learn(shown)
            for page in shown:
                self._make(page)
            return [page.path for page in shown]

    def _file(self, page: Page) -> File:
        """Return MkDocs' file of a page."""
        return self.now.languages[page.language].files.src_uris[page.path.removeprefix("docs/")]

    def _make(self, page: Page) -> None:
        """Make one page anew, with what was known when its language was built."""
        now, language, file = self.now, self.now.languages[page.language], self._file(page)
        assert now.parts
        now.env, now.frames, now.files, now.nav = language.env, language.frames, language.files, None
        now.addresses = {file.src_uri: file.url for file in language.files}
        if now.shelf:
            address = now.parts.names.address
            now.contents = Contents(now.shelf, language.config, language.files, address, get_toc)
        now.taken.pop(file.src_uri, None)
        now.left.discard(file.src_uri)
        if now.carried:
            now.carried.pages.pop(file.src_uri, None)
        if now.noted:
            now.noted.noted["pages"].pop(file.src_uri, None)
        serving.render(file.page, language)
        now.parts.write_sheets(Path(language.config.site_dir))

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        if self._framed(config):
            sheets = [f for f in files if f.src_uri.startswith("assets/stylesheets/") and f.src_uri.endswith(".css")]
            if sheets:  # main, then palette: as Material itself loads them
                self.now.material = "".join(f.content_string for f in sorted(sheets, key=lambda f: f.src_uri))
            for file in [f for f in files if UNUSED.match(f.src_uri)]:
                files.remove(file)
        self.now.shared = [file for file in files if file.src_uri.startswith("assets/")]
        if not ONLY:
            return files
        kept = [f for f in files if not f.is_documentation_page() or _served(f.src_uri.partition("/")[2])]
        return Files(kept)

    def on_nav(self, nav: Any, *, config: MkDocsConfig, files: Files) -> Any:
        """Give pages back the files that the languages share: static-i18n hides them from all but one."""
        for file in self.now.shared:
            if file.src_uri not in files.src_uris:
                files.append(file)
        if self.now.shelf and self.now.parts:
            self.now.contents = Contents(self.now.shelf, config, files, self.now.parts.names.address, get_toc)
        self.now.taken.clear()
        if self.now.outline:
            self.now.left.update(file.src_uri for file in files.documentation_pages())
        if self.now.carried and self.now.build and self.now.parts and self._framed(config):
            self.now.carried.decide(
                (file.src_uri for file in files.documentation_pages()), self.now.build, self.now.parts
            )
        return nav

    def _facts(self, page: MkDocsPage) -> Facts | None:
        """Return what is known of a page that is carried over; nothing of others."""
        return self.now.carried.pages.get(page.file.src_uri) if self.now.carried else None

    def on_pre_page(self, page: MkDocsPage, *, config: MkDocsConfig, files: Files) -> MkDocsPage:
        """Have the page carried over, or rendered by way of the shelf: MkDocs has no event around that."""
        self._between(page, files, "read")
        facts, left = self._facts(page), page.file.src_uri in self.now.left
        if facts or left:
            restored = functools.partial(self._restore, page, facts) if facts else functools.partial(self._name, page)
            page.read_source = restored  # type: ignore[method-assign]
            page.render = lambda config, files: None  # type: ignore[method-assign]
            return page
        for method in ("read_source", "render"):
            vars(page).pop(method, None)  # while serving, it may have been carried over, or left, before
        if self.now.contents:
            page.render = functools.partial(self._render, page)  # type: ignore[method-assign]
        return page

    def _restore(self, page: MkDocsPage, facts: Facts, config: MkDocsConfig) -> None:
        assert self.now.build and self.now.contents
        written = self.now.build.page(_place(page))
        restore(page, facts, written.meta if written else {}, self.now.contents.file)

    def _name(self, page: MkDocsPage, config: MkDocsConfig) -> None:
        """Give a page that is left for later what others ask it for."""
        written = self.now.build.page(_place(page)) if self.now.build else None
        page.meta = {**written.meta} if written else {}
        page.markdown = page.content = ""
        page.present_anchor_ids, page.links_to_anchors = set(), {}

    def _between(self, page: MkDocsPage, files: Files, step: str) -> None:
        """Say how far the whole site is; while serving, make what is asked for before the next page."""
        if self.now is self.served or (self.now.outline and step == "framed"):
            return
        count = len(files.documentation_pages())
        if step != self.step or self.count >= count:
            self.step, self.count = step, 0
            self._bar(f"pages {step}")
        self.count += 1
        self.bar(self.count, count, _place(page))
        if self.preview and not self.now.outline:
            self.preview.pump()

    def _render(self, page: MkDocsPage, config: MkDocsConfig, files: Files) -> None:
        assert self.now.contents
        kept = self.now.contents.render(page, config, files)
        if kept is not None:
            self.now.taken[page.file.src_uri] = kept

    def on_page_markdown(self, markdown: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        written = self.now.build.page(_place(page)) if self.now.build else None
        if self.now.build is None or written is None:
            return markdown
        for script in written.scripts:
            self.now.urls.setdefault(script, {}).setdefault(written.language, page.url)
        if self._facts(page):
            self.now.texts.setdefault(written.language, {})[written.name] = ""
            return ""
        self._title(page)
        if page.file.src_uri in self.now.left:
            return ""
        text = self.now.build.markdown(written, self._figure)
        self.now.texts.setdefault(written.language, {})[written.name] = text
        if self.command == "serve":  # a build has stopped
            text = "\n".join([*_boxes(self.now.build, written), text])
        return text

    @staticmethod
    def _title(page: MkDocsPage) -> None:
        """Give the navigation a page's short title, `nav`, where it has one. Templates write titles as they are."""
        page.meta["title"] = escape(str(page.meta.get("title") or page.title))
        page.title = escape(str(page.meta.get("nav") or page.title))

    def _figure(self, svg: str, recipe: str, cell: str) -> str:
        key = hashlib.sha256(svg.encode()).hexdigest()[:16]
        self.now.figures[key] = svg
        return f"verbatim:{key}"

    def on_page_content(self, html: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        self._date(page, config)
        place = _place(page)
        if page.file.src_uri in self.now.left:
            return html
        if facts := self._facts(page):
            self._find(page, facts["search"], lambda: restored(json.loads(facts["found"])))
            return html
        if kept := self.now.taken.get(page.file.src_uri):
            found = restored(kept["search"]) if kept["search"] else None
            if self.now.parts:
                self.now.parts.maths[place] = kept["math"]
        else:
            html = FIGURE.sub(self._inline, html)
            math = ""
            if self.now.parts and self._framed(config):
                find = self.now.contents.asked if self.now.contents else self.now.parts.names.address
                html = self.now.parts.content(html, _language(page), find)
                math = self.now.parts.math(place, page.markdown or "")
            found = self._searched(html, page)
            if self.now.contents:
                self.now.contents.keep(page, html, found, math)
        if found is None:
            self._note(page, search="", found="")
            return html
        seal, made = search.seal(found), found
        self._note(page, search=seal, found=json.dumps(asdict(found), ensure_ascii=False))
        self._find(page, seal, lambda: made)
        return html

    def _note(self, page: MkDocsPage, **facts: Any) -> None:
        """Note facts of a page for the next build."""
        if self.now.carried:
            self.now.carried.note(page.file.src_uri, **facts)

    def _find(self, page: MkDocsPage, seal: str, load: Callable[[], search.Page]) -> None:
        """Have the search find what is on a page. `seal`: hash of that; empty for a page that is left out."""
        if seal:
            language, _, name = page.file.src_uri.partition("/")
            self.now.searched.setdefault(language, {})[name] = index.Given(page.url, seal, load)

    def _date(self, page: MkDocsPage, config: MkDocsConfig) -> None:
        """Give a page its date before any page is framed: navigation shows one page on another."""
        if not self.now.parts or not self._framed(config):
            return
        if changed := self.now.parts.date(_place(page)):
            page.update_date = f"{changed:%Y-%m-%d}"
            time = f'<time datetime="{changed.isoformat()}">{page.update_date}</time>'
            page.meta["git_revision_date_localized"] = time  # where Material looks for it

    @staticmethod
    def _searched(html: str, page: MkDocsPage) -> search.Page | None:
        """Return what the search shall find on a page; nothing where it is left out."""
        name = page.file.src_uri.partition("/")[2]
        if name.endswith(".md") and not page.meta.get("search", {}).get("exclude"):
            listed = name.startswith(f"{LISTS}/")
            overview = listed or posixpath.basename(name) == "index.md"
            title = Markup(page.meta.get("title") or page.title).unescape()
            return search.page(html, page.url, title, overview=overview, asks=not listed, meta=page.meta)
        return None

    def _inline(self, match: re.Match[str]) -> str:
        """Put the SVG itself into the page, so that it takes the page's colours in light and dark."""
        if match["key"] not in self.now.figures:
            return match[0]  # the page says so itself, and is told that it may not
        attributes = f"{match['before']} {match['after']}"
        alternative = re.search(r'\balt="([^"]*)"', attributes)
        label = f'role="img" aria-label="{alternative[1] if alternative else ""}"'
        data = " ".join(re.findall(r'\b(?:class|data-[\w-]+)="[^"]*"', attributes))
        svg = inline(self.now.figures[match["key"]]).replace("<svg ", f"<svg {label} ", 1).replace("\n", " ")
        return f"<span {data}>{svg}</span>"

    # -- the frame --------------------------------------------------------------------------------

    @staticmethod
    def _framed(config: MkDocsConfig) -> bool:
        """Whether the project's own templates make the frame of the pages."""
        return _holds("notebook.html", tuple(config.theme.dirs))

    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> Any:
        self.now.env = env
        self.now.addresses = {file.src_uri: file.url for file in files}
        env.auto_reload = False  # MkDocs makes another one for each build
        if self.now.shelf and not os.environ.get(CLEAN):
            env.bytecode_cache = Compiled(Project(_root(config)).cache, env)
        if self.now.shelf and self.now.parts:
            without = self.now.carried.pages if self.now.carried else self.now.left
            self.now.frames = Frames(env, self.now.shelf, self._finish, self._reuse, self.now.parts.versioned, without)
        self.now.files = files
        self.now.nav = None
        self.now.framing = ""
        for file in files:
            if file.src_uri.endswith(".js"):
                self.now.used.script(file.content_string)
            elif file.src_uri.endswith(".css"):
                self.now.used.style(file.content_string)
        return env

    def on_page_context(self, context: Any, *, page: MkDocsPage, config: MkDocsConfig, nav: Any) -> Any:
        if nav is not self.now.nav:  # the first page: from here on the navigation is as templates see it
            self.now.nav = nav
            if self.now.frames:
                self.now.pruned = Pruned(nav, config.theme.get("features", ()))
                self.now.frames.know(_named(config, self.now.files, nav, self.now.pruned))
        if self.now.frames and self.now.pruned:
            context["nav"] = self.now.pruned.around(page)
        self._between(page, self.now.files, "framed")
        if self.now.parts is None or not self._framed(config) or page.file.src_uri in self.now.left:
            return context
        self.now.framing = page.file.src_uri
        path = _place(page)
        if facts := self._facts(page):
            self._carry(page, facts, config)
            return context
        twins = {key: file.url for key, file in getattr(page.file, "alternates", {}).items()}
        site_url = config.site_url or "/"
        # Expanded, because a list page shows what stands on other pages: their formulas, too.
        added = self.now.parts.describe(path, page.markdown or "", page.url, twins, site_url)
        if self.now.frames:
            added = dataclasses.replace(added, versioned=self.now.frames.asked)
        added = self._shared(added, path, page, config)
        context["verbatim"] = added
        self._enter(added, page, config)
        shared = [added.math, f"{cards.FOLDER}/{added.card.rpartition('/')[2]}" if added.card else ""]
        files = {page.file.dest_uri, added.markdown, *filter(None, shared)}
        if added.recipe and not self.now.hurried:
            written = Page(path, Path(page.file.abs_src_path or "").read_text(encoding="utf-8"))
            folder = Path(page.file.abs_dest_path).parent
            script, notebook, view = self._take_away(written, page, site_url, config.site_name)
            _put(folder / f"{added.py.rpartition('/')[2]}", script)
            _put(folder / f"{added.ipynb.rpartition('/')[2]}", notebook)
            self._write_view(view, added, context, page, folder)
            files |= {added.py, added.ipynb, f"{added.notebook}index.html"}
        self._note(page, files=sorted(files))
        return context

    def _carry(self, page: MkDocsPage, facts: Facts, config: MkDocsConfig) -> None:
        """Tell of a page that is carried over what the site must know."""
        assert self.now.parts
        self._reuse(facts)
        name = page.file.src_uri.partition("/")[2]
        added = Additions(page.url, home=name == "index.md", changed=self.now.parts.date(_place(page)))
        self._enter(added, page, config)

    def _enter(self, added: Additions, page: MkDocsPage, config: MkDocsConfig) -> None:
        """Enter a page into the feed of its language; MkDocs gives a date to pages of which none is known."""
        page.update_date = page.update_date if added.changed else ""
        if self.now.parts and page.meta.get("title") and not added.home:
            title, summary = Markup(page.meta["title"]).unescape(), page.meta.get("description", "")
            self.now.parts.enter(_language(page), added, title, summary, config.site_url or "/")

    def _shared(self, added: Additions, path: str, page: MkDocsPage, config: MkDocsConfig) -> Additions:
        """Return what templates are told of a page, with what others show of it: its card, its data for crawlers."""
        written = self.now.build.page(path) if self.now.build else None
        if self.command == "serve" or not self.now.build or not written or not config.site_url or not self.site:
            return added
        title = (config.site_description or config.site_name) if added.home else Markup(page.meta["title"]).unescape()
        summary = str(page.meta.get("description") or config.site_description or "")
        shown = sharing.Shared(title, summary, urljoin(config.site_url, page.url))
        return sharing.share(
            added,
            written,
            shown,
            self.now.build.sources,
            site_name=config.site_name,
            site_url=config.site_url,
            folder=Path(config.site_dir),
        )

    def _take_away(self, written: Page, page: MkDocsPage, site_url: str, site_name: str) -> tuple[str, str, str]:
        """Return script, notebook and notebook view of a page, made or taken as they were."""
        assert self.now.parts
        linked: dict[str, str] = {}

        def address(file: str) -> str:
            linked[file] = self.now.addresses.get(file, file)
            return linked[file]

        made_from = digest(self.now.parts.taken_from(written, page.markdown or ""), page.url, site_url, site_name)
        place = page.file.src_uri

        def same(facts: dict[str, Any]) -> bool:
            return facts["of"] == made_from and all(address(file) == to for file, to in facts["links"].items())

        if self.now.shelf and (kept := self.now.shelf.take("away", place, same)):
            return kept[0]["script"], kept[0]["notebook"], kept[1]
        script, notebook, view = self.now.parts.take_away(written, page.url, address, site_url, site_name)
        if self.now.shelf:
            facts = {"of": made_from, "links": linked, "script": script, "notebook": notebook}
            self.now.shelf.put("away", place, facts, view)
        return script, notebook, view

    def _write_view(self, view: str, added: Additions, context: Any, page: MkDocsPage, folder: Path) -> None:
        """Write the notebook view of a page: the page's frame around other content, one folder below."""
        twin = copy.copy(page)
        twin.file = copy.copy(page.file)
        twin.file.url = added.notebook
        twin.content = view
        around = {**context, "page": twin, "notebook": True, "base_url": get_relative_url(".", added.notebook)}
        other = f"{added.other}notebook/" if added.alternates else added.other
        around["verbatim"] = dataclasses.replace(added, other=other)
        html = self.now.env.get_template("notebook.html").render(around)
        _put(folder / "notebook" / "index.html", html if self.now.frames else self._finish(html)[0])

    def on_template_context(self, context: Any, *, template_name: str, config: MkDocsConfig) -> Any:
        if self.now.parts:
            # 404 stands in the first language's frame: its switch leads to the other's home.
            other = next((home(language) for language in LANGUAGES[1:]), "")
            context["verbatim"] = Additions(versioned=self.now.parts.versioned, other=other)
        return context

    def on_post_page(self, output: str, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        return output if self.now.frames else self._finish(output)[0]

    def _finish(self, html: str) -> tuple[str, dict[str, Any]]:
        """Return a whole page with its policy, and what it uses of Material's stylesheets, which is remembered."""
        used = stylesheet.Used()
        used.page(html)
        facts = {"classes": " ".join(sorted(used.classes)), "data": sorted(map("=".join, used.attributes))}
        self._reuse(facts)
        return policy.enforce(markup.squeeze(html), serving=self.command == "serve"), facts

    def _reuse(self, facts: dict[str, Any]) -> None:
        """Remember what a page uses of Material's stylesheets."""
        self.now.used.classes.update(facts["classes"].split())
        self.now.used.attributes.update(
            (name, value) for name, _, value in (said.partition("=") for said in facts["data"])
        )
        if self.now.carried:
            self.now.carried.use(self.now.framing, facts)

    def on_post_template(self, output: str, *, template_name: str, config: MkDocsConfig) -> str:
        """Write one 404 page: it speaks both languages, and the last language built must not replace it."""
        later = self.now.parts and self._framed(config) and config.theme["language"] != LANGUAGES[0]
        if template_name != "404.html":
            return output
        return "" if later else self._finish(output)[0]

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        if self.command == "serve" and (translator := config.plugins.get("i18n")):
            name = translator.current_language
            self.now.languages[name] = serving.remember(
                name, config, self.now.files, self.now.nav, self.now.env, self.now.frames
            )
        site = Path(config.site_dir)
        if self.now.outline:
            self._outlined(site, config)
            return
        together = Together(self.now.build, self.now.shelf, self.now.carried)
        for language, pages in self.now.searched.items():
            for name, text in together.search(language, pages):
                _put(site / name, text)
        self.now.searched.clear()
        if self.now.carried and self.now.contents:
            self.now.carried.note_pages(
                (file.page for file in self.now.files.documentation_pages()), self.now.contents.addresses
            )
        if self.now.build is not None:
            if self._last(config):  # before, the addresses of the other languages are not known
                manifest.write(site / "verbatim.json", self.now.build.sources, self.now.urls)
                changes.write_feeds(site, self.now.build.sources, config.site_url or "/", config.site_name)
            for language, texts in self.now.texts.items():
                files = assistants.write(
                    self.now.build.sources,
                    language,
                    texts,
                    self.now.figures,
                    site_url=config.site_url or "/",
                    site_name=config.site_name,
                    summary=config.site_description or "",
                    keep=together.page,
                )
                there = self.now.carried.files() if self.now.carried else set()
                for name, text in files:
                    if name not in there:
                        _put(site / name, text)
            self.now.texts.clear()
        if self.now.parts and self._framed(config):
            write_if_changed(site / SHEET, together.styles(config.theme["language"], self.now.material, self.now.used))
            for path in (site / name.partition("?")[0] for name in config.extra_css):
                if path.is_file():
                    write_if_changed(path, stylesheet.minify(path.read_text(encoding="utf-8")))
            for path in _scripts(site, config):
                write_if_changed(path, rjsmin.jsmin(path.read_text(encoding="utf-8"), keep_bang_comments=True))
            language = config.theme["language"]
            self.now.packed[language] = config.site_url or ""
            self.now.parts.write(site, language, config.site_name, config.site_url or "/")
        if self.command == "serve" and self.now.carried and self._last(config):
            self.now.carried.link(site)
            self.now.noted = self._before()

    def _outlined(self, site: Path, config: MkDocsConfig) -> None:
        """Finish the first build of a server, in which no page was made."""
        if self._framed(config):
            write_if_changed(site / SHEET, self.now.material)  # whole: it is not known yet what pages use of it
        if self._last(config) and self.preview:
            files = [file for language in self.now.languages.values() for file in language.files.documentation_pages()]
            self.preview.outlined({file.url: file.src_uri for file in files if file.src_uri in self.now.left})

    @staticmethod
    def _last(config: MkDocsConfig) -> bool:
        """Whether this is the language that static-i18n builds last, or the only one."""
        translator = config.plugins.get("i18n")
        if translator is None:
            return True
        others = [name for name in translator.build_languages if name != translator.default_language]
        return bool(translator.current_language == (others or [translator.default_language])[-1])


class _Told(logging.Handler):
    """Whether anything was warned of, and on which pages."""

    def __init__(self, config: MkDocsConfig) -> None:
        super().__init__(logging.WARNING)
        self._config = config
        self.any = False
        self.pages: set[str] = set()
        """Pages that were being made meanwhile: files from the documentation's root."""

    def emit(self, record: logging.LogRecord) -> None:
        self.any = True
        if page := self._config._current_page:
            self.pages.add(page.file.src_uri)


def serve(project: Project, recipes: list[str], port: int) -> None:
    """Serve the site, or just some recipes in both languages, and follow what is saved."""
    from mkdocs.commands.serve import serve as mkdocs_serve

    ONLY[:] = recipes
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    logging.basicConfig(format="%(levelname)-7s %(message)s", level=logging.WARNING)
    mkdocs_serve(str(project.root / "mkdocs.yml"), dev_addr=f"localhost:{port}")


def _root(config: MkDocsConfig) -> Path:
    """Return the project's folder; a config file that was named on the command line may be relative."""
    return Path(config.config_file_path).absolute().parent


def _place(page: MkDocsPage) -> str:
    """Return a page's path from the project's root."""
    return f"docs/{page.file.src_uri}"


def _language(page: MkDocsPage) -> str:
    """Return a page's language: the folder below ``docs/`` that it lies in."""
    return page.file.src_uri.partition("/")[0]


def _named(config: MkDocsConfig, files: Files, nav: Any, pruned: Pruned) -> dict[str, Any]:
    """Return the objects by which templates find their way, each by a name of its own.

    What a name says is part of what a page depends on. So the navigations' and the plugins' say what they hold:
    templates walk through these without asking for an attribute.
    """
    named: dict[str, Any] = {"config": config, f"plugins {' '.join(config.plugins)}": config.plugins}
    for file in files.documentation_pages(inclusion=lambda level: True):
        named[f"file {file.src_uri}"] = file
        if file.page is not None:
            named[f"page {file.src_uri}"] = file.page

    def name(items: Any, place: str) -> None:
        for number, item in enumerate(items):
            if not item.is_page:
                named[f"{place}.{number}"] = item
                name(item.children or (), f"{place}.{number}")

    name(nav, "item")
    name(pruned.short, "short")
    called = {id(thing): key for key, thing in named.items()}
    for one in pruned.all:
        named[f"nav {' '.join(called[id(item)] for item in one)}"] = one
    return named


@functools.cache
def _holds(name: str, folders: tuple[str, ...]) -> bool:
    """Whether a file is in one of some folders."""
    return any((Path(folder) / name).is_file() for folder in folders)


def _scripts(site: Path, config: MkDocsConfig) -> list[Path]:
    """Return the site's own scripts, as far as they are written by hand."""
    named = [site / str(name).partition("?")[0] for name in config.extra_javascript]
    search = [path for path in (site / "assets/search").glob("*.js") if path.name != "minisearch.js"]
    return [path for path in (*named, *search) if path.is_file()]


def _put(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except FileNotFoundError:  # rarer than a folder that is there already
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _on_home(project: Project) -> list[Path]:
    """Return the scripts that the home pages show."""
    homes = (project.docs(language) / "index.md" for language in LANGUAGES)
    pages = (Page(project.relative(path), path.read_text(encoding="utf-8")) for path in homes if path.is_file())
    return [project.root / script for page in pages for script in page.scripts]


def _boxes(build: Build, page: Page) -> list[str]:
    """Return what stands above a page while it is served: that its scripts have not run, and what is wrong with it."""
    words = OUTPUTS[page.language]
    found = []
    if waiting := sorted(build.book.pending & set(page.scripts)):
        found += [
            f'!!! note "{words["pending"]}"',
            "",
            f"    {words['pending-text'].format(scripts=', '.join(waiting))}",
            "",
        ]
    if told := "\n".join(map(str, [*build.problems_of(page), *build.drifted_of(page)])):
        found += outputs.problem_box(words["problems"], told)
    return found


def _briefly(drifted: list[Problem]) -> Iterator[str]:
    """Yield a line for each script whose outputs are not the approved ones."""
    for path, group in itertools.groupby(sorted(drifted), lambda problem: problem.path):
        problems = list(group)
        yield problems[0].brief if len(problems) == 1 else f"{path}: {len(problems)} cells are not what was recorded"


def _wanted(page: Page) -> bool:
    """Whether a page belongs to what is served."""
    return _served(page.name)


def _served(name: str) -> bool:
    """The same by its path below its language."""
    return name == "index.md" or name.removesuffix(".md") in ONLY


@contextlib.contextmanager
def _told(site: Path) -> Iterator[None]:
    """Turn what the disk refuses into a message."""
    try:
        yield
    except OSError as error:
        raise PluginError(publish.explain(error, site)) from error

"""The plugin of MkDocs: each event becomes a call of the module that does the work.

MkDocs builds the default language; static-i18n then builds the others from inside its own `on_post_build`, so every
event but `on_startup` and `on_shutdown` comes once a language, and languages nest.
"""

from __future__ import annotations

import contextlib
import dataclasses
import logging
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, CombinedEvent, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage

from verbatim import progress
from verbatim.book.gather import Options
from verbatim.incremental import records
from verbatim.incremental.inputs import site_state
from verbatim.incremental.reuse import Reuse
from verbatim.memo import Memo
from verbatim.pages import chapters
from verbatim.problems import Problems, report
from verbatim.project import Project, write_if_changed
from verbatim.site import adapt, navigation, theme
from verbatim.site.configuration import VerbatimConfig, customize, is_alone, options_of, project_of, reuse_of, watched
from verbatim.site.finishing import finish, publish
from verbatim.site.page_context import PageContext
from verbatim.site.pages import LanguagePages
from verbatim.site.search import terms
from verbatim.site.serving.page_builder import PageBuilder
from verbatim.site.serving.preview import Preview, end_on_signal
from verbatim.site.site_build import SiteBuild, start


class VerbatimPlugin(BasePlugin[VerbatimConfig]):
    """Runs the scripts once a build and makes pages of them."""

    def __init__(self) -> None:
        self.command = "build"
        self.site: Path | None = None
        """Where the finished site goes."""
        self.staging: publish.Staging | None = None
        """Where a build makes it."""
        self.existing: Reuse | None = None
        """What can be reused of the existing site, where the command has looked already."""
        self.site_build: SiteBuild | None = None
        """The site that is being made."""
        self.languages: dict[str, LanguagePages] = {}
        """The languages that the build has made."""
        self.pages: LanguagePages | None = None
        """The language whose pages MkDocs asks for."""
        self.nested: list[LanguagePages | None] = []
        """The languages whose builds have begun and not ended."""
        self.warnings: adapt.Warnings | None = None
        self.page_builder = PageBuilder(self._show)
        self.preview: Preview | None = None
        """While serving: what is shown, and what is waited for."""
        self.steps = progress.Steps()

    # -- once a command -----------------------------------------------------------------------------

    def on_startup(self, *, command: str, dirty: bool) -> None:
        self.command = command
        self.nested.clear()  # MkDocs keeps a plugin from one command to the next
        self.existing = None
        if command == "serve":
            end_on_signal(lambda: self.preview.end() if self.preview else None)

    def on_shutdown(self) -> None:
        if self.preview:
            self.preview.stop()
            self.preview = None
        if self.warnings:
            self.warnings.stop()
        if self.site_build:
            self.site_build.shared.memo.close()
        if self.staging:
            self.staging.close()
        self.site = self.staging = None

    def on_build_error(self, *, error: Exception) -> None:
        """Tell in a sentence what the disk refused, where MkDocs would show a traceback."""
        self.nested.clear()
        if isinstance(error, OSError) and self.site:
            raise PluginError(publish.explain(error, self.site)) from error

    # -- the build ----------------------------------------------------------------------------------

    @event_priority(100)
    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        if not self.nested:
            self._begin(config)
        self.nested.append(None)
        assert self.site_build
        project, pages = project_of(config), self.site_build.build.pages
        own = navigation.nav(chapters.read(project), pages, adapt.language_of(config), project.languages.partial)
        config.nav = own or config.nav
        if self.config.recipes:
            config.nav = None
            config.validation.links.not_found = logging.DEBUG
        return config

    def _begin(self, config: MkDocsConfig) -> None:
        """Begin a build: run the scripts, check everything, find the pages that are as they were."""
        alone, project = is_alone(config), project_of(config)
        self.languages = {}
        if self.warnings:
            self.warnings.stop()
        self.warnings = adapt.Warnings(config)
        if self.command == "serve":
            self._begin_serving(config, project, alone=alone)
        else:
            self.site = publish.place(Path(config.site_dir))
            memo = Memo(project.cache, fresh=bool(self.config.clean))
            reuse = self.existing or reuse_of(config, self.site, records.load(memo, self.site))
            with _explained(self.site):
                self.staging = publish.Staging(self.site)
            config.site_dir = str(self.staging.new)
            self.site_build = self._start(config, memo, outline_only=False)
            self.site_build.reuse = reuse
        assert self.site_build
        if not alone:
            self.site_build.reuse = None
            self.site_build.contents = Memo()
        customize(config, self.site_build.shared)

    def _begin_serving(self, config: MkDocsConfig, project: Project, *, alone: bool) -> None:
        """While serving, begin a build: the first one only finds the pages, each later one makes the whole site."""
        if "--no-livereload" in sys.argv:  # MkDocs then builds once, and never calls `on_serve`
            self.site_build = self._start(config, Memo(project.cache), outline_only=False)
            return
        first = self.preview is None
        if self.preview is None:
            self.preview = Preview(project, self.page_builder, lambda: self.steps.status)
            try:
                self.preview.listen(*config.dev_addr, self.config.recipes)
            except Problems as error:
                raise PluginError(str(error)) from error
        config.site_url = self.preview.address  # not below the path that the published site has
        if first:
            self.site_build = self._start(config, Memo(project.cache), outline_only=alone)
            return
        site, shown = self.preview.site, self.page_builder.site_build
        config.site_dir = self.preview.begin()
        reuse = reuse_of(config, site, shown.record if shown else None)
        memo = Memo(project.cache)
        self.site_build = self.preview.meanwhile(lambda: self._start(config, memo, outline_only=False))
        if not self.config.recipes:
            self.site_build.reuse = reuse

    def _start(self, config: MkDocsConfig, memo: Memo, *, outline_only: bool) -> SiteBuild:
        options = options_of(config, self.config, serving=self.command == "serve", outline_only=outline_only)
        how = Options(progress=self.steps.begin("scripts"))
        if self.preview and not outline_only:
            how = dataclasses.replace(how, wanted=self.preview.wanted, finished=self.preview.finished)
        try:
            return start(project_of(config), options, memo, how)
        except Problems as error:
            raise PluginError(report(error.problems)) from error

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        assert self.site_build
        if theme.framed(config):
            self.site_build.theme_css = theme.take_stylesheets(files) or self.site_build.theme_css
        own = [file for file in files if not file.src_uri.endswith("~")]  # an editor's copy
        own.append(File.generated(config, terms.FILE, abs_src_path=str(terms.SCRIPT)))
        self.site_build.common = [file for file in own if file.src_uri.startswith("assets/")]
        shows = self.site_build.options.shows
        return Files([f for f in own if not f.is_documentation_page() or shows(f.src_uri.partition("/")[2])])

    def on_nav(self, nav: Any, *, config: MkDocsConfig, files: Files) -> Any:
        """Give pages back the files that the languages share: static-i18n hides them from all but one."""
        assert self.site_build
        for file in self.site_build.common:
            if file.src_uri not in files.src_uris:
                files.append(file)
        language = adapt.Language(adapt.language_of(config), config, files, nav)
        self.pages = self.nested[-1] = LanguagePages(
            self.site_build, language, self.languages.get(project_of(config).languages.default)
        )
        if self.site_build.options.outline_only:
            self.site_build.deferred.update(file.src_uri for file in files.documentation_pages())
        self.pages.choose()
        return nav

    # -- the pages ----------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _show(self, pages: LanguagePages) -> Iterator[None]:
        """Have pages made of the site that is shown, whatever is being made besides."""
        before, self.pages = self.pages, pages
        try:
            yield
        finally:
            self.pages = before

    @property
    def current(self) -> LanguagePages:
        """The language whose pages MkDocs asks for."""
        assert self.pages
        return self.pages

    def _between(self, step: str, page: MkDocsPage) -> None:
        """Say how far the whole site is; while serving, make what is asked for before the next page."""
        if self.pages not in self.nested:  # one page alone
            return
        self.steps.next(f"pages {step}", len(self.current.documents), page.file.src_uri)
        if self.preview and not self.current.site_build.options.outline_only:
            self.preview.pump()

    def on_pre_page(self, page: MkDocsPage, *, config: MkDocsConfig, files: Files) -> MkDocsPage:
        self._between("read", page)
        self.current.prepare(page)
        return page

    def on_page_markdown(self, markdown: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        return self.current.markdown(markdown, page)

    def on_page_content(self, html: str, *, page: MkDocsPage, config: MkDocsConfig, files: Files) -> str:
        self.current.content(page)
        return html

    def on_env(self, env: Any, *, config: MkDocsConfig, files: Files) -> Any:
        self.current.environment(env)
        for file in files.media_files():  # MkDocs copies them next; what an editor or a tool had there is gone again
            if file.abs_src_path and not Path(file.abs_src_path).exists():
                files.remove(file)
        return env

    def on_page_context(self, context: Any, *, page: MkDocsPage, config: MkDocsConfig, nav: Any) -> Any:
        if not self.current.site_build.options.outline_only:
            self._between("framed", page)
        return self.current.context(context, page)

    def on_template_context(self, context: Any, *, template_name: str, config: MkDocsConfig) -> Any:
        # No page, so that the switches lead to the homes.
        shared = self.current.site_build.shared
        homes = {other: shared.home(other) for other in shared.languages.others(self.current.language.name)}
        context["verbatim"] = PageContext(versioned=shared.versioned, others=homes)
        return context

    def on_post_page(self, output: str, *, page: MkDocsPage, config: MkDocsConfig) -> str:
        return self.current.post(output, page)

    def on_post_template(self, output: str, *, template_name: str, config: MkDocsConfig) -> str:
        return self.current.template(output, template_name)

    # -- the end of a build -------------------------------------------------------------------------

    @event_priority(100)
    def _end_language(self, *, config: MkDocsConfig) -> None:
        """Write what belongs to a language. static-i18n builds the next one after this."""
        pages = self.current
        if refused := pages.site_build.refused:
            raise PluginError(report(refused))
        adapt.freeze(pages.language)
        self.languages[pages.language.name] = pages
        if not pages.site_build.options.outline_only:
            site = Path(config.site_dir)
            finish.write_search(site, pages)
            finish.write_assistants(site, pages)
            finish.write_upgrades(site, pages)
            finish.write_feed(site, pages)
            finish.write_path(site, pages)
            finish.write_moved(site, pages)

    @event_priority(-200)  # static-i18n's is -100
    def _end_site(self, *, config: MkDocsConfig) -> None:
        """Write what belongs to the site, and show it, once the last of the languages has ended."""
        self.nested.pop()
        site_build, warnings = self.site_build, self.warnings
        if self.nested or not site_build or not warnings:
            return
        warnings.stop()
        site = Path(config.site_dir)
        if site_build.options.outline_only:
            write_if_changed(
                site / theme.SHEET, site_build.theme_css
            )  # whole: it is not known yet what pages use of it
            assert self.preview
            self.preview.defer({file.url: file.src_uri for p in self.languages.values() for file in p.documents})
            return
        finish.write_site(site, site_build, self.languages)
        if site_build.reuse:
            site_build.record = site_build.reuse.record(warnings.pages, warned=warnings.any)
        if self.site and self.staging and not (config.strict and warnings.any):  # else MkDocs ends the build now
            state = site_state(self.staging.new)
            with _explained(self.site):
                self.staging.swap()
            if site_build.record:
                records.save(site_build.shared.memo, self.site, state, site_build.record)
        site_build.shared.memo.store()
        self.page_builder.next = self.languages

    on_post_build = CombinedEvent(_end_language, _end_site)

    def on_serve(self, server: Any, *, config: MkDocsConfig, builder: Callable[[], None]) -> Any:
        assert self.preview
        self.page_builder.languages = self.languages
        server.mount_path, server.url = "/", config.site_url
        self.preview.take(server, watched(config))
        return server


@contextlib.contextmanager
def _explained(site: Path) -> Iterator[None]:
    """Turn what the disk refuses into a message."""
    try:
        yield
    except OSError as error:
        raise PluginError(publish.explain(error, site)) from error

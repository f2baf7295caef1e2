"""Every private name of other packages that the engine relies on, so that an upgrade breaks here and nowhere else.

The versions are pinned. `tests/site/test_adapt.py` has a test for each name, which fails when the name is gone or
means something else.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import os
import socket
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

from mkdocs.commands.build import _build_page, _populate_page
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from watchdog.observers.polling import PollingObserver

from verbatim.languages import DEFAULT_LANGUAGES

#: What MkDocs' `Page.render` reads of the settings. (`tests/site/test_adapt.py` compares it with what is read.)
RENDERING_SETTINGS = ("markdown_extensions", "mdx_configs", "validation", "use_directory_urls")


# -- MkDocs' pages --------------------------------------------------------------------------------


def replace_steps(page: Page, read: Callable[[], None] | None, render: Callable[..., None] | None) -> None:
    """Have MkDocs call these functions instead of a page's own `read_source` and `render`; ``None``: its own."""
    for name in ("read_source", "render"):
        vars(page).pop(name, None)
    if read:
        page.read_source = lambda config: read()  # type: ignore[method-assign]
    if render:
        page.render = render  # type: ignore[method-assign]


def render(page: Page, config: MkDocsConfig, files: Files) -> None:
    """Render a page as MkDocs does, whatever `replace_steps` has put in its place."""
    Page.render(page, config, files)


def title_from_heading(page: Page) -> str | None:
    """Return the title that MkDocs found while it rendered a page."""
    title: str | None = page._title_from_render
    return title


def set_title_from_heading(page: Page, title: str | None) -> None:
    """Set what `title_from_heading` returns."""
    page._title_from_render = title


class Warnings(logging.Handler):
    """Notes whether anything is warned of while a site is built, and on which pages.

    Args:
        config: MkDocs' settings.
    """

    def __init__(self, config: MkDocsConfig):
        super().__init__(logging.WARNING)
        logging.getLogger("mkdocs.commands.build").addFilter(_not_about_reused_pages)
        self._config = config
        self.any = False
        self.pages: set[str] = set()
        """Pages that were being made meanwhile: files from the documentation's root."""
        logging.getLogger("mkdocs").addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Note a warning."""
        self.any = True
        if page := self._config._current_page:
            self.pages.add(page.file.src_uri)

    def stop(self) -> None:
        """Note nothing any more."""
        logging.getLogger("mkdocs").removeHandler(self)
        logging.getLogger("mkdocs.commands.build").removeFilter(_not_about_reused_pages)


def _not_about_reused_pages(record: logging.LogRecord) -> bool:
    """Drop MkDocs' warning about empty output: reused pages are linked later."""
    return "enerated empty output" not in record.msg


# -- One language of a build ----------------------------------------------------------------------


@dataclass
class Language:
    """What MkDocs and static-i18n know of one language while a build lasts, and afterwards while serving."""

    name: str
    config: MkDocsConfig
    files: Files
    nav: Any
    env: Any = None

    def addresses(self) -> dict[str, str]:
        """Return the address of each file, by its path from the documentation's root."""
        return {file.src_uri: file.url for file in self.files}


def language_of(config: MkDocsConfig) -> str:
    """Return the language that is built."""
    translator = config.plugins.get("i18n")
    return str(translator.current_language or translator.default_language) if translator else DEFAULT_LANGUAGES.default


def freeze(language: Language) -> None:
    """Give a language settings of its own: static-i18n changes those of the build for the next language."""
    config = copy.copy(language.config)
    config.theme = copy.copy(config.theme)
    for key, value in vars(config.theme).items():
        if isinstance(value, dict):
            setattr(config.theme, key, copy.deepcopy(value))
    config.extra = copy.deepcopy(config.extra)
    language.config = config


def make_page(file: File, language: Language) -> None:
    """Make and write one page, with all events of a normal build, after its language was built."""
    config, page = language.config, file.page
    assert page is not None
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


# -- MkDocs' server -------------------------------------------------------------------------------


class Server:
    """MkDocs' server with builds, requests and watched files in other hands.

    Args:
        server: MkDocs' server, before it serves.
        build: Called after a save, or after `ring`, instead of MkDocs' own build.
        respond: Answers requests; it may call `answer`.
        error: Returns the page of an HTTP error, or ``None``.
        nonce: By which a page's policy allows the script that the server inserts into it.
    """

    def __init__(
        self,
        server: LiveReloadServer,
        build: Callable[[], None],
        respond: Callable[..., Iterable[bytes]],
        error: Callable[[int], bytes | None],
        nonce: str,
    ):
        self._server, self.build_all = server, server.builder
        server.builder = build
        server.set_app(respond)
        server.error_handler = error
        insert = cast(Callable[[bytes, int], bytes], server._inject_js_into_html)

        def insert_allowed(content: bytes, epoch: int) -> bytes:
            before, tag, after = insert(content, epoch).rpartition(b"<script>")
            return before + tag.replace(b">", f' nonce="{nonce}">'.encode()) + after

        server._inject_js_into_html = insert_allowed  # type: ignore[method-assign]

    @property
    def root(self) -> str:
        """The folder that is served."""
        return os.fsdecode(self._server.root)

    @root.setter
    def root(self, folder: str) -> None:
        self._server.root = folder

    @property
    def saved(self) -> bool:
        """Whether files were saved since the last build began."""
        return self._server._want_rebuild

    def answer(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request with a file."""
        return self._server.serve_request(environ, start_response)

    def watch(self, paths: Iterable[str], seconds: float) -> None:
        """Watch these paths instead of MkDocs' own. `seconds`: how often."""
        paths = list(paths)
        for path in paths:
            with contextlib.suppress(KeyError):  # not watched by MkDocs
                self._server.unwatch(path)
        self._server.observer = PollingObserver(timeout=seconds)
        for path in paths:
            self._server.watch(path)

    def listen_on(self, listening: socket.socket) -> None:
        """Take connections from a socket that listens already, so that none is lost."""
        server = self._server
        server.socket.close()
        server.socket = listening

        def bind() -> None:
            server.server_address = listening.getsockname()
            host, server.server_port = server.server_address[:2]
            server.server_name = str(host)
            server.setup_environ()

        server.server_bind, server.server_activate = bind, lambda: None  # type: ignore[method-assign]

    def ring(self) -> None:
        """Have the server build, as if a file had been saved."""
        with self._server._rebuild_cond:
            self._server._want_rebuild = True
            self._server._rebuild_cond.notify_all()

    def reload(self) -> None:
        """Have browsers load their pages again."""
        server = self._server
        with server._epoch_cond:
            server._wanted_epoch = server._visible_epoch = server._visible_epoch + 1
            server._epoch_cond.notify_all()

    @contextlib.contextmanager
    def answering(self) -> Iterator[None]:
        """Answer while a build goes on; browsers load their pages again if it succeeds."""
        server = self._server
        with server._epoch_cond:  # a request may wait already: MkDocs had begun to wait for the build
            wanted, server._wanted_epoch = server._wanted_epoch, server._visible_epoch
            server._epoch_cond.notify_all()
        yield
        server._wanted_epoch = max(wanted, server._visible_epoch + 1)

    def end(self) -> None:
        """Have the server end when it waits next."""
        self._server._shutdown = True


# -- Code blocks and notebooks --------------------------------------------------------------------


def highlight(source: str, language: str, options: Any, markdown: Any, **kwargs: Any) -> str:
    """Return code as HTML, as `pymdownx.superfences` makes it of a fence without a custom one."""
    return str(markdown.preprocessors["fenced_code_block"].highlight(source, language, options, markdown, **kwargs))


def colour(source: str, formatter: Any) -> str:
    """Return Python code of a notebook's cell as HTML, as nbconvert makes it, with a Pygments formatter of ours."""
    from nbconvert.filters.highlight import _pygments_highlight

    return str(_pygments_highlight(source, formatter, "python"))


def notebook_exporter(**options: Any) -> Any:
    """Return mkdocs-jupyter's exporter, without what parses the finished HTML once more.

    That takes twice as long as everything else, and makes every cell a stop of the Tab key, which has nothing to do
    there. `options`: those of nbconvert's `HTMLExporter`.
    """
    from mkdocs_jupyter import convert, nbconvert2
    from nbconvert.exporters.html import HTMLExporter
    from nbconvert.exporters.templateexporter import TemplateExporter
    from nbconvert.filters.widgetsdatatypefilter import WidgetsDataTypeFilter

    class Exporter(HTMLExporter):
        def from_notebook_node(self, nb: Any, resources: Any = None, **options: Any) -> Any:
            resources = self._init_resources(resources)
            kinds = WidgetsDataTypeFilter(notebook_metadata=self._nb_metadata, parent=self, resources=resources)
            self.register_filter("filter_data_type", kinds)
            return TemplateExporter.from_notebook_node(self, nb, resources, **options)

    app = convert.get_nbconvert_app(allow_errors=False)
    # Preprocessors by default would each check the whole notebook once more.
    return Exporter(config=app.config, default_preprocessors=[], preprocessors=[nbconvert2.SubCell], **options)

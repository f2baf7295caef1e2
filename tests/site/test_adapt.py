"""Each private name of another package that `verbatim.site.adapt` relies on is there and means what it meant."""

from __future__ import annotations

import contextlib
import inspect
import logging
import socket
import threading
import urllib.error
import urllib.request
from pathlib import Path

import jinja2
import markdown
import pytest
from mkdocs.commands import build
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.livereload import LiveReloadServer
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from tests.waiting import PATIENCE, until
from verbatim.site import adapt


@pytest.fixture
def config(tmp_path: Path) -> MkDocsConfig:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/a.md").write_text("# Heading\n\n[b](b.md#there) [c](c.md)\n")
    (tmp_path / "docs/b.md").write_text("# B\n\n## There\n")
    made = MkDocsConfig(str(tmp_path / "mkdocs.yml"))
    made.load_dict(
        {"site_name": "S", "docs_dir": str(tmp_path / "docs"), "site_dir": str(tmp_path / "site"), "plugins": []}
    )
    errors, warnings = made.validate()
    assert not errors and not warnings
    return made


@pytest.fixture
def files(config: MkDocsConfig) -> Files:
    return Files([File(name, config.docs_dir, config.site_dir, use_directory_urls=True) for name in ("a.md", "b.md")])


@pytest.fixture
def page(config: MkDocsConfig, files: Files) -> Page:
    page = Page(None, files.src_uris["a.md"], config)
    page.read_source(config)
    return page


def test_rendering_leaves_title_anchors_and_links_on_the_page(page, config, files):
    adapt.replace_steps(page, None, lambda config, files: pytest.fail("not this one"))
    adapt.render(page, config, files)
    assert adapt.title_from_heading(page) == "Heading" == page.title
    assert page.present_anchor_ids == {"heading"}
    assert {file.src_uri: links for file, links in page.links_to_anchors.items()} == {"b.md": {"there": "b.md#there"}}
    adapt.set_title_from_heading(page, "Another")
    assert page.title == "Another"


def test_rendering_reads_no_other_settings(page, config, files):
    asked: set[str] = set()

    class Asked:
        def __getattr__(self, name):
            asked.add(name)
            return getattr(config, name)

        def __getitem__(self, name):
            asked.add(name)
            return config[name]

    Page.render(page, Asked(), files)
    assert asked == set(adapt.RENDERING_SETTINGS)


def test_mkdocs_calls_the_steps_that_replace_its_own(page, config, files):
    done = []
    adapt.replace_steps(page, lambda: done.append("read"), lambda config, files: done.append("rendered"))
    page.content = ""
    build._populate_page(page, config, files)
    assert done == ["read", "rendered"]
    adapt.replace_steps(page, None, None)
    build._populate_page(page, config, files)
    assert done == ["read", "rendered"] and "<h1" in page.content


def test_one_page_is_made_in_the_language_that_it_belongs_to(page, config, files):
    during = []

    class Translator:
        current_language = "en"

        def on_page_markdown(self, markdown, **_):
            during.append(self.current_language)

    config.plugins._register_event("page_markdown", (translator := Translator()).on_page_markdown)
    dict.__setitem__(config.plugins, "i18n", translator)
    nav = Navigation([], [])
    language = adapt.Language("zh", config, files, nav, config.theme.get_env())
    Page(None, files.src_uris["b.md"], config)
    adapt.make_page(files.src_uris["a.md"], language)
    assert during == ["zh"] and translator.current_language == "en"
    assert "Heading" in Path(config.site_dir, "a/index.html").read_text()
    assert adapt.language_of(config) == "en"


def test_static_i18n_has_the_names_that_are_set_and_asked_for():
    from mkdocs_static_i18n.plugin import I18n

    text = "".join(inspect.getsource(inspect.getmodule(one)) for one in I18n.__mro__[:-1] if one is not object)
    for name in ("current_language", "default_language"):
        assert f"self.{name}" in text
    assert I18n.on_post_build.mkdocs_priority == -100 == I18n.on_config.mkdocs_priority


def test_a_warning_is_noted_with_the_page_that_is_being_made(page, config, files):
    warnings = adapt.Warnings(config)

    def warn() -> None:
        logging.getLogger("mkdocs.plugins").warning("said while a page is read")
        page.markdown, page.meta, page.content = "", {}, ""

    try:
        assert not warnings.any
        adapt.replace_steps(page, warn, lambda config, files: None)
        build._populate_page(page, config, files)
        assert warnings.any and warnings.pages == {"a.md"}
    finally:
        warnings.stop()


def test_a_page_that_is_not_written_is_not_told(page, config, files, caplog):
    page.content, page.meta = "", {"template": "empty.html"}
    env = jinja2.Environment(loader=jinja2.DictLoader({"empty.html": ""}))
    caplog.set_level(logging.INFO, "mkdocs")
    build._build_page(page, config, [], Navigation([], []), env)
    assert "empty output" in caplog.text  # else MkDocs says it in other words
    caplog.clear()
    warnings = adapt.Warnings(config)
    try:
        build._build_page(page, config, [], Navigation([], []), env)
        assert not caplog.text
    finally:
        warnings.stop()


def test_the_server_builds_answers_and_reloads_as_it_is_told(tmp_path):
    (tmp_path / "index.html").write_text("<html><body>here<script>theirs()</script></body></html>")
    theirs = LiveReloadServer(lambda: None, "127.0.0.1", 0, str(tmp_path))
    built, answered = threading.Event(), []

    def respond(environ, start_response):
        answered.append(environ["PATH_INFO"])
        return ours.answer(environ, start_response)

    def make():
        early = threading.Thread(target=ask, daemon=True)
        early.start()
        until(lambda: theirs._epoch_cond._waiters)  # for the end of this build
        with ours.answering():
            assert theirs._wanted_epoch == theirs._visible_epoch  # so it answers meanwhile
            early.join(PATIENCE)
            assert not early.is_alive()
        built.set()

    def ask():
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/early")

    before = theirs.builder
    ours = adapt.Server(theirs, make, respond, lambda code: f"page of {code}".encode(), "once")
    assert ours.build_all is before
    ours.watch([str(tmp_path)], 0.1)
    listening = socket.create_server(("127.0.0.1", 0))
    ours.listen_on(listening)
    thread = threading.Thread(target=theirs.serve)
    thread.start()
    try:
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        page = urllib.request.urlopen(f"{address}/").read().decode()
        assert (
            "here<script>theirs()" in page and page.count("<script") == 2 and page.count('<script nonce="once">') == 1
        )
        with pytest.raises(urllib.error.HTTPError) as missing:
            urllib.request.urlopen(f"{address}/missing")
        assert missing.value.read() == b"page of 404" and answered == ["/", "/missing"]
        ours.root = str(tmp_path)
        epoch = theirs._visible_epoch
        ours.reload()
        assert theirs._visible_epoch == epoch + 1 == theirs._wanted_epoch
        assert not ours.saved
        ours.ring()
        assert built.wait(PATIENCE)
    finally:
        ours.end()
        thread.join(PATIENCE)
        theirs.shutdown()
    assert not thread.is_alive()


def test_superfences_shows_code_as_for_any_fence():
    options = {"pymdownx.superfences": {}, "pymdownx.highlight": {"anchor_linenums": False}}
    made = markdown.Markdown(extensions=[*options], extension_configs=options)
    text = "print(1)"
    shown = made.convert(f"```python\n{text}\n```")
    assert '<span class="nb">print</span>' in shown
    alone = adapt.highlight(text, "python", {}, made, classes=[], id_value="", attrs={})
    assert '<span class="nb">print</span>' in alone


def test_a_notebook_is_shown_without_what_goes_over_its_html_again():
    import nbformat
    from pygments.formatters import HtmlFormatter

    colour = {"highlight_code": lambda source, **_: adapt.colour(source, HtmlFormatter())}
    exporter = adapt.notebook_exporter(template_name="classic", filters=colour)
    cell = nbformat.v4.new_code_cell("print(1)")
    content, _ = exporter.from_notebook_node(nbformat.v4.new_notebook(cells=[cell]), resources={"mkdocs": {}})
    assert "print" in content and 'tabindex="0"' not in content
    assert '<span class="nb">print</span>' in adapt.colour("print(1)", HtmlFormatter())

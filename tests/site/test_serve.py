"""The edit loop: what is saved is shown, mistakes stand on the page, the server goes on."""

from __future__ import annotations

import contextlib
import shutil
import socket
import tempfile
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from tests import waiting
from tests.conftest import rerecord
from tests.site.test_plugin import INDEX, PAGE, SCRIPT, command
from tests.waiting import PATIENCE, Program, fetch
from verbatim.book.gather import Book
from verbatim.build import Build
from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.lists.api import Addresses
from verbatim.memo import Memo
from verbatim.pages.page import load_pages
from verbatim.problems import Problems
from verbatim.run.result import Result
from verbatim.site import page_names
from verbatim.site.html.waiting import Listener
from verbatim.site.serving import page_builder
from verbatim.site.serving import preview as preview_module
from verbatim.site.serving.preview import Preview

ROOT = Path(__file__).parents[2]

SECOND = SCRIPT.replace("hello", "second")


@pytest.fixture
def served(project, write, tmp_path):
    """Serve a project of two recipes; return a way to wait for a page to say something. `said()` ends the server.

    `status(path)` is what a request is answered with now. The server leaves nothing in the folder for temporary files, which has a short name: there is a socket in it.
    """
    temporary = Path(tempfile.mkdtemp())
    from tests.site.test_plugin import CONFIG

    write("mkdocs.yml", CONFIG.format(theme="mkdocs") + "site_url: https://host/below/\n")  # here: at the root
    write("examples/topic/a.py", SCRIPT)
    write("examples/topic/b.py", SECOND)
    for language, figure in (("zh", "图："), ("en", "Figure: ")):
        for name in ("a", "b"):
            text = PAGE.format(title="T", figure="F").replace("F: ", figure).replace("topic/a.py", f"topic/{name}.py")
            write(f"docs/{language}/topic/{name}.md", text)
        write(f"docs/{language}/index.md", INDEX)
    variables = {"PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1", "TMPDIR": str(temporary)}
    servers: list[Program] = []

    def served(*arguments: str, program: str = "verbatim") -> Callable[..., str]:
        where = ("--dev-addr", "localhost:0") if "mkdocs" in program else ("--port", "0")
        command = (program, "serve", *arguments, *where)
        server = ending.enter_context(Program(command, cwd=project.root, log=tmp_path / "served", **variables))
        servers.append(server)
        address = server.line(r"http://localhost:\d+/")[0]

        def page(path: str, *, until: Callable[[str], bool]) -> str:
            """Wait until a page says something."""

            def html() -> str:
                try:
                    status, text = fetch(address + path)
                except OSError as error:  # it has told where it listens, so it has ended
                    raise AssertionError(f"{path}: {error}\n{server.said}") from error
                return text if status == 200 and until(text) else ""

            return waiting.until(html)

        served.status = lambda path: fetch(address + path)[0]
        return page

    def said() -> str:
        server = servers.pop()
        server.process.terminate()  # `make` passes on the signal that it gets, beside its processes
        output = server.end()
        assert [path.name for path in temporary.iterdir()] == [], output
        return output

    served.said = said
    with contextlib.ExitStack() as ending:
        ending.callback(shutil.rmtree, temporary)
        yield served
        while servers:
            said()


def test_what_is_saved_is_shown_and_mistakes_stand_on_the_page_until_they_are_mended(served, write, project):
    page = served()
    page("topic/a/", until=lambda html: "hello" in html)
    script = project.script("topic/a")

    script.write_text(SCRIPT.replace("hello", "changed").lstrip("\n"))
    page("en/topic/a/", until=lambda html: "changed" in html)

    script.write_text(SCRIPT.replace('print("hello', 'missing("hello').lstrip("\n"))
    html = page("topic/a/", until=lambda html: "NameError" in html)
    assert "examples/topic/a.py:4: cell `first` raised NameError" in html.replace("&#39;", "'")

    script.write_text(SCRIPT.replace("print(", "print((").lstrip("\n"))
    page("topic/a/", until=lambda html: "syntax error" in html)

    script.unlink()
    page("topic/a/", until=lambda html: "there is no script" in html)

    write("docs/zh/topic/a.md", "---\ntitle: a: b\n---\nno heading\n")
    page("topic/a/", until=lambda html: "no heading" in html)
    write("docs/zh/topic/a.md", f"---\ntitle: a\nx: {'[' * 900}{']' * 900}\n---\nnested\n")
    page("topic/a/", until=lambda html: "values are nested too deeply" in html)
    page("topic/b/", until=lambda html: "second" in html)  # the others are untouched

    text = PAGE.format(title="T", figure="F").replace("F: ", "图：")
    write("docs/zh/topic/a.md", text)
    script.write_text(SCRIPT.lstrip("\n"))
    html = page("topic/a/", until=lambda html: "hello" in html and "raised" not in html)
    assert "verbatim-problem" not in html


def test_one_recipe_alone_in_both_languages(served, write):
    write("book/topics.yml", "topic:\n  other: [of-another-page]\n")
    for language in ("zh", "en"):
        write(
            f"docs/{language}/index.md", INDEX + "\n```example\nexamples/topic/a.py#first\n```\n"
        )  # and not all of it
    page = served("topic/b")
    for path in ("topic/b/", "en/topic/b/"):
        page(path, until=lambda html: "second" in html)
    assert served.status("topic/a/") == 404
    said = served.said()
    assert "of-another-page" not in said and "no page shows" not in said


def test_it_starts_with_a_broken_script(served, project):
    project.script("topic/a").write_text('"""T."""\n# %% first\n1 / 0\n')
    page = served()
    page("topic/a/", until=lambda html: "ZeroDivisionError" in html)


def test_the_page_that_was_saved_is_shown_first_and_the_others_follow(served, write, project):
    page = served()
    page("topic/a/", until=lambda html: "hello" in html)
    page("verbatim.json", until=lambda text: True)  # the whole site is there
    script, text = project.script("topic/a"), (project.docs("zh") / "topic/a.md").read_text()
    (project.docs("zh") / "topic/a.md").write_text(text + "\nSaved just now.\n")
    page("topic/a/", until=lambda html: "Saved just now." in html)
    script.write_text(SCRIPT.replace("hello", "printed just now").lstrip("\n"))
    for path in ("topic/a/", "en/topic/a/"):
        page(path, until=lambda html: "printed just now" in html)
    (project.docs("zh") / "topic/a.md").write_text(text.replace("title: T", "title: Another\nnav: Called so"))
    page("topic/b/", until=lambda html: "Called so" in html)  # a page that only links to it, in the navigation
    said = served.said()
    order = ["docs/zh/topic/a.md: shown after", "examples/topic/a.py: shown on docs/zh/topic/a.md, docs/en/topic/a.md"]
    places = [*map(said.index, order), said.rindex("all pages:")]
    assert places == sorted(places), said


def test_recorded_outputs_are_shown_while_scripts_run_and_the_page_that_is_asked_for_comes_first(
    served, project, write
):
    """A script waits for a file, so that it has not run as long as this test wants it so."""
    go = project.root / "go"
    waits = SCRIPT.replace(
        'print("hello', f'import os, time\nwhile not os.path.exists({str(go)!r}):\n    time.sleep(0.05)\nprint("hello'
    )
    for name in ("a", "b"):
        write(f"examples/topic/{name}.py", waits.replace("hello", f"hello {name}"))
    go.touch()
    assert command(project, "verbatim", "record", "topic/a", "topic/b").returncode == 0
    go.unlink()
    shutil.rmtree(project.cache)
    page = served(program="tests.site.patient")
    html = page("en/topic/b/", until=lambda html: "hello b" in html)
    assert "Outputs from the records" in html and "examples/topic/b.py has not run on this machine yet" in html
    assert "来自记录" in page("topic/a/", until=lambda html: "hello a" in html)
    write("docs/en/topic/b.md", (project.docs("en") / "topic/b.md").read_text() + "\nSaved meanwhile.\n")
    page("en/topic/b/", until=lambda html: "Saved meanwhile." in html)
    go.touch()
    for path in ("en/topic/b/", "topic/a/"):
        page(
            path,
            until=lambda html: "hello" in html and "Outputs from the records" not in html and "来自记录" not in html,
        )


def test_a_run_that_prints_something_else_says_so_on_the_page(served, project, write):
    assert command(project, "verbatim", "record", "topic/a", "topic/b").returncode == 0
    rerecord(project.record("topic/a", "cpu"), ' "hello', ' "recorded once')
    shutil.rmtree(project.cache)
    page = served()
    html = page("en/topic/a/", until=lambda html: "does not print what was recorded" in html)
    assert "-recorded once" in html and "+hello" in html


def test_without_live_reload_the_whole_site_is_built_and_then_served(served):
    page = served("--no-livereload", program="tests.site.mkdocs_at_a_port")
    page("below/topic/a/", until=lambda html: "hello" in html)  # where MkDocs serves it
    page("below/en/topic/b/", until=lambda html: "second" in html)


def test_plain_mkdocs_serves_as_the_own_command_does(served, project):
    page = served(program="mkdocs")
    page("topic/a/", until=lambda html: "hello" in html)
    project.script("topic/a").write_text(SCRIPT.replace("hello", "changed").lstrip("\n"))
    page("en/topic/a/", until=lambda html: "changed" in html)


class Server:
    """What `Preview` asks of MkDocs' server."""

    def __init__(self, root: Path):
        self.root, self.whole = str(root), 0
        self.watched: list[str] = []
        self._wanted_epoch = self._visible_epoch = 1
        self._want_rebuild = False
        self._rebuild_cond, self._epoch_cond = threading.Condition(), threading.Condition()
        self.socket = socket.socket()
        self._inject_js_into_html = lambda content, epoch: content

    def builder(self) -> None:
        self.whole += 1

    def watch(self, path: str) -> None:
        self.watched.append(path)

    def unwatch(self, path: str) -> None:
        if path not in self.watched:
            raise KeyError(path)
        self.watched.remove(path)

    def set_app(self, app) -> None:
        self.app = app

    def serve_request(self, environ, start_response) -> list[bytes]:
        return [b"served"]

    def get(self, path: str) -> tuple[str, bytes]:
        said = []
        (body,) = self.app({"PATH_INFO": path}, lambda status, headers: said.append(status))
        return (said or ["200 OK"])[0], body


class Maker:
    """What `Preview` asks of the plugin: it notes what it is asked."""

    def __init__(self):
        self.asked: list[object] = []
        self.can = True

    def make(self, file: str) -> list[str]:
        self.asked.append(file)
        return [f"examples/{file}.py"]

    def saved(self, paths: list[str]) -> list[str]:
        self.asked.append(paths)
        return paths if self.can else []

    def built(self) -> None:
        self.asked.append("built")

    def ran(self, results, made) -> list[str]:
        self.asked.append([result.script for result in results if made("a/")])
        return ["a"]


@pytest.fixture
def previewed(project, write, tmp_path):
    """A preview of pages that are not made, its server, and what it asks."""
    write("docs/zh/a.md", "# A\n")
    server, maker = Server(tmp_path), Maker()
    preview = Preview(project, maker, lambda: "1/2 scripts")
    preview.defer({"./": "zh/index.md", "a/": "zh/a.md", "en/a/": "en/a.md"})
    server.watch("docs")
    preview.take(server, ["docs"])
    yield preview, server, maker
    preview.stop()
    server.socket.close()


def test_a_page_is_made_when_it_is_asked_for_and_once(previewed):
    preview, server, maker = previewed
    assert server.builder is preview and server.watched == ["docs"] and server._want_rebuild
    answers = []
    paths = ("/a/", "/a", "/a/index.html", "/a/a.ipynb", "/a/notebook/", "/")
    threads = [threading.Thread(target=lambda path=path: answers.append(server.get(path))) for path in paths]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        preview.pump(0.01)
    assert answers == [("200 OK", b"served")] * len(paths)
    assert sorted(maker.asked) == ["zh/a.md", "zh/index.md"]
    assert sorted(preview.wanted) == ["examples/zh/a.md.py", "examples/zh/index.md.py"]
    for path in ("/", "/a/", "/assets/site.css", "/no/such/page/", "/en/"):  # nobody waits for these
        assert server.get(path) == ("200 OK", b"served")


def test_who_waits_too_long_is_told_how_far_it_is(previewed, monkeypatch):
    monkeypatch.setattr(preview_module, "WAIT_SECONDS", 0.01)
    _, server, _ = previewed
    status, body = server.get("/en/a/")
    assert status.startswith("503") and b"1/2 scripts" in body


def test_pages_are_made_while_other_work_goes_on_and_what_ran_is_shown(previewed):
    preview, server, maker = previewed

    def work() -> str:
        assert server.get("/a/") == ("200 OK", b"served")  # nobody else makes it
        preview.finished(Result("examples/a.py"))
        return "done"

    epoch = server._visible_epoch
    assert preview.meanwhile(work) == "done"
    assert maker.asked == ["zh/a.md", ["examples/a.py"]]
    assert server._visible_epoch == server._wanted_epoch > epoch  # browsers load it again
    preview.stop()
    with pytest.raises(preview_module.Stopped):
        preview.finished(Result("examples/a.py"))


def test_what_is_saved_while_the_whole_site_is_built_is_shown_before_and_after(previewed, write):
    preview, server, maker = previewed

    def whole() -> None:
        assert server._wanted_epoch == server._visible_epoch  # requests are answered
        folder = Path(preview.begin())
        write("docs/zh/a.md", "# A\n\nMore.\n")
        server._want_rebuild = True
        preview.pump()
        assert maker.asked == [["docs/zh/a.md"]]
        folder.joinpath("404.html").write_bytes(b"none")

    preview._server.build_all = whole
    server._wanted_epoch = 5
    preview()
    assert maker.asked == [["docs/zh/a.md"], "built", ["docs/zh/a.md"]]
    assert server._wanted_epoch == 5 and server.error_handler(404) == b"none"
    assert server.get("/en/a/") == ("200 OK", b"served")  # it is there now


def test_a_build_that_fails_leaves_what_is_served(previewed):
    preview, server, maker = previewed
    root = server.root

    def whole() -> None:
        preview.begin()
        raise ValueError("no")

    preview._server.build_all = whole
    with pytest.raises(ValueError):
        preview()
    assert server.root == root and maker.asked == [] and server._wanted_epoch == server._visible_epoch
    assert not list(Path(preview._folder.name).iterdir())


def test_what_cannot_be_shown_first_is_built_with_everything(previewed, write, project):
    preview, server, maker = previewed
    server._want_rebuild = False  # as MkDocs' server does before it calls
    write("docs/zh/a.md", "# A\n\nMore.\n")
    preview()
    assert (maker.asked, server.whole) == ([["docs/zh/a.md"]], 0)
    preview()  # the bell: nothing was saved since
    assert server.whole == 1
    maker.can = False
    write("docs/zh/a.md", "# A\n\nStill more.\n")
    preview()  # asked for it, but it cannot
    assert server.whole == 2
    asked = len(maker.asked)
    (project.root / "docs/zh/a.md").unlink()
    preview()
    assert maker.asked[asked:] == ["built"] and server.whole == 3


def test_the_whole_site_waits_until_nothing_more_is_saved_as_long_as_it_takes(previewed, write, monkeypatch):
    preview, server, _ = previewed
    monkeypatch.setattr(preview_module, "QUIET_SECONDS", 0.01)
    server._want_rebuild = False
    delays = []
    timer = threading.Timer
    monkeypatch.setattr(preview_module.threading, "Timer", lambda delay, ring: delays.append(delay) or timer(0, ring))
    preview._build_seconds = 30.0  # the last one took so long
    write("docs/zh/a.md", "# A\n\nMore.\n")
    preview()
    preview._timer.join(PATIENCE)
    assert delays == [30.0] and server._want_rebuild


@pytest.mark.parametrize(
    ("host", "answered"),
    [
        ("localhost:8000", True),
        ("127.0.0.1", True),
        ("[::1]:8000", True),
        ("evil.example:8000", False),
        ("localhost.evil.example", False),
        ("[::1", False),
        ("x@localhost", False),
        ("", False),
    ],
)
def test_only_who_asks_for_this_machine_is_answered(project, host, answered):
    preview, said = Preview(project, Maker(), str), []
    preview.listen("127.0.0.1", 0)
    try:
        preview._server = SimpleNamespace(answer=lambda environ, start: [b"a draft"], end=lambda: None)
        text = preview.respond({"PATH_INFO": "/", "HTTP_HOST": host}, lambda status, headers: said.append(status))
        assert (text == [b"a draft"]) == answered
        assert said == ([] if answered else ["403 Forbidden"])
    finally:
        preview.stop()


def test_an_address_that_no_file_can_have_is_refused(project):
    preview, said = Preview(project, Maker(), str), []
    try:
        preview.respond({"PATH_INFO": "/a\0b", "HTTP_HOST": "localhost"}, lambda status, headers: said.append(status))
        assert said == ["400 Bad Request"]
    finally:
        preview.stop()


def test_until_the_server_is_there_somebody_answers(project):
    preview = Preview(project, Maker(), lambda: "pages")
    preview.listen("127.0.0.1", 0)
    port = urlsplit(preview.address).port
    try:
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(f"{preview.address}any/page/")
        assert caught.value.code == 503 and "X-Verbatim-Waiting" in caught.value.headers
        assert b"<output>pages</output>" in caught.value.read()
        with pytest.raises(Problems, match=f"(?s)127.0.0.1:{port}: cannot be served at.*--port {port + 1}"):
            Listener("127.0.0.1", port, str, DEFAULT_LANGUAGES)
    finally:
        preview.stop()


def test_a_page_asks_only_for_the_names_that_it_and_its_scripts_use(project, write, monkeypatch):
    results = {}
    for name in ("ones", "zeros"):
        script = f"examples/topic/{name}.py"
        write(f"docs/en/topic/{name}.md", f"# {name}\n\n`span_{name}`\n\n```example\n{script}#one\n```\n")
        results[script] = SimpleNamespace(cells=[SimpleNamespace(names=(f"torch.{name}",))])
    pages, _ = load_pages(project)
    addresses, asked = Addresses(Memo()), []
    monkeypatch.setattr(addresses, "learn", lambda texts, ask: asked.extend(texts))
    shown = [page for page in pages if page.name == "topic/ones.md"]
    page_names.learn(addresses, Book(project, display_results=results), shown)
    assert {"span_ones", "torch.ones"} <= set(asked) and not {"span_zeros", "torch.zeros"} & set(asked)


def test_a_file_that_was_not_there_takes_a_whole_build(project, write):
    write("docs/zh/a.md", "# A\n")
    pages, _ = load_pages(project)
    build = Build(Book(project), pages, [])
    assert page_builder.updated(build, ["docs/zh/new.md"]) is None
    assert page_builder.updated(build, ["examples/topic/new.py"]) is None

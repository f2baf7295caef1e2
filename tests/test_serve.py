"""The edit loop: what is saved is shown, mistakes stand on the page, the server goes on."""

from __future__ import annotations

import socket
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.test_plugin import INDEX, PAGE, SCRIPT, start
from verbatim.book.gather import Book
from verbatim.build import Build
from verbatim.pages.page import load_pages
from verbatim.site import plugin, serving
from verbatim.site.additions import Site

SECOND = SCRIPT.replace("hello", "second")


@pytest.fixture
def served(project, write):
    """Serve a project of two recipes; return a way to wait for a page to say something. `said()` ends the server.

    It leaves nothing in the folder for temporary files, which has a short name: there is a socket in it.
    """
    temporary = Path(tempfile.mkdtemp())
    from tests.test_plugin import CONFIG

    write("mkdocs.yml", CONFIG.format(theme="mkdocs") + "site_url: https://host/below/\n")  # here: at the root
    write("examples/topic/a.py", SCRIPT)
    write("examples/topic/b.py", SECOND)
    for language, figure in (("zh", "图："), ("en", "Figure: ")):
        for name in ("a", "b"):
            text = PAGE.format(title="T", figure="F").replace("F: ", figure).replace("topic/a.py", f"topic/{name}.py")
            write(f"docs/{language}/topic/{name}.md", text)
        write(f"docs/{language}/index.md", INDEX)
    processes = []

    def served(*recipes: str) -> Callable[..., str]:
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        processes.append(start(project, "verbatim", "serve", *recipes, "--port", str(port), TMPDIR=str(temporary)))

        def page(path: str, *, until: Callable[[str], bool], seconds: float = 1800) -> str:
            deadline, html = time.monotonic() + seconds, ""
            while time.monotonic() < deadline:
                try:
                    html = urllib.request.urlopen(f"http://localhost:{port}/{path}", timeout=60).read().decode()
                    if until(html):
                        return html
                except OSError:
                    assert processes[-1].poll() is None, processes[-1].stdout.read()
                time.sleep(0.2)
            raise AssertionError(f"{path} never said so:\n{html[-3000:]}")

        return page

    def said() -> str:
        for _ in range(2):  # `make` passes on the signal that it gets, beside its processes
            processes[-1].terminate()
            time.sleep(0.1)
        output = processes.pop().communicate(timeout=900)[0]
        assert [path.name for path in temporary.iterdir()] == [], output
        return output

    served.said = said
    yield served
    while processes:
        said()
    temporary.rmdir()


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
    page("topic/b/", until=lambda html: "second" in html)  # the others are untouched

    text = PAGE.format(title="T", figure="F").replace("F: ", "图：")
    write("docs/zh/topic/a.md", text)
    script.write_text(SCRIPT.lstrip("\n"))
    html = page("topic/a/", until=lambda html: "hello" in html and "raised" not in html)
    assert "verbatim-problem" not in html


def test_one_recipe_alone_in_both_languages(served, write):
    write("topics.yml", "topic:\n  - of-another-page\n")
    for language in ("zh", "en"):
        write(
            f"docs/{language}/index.md", INDEX + "\n```example\nexamples/topic/a.py#first\n```\n"
        )  # and not all of it
    page = served("topic/b")
    for path in ("topic/b/", "en/topic/b/"):
        page(path, until=lambda html: "second" in html)
    with pytest.raises(AssertionError):
        page("topic/a/", until=lambda html: True, seconds=1)
    said = served.said()
    assert "of-another-page" not in said and "no page shows" not in said


def test_it_starts_with_a_broken_script(served, project):
    project.script("topic/a").write_text('"""T."""\n# %% first\n1 / 0\n')
    page = served()
    page("topic/a/", until=lambda html: "ZeroDivisionError" in html)


def test_the_page_that_was_saved_is_shown_first_and_the_others_follow(served, write, project):
    page = served()
    page("topic/a/", until=lambda html: "hello" in html)
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
    places = [said.index(text) for text in (*order, "all pages:")]
    assert places == sorted(places), said


class Server:
    """What `First` asks of MkDocs' server."""

    def __init__(self):
        self.whole = 0
        self.watched: list[str] = []

    def builder(self) -> None:
        self.whole += 1

    def watch(self, path: str) -> None:
        self.watched.append(path)

    def unwatch(self, path: str) -> None:
        self.watched.remove(path)


def test_what_cannot_be_shown_first_is_built_with_everything(project, write):
    write("docs/zh/a.md", "# A\n")
    server, asked = Server(), []
    server.watch("docs")
    first = serving.First(server, project, lambda saved: asked.append(saved) or (saved if len(asked) == 1 else []))
    first.start(["docs"])
    assert server.builder is first and "docs" in server.watched
    write("docs/zh/a.md", "# A\n\nMore.\n")
    first()
    assert (asked, server.whole) == ([["docs/zh/a.md"]], 0)
    first()  # the bell: nothing was saved since
    assert server.whole == 1
    write("docs/zh/a.md", "# A\n\nStill more.\n")
    first()  # asked for it, but it cannot
    assert (len(asked), server.whole) == (2, 2)
    (project.root / "docs/zh/a.md").unlink()
    first()
    assert (len(asked), server.whole) == (2, 3)
    first.stop()


def test_the_whole_site_waits_until_nothing_more_is_saved(project, write, monkeypatch):
    monkeypatch.setattr(serving, "QUIET", 0.01)
    write("docs/zh/a.md", "# A\n")
    first = serving.First(Server(), project, lambda saved: saved)
    before = first._bell.read_text()
    write("docs/zh/a.md", "# A\n\nMore.\n")
    first()
    first._timer.join()
    assert first._bell.read_text() != before
    first.stop()


def test_a_build_of_the_whole_site_waits_as_long_as_it_takes(project, write, monkeypatch):
    clock = iter([0, 30, 40, 41])  # the whole site takes 30 seconds, a page one
    monkeypatch.setattr(serving.time, "monotonic", lambda: next(clock))
    delays = []
    monkeypatch.setattr(serving.First, "_ring", lambda self: None)
    timer = serving.threading.Timer
    monkeypatch.setattr(serving.threading, "Timer", lambda delay, ring: delays.append(delay) or timer(0, ring))
    write("docs/zh/a.md", "# A\n")
    first = serving.First(Server(), project, lambda saved: saved)
    first()
    write("docs/zh/a.md", "# A\n\nMore.\n")
    first()
    assert delays == [30]
    first.stop()


def test_pytorch_is_imported_as_soon_as_the_server_is_there(project, monkeypatch):
    started = []
    monkeypatch.setattr(plugin.process, "ensure", lambda: started.append(True))
    server, made = Server(), plugin.VerbatimPlugin()
    config = SimpleNamespace(config_file_path=str(project.root / "mkdocs.yml"), docs_dir=str(project.root / "docs"))
    server.watched += [config.docs_dir, config.config_file_path]  # by MkDocs
    made.on_serve(server, config=config, builder=None)
    made.first.stop()
    assert started


def test_a_page_asks_only_for_the_names_that_it_and_its_scripts_use(project, write, monkeypatch):
    results = {}
    for name in ("ones", "zeros"):
        script = f"examples/topic/{name}.py"
        write(f"docs/en/topic/{name}.md", f"# {name}\n\n`span_{name}`\n\n```example\n{script}#one\n```\n")
        results[script] = SimpleNamespace(cells=[SimpleNamespace(names=(f"torch.{name}",))])
    pages, _ = load_pages(project)
    parts = Site(Book(project, results=results), "", "main")
    asked = []
    monkeypatch.setattr(parts.names, "learn", lambda texts, ask: asked.extend(texts))
    parts.learn([page for page in pages if page.name == "topic/ones.md"])
    assert {"span_ones", "torch.ones"} <= set(asked) and not {"span_zeros", "torch.zeros"} & set(asked)


def test_a_file_that_was_not_there_takes_a_whole_build(project, write):
    write("docs/zh/a.md", "# A\n")
    pages, _ = load_pages(project)
    build = Build(Book(project), pages, [])
    assert serving.again(build, None, ["docs/zh/new.md"]) is None
    assert serving.again(build, None, ["examples/topic/new.py"]) is None

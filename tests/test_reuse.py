"""Pages that are taken from earlier builds: just those that are what they were, byte for byte what a clean build makes."""

from __future__ import annotations

import datetime
import json
import logging
import random
import re
import shutil
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jinja2
import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

from tests.test_serve import Server
from verbatim import checks, git
from verbatim.book import versions
from verbatim.checks import wording
from verbatim.lists import api
from verbatim.pages import freshness
from verbatim.run import cache
from verbatim.site import markup, reuse, terms, untouched
from verbatim.site.plugin import CLEAN

ROOT = Path(__file__).parents[1]
PAGES = ("index", "autograd/leaf", "tensors/print")
RECIPES = PAGES[1:]


class Book:
    """A copy of the miniature with templates and settings of its own."""

    def __init__(self, folder: Path):
        self.root = folder / "tests/site"
        shutil.copytree(ROOT / "tests/site", self.root, symlinks=True, ignore=shutil.ignore_patterns(".cache"))
        shutil.copytree(ROOT / "overrides", folder / "overrides")
        shutil.copyfile(ROOT / "mkdocs.yml", folder / "mkdocs.yml")
        (self.root / "docs/assets").unlink()
        shutil.copytree(ROOT / "docs/assets", self.root / "docs/assets", ignore=shutil.ignore_patterns("*.svg", "home"))
        shutil.copyfile(ROOT / "docs/assets/favicon.svg", self.root / "docs/assets/favicon.svg")

    def edit(self, path: str, old: str, new: str) -> None:
        """Replace a text in a file: its path from the miniature's folder."""
        text = (self.root / path).read_text()
        assert old in text, text
        (self.root / path).write_text(text.replace(old, new))

    def build(self, *, clean: bool = False) -> Built:
        """Build in this process, which has imported everything."""
        with pytest.MonkeyPatch.context() as patch:
            if clean:
                patch.setenv(CLEAN, "1")
            config = load_config(str(self.root / "mkdocs.yml"))
            plugin = config.plugins["verbatim"]
            config.plugins.on_startup(command="build", dirty=False)
            try:
                mkdocs_build(config)
            except SystemExit as ended:
                assert ended.code == 0
            finally:
                config.plugins.on_shutdown()
        site = self.root / "site"
        files = {str(p.relative_to(site)): p.read_bytes() for p in sorted(site.rglob("*")) if p.is_file()}
        known = {p.file.src_uri: _known(p) for f in plugin.now.files.documentation_pages() for p in [f.page]}
        carried = set(plugin.now.carried.pages) if plugin.now.carried else set()
        return Built(files, known, plugin.now.shelf or reuse.Shelf(self.root, ""), carried)


class Built:
    def __init__(self, files: dict[str, bytes], known: Any, shelf: reuse.Shelf, carried: set[str]):
        self.files, self.known, self.carried = files, known, carried
        self.made = {step: {page.replace("\0", " ") for page in pages} for step, pages in shelf.made.items()}
        self.searched = self.made.pop("search", set())
        self.styled = self.made.pop("sheet", set())
        self.taken = shelf.taken


def _known(page: Any) -> Any:
    """What MkDocs validates links and anchors by."""
    links = {file.src_uri: links for file, links in page.links_to_anchors.items()}
    return page.present_anchor_ids, links, page.title


@pytest.fixture(scope="module")
def first(tmp_path_factory) -> Path:
    """The miniature, built once."""
    folder = tmp_path_factory.mktemp("first")
    Book(folder).build()
    return folder


@pytest.fixture
def book(first: Path, tmp_path: Path, monkeypatch) -> Book:
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    shutil.rmtree(tmp_path)
    shutil.copytree(first, tmp_path, symlinks=True)
    made = Book.__new__(Book)
    made.root = tmp_path / "tests/site"
    return made


def add(book: Book, after: str) -> None:
    """Add a page without a script, in both languages; in the navigation it follows another."""
    name = after.partition("/")[2]
    book.edit("topics.yml", f"  {name}:\n", f"  {name}:\n  {name}-new:\n")
    for language, title in (("zh", "新的一页"), ("en", "A new page")):
        (book.root / f"docs/{language}/{after}-new.md").write_text(
            f"---\ntitle: {title}\ndescription: {title}\n---\n\n# {title}\n\n**{title}**\n"
        )


def remove(book: Book, after: str) -> None:
    """Remove what `add` added."""
    book.edit("topics.yml", f"  {after.partition('/')[2]}-new:\n", "")
    for language in ("zh", "en"):
        (book.root / f"docs/{language}/{after}-new.md").unlink()


def frames(*pages: str, views: bool = True) -> set[str]:
    """The frames of pages, their notebook views among them."""
    found = {f"main.html {page}.md" for page in pages}
    return found | {f"notebook.html {p}.md" for p in pages if views and p.split("/", 1)[1] in RECIPES}


def both(*pages: str) -> list[str]:
    return [f"{language}/{page}" for language in ("zh", "en") for page in pages]


def of(*pages: str) -> set[str]:
    return {f"{page}.md" for page in pages}


EVERY = both(*PAGES)


def test_nothing_is_made_when_nothing_changed(book):
    before = book.build().files
    shutil.rmtree(book.root / "site")  # else it is left as it is
    built = book.build()
    assert built.made == {} and built.searched == built.styled == set() and built.files == before


#: What changes → steps and pages that are made anew.
KINDS: dict[str, tuple[Callable[[Book], None], dict[str, set[str]]]] = {
    "a page's text": (
        lambda book: book.edit("docs/zh/autograd/leaf.md", "。", "；。"),
        {
            "content": of("zh/autograd/leaf"),
            "away": of("zh/autograd/leaf"),
            "markdown": of("zh/autograd/leaf"),
            "frame": frames("zh/autograd/leaf"),
        },
    ),
    "what a page is called in the navigation": (
        lambda book: book.edit("docs/en/tensors/print.md", "nav: ", "nav: So "),
        {
            "content": of("en/tensors/print"),
            "away": of("en/tensors/print"),
            "frame": frames("en/tensors/print", "en/autograd/leaf"),  # the one before it links to it
        },
    ),
    "what a script prints": (
        lambda book: (
            book.edit("examples/tensors/print.py", "import torch", "import torch\n\nprint('more')"),
            [path.unlink() for path in (book.root / "outputs/cpu/tensors").glob("print.ipynb")],
        ),
        {
            "content": of(*both("tensors/print")),
            "away": of(*both("tensors/print")),
            "markdown": of(*both("tensors/print")),
            "frame": frames(*both("tensors/print")),
        },
    ),
    "a template of recipes": (
        lambda book: book.edit("../../overrides/partials/take.html", "<ul ", '<ul data-x="1" '),
        {"frame": frames(*both(*RECIPES))},
    ),
    "a template of notebook views": (
        lambda book: book.edit("../../overrides/notebook.html", "<div ", '<div data-x="1" '),
        {"frame": frames(*both(*RECIPES)) - frames(*both(*RECIPES), views=False)},
    ),
    "a template that hides one of Material's": (
        lambda book: (book.root / "../../overrides/partials/top.html").write_text("<!-- top -->"),
        {"frame": frames(*EVERY)},
    ),
    "a setting of one language": (
        lambda book: book.edit("../../mkdocs.yml", "site_name: PyTorch Verbatim", "site_name: Another"),
        {"away": of(*(f"en/{recipe}" for recipe in RECIPES)), "frame": frames(*(f"en/{page}" for page in PAGES))},
    ),
    "a setting of Markdown": (
        lambda book: book.edit("../../mkdocs.yml", "anchor_linenums: false", "anchor_linenums: true"),
        {"content": of(*EVERY), "frame": frames(*EVERY)},
    ),
    "a stylesheet": (
        lambda book: book.edit("docs/assets/site.css", "{", "{ --x: 1;"),
        {"frame": frames(*EVERY)},
    ),
    "a page in a section": (
        lambda book: add(book, "autograd/leaf"),
        {
            "content": of(*both("autograd/leaf-new")),
            "markdown": of(*both(*PAGES, "autograd/leaf-new")),  # each says where there is an index of all
            "frame": frames(*both("autograd/leaf", "autograd/leaf-new", "tensors/print")),  # the next links to it
        },
    ),
    "a page in the last section": (
        lambda book: add(book, "tensors/print"),
        {
            "content": of(*both("tensors/print-new")),
            "markdown": of(*both(*PAGES, "tensors/print-new")),
            "frame": frames(*both("tensors/print", "tensors/print-new")),
        },
    ),
    "the order of the navigation": (
        lambda book: book.edit(
            "topics.yml", "autograd:\n  leaf:\n\ntensors:\n  print:\n", "tensors:\n  print:\n\nautograd:\n  leaf:\n"
        ),
        {"frame": frames(*EVERY)},
    ),
}


#: What changes → templates that are compiled anew.
TEMPLATES = {
    "a template of recipes": {"partials/take.html"},
    "a template of notebook views": {"notebook.html"},
    "a template that hides one of Material's": {"partials/top.html"},
}


#: What changes → pages that the search indexes anew.
SEARCHED = {
    "a page's text": {"autograd/leaf/"},
    "what a script prints": {"tensors/print/", "en/tensors/print/"},
    "a page in a section": {"autograd/leaf-new/", "en/autograd/leaf-new/"},
    "a page in the last section": {"tensors/print-new/", "en/tensors/print-new/"},
}


@pytest.mark.parametrize("kind", KINDS)
def test_just_the_pages_that_depend_on_what_changed_are_made_anew(book, kind, monkeypatch):
    change, expected = KINDS[kind]
    checked: list[str] = []
    monkeypatch.setattr(wording, "check_words", lambda page: checked.append(page.path) or iter(()))
    compiled, compile_ = [], jinja2.Environment.compile
    monkeypatch.setattr(
        jinja2.Environment,
        "compile",
        lambda env, source, name=None, *a, **k: compiled.append(name) or compile_(env, source, name, *a, **k),
    )
    change(book)
    built = book.build()
    assert set(compiled) == TEMPLATES.get(kind, set())
    assert built.made == expected
    assert built.searched == SEARCHED.get(kind, set())
    if kind == "a page's text":
        assert built.styled == set()
        assert checked == ["docs/zh/autograd/leaf.md"]
    checked.clear()
    again = book.build(clean=True)
    assert {"main.html", "notebook.html", "404.html"} <= set(compiled)
    pages = [path for language in ("en", "zh") for path in (book.root / "docs" / language).rglob("*.md")]
    assert sorted(checked) == sorted(path.relative_to(book.root).as_posix() for path in pages)
    assert again.files == built.files
    assert again.known.items() == built.known.items()
    assert again.taken == {}


def test_a_page_that_is_removed_concerns_those_that_showed_it(book):
    before = book.build().files
    add(book, "tensors/print")
    book.build()
    remove(book, "tensors/print")
    built = book.build()
    assert built.made == {"markdown": of(*EVERY), "frame": frames(*both("tensors/print"))}
    assert built.files == before


def test_where_material_shows_the_pages_of_every_section_a_new_one_concerns_all(book):
    book.edit("../../mkdocs.yml", "    - navigation.prune\n", "")
    book.build()
    add(book, "tensors/print")
    built = book.build()
    assert built.made["frame"] == frames(*both(*PAGES, "tensors/print-new"))
    assert built.files == book.build(clean=True).files


def test_another_version_of_a_package_or_another_engine_makes_everything_anew(book, monkeypatch):
    installed = reuse.packages()
    monkeypatch.setattr(reuse, "packages", lambda: [*installed, "other-1.0.dist-info"])
    reuse.maker.cache_clear()
    assert book.build().made["content"] == of(*EVERY)
    assert len(list((book.root / ".cache/verbatim").glob("passed-*.json"))) == 2  # all pages were checked again
    engine = book.root / "engine"
    (engine / "site").mkdir(parents=True)
    (engine / "site/made.py").write_text("")
    monkeypatch.setattr(reuse, "ENGINE", engine)
    reuse.maker.cache_clear()
    before = reuse.maker()
    (engine / "site/made.py").write_text("#")
    reuse.maker.cache_clear()
    changed = reuse.maker()
    words = book.root / "words.js"
    words.write_text("//")
    monkeypatch.setattr(terms, "SCRIPT", words)
    reuse.maker.cache_clear()
    assert len({before, changed, reuse.maker()}) == 3


@pytest.fixture(autouse=True)
def _forget():
    yield
    reuse.maker.cache_clear()


def test_the_date_of_a_page_is_read_by_its_frame_alone(book, monkeypatch):
    date = datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
    monkeypatch.setattr(git, "changed", lambda root: {"docs/zh/tensors/print.md": date})
    assert book.build().made == {"frame": frames("zh/tensors/print")}


def test_where_pytorch_documents_a_name_is_read_by_the_pages_that_name_it(book, monkeypatch):
    found = api.Memory.address
    moved = "https://pytorch.org/elsewhere.html"
    monkeypatch.setattr(
        api.Memory, "address", lambda self, text: moved if text == "requires_grad_()" else found(self, text)
    )
    assert book.build().made == {}
    book.edit("docs/en/tensors/print.md", "\n## ", "\n`requires_grad_()`\n\n## ")
    book.build()
    monkeypatch.undo()
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    monkeypatch.setattr(untouched, "git", Another)  # else the site is left as it is: no file is another
    assert book.build().made["content"] == of("en/tensors/print")


def test_another_plugins_hand_in_pages_makes_every_page_anew(book):
    (book.root / "hook.py").write_text("def on_page_content(html, **_):\n    return html + '<!-- hook -->'\n")
    book.edit("mkdocs.yml", "theme:", "hooks: [hook.py]\ntheme:")
    config = load_config(str(book.root / "mkdocs.yml"))
    config.plugins.on_startup(command="build", dirty=False)
    mkdocs_build(config)
    config.plugins.on_shutdown()
    assert config.plugins["verbatim"].now.shelf is None
    assert b"<!-- hook -->" in (book.root / "site/tensors/print/index.html").read_bytes()


def test_a_damaged_page_is_made_again(book, caplog):
    before = book.build().files
    damaged = sorted((book.root / ".cache/verbatim").glob("frame-*.html"))[0]
    damaged.write_text(damaged.read_text().replace("<body", "<body data-damaged", 1))
    shutil.rmtree(book.root / "site")
    built = book.build()
    assert built.files == before and len(built.made["frame"]) == 1


def test_links_and_anchors_are_validated_on_pages_that_were_taken_too(book, caplog, monkeypatch):
    monkeypatch.setattr(checks, "check", lambda *_, **__: [])  # these would tell first
    book.edit("docs/zh/tensors/print.md", "](../autograd/leaf.md", "](../autograd/leaf.md#nowhere")
    book.edit("docs/en/tensors/print.md", "](../autograd/leaf.md", "](../autograd/gone.md")
    made = []
    for _ in range(2):
        caplog.clear()
        made.append(book.build().made.get("content"))
        told = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
        assert any("does not contain an anchor '#nowhere'" in text for text in told), told
        assert any("autograd/gone.md' is not found" in text for text in told), told
    assert made == [of(*both("tensors/print")), of("en/tensors/print")]  # what warns is made anew


# -- pages that are carried over ------------------------------------------------------------------


def _with_lists(book: Book) -> None:
    """Add a page that lists what others show."""
    book.edit("topics.yml", "index:\n", "index:\nways/names:\n")
    for language, title in (("zh", "名字"), ("en", "Names")):
        page = book.root / f"docs/{language}/ways/names.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"---\ntitle: {title}\ndescription: {title}\n---\n\n# {title}\n\n```verbatim\nnames\n```\n")


def _less_sure(book: Book, release: str) -> None:
    """Have what another release printed for a cell be of other code than now."""
    path = book.root / f"outputs/versions/{release}/manifest.json"
    document = json.loads(path.read_text())
    cells = document["recipes"]["tensors/print"]
    name = next(iter(cells))
    cells[name] = "0" * 8 + cells[name][8:]
    path.write_text(versions._sealed(document))


class Another:
    """Stands in for git, in another commit."""

    run = staticmethod(lambda *_: "another commit")


DATE = datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
SHOW = both("tensors/print")
#: What changes → pages that are not carried over.
MADE: dict[str, tuple[Callable[[Book, Any], Any], list[str]]] = {
    "the git commit alone": (lambda book, patch: None, []),
    "a page's text": (lambda book, patch: book.edit("docs/en/tensors/print.md", "\n## ", "\nMore.\n\n## "), SHOW[1:]),
    "a page's keywords": (lambda book, patch: book.edit("docs/en/tensors/print.md", "\ndesc", "\nnav: P\ndesc"), EVERY),
    "what a script prints": (lambda book, patch: _print(book, "tensors/print", "more"), SHOW),
    "a helper that a script reads": (lambda book, patch: (book.root / "examples/_help.py").write_text("#"), EVERY),
    "what is known of another release": (lambda book, patch: _less_sure(book, "2.6.0"), SHOW),
    "a page's date": (
        lambda book, patch: patch.setattr(git, "changed", lambda root: {"docs/zh/index.md": DATE}),
        EVERY,
    ),
    "where PyTorch documents a name": (lambda book, patch: _moved(patch), both("autograd/leaf")),
    "a section that is behind": (lambda book, patch: _behind(patch, "docs/zh/tensors/print.md"), SHOW[:1]),
    "a template": (lambda book, patch: book.edit("../../overrides/main.html", "{% block", "\n{% block"), EVERY),
    "a setting": (lambda book, patch: book.edit("../../mkdocs.yml", "site_name: PyTorch", "site_name: A"), EVERY),
    "a stylesheet": (lambda book, patch: book.edit("docs/assets/site.css", "{", "{ --x: 1;"), EVERY),
    "a package": (lambda book, patch: patch.setattr(reuse, "packages", lambda: ["one"]), EVERY),
    "a new page": (
        lambda book, patch: shutil.copy(book.root / "docs/en/index.md", book.root / "docs/en/new.md"),
        EVERY,
    ),
    "a file of the site": (lambda book, patch: (book.root / "site/robots.txt").write_text("changed by hand"), EVERY),
}


def _print(book: Book, recipe: str, text: str) -> None:
    """Have a recipe print something, and have no record of it."""
    script = book.root / f"examples/{recipe}.py"
    script.write_text(script.read_text() + f"\nprint({text!r})\n")
    (book.root / f"outputs/cpu/{recipe}.ipynb").unlink(missing_ok=True)


def _moved(patch: Any) -> None:
    find = api.Memory.address
    patch.setattr(
        api.Memory, "address", lambda self, text: "https://example.com" if text == "backward()" else find(self, text)
    )


def _behind(patch: Any, page: str) -> None:
    item = freshness.Behind(page, 1, "", page.replace("/zh/", "/en/"), "0" * 40, 0)
    patch.setattr(freshness, "stale", lambda project, pages: [item])


@pytest.mark.parametrize("kind", MADE)
def test_pages_are_carried_over_unless_what_they_depend_on_changed(book, kind, monkeypatch):
    change, made = MADE[kind]
    _with_lists(book)
    monkeypatch.setattr(checks, "check", lambda *_, **__: [])  # a new page in one language alone
    book.build()
    reuse.maker.cache_clear()
    change(book, monkeypatch)
    monkeypatch.setattr(untouched, "git", Another)  # else a site is left as it is where no file is another
    built = book.build()
    assert built.carried == set(of(*EVERY)) - set(of(*made))
    if made is not EVERY:
        assert built.files == book.build(clean=True).files


def test_what_is_carried_over_is_linked_and_nothing_is_said_of_it(book, caplog):
    book.build()
    caplog.clear()
    caplog.set_level("INFO", "mkdocs")
    before = inodes(book)
    book.edit("docs/zh/tensors/print.md", "\n## ", "\n更多。\n\n## ")
    book.build()
    now = inodes(book)
    assert "Page skipped" not in caplog.text
    made = {name for name, inode in now.items() if before.get(name) != inode and name.startswith(("autograd/", "en/"))}
    assert not any(name.endswith((".py", ".ipynb", "/leaf/index.html", "leaf.md")) for name in made)
    assert "tensors/print/index.html" in {name for name in now if before.get(name) != now[name]}
    search = {name for name in now if name.startswith("assets/search/en/") and name.endswith(".js")}
    assert {name for name in search if before.get(name) != now[name]} == {"assets/search/en/index.js"}


def test_files_of_the_search_are_not_taken_from_a_site_that_was_edited(book):
    first = book.build().files
    for path in (book.root / "site/assets/search/en").glob("page-*.js"):
        path.write_text(path.read_text() + "// edited")
    assert book.build().files == first


def test_while_serving_pages_are_carried_over_from_what_was_served(book, tmp_path, monkeypatch):
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # else this process ends as a server does
    outlined = tmp_path / "outlined"
    outlined.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        settings = {"site_dir": str(outlined), "dev_addr": f"127.0.0.1:{free.getsockname()[1]}"}

    def build() -> None:
        mkdocs_build(load_config(str(book.root / "mkdocs.yml"), **settings), serve_url="http://localhost/")

    def whole() -> dict[str, bytes]:
        preview._look()  # nothing is to be shown first
        preview()
        return files()

    def files() -> dict[str, bytes]:
        site = Path(server.root)
        return {str(p.relative_to(site)): p.read_bytes() for p in sorted(site.rglob("*")) if p.is_file()}

    config = load_config(str(book.root / "mkdocs.yml"), **settings)
    config.plugins.on_startup(command="serve", dirty=False)
    plugin, server = config.plugins["verbatim"], Server(outlined)
    monkeypatch.setattr(server, "builder", build)
    build()
    assert not (outlined / "autograd/leaf/index.html").exists()  # until somebody asks for it
    config.plugins.on_serve(server, config=config, builder=build)
    preview = plugin.preview
    plugin.make("zh/autograd/leaf.md")
    assert {f"autograd/leaf/{name}" for name in ("index.html", "leaf.py", "notebook/index.html")} <= files().keys()

    first = whole()
    assert plugin.served.carried.pages == {}
    book.edit("docs/zh/tensors/print.md", "\n## ", "\n更多。\n\n## ")
    second = whole()
    assert set(plugin.served.carried.pages) == of(*EVERY) - of("zh/tensors/print")
    assert first.keys() == second.keys()
    assert {name.split("/")[0] for name in first if first[name] != second[name]} == {
        "tensors",
        "assets",
        "llms-full.txt",
    }
    # What is saved is shown at once; the whole build makes it again, even if it is what it was before.
    book.edit("docs/zh/tensors/print.md", "更多。", "还有。")
    book.edit("docs/zh/autograd/leaf.md", "\n## ", "\n更多。\n\n## ")
    assert plugin.saved(["docs/zh/autograd/leaf.md"]) == ["docs/zh/autograd/leaf.md"]
    assert "更多".encode() in files()["autograd/leaf/index.html"]
    book.edit("docs/zh/tensors/print.md", "还有。", "更多。")
    book.edit("docs/zh/autograd/leaf.md", "\n更多。\n\n## ", "\n## ")
    assert whole() == second
    assert set(plugin.served.carried.pages) == of(*EVERY) - of("zh/autograd/leaf")
    config.plugins.on_shutdown()
    server.socket.close()
    assert not Path(server.root).exists()


# -- the whole site -------------------------------------------------------------------------------


def inodes(book: Book) -> dict[str, int]:
    site = book.root / "site"
    return {p.relative_to(site).as_posix(): p.stat().st_ino for p in site.rglob("*") if p.is_file()}


def stamps(book: Book) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in (book.root / "site").rglob("*.html")}


def test_a_site_is_left_as_it_is_when_nothing_changed(book, caplog):
    book.build()
    before = stamps(book)
    caplog.set_level("INFO", "mkdocs")
    book.build()
    assert stamps(book) == before and "it is left as it is" in caplog.text
    book.build(clean=True)
    assert stamps(book) != before


@pytest.mark.parametrize(
    "change",
    [
        lambda book, patch: (book.root / "anything.txt").write_text("new"),
        lambda book, patch: (book.root / "docs/assets/favicon.svg").write_text("<svg/>"),
        lambda book, patch: (book.root / "../../overrides/partials/new.html").write_text(""),
        lambda book, patch: (book.root / "site/index.html").unlink(),
        lambda book, patch: (book.root / "site/index.html").write_text("changed by hand"),
        lambda book, patch: patch.setenv("SITE_URL", "https://example.com/"),
        lambda book, patch: patch.setattr(git, "run", lambda root, *_: "another commit"),
        lambda book, patch: patch.setattr(cache, "machine", lambda: "another machine"),
        lambda book, patch: (book.root / ".cache").rename(book.root / ".gone"),
    ],
)
def test_a_site_is_built_when_anything_that_could_be_read_or_the_site_is_another(book, change, monkeypatch):
    book.build()
    config = load_config(str(book.root / "mkdocs.yml"))
    plugin = config.plugins["verbatim"]
    with pytest.raises(SystemExit):
        plugin._leave(Path(config.site_dir), config)
    change(book, monkeypatch)
    config = load_config(str(book.root / "mkdocs.yml"))
    plugin._leave(Path(config.site_dir), config)  # goes on
    plugin.on_shutdown()


def test_what_warned_is_built_again_and_warns_again(book, caplog, monkeypatch):
    monkeypatch.setattr(checks, "check", lambda *_, **__: [])
    book.edit("docs/zh/tensors/print.md", "](../autograd/leaf.md", "](../autograd/leaf.md#nowhere")
    for _ in range(2):
        caplog.clear()
        built = book.build()
        assert "#nowhere" in caplog.text
    assert built.carried == of(*EVERY)  # links and anchors are validated on these, too


def test_a_page_that_warned_while_it_was_made_is_made_again(book, monkeypatch):
    squeeze = markup.squeeze

    def loud(html: str) -> str:
        if "更多" in html:
            logging.getLogger("mkdocs.templates").warning("something about this page")
        return squeeze(html)

    monkeypatch.setattr(markup, "squeeze", loud)
    book.edit("docs/zh/tensors/print.md", "\n## ", "\n更多。\n\n## ")
    book.build()
    assert book.build().carried == of(*EVERY) - of("zh/tensors/print")


# -- any edits ------------------------------------------------------------------------------------


def _edit(book: Book, dice: random.Random, kinds: Sequence[int]) -> str:
    """Change something, as somebody who writes might; return what."""
    language, name = dice.choice(("zh", "en")), dice.choice(PAGES)
    page = f"docs/{language}/{name}.md"
    text = (book.root / page).read_text()
    word = f"{'词' if language == 'zh' else 'word'} {dice.randrange(100)}"
    kind, other = dice.choice(kinds), dice.choice(RECIPES)
    if kind == 0:
        text = re.sub(r"\ntitle: .*\n", f"\ntitle: {word}\n", text)
        text = re.sub(r"\n# .*\n", f"\n# {word}\n", text)
    elif kind == 1:
        text = re.sub(r"\ndescription: .*\n", f"\ndescription: {word}\n", text)
    elif kind == 2:
        text = re.sub(r"\n(## .*?)( \{|\n)", rf"\n## {word}\2", text, count=1)
    elif kind == 3:
        text += f"\n{word} `torch.cat` \\(x_{dice.randrange(9)}\\)\n"
    elif kind == 4:
        up = "../" if "/" in name else ""
        text += f"\n[{word}]({up}{other}.md)\n"
    elif kind == 5:
        _print(book, other, word)
    elif kind == 6:
        template = book.root / "../../overrides" / dice.choice(("main.html", "notebook.html", "partials/take.html"))
        template.write_text(template.read_text() + f"{{# {word} #}}")
    elif kind == 7:
        (remove if f"{other.partition('/')[2]}-new:" in (book.root / "topics.yml").read_text() else add)(book, other)
    else:
        setting = book.root / "../../mkdocs.yml"
        setting.write_text(re.sub(r"site_name: .*", f"site_name: {word}", setting.read_text(), count=dice.randrange(3)))
    (book.root / page).write_text(text)
    return f"{kind} {page} {word}"


@pytest.mark.parametrize(
    ("seed", "kinds"), [*((seed, range(9)) for seed in range(3)), (3, (2, 3, 4, 5)), (4, (3, 5)), (5, (0, 3, 7))]
)
def test_after_any_edits_the_site_is_what_a_clean_build_makes(book, seed, kinds, monkeypatch):
    monkeypatch.setattr(checks, "check", lambda *_, **__: [])  # edits in one language alone, links to what is gone
    dice = random.Random(seed)
    done = []
    for _ in range(3):
        done += [_edit(book, dice, kinds) for _ in range(dice.randint(1, 3))]
        built = book.build()
    clean = book.build(clean=True)
    assert built.files.keys() == clean.files.keys(), done
    assert not [name for name in built.files if built.files[name] != clean.files[name]], done
    assert built.known == clean.known, done

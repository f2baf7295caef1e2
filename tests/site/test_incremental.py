"""Pages that are reused: just those that are what they were, byte for byte what a clean build makes."""

from __future__ import annotations

import contextlib
import datetime
import json
import logging
import random
import re
import shutil
import signal
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config

from tests.site.test_serve import Server
from verbatim import checks, git, memo
from verbatim.book.releases import files
from verbatim.checks import wording
from verbatim.incremental import inputs
from verbatim.lists import api
from verbatim.pages import freshness
from verbatim.project import Project
from verbatim.run import cache
from verbatim.site import command, site_build
from verbatim.site.downloads import recipe
from verbatim.site.html import markup
from verbatim.site.pages import LanguagePages
from verbatim.site.search import index

ROOT = Path(__file__).parents[2]
PAGES = ("index", "autograd/leaf", "tensors/print")
RECIPES = PAGES[1:]


class Book:
    """A copy of the miniature with templates and settings of its own."""

    def __init__(self, folder: Path):
        self.root = folder / "tests/miniature"
        shutil.copytree(ROOT / "tests/miniature", self.root, symlinks=True, ignore=shutil.ignore_patterns(".cache"))
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
        made: dict[str, set[str]] = {}
        with pytest.MonkeyPatch.context() as patch:
            for step, owner, name, page_of in (
                ("content", LanguagePages, "_rendered", lambda page: page.file.src_uri),
                ("downloads", recipe.RecipeDownloads, "_make", lambda page: page.path.removeprefix("docs/")),
                ("search", index, "files", lambda pages: pages[0].url[:2]),
            ):
                patch.setattr(owner, name, _noting(made.setdefault(step, set()), getattr(owner, name), page_of))
            if clean:
                patch.setenv("VERBATIM_CLEAN", "1")
            config = load_config(str(self.root / "mkdocs.yml"))
            plugin = config.plugins["verbatim"]
            config.plugins.on_startup(command="build", dirty=False)
            try:
                mkdocs_build(config)
            finally:
                config.plugins.on_shutdown()
        site, site_build = self.root / "site", plugin.site_build
        files = {str(p.relative_to(site)): p.read_bytes() for p in sorted(site.rglob("*")) if p.is_file()}
        known = {f.src_uri: _known(f.page) for pages in plugin.languages.values() for f in pages.documents}
        return Built(files, known, set(site_build.reuse.pages) if site_build.reuse else set(), made)


def _noting(made: set[str], function: Callable[..., Any], name: Callable[[Any], str]) -> Callable[..., Any]:
    """Return `function`, which now notes what it is called for: its first argument, or a method's second."""
    of = 0 if function.__name__ == "files" else 1

    def noting(*arguments: Any, **options: Any) -> Any:
        made.add(name(arguments[of]))
        return function(*arguments, **options)

    return noting


class Built:
    def __init__(self, files: dict[str, bytes], known: Any, reused: set[str], made: dict[str, set[str]]):
        self.files, self.known, self.reused, self.made = files, known, reused, made


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
    made.root = tmp_path / "tests/miniature"
    return made


def add(book: Book, after: str) -> None:
    """Add a page without a script, in both languages; in the navigation it follows another."""
    name = after.partition("/")[2]
    book.edit("book/topics.yml", f"  {name}:\n", f"  {name}:\n  {name}-new:\n")
    for language, said in (("zh", "新的一页"), ("en", "A new page")):
        title = f"{said} ({name})"
        (book.root / f"docs/{language}/{after}-new.md").write_text(
            f"---\ntitle: {title}\ndescription: {title}…\n---\n\n# {title}\n\n**{title}**\n"
        )


def remove(book: Book, after: str) -> None:
    """Remove what `add` added."""
    book.edit("book/topics.yml", f"  {after.partition('/')[2]}-new:\n", "")
    for language in ("zh", "en"):
        (book.root / f"docs/{language}/{after}-new.md").unlink()


def both(*pages: str) -> list[str]:
    return [f"{language}/{page}" for language in ("zh", "en") for page in pages]


def of(*pages: str) -> set[str]:
    return {f"{page}.md" for page in pages}


EVERY = both(*PAGES)


def test_nothing_is_made_when_only_the_site_is_gone(book):
    before = book.build().files
    shutil.rmtree(book.root / "site")
    built = book.build()
    assert built.made == {"content": set(), "downloads": set(), "search": set()} and built.files == before
    assert built.reused == set()


#: What changes → steps and pages that are made anew, where no page can be reused whole.
KINDS: dict[str, tuple[Callable[[Book], None], dict[str, set[str]]]] = {
    "a template": (lambda book: book.edit("../../overrides/main.html", "{% block", "\n{% block"), {}),
    "a template that hides one of Material's": (
        lambda book: (book.root / "../../overrides/partials/top.html").write_text("<!-- top -->"),
        {},
    ),
    "a stylesheet": (lambda book: book.edit("docs/assets/site.css", "{", "{ --x: 1;"), {}),
    "what a page is called in the navigation": (
        lambda book: book.edit("docs/en/tensors/print.md", "nav: ", "nav: So "),
        {"content": of("en/tensors/print"), "downloads": of("en/tensors/print")},
    ),
    "a setting of one language": (
        lambda book: book.edit("../../mkdocs.yml", "site_name: PyTorch Verbatim", "site_name: Another"),
        {"downloads": of(*(f"en/{recipe}" for recipe in RECIPES))},
    ),
    "a setting of Markdown": (
        lambda book: book.edit("../../mkdocs.yml", "anchor_linenums: false", "anchor_linenums: true"),
        {"content": of(*EVERY)},
    ),
    "a page in a section": (
        lambda book: add(book, "autograd/leaf"),
        {"content": of(*both("autograd/leaf-new")), "search": {"", "en"}},
    ),
    "the order of the navigation": (
        lambda book: book.edit(
            "book/topics.yml",
            "autograd:\n  leaf:\n\ntensors:\n  print:\n",
            "tensors:\n  print:\n\nautograd:\n  leaf:\n",
        ),
        {"search": {"", "en"}},  # pages that show one message stand in reading order there
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_a_page_shows_is_made_anew_only_where_it_changed(book, kind):
    change, expected = KINDS[kind]
    change(book)
    built = book.build()
    assert built.reused == set()
    assert {step: pages for step, pages in built.made.items() if pages} == expected
    again = book.build(clean=True)
    assert again.files == built.files and again.known == built.known
    assert again.made["content"] >= of(*EVERY)


def test_only_pages_that_changed_are_checked_again(book, monkeypatch):
    checked: list[str] = []
    monkeypatch.setattr(wording, "check_words", lambda page: checked.append(page.path) or iter(()))
    book.edit("docs/zh/autograd/leaf.md", "。", "；。")
    built = book.build()
    both = ["docs/en/autograd/leaf.md", "docs/zh/autograd/leaf.md"]  # keywords of one may be answered by the other
    assert sorted(checked) == both and built.made["search"] == {""}
    checked.clear()
    book.build(clean=True)
    pages = [path for language in ("en", "zh") for path in (book.root / "docs" / language).rglob("*.md")]
    assert sorted(checked) == sorted(path.relative_to(book.root).as_posix() for path in pages)


def test_each_page_of_a_path_says_which_step_it_is_also_when_one_is_added(book: Book):
    book.edit("docs/en/tensors/print.md", "\nnav:", "\npath: true\nnav:")
    add(book, "tensors/print")
    built = book.build()
    assert b'<p class="step">Step 1 of 1</p>' in built.files["en/tensors/print-new/index.html"]
    assert (
        b'class="step"' not in built.files["en/tensors/print/index.html"] + built.files["tensors/print-new/index.html"]
    )
    name = "en/tensors/print/pytorch-verbatim-tensors-en.ipynb"
    assert b"tensors-en.ipynb" not in built.files["en/tensors/print-new/index.html"]
    assert b"tensors-en.ipynb" in built.files["en/tensors/print/index.html"]
    before = built.files[name]
    add(book, "tensors/print-new")
    built = book.build()
    assert built.files[name] != before and built.files == book.build(clean=True).files
    assert b"Step 1 of 2<" in built.files["en/tensors/print-new/index.html"]
    assert b"Step 2 of 2<" in built.files["en/tensors/print-new-new/index.html"]


def test_a_page_that_was_added_and_removed_leaves_nothing(book):
    before = book.build().files
    add(book, "tensors/print")
    assert book.build().files == book.build(clean=True).files != before
    remove(book, "tensors/print")
    assert book.build().files == before


def test_a_name_that_moved_in_pytorchs_documentation_concerns_the_pages_that_name_it(book, monkeypatch):
    _moved(monkeypatch)
    assert book.build().made["content"] == of(*both("autograd/leaf"))


@pytest.fixture(autouse=True)
def _forget():
    yield
    memo.engine.cache_clear()


def test_another_plugins_hand_in_pages_makes_every_page_anew(book):
    (book.root / "hook.py").write_text("def on_page_content(html, **_):\n    return html + '<!-- hook -->'\n")
    book.edit("mkdocs.yml", "theme:", "hooks: [hook.py]\ntheme:")
    config = load_config(str(book.root / "mkdocs.yml"))
    config.plugins.on_startup(command="build", dirty=False)
    mkdocs_build(config)
    config.plugins.on_shutdown()
    assert config.plugins["verbatim"].site_build.reuse is None
    assert b"<!-- hook -->" in (book.root / "site/tensors/print/index.html").read_bytes()


def test_what_is_damaged_in_the_store_is_made_again(book):
    before = book.build().files
    with contextlib.closing(sqlite3.connect(book.root / ".cache/verbatim" / memo.NAME)) as rows, rows:
        rows.execute("UPDATE memo SET data = substr(data, 1, length(data) - 3)")
    built = book.build()
    assert built.files == before and built.made["content"] == of(*EVERY)


def test_links_and_anchors_are_validated_on_pages_that_were_taken_too(book, caplog, monkeypatch):
    monkeypatch.setattr(checks, "check", lambda *_, **__: [])  # these would tell first
    book.edit("docs/zh/tensors/print.md", "](../autograd/leaf.md", "](../autograd/leaf.md#nowhere")
    book.edit("docs/en/tensors/print.md", "](../autograd/leaf.md", "](../autograd/gone.md")
    made = []
    for _ in range(2):
        caplog.clear()
        made.append(book.build().made["content"])
        told = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
        assert any("does not contain an anchor '#nowhere'" in text for text in told), told
        assert any("autograd/gone.md' is not found" in text for text in told), told
    assert made == [of(*both("tensors/print")), of("en/tensors/print")]  # what warns is made anew


# -- pages that are reused whole ------------------------------------------------------------------------


def _with_lists(book: Book) -> None:
    """Add a page that lists what others show."""
    book.edit("book/topics.yml", "index:\n", "index:\nways/names:\n")
    for language, title in (("zh", "名字"), ("en", "Names")):
        page = book.root / f"docs/{language}/ways/names.md"
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"---\ntitle: {title}\ndescription: {title}…\n---\n\n# {title}\n\n```verbatim\nnames\n```\n")


def _less_sure(book: Book, release: str) -> None:
    """Have what another release printed for a cell be of other code than now."""
    path = book.root / f"outputs/versions/{release}/manifest.json"
    document = json.loads(path.read_text())
    cells = document["recipes"]["tensors/print"]
    name = next(iter(cells))
    cells[name] = "0" * 8 + cells[name][8:]
    path.write_text(files._sealed(document))


class Another:
    """Stands in for git, in another commit."""

    run = staticmethod(lambda *_: "another commit")


DATE = datetime.datetime(2026, 11, 22, tzinfo=datetime.UTC)
SHOW = both("tensors/print")
#: What changes → pages that are not reused.
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
    "a package": (lambda book, patch: patch.setattr(memo, "packages", lambda: ["one"]), EVERY),
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
    find = api.Addresses.address
    patch.setattr(
        api.Addresses, "address", lambda self, text: "https://example.com" if text == "backward()" else find(self, text)
    )


def _behind(patch: Any, page: str) -> None:
    item = freshness.StaleSection(page, 1, "", page.replace("/zh/", "/en/"))
    patch.setattr(freshness, "stale", lambda *_: [item])


@pytest.mark.parametrize("kind", MADE)
def test_pages_are_reused_unless_what_they_depend_on_changed(book, kind, monkeypatch):
    change, made = MADE[kind]
    _with_lists(book)
    monkeypatch.setattr(checks, "check", lambda *_, **__: [])  # a new page in one language alone
    book.build()
    memo.engine.cache_clear()
    change(book, monkeypatch)
    monkeypatch.setattr(inputs, "git", Another)
    built = book.build()
    assert built.reused & of(*EVERY) == of(*EVERY) - of(*made)
    if made is not EVERY:
        assert built.files == book.build(clean=True).files


def test_what_is_reused_is_linked(book):
    book.build()
    before = inodes(book)
    book.edit("docs/zh/tensors/print.md", "\n## ", "\n更多。\n\n## ")
    book.build()
    now = inodes(book)
    made = {name for name, inode in now.items() if before.get(name) != inode}
    assert not any(name.endswith(("/leaf.py", "/leaf.ipynb", "leaf/notebook/index.html")) for name in made)
    assert {"tensors/print/index.html", "tensors/print/print.ipynb"} <= made


def test_a_page_with_lists_is_reused_while_the_lists_say_the_same(book):
    _with_lists(book)
    book.build()
    book.edit("docs/zh/tensors/print.md", "\n## ", "\n更多。\n\n## ")
    assert book.build().reused >= of(*both("ways/names"))
    _print(book, "tensors/print", "more")
    script = book.root / "examples/tensors/print.py"
    script.write_text(script.read_text() + "\ntorch.ones(2).sum()\n")
    assert not book.build().reused & of(*both("ways/names"))


def test_while_serving_pages_are_reused_from_what_was_served(book, tmp_path, monkeypatch):
    monkeypatch.setattr(signal, "signal", lambda *_: None)  # else this process ends as a server does
    outlined = tmp_path / "outlined"
    outlined.mkdir()
    settings = {"site_dir": str(outlined), "dev_addr": "127.0.0.1:0"}

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
    # until somebody asks for it, a page that says so stands there
    assert "X-Verbatim-Waiting" in (outlined / "autograd/leaf/index.html").read_text()
    config.plugins.on_serve(server, config=config, builder=build)
    preview = plugin.preview
    plugin.page_builder.make("zh/autograd/leaf.md")
    assert {f"autograd/leaf/{name}" for name in ("index.html", "leaf.py", "notebook/index.html")} <= files().keys()

    first = whole()
    assert plugin.page_builder.site_build.reuse.pages == {}
    book.edit("docs/zh/tensors/print.md", "\n## ", "\n更多。\n\n## ")
    second = whole()
    assert set(plugin.page_builder.site_build.reuse.pages) == of(*EVERY) - of("zh/tensors/print")
    assert first.keys() == second.keys()
    assert {name.split("/")[0] for name in first if first[name] != second[name]} == {
        "tensors",
        "assets",
        "llms-full.txt",
    }
    # What is saved is shown at once; the whole build makes it again, even if it is what it was before.
    book.edit("docs/zh/tensors/print.md", "更多。", "还有。")
    book.edit("docs/zh/autograd/leaf.md", "\n## ", "\n更多。\n\n## ")
    assert plugin.page_builder.saved(["docs/zh/autograd/leaf.md"]) == ["docs/zh/autograd/leaf.md"]
    assert "更多".encode() in files()["autograd/leaf/index.html"]
    book.edit("docs/zh/tensors/print.md", "还有。", "更多。")
    book.edit("docs/zh/autograd/leaf.md", "\n更多。\n\n## ", "\n## ")
    assert whole() == second
    assert set(plugin.page_builder.site_build.reuse.pages) == of(*EVERY) - of("zh/autograd/leaf")
    # What a saved script prints stands in its page's downloads, too.
    with (book.root / "examples/autograd/leaf.py").open("a") as script:
        script.write('\nprint("printed now")\n')
    assert "docs/zh/autograd/leaf.md" in plugin.page_builder.saved(["examples/autograd/leaf.py"])
    assert b"printed now" in files()["autograd/leaf/leaf.ipynb"]
    config.plugins.on_shutdown()
    server.socket.close()
    assert not Path(server.root).exists()


# -- the whole site -------------------------------------------------------------------------------


def inodes(book: Book) -> dict[str, int]:
    site = book.root / "site"
    return {p.relative_to(site).as_posix(): p.stat().st_ino for p in site.rglob("*") if p.is_file()}


def stamps(book: Book) -> dict[Path, int]:
    return {path: path.stat().st_mtime_ns for path in (book.root / "site").rglob("*.html")}


def unchanged(book: Book, capsys: Any) -> bool:
    """Build with the command; return whether it left the site as it is."""
    project, before = Project(book.root), stamps(book)
    capsys.readouterr()
    assert command.build(project, strict=False, clean=False, offline=False) == 0
    left = "it is left as it is" in capsys.readouterr().out
    assert left == (stamps(book) == before)
    return left


def test_a_site_is_left_as_it_is_when_nothing_changed(book, capsys):
    book.build()
    assert unchanged(book, capsys)
    assert command.build(Project(book.root), strict=False, clean=True, offline=False) == 0
    assert "left" not in capsys.readouterr().out
    assert unchanged(book, capsys)


@pytest.mark.parametrize(
    "change",
    [
        lambda book, patch: (book.root / "anything.txt").write_text("new"),
        lambda book, patch: (book.root / "docs/assets/favicon.svg").write_text(
            '<svg xmlns="http://www.w3.org/2000/svg"/>'
        ),
        lambda book, patch: (book.root / "../../overrides/partials/new.html").write_text(""),
        lambda book, patch: (book.root / "site/index.html").unlink(),
        lambda book, patch: (book.root / "site/index.html").write_text("changed by hand"),
        lambda book, patch: patch.setenv("SITE_URL", "https://example.com/"),
        lambda book, patch: patch.setattr(git, "run", lambda root, *_: "another commit"),
        lambda book, patch: patch.setattr(cache, "machine", lambda: "another machine"),
        lambda book, patch: (book.root / ".cache").rename(book.root / ".gone"),
    ],
)
def test_a_site_is_built_when_anything_that_could_be_read_or_the_site_is_another(book, change, monkeypatch, capsys):
    book.build()
    change(book, monkeypatch)
    assert not unchanged(book, capsys)


@pytest.mark.parametrize("when", ["read", "rendered", "finished"])
def test_what_is_saved_during_a_build_and_undone_is_built_again(book, when, monkeypatch, capsys):
    page = book.root / "docs/zh/tensors/print.md"
    text = page.read_text()
    # Pages are read after the inputs were hashed.
    owner, name = {
        "read": (site_build, "gather"),
        "rendered": (LanguagePages, "_rendered"),
        "finished": (index, "files"),
    }[when]
    step = getattr(owner, name)

    def save_and_go_on(*arguments: Any) -> Any:
        page.write_text(text + "\n保存的。\n")
        return step(*arguments)

    if when != "read":
        book.edit("docs/en/autograd/leaf.md", "\n## ", "\nMore.\n\n## ")
    monkeypatch.setattr(owner, name, save_and_go_on)
    command.build(Project(book.root), strict=False, clean=False, offline=False)
    monkeypatch.undo()
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    page.write_text(text)
    assert not unchanged(book, capsys)
    assert "保存的".encode() not in (book.root / "site/tensors/print/index.html").read_bytes()


def test_what_warned_is_built_again_and_warns_again(book, caplog, monkeypatch):
    monkeypatch.setattr(checks, "check", lambda *_, **__: [])
    book.edit("docs/zh/tensors/print.md", "](../autograd/leaf.md", "](../autograd/leaf.md#nowhere")
    for _ in range(2):
        caplog.clear()
        built = book.build()
        assert "#nowhere" in caplog.text
    assert built.reused == of(*EVERY)  # links and anchors are validated on these, too


def test_a_page_that_warned_while_it_was_made_is_made_again(book, monkeypatch):
    squeeze = markup.squeeze

    def loud(html: str) -> str:
        if "另有一句" in html:
            logging.getLogger("mkdocs.templates").warning("something about this page")
        return squeeze(html)

    monkeypatch.setattr(markup, "squeeze", loud)
    book.edit("docs/zh/tensors/print.md", "\n## ", "\n另有一句。\n\n## ")
    book.build()
    assert book.build().reused == of(*EVERY) - of("zh/tensors/print")


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
        (remove if f"{other.partition('/')[2]}-new:" in (book.root / "book/topics.yml").read_text() else add)(
            book, other
        )
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

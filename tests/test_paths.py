"""A name that becomes a path is that of a recipe or nothing, wherever it is read; and nothing is written elsewhere."""

from __future__ import annotations

import json

import pytest

from tests.checks.recipe import EN, MAP, ZH, written
from verbatim import move, paths
from verbatim.checks.files import check_files
from verbatim.pages import chapters, moved
from verbatim.problems import Problems
from verbatim.site.output import put

#: What somebody may write where a name is expected, so that a file comes to lie elsewhere, or nowhere.
HOSTILE = [
    "../../../evil",
    "/tmp/evil/name",
    "topic/../../evil",
    "topic/./x",
    "topic//x",
    "topic/",
    "/topic",
    "..\\..\\x/y",
    "topic/a\\b",
    "topic/con",
    "nul/x",
    "topic/site.css",
    'topic/a"><script>alert(1)</script>',
    "topic/a\n::error::b",
    f"topic/{'x' * 300}",
    "topic/x y",
    "topic/Å",
    "~/x",
    "",
]
#: Names that no recipe can have, because the site has something else there.
TAKEN = ["en/topic", "zh/x", "assets/x", "pip/x"]


@pytest.fixture
def book(tmp_path):
    return written(tmp_path / "book")


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_name_is_told_in_one_line_that_prints(book, name):
    fact = paths.unfit(name)
    assert fact and fact.isprintable() and len(fact) < 200


@pytest.mark.parametrize(
    "name", ["autograd/detach", "index", "ways/errors/others", "torch-2-0/x", "a" * paths.MOST_LETTERS]
)
def test_names_of_recipes_are_names(book, name):
    assert paths.unfit(name) == "" == book.unfit(name)


@pytest.mark.parametrize("name", [*HOSTILE, *TAKEN, "topic/index", "evil", "topic/join/x"])
@pytest.mark.parametrize("line", ["{}: topic/join", "topic/old: {}"])
def test_a_page_that_moved_had_the_name_of_a_recipe_and_has_one(book, name, line):
    text = line.format(json.dumps(name))
    (book.root / "book/moved.yml").write_text(f"# Moved.\n{text}\ntopic/other: topic/join\n")
    assert moved.read(book) == {"topic/other": "topic/join"}
    found = [str(problem) for problem in moved.check(book, [])]
    assert any(one.startswith("book/moved.yml:2: `") or one.startswith("book/moved.yml:2: Windows") for one in found), (
        found
    )
    assert all(one.partition("\n")[0].isprintable() for one in found)


@pytest.mark.parametrize(
    "name", [name for name in (*HOSTILE, *TAKEN) if name not in ("topic/./x", "topic//x", "topic/", "")]
)
def test_the_map_names_pages_and_nothing_else(book, name):
    chapter, _, page = name.partition("/")
    (book.root / "book/topics.yml").write_text(
        f"{MAP}? {json.dumps(chapter)}\n: {{{json.dumps(page)}: }}\n", encoding="utf-8"
    )
    found = chapters.read(book)
    assert [entry.name for entry in found.entries] == [entry.name for entry in _sound(book)]
    assert [(problem.path, problem.hint) for problem in found.problems] == [("book/topics.yml", paths.HINT)]
    assert found.problems[0].line == MAP.count("\n") + 2


def test_a_chapter_may_show_a_page_of_another_one(book):
    (book.root / "book/topics.yml").write_text("a:\n  x:\nb:\n  ../a/y:\n")
    assert [(entry.name, entry.chapter) for entry in chapters.read(book).entries] == [("a/x.md", "a"), ("a/y.md", "b")]
    assert not chapters.read(book).problems


def _sound(book):
    (book.root / "book/topics.yml").write_text(MAP)
    return chapters.read(book).entries


def test_a_list_is_no_name_of_a_chapter_or_a_page(book):
    for text in ("? [a, b]\n: {x: }\n", "a:\n  ? [b]\n  :\n"):
        (book.root / "book/topics.yml").write_text(text)
        assert chapters.read(book).problems and not chapters.read(book).entries


@pytest.mark.parametrize("name", ["../outside", "topic/../../outside"])
def test_no_command_takes_a_file_outside_for_a_recipe(book, name):
    outside = book.root / "outside.py"
    outside.write_text("print(1)\n")
    for refused in (
        lambda: book.select([name]),
        lambda: move.remove(book, name),
        lambda: move.move(book, name, "topic/new"),
        lambda: move.move(book, "topic/join", name),
    ):
        with pytest.raises(Problems):
            refused()
    assert outside.is_file() and (book.root / EN).is_file() and (book.root / ZH).is_file()


def test_a_page_stands_in_no_folder_that_the_site_has_for_something_else(book):
    for place in ("docs/zh/en/topic.md", "docs/zh/assets/x.md", "examples/en/topic.py"):
        (book.root / place).parent.mkdir(parents=True)
        (book.root / place).write_text("")
    found = [str(problem) for problem in check_files(book)]
    assert [one.partition("\n")[0] for one in found] == [
        "examples/en/topic.py: `en` is a folder of the site that holds something else",
        "docs/zh/assets/x.md: `assets` is a folder of the site that holds something else",
        "docs/zh/en/topic.md: `en` is a folder of the site that holds something else",
    ]


@pytest.mark.parametrize(
    "place", ["../x.html", "a/../../x.html", "/x.html", "a//x.html", "..\\x.html", "", "a/./x", "a\0"]
)
def test_nothing_is_written_outside_of_the_site(tmp_path, place):
    site = tmp_path / "site"
    site.mkdir()
    with pytest.raises(Problems, match="leaves the folder"):
        put(site, place, "text")
    assert [*tmp_path.rglob("*")] == [site]
    put(site, "a/b/index.html", "text")
    assert (site / "a/b/index.html").read_text() == "text"

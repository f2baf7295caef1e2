"""Pages without a network: shown, cut, as a release printed them, found; and what is said where they are missing."""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path

import pytest
from scripts.benchmarks.search.engine import Search
from verbatim.problems import Problems
from verbatim.project import Project
from verbatim.site.downloads import explain_book

from pytorch_verbatim import data, explaining, finding, markdown, pages
from pytorch_verbatim.__main__ import main

ROOT = Path(__file__).parents[2]
PAGES = Path(__file__).parent / "pages"


def told(capsys, *arguments: str) -> tuple[int, str, str]:
    try:
        code = main([*arguments])
    except SystemExit as error:
        code = error.code
    done = capsys.readouterr()
    return code, done.out, done.err


# -- the package of the pages ---------------------------------------------------------------------


def test_it_has_every_page_and_the_search_where_the_site_has_them(site, shelf):
    with zipfile.ZipFile(shelf / "pytorch_verbatim_book/book.zip") as packed:
        names = set(packed.namelist())
        assert {name for name in names if name.endswith(".md")} == {
            path.relative_to(site).as_posix() for path in site.rglob("*.md")
        }
        for name in ("engine.js", "words.js", "messages.js", "minisearch.js", "en/index.js", "zh/index.js"):
            assert packed.read(f"assets/search/{name}") == (site / "assets/search" / name).read_bytes()
        assert "assets/search/minisearch-license.txt" in names
        about = json.loads(packed.read("book.json"))
    assert about == {**data.book().about, "folders": {"zh": "", "en": "en/"}}


def test_a_site_that_is_not_built_or_older_is_refused(site, tmp_path):
    languages = Project(ROOT).languages
    with pytest.raises(Problems, match="not built"):
        explain_book.pack(tmp_path / "site", tmp_path / "book.zip", {"messages": 1}, languages, (), {})
    with pytest.raises(Problems, match="older"):
        explain_book.pack(site, tmp_path / "book.zip", {"messages": 1}, languages, ["RuntimeError: new"], {})
    known = {text for text, *_ in json.loads(Path(data.FILE).read_text(encoding="utf-8"))["texts"]}
    with pytest.raises(Problems, match=r"another en/tensors/save\.md"):
        explain_book.pack(
            site, tmp_path / "book.zip", data.book().about, languages, known, {"en/tensors/save.md": ("new", [])}
        )
    assert not (tmp_path / "book.zip").exists()


# -- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("autograd/detach", ("zh", "autograd/detach", "")),
        ("en/autograd/detach", ("en", "autograd/detach", "")),
        ("zh/autograd/detach.md", ("zh", "autograd/detach", "")),
        ("english", ("zh", "english", "")),
        ("/autograd/detach/#shared", ("zh", "autograd/detach", "shared")),
        ("autograd/detach.md", ("zh", "autograd/detach", "")),
        ("https://book.example/en/autograd/detach.md#shared", ("en", "autograd/detach", "shared")),
        ("https://book.example/autograd/", ("zh", "autograd", "")),
        ("autograd/index.md", ("zh", "autograd", "")),
        ("https://book.example/en/", ("en", "", "")),
        ("en", ("en", "", "")),
        ("", ("zh", "", "")),
        ("../../etc/passwd", ("zh", "../../etc/passwd", "")),
    ],
)
def test_a_page_is_named_by_its_address(shelf, text, is_it):
    assert pages.shelf().named(text, "zh") == is_it


def test_each_language_has_all_names(shelf):
    assert set(pages.shelf().names("en")) == {"", "autograd", "autograd/detach", "tensors/save"}
    assert set(pages.shelf().names("en")) == set(pages.shelf().names("zh"))


def test_an_address_without_a_language_is_that_of_the_first(shelf):
    assert pages.shelf().named("https://book.example/autograd/detach/", "en").language == "zh"


# -- show -----------------------------------------------------------------------------------------


def test_a_page_is_shown_as_markdown_in_a_pipe(shelf, capsys):
    code, out, err = told(capsys, "show", "autograd/detach", "--lang", "en")
    assert code == 0 and err == "" and out.startswith("# detach(): out of the graph\n")
    assert "## The memory is shared\n" in out and "{ #shared }" not in out
    assert 'print("# no heading { #no }")' in out  # code stays as it is
    assert (
        "> **Often said: never**\n>\n> It can.\n>\n> *Output*\n>\n> ```text\n> leaf\n>\n> leaf\n> ```\n\nThe end."
        in out
    )
    assert out.endswith("\n\nhttps://book.example/en/autograd/detach/\n")
    assert told(capsys, "show", "autograd/detach", "--lang", "zh")[1].startswith("# detach()：离开计算图\n")
    assert told(capsys, "show", "")[1].startswith("# PyTorch Verbatim\n")


def test_one_section_is_shown_with_what_is_below_it(shelf, capsys):
    out = told(capsys, "show", "autograd/detach#shared")[1]
    assert out == "## The memory is shared\n\nOne tensor more.\n\n### More of it\n\nDeeper.\n"


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("detach", ["autograd/detach"]),
        ("autograd/detatch", ["autograd/detach", "autograd"]),
        ("autograd/detach#share", ["autograd/detach#shared"]),
        ("qqq", []),
        ("\x1b[31m", []),
    ],
)
def test_an_unknown_page_tells_the_nearest(shelf, capsys, name, near):
    code, out, err = told(capsys, "show", name)
    assert (code, out) == (1, "") and [line.strip() for line in err.splitlines()[1:]] == near
    assert "\x1b" not in err


def test_a_page_that_has_moved_is_shown_by_its_old_name(shelf, capsys, monkeypatch):
    assert pages.shelf().about["moved"]["modules/sdpa"] == "language-models/sdpa"
    made = pages.Shelf(pages.shelf()._zip.filename)
    made.about["moved"] = {"modules/detach": "autograd/detach"}
    monkeypatch.setattr(pages, "shelf", lambda: made)
    for name in ("modules/detach", "https://book.example/en/modules/detach/"):
        assert (
            told(capsys, "show", name, "--lang", "en")[1] == told(capsys, "show", "autograd/detach", "--lang", "en")[1]
        )
    assert told(capsys, "show", "modules/detach#shared")[1].startswith("## The memory is shared\n")


def test_what_a_release_printed(shelf, capsys):
    said = {
        release: told(capsys, "show", "tensors/save", "--torch", release)[1]
        for release in ("1.13", "2.4.1", "2.6", "2.8")
    }
    whole = told(capsys, "show", "tensors/save")[1]
    assert said["2.8"] == re.sub(r"> \*\*In other versions.*?(?=The text)", "", whole, flags=re.DOTALL)
    assert "No output · recorded" in said["1.13"] and "UnpicklingError" not in said["1.13"]
    assert "the newest" not in said["1.13"] and "older" not in said["1.13"]
    assert "*Warning · recorded · torch 2.4.1*" in said["2.4.1"] and "\nloaded\n" in said["2.4.1"]
    assert "> an older one" in said["2.6"] and "the newest" not in said["2.6"]
    for text in said.values():
        assert text.count("torch.load(") == 1 and "The text goes on." in text and "    *Output*\n\n    ```text" in text
    zh = told(capsys, "show", "tensors/save", "--lang", "zh", "--torch", "2.6")[1]
    assert "an older one" in zh and "the newest" not in zh


def test_a_release_that_is_not_recorded(shelf, capsys):
    code, _, err = told(capsys, "show", "tensors/save", "--torch", "2.5")
    assert code == 2 and "torch 2.5 is not recorded" in err and "2.13.0" in err


@pytest.mark.parametrize("path", sorted(PAGES.rglob("*.md")), ids=lambda path: path.relative_to(PAGES).as_posix())
def test_a_page_is_put_together_as_it_was(path):
    text = path.read_text(encoding="utf-8")
    assert "\n".join(markdown.whole(list(markdown.blocks(text.split("\n"))))) == text


@pytest.mark.parametrize(
    "text", ["```text", "!!! erratum", '??? versions "x"\n', "", "    x", "```\n\n!!! a", "# ", "~~~\n```"]
)
def test_what_no_page_has_is_shown_all_the_same(text):
    markdown.readable(markdown.printed_by(text, "2.4.1", [(0, 1, [(["2.4.1"], "```")])]))
    markdown.sections(text)


def test_a_terminal_gets_a_pager_with_or_without_rich(python, shelf, tmp_path):
    """On a real terminal: the pager is asked, with colours where rich is."""
    (tmp_path / "pty_.py").write_text(
        "import os, pty, sys\n"
        "read = lambda fd: os.read(fd, 1024)\n"
        "status = pty.spawn([sys.executable, '-m', 'pytorch_verbatim', 'show', 'autograd/detach'], read)\n"
        "sys.exit(os.waitstatus_to_exitcode(status))\n"
    )
    pager = f"{sys.executable} -c \"import sys; print('PAGED'); sys.stdout.write(sys.stdin.read())\""
    told = python("pty_.py", paths=(shelf,), PAGER=pager, TERM="xterm", COLUMNS="80")
    assert told.returncode == 0 and "PAGED" in told.stdout and "\x1b[" in told.stdout, told
    (tmp_path / "rich").mkdir()
    (tmp_path / "rich/__init__.py").write_text("raise ImportError")
    plain = python("pty_.py", paths=(tmp_path, shelf), PAGER=pager, TERM="xterm")
    assert "PAGED" in plain.stdout and "\x1b[" not in plain.stdout and "# detach(): out of the graph" in plain.stdout


# -- search ---------------------------------------------------------------------------------------


def test_the_search_finds_what_the_site_s_scripts_find(site, shelf):
    """Those that the benchmarks measure with, on the same index."""
    for language, queries in (("en", ("memory", "detach leaf", "save")), ("zh", ("内存", "保存张量", "detach"))):
        files = {path.name: path.read_text(encoding="utf-8") for path in (site / "assets/search" / language).iterdir()}
        finder = finding.Finder(language)
        with Search(files, language) as search:
            for query in queries:
                found = finder.find(query)
                theirs = [one["url"].removeprefix("en/").strip("/") for one in search.find(query)]
                assert theirs and [one.name for one in found.results] == theirs
        finder.close()


def test_what_is_found_can_be_shown(shelf, capsys):
    code, out, err = told(capsys, "search", "tensors", "--lang", "en")
    assert (code, err) == (0, "") and out.startswith("tensors/save\n  Save tensors\n")
    assert told(capsys, "show", out.partition("\n")[0])[0] == 0
    code, out, err = told(capsys, "search", "qqqq zzzz")
    assert (code, out, err.count("\n")) == (1, "", 1)


def test_where_nothing_is_near_a_message_it_is_said_that_no_page_shows_it(shelf, capsys):
    code, out, err = told(
        capsys, "search", "SyntaxError: unterminated string literal (detected at line 3)", "--lang", "en"
    )
    assert (code, out, err) == (1, "", "No page of PyTorch Verbatim shows this message.\n")


# -- what is not installed ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lacks", "arguments", "extra"),
    [
        ("pytorch_verbatim_book", ("show", "autograd/detach"), "book"),
        ("pytorch_verbatim_book", ("search", "detach"), "book"),
        ("py_mini_racer", ("search", "detach"), "book"),
        ("mcp", ("mcp",), "mcp"),
    ],
)
def test_one_sentence_says_what_to_install(python, shelf, tmp_path, lacks, arguments, extra):
    (tmp_path / f"{lacks}.py").write_text("raise ImportError")
    done = python("-m", "pytorch_verbatim", *arguments, paths=(tmp_path, shelf))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert data.book().about["install"][extra] in done.stderr


def test_both_languages_have_all_words():
    zh, en = explaining.WORDS["zh"], explaining.WORDS["en"]
    fields = [sorted(re.findall(r"\{\w+\}", one)) for words in (zh, en) for one in words.values()]
    assert list(zh) == list(en) and fields[: len(zh)] == fields[len(zh) :]

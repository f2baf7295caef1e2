"""The files of the book by their names and kinds."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tests.checks.recipe import BOOK, EN, PY, SCRIPT, SMALL, SMALL_BOOK, WHOLE, ZH, on_pages, written
from verbatim.book.gather import gather
from verbatim.checks import files
from verbatim.checks.files import check_edited, check_files, portable
from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.problems import Problems, report
from verbatim.project import Project
from verbatim.site.downloads import offline

MISTAKES = {
    "marks of a merge": (EN, WHOLE, "<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> mine", ":10: a merge left its marks here"),
    "marks of a merge in Chinese": (ZH, "梯度是", "<<<<<<< HEAD\n梯度是", ":10: a merge left its marks here"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)


@pytest.mark.parametrize(
    ("name", "old", "new", "encoding", "message"),
    [
        (EN, "\n", "\r\n", "utf-8", f"{EN}:1: the lines end as on Windows"),
        (PY, "\n", "\r\n", "utf-8", f"{PY}:1: the lines end as on Windows"),
        (EN, "---", "\ufeff---", "utf-8", f"{EN}:1: the file begins with a byte order mark"),
        (PY, '"""', '\ufeff"""', "utf-8", f"{PY}:1: the file begins with a byte order mark"),
        (EN, WHOLE, "One.\x0cTwo.\u2028Three.", "utf-8", f"{EN}:10: U+000C ends a line for some programs only"),
        (ZH, "拼接", "拼接", "gbk", f"{ZH}:2: the page is not UTF-8\n  hint: save it as UTF-8\n1 problem"),
    ],
)
def test_files_that_another_system_wrote(told, name, old, new, encoding, message):
    text = (BOOK / name).read_text(encoding="utf-8")
    assert old in text
    found = told(**{name: text.replace(old, new, 1).encode(encoding)})
    assert message in found, found
    assert found.endswith("1 problem")


def test_a_name_with_an_underscore_is_told_as_new_tells_it(tmp_path):
    project = written(tmp_path / "book")
    (project.examples / "topic/join_it.py").write_text(SCRIPT)
    (problem,) = check_files(project)
    assert str(problem).startswith("examples/topic/join_it.py: `join_it` cannot be a recipe's name")


@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        ("docs/en/topic/plot.svg", 1, ": this file belongs elsewhere, or to nobody\n  hint: here stand *.md alone"),
        ("examples/topic/join.txt", 1, ": this file belongs elsewhere"),
        ("outputs/cpu/topic/join.md", 1, ": this file belongs elsewhere"),
        ("docs/fr/topic/join.md", 1, ": this is no place for a file\n  hint: pages stand in docs/zh and docs/en"),
        ("docs/join.md", 1, ": this is no place for a file"),
        ("docs/assets/photo.png", (1 << 20) + 1024, ": the file has 1025 KiB"),
        ("docs/en/topic/.join.md.swp", 1, ""),
        ("docs/en/topic/join.md~", 1, ""),
    ],
)
def test_files_that_belong_elsewhere(tmp_path, name, size, message):
    project = written(tmp_path / "book")
    (project.root / name).parent.mkdir(parents=True, exist_ok=True)
    (project.root / name).write_bytes(b"x" * size)
    found = list(check_files(project))
    assert [str(problem).startswith(name + message) for problem in found] == ([True] if message else [])


def test_a_project_that_is_named_by_a_relative_path(tmp_path, monkeypatch):
    project = written(tmp_path / "book")
    (project.root / "docs/join.md").write_text("x")
    monkeypatch.chdir(project.root)
    assert list(check_files(Project(Path(".")))) == list(check_files(project)) != []


def test_fixing_mends_line_ends_and_marks(tmp_path):
    assert portable(b"\xef\xbb\xbfa\r\nb\rc\n") == b"a\nb\nc\n"
    project = written(tmp_path / "book")
    assert list(check_files(project)) == []


@pytest.mark.parametrize("name", ["mkdocs.yml", "book/topics.yml", "book/GLOSSARY.md"])
def test_marks_of_a_merge_in_files_that_hold_the_book_together(tmp_path, name):
    project = written(tmp_path / "book")
    (project.root / name).write_text("a: 1\n<<<<<<< HEAD\n")
    assert f"{name}:2: a merge left its marks here" in report(check_edited(project))


def test_links_and_names_that_do_not_travel_are_small(told, project, write):
    write("docs/assets/secret", "x").unlink()
    (project.root / "docs/assets/secret").symlink_to("/etc/hostname")
    write("examples/topic/json.py", SMALL)
    write("examples/topic/Two Words.py", SMALL)
    write('examples/topic/q" onload="x.py', SMALL)
    write("examples/topic/_Help.txt", "x")
    write("examples/topic/_help.txt", "x")
    write("examples/topic/b.py", SMALL + "# \ue000\n")
    write("docs/assets/aux.svg", "<svg/>")
    found = told(of=SMALL_BOOK)
    assert "docs/assets/secret: this is a symbolic link" in found
    assert "examples/topic/json.py: the script hides the module `json`" in found
    assert "examples/topic/Two Words.py: `Two Words` cannot be a recipe's name" in found
    assert "docs/assets/aux.svg: Windows cannot hold a file of this name" in found
    assert 'examples/topic/q" onload="x.py: `q" onload="x` cannot be a recipe\'s name' in found
    if not (project.root / "examples/topic/_HELP.txt").exists():  # a file system that can hold both
        assert (
            "examples/topic/_help.txt: it differs from examples/topic/_Help.txt by upper and lower case alone" in found
        )
    assert re.search(r"examples/topic/b\.py:\d+: U\+E000 is a character of private use", found)


@pytest.mark.parametrize("name", ["x\\..\\..\\evil.txt", "C:evil.txt", "a\nb.txt", "what?.svg", "end.", "\udc80.txt"])
def test_a_name_that_windows_reads_otherwise_is_told_and_not_packed(project, write, name):
    write(f"docs/assets/{name}", "x")
    found = [str(one) for one in check_files(project) if "Windows cannot hold" in one.message]
    assert found and not any("\n" in line.partition("\n  hint")[0] for line in found)
    assert list(
        offline.belonging([f"assets/{name}", f"assets/{name}/a.txt", "assets/a.txt"], "zh", DEFAULT_LANGUAGES)
    ) == ["assets/a.txt"]


@pytest.mark.parametrize("name", ["docs/en/topic/pipe.md", "examples/topic/pipe.py", "outputs/cpu/topic/pipe.ipynb"])
def test_a_pipe_is_told_and_not_waited_for(project, write, name):
    path = write(name, "x")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(Problems, match=f"{name}: this is no file: a pipe"):
        gather(project)


def test_links_that_lead_around_in_a_ring_are_told_at_once(project):
    (project.root / "docs/en/again").symlink_to("..")
    (project.root / "docs/en/self").symlink_to("self")
    (project.root / "docs/en/zero").symlink_to("/dev/zero")
    with pytest.raises(Problems) as raised:
        gather(project)
    assert [problem.path for problem in raised.value.problems] == ["docs/en/again", "docs/en/zero"]
    assert [problem.path for problem in check_files(project) if "symbolic" in problem.message] == [
        f"docs/en/{name}" for name in ("again", "self", "zero")
    ]


def test_a_project_inside_of_another_may_share_its_files(told, project, tmp_path):
    (project.root / "docs/assets").mkdir(exist_ok=True)
    around = project.root.parent
    (around / "docs/assets").mkdir(parents=True)
    (project.root / "docs/assets/shared").symlink_to("../../../docs/assets")
    assert "docs/assets/shared: this is a symbolic link" in told(of=SMALL_BOOK)
    (around / "mkdocs.yml").touch()
    assert "docs/assets/shared" not in told(of=SMALL_BOOK)
    (project.root / "docs/assets/secret").symlink_to("/etc/hostname")
    assert "docs/assets/secret: this is a symbolic link" in told(of=SMALL_BOOK)


def test_a_file_that_is_gone_before_it_is_looked_at_is_none(project, write, monkeypatch):
    gone = project.root / "docs/en/a.md~"
    monkeypatch.setattr(files, "_below", lambda folder: [gone] if folder == project.root / "docs" else [])
    assert list(check_files(project)) == []


SVG = '<svg xmlns="http://www.w3.org/2000/svg">{}</svg>'


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.svg", SVG.format("<script>alert(1)</script>"), "the image holds the element `<script>`"),
        ("a.svg", SVG.format("").replace("<svg", '<svg onload="x()"'), "the image holds the attribute `onload`"),
        ("a.svg", SVG.format('<a href="javascript:x"><path d=""/></a>'), "the image holds the element `<a>`"),
        ("a.svg", SVG.format("<image href='https://evil.example/a.png'/>"), "the image holds href="),
        ("a.svg", '<?xml-stylesheet href="a.xsl"?>' + SVG.format(""), "the image holds `<?xml-styl"),
        ("a.svg", "<html/>", "the image is no SVG"),
        ("A.SVG", SVG.format("<script/>"), "a browser may run a file of this kind"),
        ("evil.html", "x", "a browser may run a file of this kind on the site's origin"),
        ("evil.xhtml", "x", "a browser may run"),
        ("evil.xml", "x", "a browser may run"),
        ("evil.htm", "x", "a browser may run"),
        ("evil.svgz", "x", "a browser may run"),
        ("evil.swf", "x", "a browser may run"),
        ("evil.mht", "x", "a browser may run"),
        ("evil.mjs", "x", "a browser may run"),
        ("evil.wasm", "x", "a browser may run"),
        ("evil.pdf", "x", "a browser may run"),
        ("evil", "x", "a browser may run"),
        ("sw.js", "x", "no page asks for this file, but whoever has its address can run it"),
        ("search/sw.js", "x", "no page asks for this file"),
        ("deep/page.js", "x", "no page asks for this file"),
        ("evil.css", "x", "no page asks for this file"),
        ("own.js", "x", ""),
        ("own.css", "x", ""),
        ("page.js", "x", ""),
        ("photo.png", "x", ""),
        ("data.json", "{}", ""),
        ("search/README.md", "x", ""),
        ("README.md", "x", ""),
        ("otherREADME.md", "x", "a browser may run"),  # a page to MkDocs
        ("__pycache__/evil.html", "x", "a browser may run"),
        ("a.svg", SVG.format('<path d="M0 0" id="a"/><use href="#a"/>'), ""),
    ],
)
def test_what_docs_assets_publishes_runs_nothing(tmp_path, name, content, message):
    project = written(tmp_path / "book")
    settings = project.root / "mkdocs.yml"
    own = "extra_javascript:\n  - path: assets/own.js\n    defer: true\nextra_css: [assets/own.css]\n"
    settings.write_text(settings.read_text() + own)
    path = project.root / "docs/assets" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    told = report(check_files(project))
    assert (f"docs/assets/{name}: {message}" if message else "0 problems") in told, told

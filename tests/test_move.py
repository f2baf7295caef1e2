"""`move` gives a recipe another name, or another chapter."""

from __future__ import annotations

import subprocess

import pytest

from tests.releases.recipes import text as printed
from tests.site.test_plugin import CONFIG, INDEX, command
from verbatim import checks, scaffold
from verbatim.__main__ import main
from verbatim.book import records
from verbatim.book.releases import files
from verbatim.book.releases.model import Finding, Release, Status
from verbatim.lists import approved
from verbatim.move import move, remove
from verbatim.pages import chapters, freshness, moved
from verbatim.pages.page import load_pages
from verbatim.problems import Problems
from verbatim.run.script import parse

MAP = "index:\n\nfirst:\n  index:\n  a: [a-first-step]\n  b:\n\nsecond:\n  index:\n  c:\n"
LINKS = (
    "\n[itself](#a-first-step) [b](b.md) [c](../second/c.md#read-on) [away](https://example.org/a.md) `[code](b.md)`\n"
)


@pytest.fixture
def two_chapters(project, write):
    """Two chapters; `first/a` links to the others, and they to it."""
    write("mkdocs.yml", CONFIG.format(theme="mkdocs"))
    write("book/topics.yml", MAP)
    for language in ("zh", "en"):
        write(f"docs/{language}/index.md", INDEX)
        for name in ("first", "second"):
            text = INDEX.replace("Home", name.capitalize()).replace("title", "chapter: T\ntitle", 1)
            write(f"docs/{language}/{name}/index.md", f"{text}\n[a](../first/a.md#a-first-step)\n")
    for recipe in ("first/a", "first/b", "second/c"):
        scaffold.new(project, recipe)
    for language in ("zh", "en"):
        for recipe, link in (("first/a", LINKS), ("first/b", "\n[a](a.md)\n"), ("second/c", "\n[a](../first/a.md)\n")):
            path = project.docs(language) / f"{recipe}.md"
            path.write_text(path.read_text() + link)
    return project


def test_questions_go_with_the_recipe(two_chapters, write):
    write("book/questions/en/first/a.txt", "how do I begin\n")
    move(two_chapters, "first/a", "second/d")
    assert (two_chapters.questions("en") / "second/d.txt").read_text() == "how do I begin\n"
    assert not (two_chapters.questions("en") / "first/a.txt").exists()


def test_links_follow_in_both_directions(two_chapters):
    move(two_chapters, "first/a", "second/d")
    for language in ("zh", "en"):
        docs = two_chapters.docs(language)
        assert not (docs / "first/a.md").exists()
        page = (docs / "second/d.md").read_text()
        assert "[itself](#a-first-step) [b](../first/b.md) [c](c.md#read-on) [away](https://example.org/a.md)" in page
        assert "`[code](b.md)`" in page and "examples/second/d.py#setup" in page and "first/a" not in page
        assert "[a](../second/d.md)" in (docs / "first/b.md").read_text()
        assert "[a](d.md)" in (docs / "second/c.md").read_text()
        assert "[a](../second/d.md#a-first-step)" in (docs / "first/index.md").read_text()
    assert two_chapters.script("second/d").is_file() and not two_chapters.script("first/a").exists()


def test_the_glossary_names_the_page_that_explains_a_term(two_chapters, write):
    rows = "| term | 术语 | | | {} |\n| other | 另一个 | | | first/b |\n"
    write("book/GLOSSARY.md", rows.format("first/a"))
    move(two_chapters, "first/a", "second/d")
    assert (two_chapters.root / "book/GLOSSARY.md").read_text() == rows.format("second/d")


def test_what_all_languages_said_follows(two_chapters, write):
    write(freshness.FILE, "")
    freshness.renew(two_chapters, load_pages(two_chapters)[0])
    move(two_chapters, "first/a", "second/d")
    assert "second/d.md" in (stored := freshness.read(two_chapters).pages) and "first/a.md" not in stored


def test_the_map_of_a_recipe_that_moves_to_an_earlier_chapter(two_chapters):
    move(two_chapters, "second/c", "first/d")
    lines = (two_chapters.root / "book/topics.yml").read_text().splitlines()
    assert [line.strip().partition(":")[0] for line in lines if line] == [
        "index", "first", "index", "a", "b", "d", "second", "index",
    ]  # fmt: skip


def test_the_map_has_it_last_in_its_new_chapter_with_its_topics(two_chapters):
    move(two_chapters, "first/a", "second/d")
    read = chapters.read(two_chapters)
    assert [entry.name for entry in read.chapters["second"]] == ["second/index.md", "second/c.md", "second/d.md"]
    assert [entry.name for entry in read.chapters["first"]] == ["first/index.md", "first/b.md"]
    assert read.topics == {"second": ["a-first-step"]}
    move(two_chapters, "second/d", "first/e")  # upwards in the file
    read = chapters.read(two_chapters)
    assert [entry.name for entry in read.chapters["first"]] == ["first/index.md", "first/b.md", "first/e.md"]
    assert read.topics == {"first": ["a-first-step"]}


def test_an_address_that_led_there_leads_to_where_it_is_now(two_chapters):
    move(two_chapters, "first/a", "second/d")
    move(two_chapters, "second/d", "second/e")
    assert moved.read(two_chapters) == {"first/a": "second/e", "second/d": "second/e"}
    move(two_chapters, "second/e", "first/a")  # back: an address that has a page leads nowhere
    assert moved.read(two_chapters) == {"second/d": "first/a", "second/e": "first/a"}
    assert not [*moved.check(two_chapters, load_pages(two_chapters)[0])]


def test_what_was_recorded_is_still_read(two_chapters):
    about = {
        "torch": "2.6.0+cpu",
        "python": "3.11.7",
        "numpy": "2.4.6",
        "matplotlib": "3.11.2",
        "platform": "Linux",
        "date": "2026-01-01",
    }
    script = parse(two_chapters.script("first/a").read_text(), "examples/first/a.py")
    cells = tuple(records.RecordedCell(c.name, c.source, c.sha, printed("1")) for c in script.cells)
    text = records.notebook(script, cells, recipe="first/a")
    two_chapters.record("first/a", "cpu").parent.mkdir(parents=True)
    two_chapters.record("first/a", "cpu").write_text(text)
    found = {c.name: Finding("0" * 8, "1" * 8, Status.DIFFERS) for c in script.cells}
    record = records.read(text, "first/a", "first/a", "cpu")
    files.save(two_chapters, Release("2.6.0", about, {"first/a": found}, {"first/a": record}))
    move(two_chapters, "first/a", "second/d")
    assert records.load(two_chapters, "second/d", "cpu").cells == record.cells
    (release,), problems = files.load(two_chapters)
    assert not problems and release.findings == {"second/d": found}
    assert release.records["second/d"].cells == record.cells
    assert not list(two_chapters.outputs.rglob("a.ipynb"))


@pytest.mark.parametrize(
    ("old", "new", "fact"),
    [
        ("first/a", "second/c", "this exists"),
        ("first/nobody", "second/d", "there is no such recipe"),
        ("first/a", "third/d", "there is no chapter `third`"),
        ("first/a", "second/Not A Name", "`Not A Name` cannot be a recipe's name"),
    ],
)
def test_what_cannot_be_moved_is_told_and_nothing_changes(two_chapters, capsys, monkeypatch, old, new, fact):
    before = {path: path.read_bytes() for path in two_chapters.root.rglob("*") if path.is_file()}
    with pytest.raises(Problems, match=fact):
        move(two_chapters, old, new)
    monkeypatch.chdir(two_chapters.root)
    assert main(["move", old, new]) == 1
    assert fact in capsys.readouterr().err
    assert {path: path.read_bytes() for path in two_chapters.root.rglob("*") if path.is_file()} == before


def test_files_that_still_name_it_are_told(two_chapters, write, monkeypatch, capsys):
    write("README.md", "See first/a.\n")
    for arguments in (["init", "-q"], ["add", "."]):
        subprocess.run(["git", *arguments], cwd=two_chapters.root, check=True)
    monkeypatch.chdir(two_chapters.root)
    assert main(["move", "first/a", "second/d"]) == 0
    assert capsys.readouterr().out.splitlines() == ["first/a is now second/d", "README.md still names first/a"]


def test_a_list_that_leads_nowhere_is_told(two_chapters, write):
    write("book/moved.yml", "first/gone: first/nobody\nfirst/a: first/b\n")
    told = {problem.brief for problem in moved.check(two_chapters, load_pages(two_chapters)[0])}
    assert told == {
        "book/moved.yml:1: docs/zh/first/nobody.md does not exist",
        "book/moved.yml:1: docs/en/first/nobody.md does not exist",
        "book/moved.yml:2: docs/zh/first/a.md exists, so its address cannot lead elsewhere",
        "book/moved.yml:2: docs/en/first/a.md exists, so its address cannot lead elsewhere",
    }
    for text in ("- first/a\n", "first/a: [first/b]\n", "first/a: {\n", "first/x: first/b\nfirst/x: first/a\n"):
        write("book/moved.yml", text)
        assert len([*moved.check(two_chapters, load_pages(two_chapters)[0])]) == 1, text


def test_an_old_address_leads_to_the_same_section(two_chapters, monkeypatch):
    monkeypatch.setattr(checks, "check", lambda *_, **__: [])
    move(two_chapters, "first/a", "second/d")
    done = command(two_chapters, "mkdocs", "build")
    assert done.returncode == 0, done.stdout
    for language, below in (("zh", ""), ("en", "en/")):
        text = (two_chapters.root / f"site/{below}first/a/index.html").read_text()
        assert f'<html lang="{language}">' in text and 'href="../../second/d/"' in text
        assert (two_chapters.root / f"site/{below}second/d/index.html").is_file()
        assert "script-src 'self' 'sha256-" in text and "location.hash" in text


def test_a_figure_is_still_what_a_run_writes(two_chapters):
    ids = "examples-first-a-first-step-1-"
    figure = f'<svg xmlns="http://www.w3.org/2000/svg"><defs><path id="{ids}p"/></defs><use href="#{ids}p"/></svg>'
    script = parse(two_chapters.script("first/a").read_text(), "examples/first/a.py")
    shown = {"output_type": "display_data", "data": {"image/svg+xml": figure}, "metadata": {}}
    outputs = {"setup": printed("1"), "first-step": (shown,)}
    cells = tuple(records.RecordedCell(c.name, c.source, c.sha, outputs[c.name]) for c in script.cells)
    two_chapters.record("first/a", "cpu").parent.mkdir(parents=True)
    two_chapters.record("first/a", "cpu").write_text(records.notebook(script, cells, recipe="first/a"))
    before = records.load(two_chapters, "first/a", "cpu")
    about = {"torch": "2.6.0+cpu", "python": "3.11.7", "numpy": "2.4.6", "matplotlib": "3.11.2"}
    about |= {"platform": "Linux", "date": "2026-01-01"}
    found = {c.name: Finding("0" * 8, before.cell(c.name).outputs_sha[:8], Status.SAME) for c in script.cells}
    files.save(two_chapters, Release("2.6.0", about, {"first/a": found}))
    move(two_chapters, "first/a", "second/d")
    after = records.load(two_chapters, "second/d", "cpu")
    assert "examples-second-d-first-step-1-p" in str(after.cell("first-step").outputs)
    (release,), problems = files.load(two_chapters)
    assert not problems
    assert release.findings["second/d"]["first-step"].approved == after.cell("first-step").outputs_sha[:8]
    assert release.findings["second/d"]["setup"] == found["setup"]


REMEDIES = """\
"AError: one":
- at: "first/a#a-first-step"
  en: "See [b](b.md), [itself](#a-first-step)."
  proof: "first/a#setup"
- at: "first/b#b-first-step"
  en: "See [a](a.md#a-first-step)."
  proof: "first/a#setup"

"AError: two":
- at: "first/a"
  remedy: "see the page"
"""


def remedies(project) -> dict[str, dict]:
    found, problems = approved.read(project)
    assert not problems
    return found


def test_approved_remedies_follow(two_chapters, write):
    write("outputs/remedies/first.yml", REMEDIES)
    page = two_chapters.docs("en") / "first/b.md"
    page.write_text(page.read_text() + '\nDo it.\n{ .remedy proof="first/a#setup" of="x" }\n')
    move(two_chapters, "first/a", "second/d")
    assert remedies(two_chapters) == {
        "first": {
            "AError: one": [
                {"at": "first/b#b-first-step", "en": "See [a](../second/d.md#a-first-step).", "proof": "second/d#setup"}
            ]
        },
        "second": {
            "AError: one": [
                {
                    "at": "second/d#a-first-step",
                    "en": "See [b](../first/b.md), [itself](#a-first-step).",
                    "proof": "second/d#setup",
                }
            ],
            "AError: two": [{"at": "second/d", "remedy": "see the page"}],
        },
    }
    assert '{ .remedy proof="second/d#setup" of="x" }' in page.read_text()


def test_approved_remedies_go_with_the_recipe(two_chapters, write):
    write("outputs/remedies/second.yml", '"AError: one":\n- at: "second/c"\n  remedy: "see the page"\n')
    kept = '"AError: two":\n- at: "first/a"\n  remedy: "see the page"\n'
    write("outputs/remedies/first.yml", kept)
    for language in ("zh", "en"):
        for path in two_chapters.pages(language):
            path.write_text(path.read_text().replace("../second/c.md", "../index.md"))
    assert "examples/second/c.py removed" in remove(two_chapters, "second/c")
    assert remedies(two_chapters) == {"first": {"AError: two": [{"at": "first/a", "remedy": "see the page"}]}}


def test_a_recipe_that_proves_a_remedy_of_another_page_is_not_removed(two_chapters):
    for language in ("zh", "en"):
        for path in two_chapters.pages(language):
            path.write_text(path.read_text().replace("../second/c.md", "../index.md"))
    page = two_chapters.docs("en") / "first/b.md"
    page.write_text(page.read_text() + "\nDo it.\n{ .remedy proof=second/c#setup }\n")
    with pytest.raises(Problems, match=r"docs/en/first/b\.md: the page needs second/c"):
        remove(two_chapters, "second/c")


def test_nothing_moves_while_approved_remedies_cannot_be_read(two_chapters, write):
    write("outputs/remedies/first.yml", "- no")
    with pytest.raises(Problems, match=r"outputs/remedies/first\.yml"):
        move(two_chapters, "first/a", "second/d")
    assert two_chapters.script("first/a").is_file()

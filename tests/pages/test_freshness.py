"""A change in one language is told in the other, by sections, from what all languages said when they said the same."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from verbatim.pages import document, freshness
from verbatim.pages.freshness import FILE
from verbatim.pages.page import load_pages
from verbatim.write import markdown

ROOT = Path(__file__).parents[2]
PAGE = "# Title\n\nLead.\n\n## A { #a }\n\nText a.\n\n```example\nexamples/x.py\n```\n\n## B { #b }\n\nText b.\n"


@pytest.fixture
def pair(project, write):
    """A page in both languages, which say the same: how it is edited, and what is told of it."""

    def edit(language: str, old: str, new: str) -> None:
        path = project.docs(language) / "a.md"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new))

    def told() -> list[str]:
        pages = load_pages(project)[0]
        notes = freshness.notes(freshness.stale(project, pages))
        return [str(problem) for problem in (*notes, *freshness.check(project, pages))]

    write("docs/zh/a.md", PAGE)
    write("docs/en/a.md", PAGE)
    write(FILE, "")
    assert renew(project)
    return edit, told


def renew(project, *, same: bool = False) -> bool:
    return freshness.renew(project, load_pages(project)[0], same=same)


def test_pages_that_say_what_they_said_are_in_step(pair, project):
    assert pair[1]() == [] and not renew(project)


def test_a_section_changed_in_one_language_is_behind_in_the_other(pair, project):
    edit, told = pair
    edit("zh", "Text b.", "Text b, corrected.")
    expected = [
        "docs/en/a.md:13: `#b` has changed in docs/zh/a.md since both said the same, and not here\n"
        "  hint: git log -p -- docs/zh/a.md shows it; where both say the same all the same: check --same docs/en/a.md"
    ]
    assert told() == expected
    assert not renew(project) and told() == expected  # writing down what is the same settles nothing else


def test_the_answer_in_the_other_language_settles_it_and_is_written_down(pair, project):
    edit, told = pair
    edit("zh", "Text b.", "Text b, corrected.")
    edit("en", "Text b.", "Text b, corrected too.")
    (problem,) = told()
    assert problem == (
        "docs/zh/a.md:13: `#b`: new, or changed in all languages, which book/in-step.txt does not say yet\n"
        "  hint: where all say the same: python -m verbatim check --fix docs/zh/a.md"
    )
    assert renew(project) and told() == []


def test_the_next_change_is_told_again(pair, project):
    edit, told = pair
    for language in ("zh", "en"):
        edit(language, "Text b.", "Text b, corrected.")
    renew(project)
    edit("zh", "corrected", "corrected again")
    (problem,) = told()
    assert problem.startswith("docs/en/a.md:13: `#b` has changed in docs/zh/a.md")


def test_a_change_that_was_taken_back_is_none(pair):
    edit, told = pair
    edit("zh", "Text b.", "Text b, corrected.")
    edit("zh", "Text b, corrected.", "Text b.")
    assert told() == []


def test_a_person_says_that_wording_alone_has_changed(pair, project):
    edit, told = pair
    edit("zh", "Text b.", "Text, b.")
    assert len(told()) == 1
    assert renew(project, same=True) and told() == []


def test_each_section_is_by_itself(pair, project):
    edit, told = pair
    edit("zh", "Text b.", "Text b, corrected.")
    for language in ("zh", "en"):
        edit(language, "Lead.", "A lead.")
    assert renew(project)
    (problem,) = told()
    assert problem.startswith("docs/en/a.md:13: `#b`")


@pytest.mark.parametrize(
    ("old", "new"),
    [("examples/x.py", "examples/y.py"), ("Text b.", "Text\nb."), ("Text b.", "Text b.\n\n<!-- meant: b (a name) -->")],
)
def test_code_line_breaks_and_marks_for_checks_do_not_count(pair, old, new):
    edit, told = pair
    edit("zh", old, new)
    assert told() == []


def test_a_new_section_is_written_down(pair, project):
    edit, told = pair
    for language in ("zh", "en"):
        edit(language, "Text b.", "Text b.\n\n## C { #c }\n\nText c.")
    assert [problem.partition(":")[0] for problem in told()] == ["docs/zh/a.md"]
    renew(project)
    edit("en", "Text c.", "Text c, corrected.")
    assert told()[0].startswith("docs/zh/a.md:17: `#c` has changed in docs/en/a.md")


def test_a_section_that_one_language_lacks_is_told_elsewhere(pair):
    edit, told = pair
    edit("zh", "Text b.", "Text b.\n\n## C { #c }\n\nText c.")
    assert told() == []


def test_the_text_above_the_first_heading_is_a_section(pair):
    edit, told = pair
    edit("en", "Lead.", "A lead.")
    assert told()[0].startswith("docs/zh/a.md:1: the text above the first heading has changed in docs/en/a.md")


def test_only_the_pages_that_are_named_are_written_and_those_that_are_gone_leave(pair, project, write):
    edit, told = pair
    for name in ("docs/zh/b.md", "docs/en/b.md", "docs/zh/c.md", "docs/en/c.md"):
        write(name, PAGE)
    renew(project)
    for language in ("zh", "en"):
        edit(language, "Text b.", "Text b, corrected.")
        write(f"docs/{language}/b.md", PAGE.replace("Lead.", "A lead."))
        (project.docs(language) / "c.md").unlink()
    pages = [page for page in load_pages(project)[0] if page.name == "b.md"]
    assert freshness.renew(project, pages)
    assert [problem.partition(":")[0] for problem in told()] == ["docs/zh/a.md"]
    assert sorted(freshness.read(project).pages) == ["a.md", "b.md"]


def test_a_book_without_the_file_does_without(pair, project):
    edit, told = pair
    (project.root / FILE).unlink()
    edit("zh", "Text b.", "Text b, corrected.")
    assert told() == [] and not renew(project) and not (project.root / FILE).exists()


@pytest.mark.parametrize("line", ["a.md b", "a.md b=zh:xyz", "<<<<<<< HEAD", "b=zh:123456"])
def test_a_line_that_cannot_be_read_is_told_and_written_anew(pair, project, line):
    with (project.root / FILE).open("a") as file:
        file.write(f"{line}\n")
    number = len((project.root / FILE).read_text().splitlines())
    assert pair[1]() == [
        f"{FILE}:{number}: this line cannot be read\n"
        "  hint: a line is a page and its sections: python -m verbatim check --fix writes it anew"
    ]
    assert renew(project) and pair[1]() == []


def test_branches_that_change_sections_of_one_page_merge(pair, project, write):
    """Each writes the page's line anew: both lines stay, and the next writing makes one of them."""

    def git(*arguments: str) -> None:
        who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *arguments], cwd=project.root, check=True, capture_output=True)

    edit, told = pair
    write(".gitattributes", (ROOT / ".gitattributes").read_text())
    git("init", "-q", "-b", "main")
    for branch, old in (("main", "Title"), ("left", "Lead."), ("right", "Text b.")):
        git("switch", "-q", "-C", branch, *(["main"] if branch != "main" else []))
        for language in ("zh", "en"):
            edit(language, old, f"{old} It is {branch}.")
        renew(project)
        git("add", "-A")
        git("commit", "-qm", branch)
    git("merge", "-q", "left", "-m", "both")
    assert len(freshness.read(project).pages["a.md"]) == 2 and told() == []
    edit("zh", "It is left.", "It is on the left.")
    assert [problem.partition(":")[0] for problem in told()] == ["docs/en/a.md"]
    renew(project)
    assert len(freshness.read(project).pages["a.md"]) == 1
    assert [problem.partition(":")[0] for problem in told()] == ["docs/en/a.md"]


def test_a_page_with_another_name_keeps_what_it_said(pair, project):
    before = (project.root / FILE).read_text()
    for language in ("zh", "en"):
        (project.docs(language) / "a.md").rename(project.docs(language) / "c.md")
    (project.root / FILE).write_text(freshness.renamed(before, "a.md", "c.md"))
    assert pair[1]() == []


def test_readers_see_a_quiet_line_below_the_heading():
    items = [freshness.StaleSection("docs/en/a.md", 13, section, "docs/zh/a.md") for section in ("b", "")]
    nothing = SimpleNamespace(scripts={}, display_results={}, environment={}, newest_python="")

    def marked(items: list[freshness.StaleSection]) -> str:
        return markdown.site(document.read(PAGE, nothing, "en", behind=items), lambda *_: "")

    lines = marked(items).splitlines()
    at = [i for i, line in enumerate(lines) if "verbatim-behind" in line]
    assert [lines[i - 2] for i in at] == ["# Title", "## B { #b }"]
    assert "The Chinese version of this section is newer." in lines[at[0]]
    assert "verbatim-behind" not in marked([])


def test_each_language_that_has_the_page_is_behind_until_it_follows(project, write):
    locales = ", ".join(f"{{locale: {name}}}" for name in ("zh", "en", "ja", "ko"))
    write("mkdocs.yml", f"plugins: [{{i18n: {{languages: [{locales}]}}}}, {{verbatim: {{partial: [ja, ko]}}}}]\n")
    for language in ("zh", "en", "ja"):
        write(f"docs/{language}/a.md", PAGE)
    write(FILE, "")
    renew(project)

    def behind() -> list[str]:
        return [f"{item.page} {item.newer}" for item in freshness.stale(project, load_pages(project)[0])]

    assert behind() == []
    write("docs/zh/a.md", PAGE.replace("Text b.", "Text b, corrected."))
    assert behind() == ["docs/en/a.md docs/zh/a.md", "docs/ja/a.md docs/zh/a.md"]
    write("docs/en/a.md", PAGE.replace("Text b.", "Text b, right now."))
    renew(project)
    assert behind() == ["docs/ja/a.md docs/zh/a.md"]
    write("docs/ja/a.md", PAGE.replace("Text b.", "Text b, right."))
    assert renew(project) and behind() == []
    write("docs/ko/a.md", PAGE)  # a language that is new says the same
    assert behind() == [] and renew(project)

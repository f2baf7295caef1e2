"""A change in one language is told in the other, by sections, from git."""

from __future__ import annotations

import os
import subprocess

import pytest

from verbatim.pages import freshness
from verbatim.pages.outputs import mark_behind
from verbatim.pages.page import load_pages

PAGE = "# Title\n\nLead.\n\n## A { #a }\n\nText a.\n\n```example\nexamples/x.py\n```\n\n## B { #b }\n\nText b.\n"


@pytest.fixture
def commit(project):
    """Commit everything; each call is a day later."""
    days = iter(range(1, 28))

    def git(*arguments: str, **variables: str) -> str:
        environment = {
            **os.environ,
            **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
            **variables,
        }
        return subprocess.run(
            ["git", *arguments], cwd=project.root, env=environment, capture_output=True, text=True, check=True
        ).stdout

    git("init", "-q")

    def commit(message: str) -> str:
        date = f"2026-01-{next(days):02d}T12:00:00Z"
        git("add", "-A")
        git("commit", "-qm", message, GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
        return git("rev-parse", "HEAD").strip()

    return commit


@pytest.fixture
def pair(project, write, commit):
    """A page in both languages, and what is said of it."""

    def edit(language: str, old: str, new: str) -> None:
        path = project.docs(language) / "a.md"
        path.write_text(path.read_text().replace(old, new))

    def told() -> list[str]:
        pages, _ = load_pages(project)
        return [str(problem) for problem in freshness.problems(project, pages)]

    write("docs/zh/a.md", PAGE)
    write("docs/en/a.md", PAGE)
    commit("first")
    return edit, told


def test_pages_of_one_commit_are_in_step(pair):
    assert pair[1]() == []


def test_a_section_changed_in_one_language_is_behind_in_the_other(pair, commit):
    edit, told = pair
    edit("zh", "Text b.", "Text b, corrected.")
    sha = commit("correct b")
    assert told() == [
        "docs/en/a.md:13: `#b` changed in docs/zh/a.md on 2026-01-02, and not here\n"
        f"  hint: read: git show {sha[:10]} -- docs/zh/a.md"
    ]


def test_the_answer_in_the_other_language_settles_it(pair, commit):
    edit, told = pair
    edit("zh", "Text b.", "Text b, corrected.")
    commit("correct b")
    edit("en", "Text b.", "Text b, corrected too.")
    commit("and in English")
    assert told() == []


def test_the_next_change_is_told_again(pair, commit):
    edit, told = pair
    edit("zh", "Text b.", "Text b, corrected.")
    commit("correct b")
    edit("en", "Text b.", "Text b, corrected too.")
    commit("and in English")
    edit("zh", "corrected", "corrected again")
    commit("correct b again")
    (problem,) = told()
    assert problem.startswith("docs/en/a.md:13: `#b` changed in docs/zh/a.md on 2026-01-04")


def test_both_languages_in_one_commit_are_in_step(pair, commit):
    edit, told = pair
    edit("zh", "Text a.", "New a.")
    edit("en", "Text a.", "New a.")
    commit("both")
    assert told() == []


def test_code_is_shared_and_does_not_count(pair, commit):
    edit, told = pair
    edit("zh", "examples/x.py", "examples/y.py")
    commit("embed")
    assert told() == []


def test_a_change_of_wording_needs_no_answer(pair, commit, write):
    edit, told = pair
    edit("zh", "Text b.", "Text, b.")
    sha = commit("a comma [wording]")
    assert told() == []
    edit("zh", "Text a.", "Text, a.")
    sha = commit("a comma, unmarked")
    assert len(told()) == 1
    write(".wording-commits", f"{sha}  # a comma\n")
    assert told() == []


def test_what_is_not_committed_is_not_told(pair):
    edit, told = pair
    edit("zh", "Text b.", "Text b, in progress.")
    assert told() == []


def test_outside_of_git_nothing_is_told(project, write):
    write("docs/zh/a.md", PAGE)
    write("docs/en/a.md", PAGE)
    pages, _ = load_pages(project)
    assert freshness.stale(project, pages) == []


def test_readers_see_a_quiet_line_below_the_heading():
    items = [
        freshness.Behind("docs/en/a.md", 13, section, "docs/zh/a.md", "f" * 40, 1767355200) for section in ("b", "")
    ]
    lines = mark_behind(PAGE, items, "en").splitlines()
    at = [i for i, line in enumerate(lines) if "verbatim-behind" in line]
    assert [lines[i - 2] for i in at] == ["# Title", "## B { #b }"]
    assert "newer: it was updated on 2026-01-02" in lines[at[0]]
    assert mark_behind(PAGE, [], "en") == PAGE

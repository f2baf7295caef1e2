"""A change in one language is told in the other, by sections, from git."""

from __future__ import annotations

import dataclasses
import os
import subprocess
from types import SimpleNamespace

import pytest

from verbatim.pages import document, freshness
from verbatim.pages.page import load_pages
from verbatim.write import markdown

PAGE = "# Title\n\nLead.\n\n## A { #a }\n\nText a.\n\n```example\nexamples/x.py\n```\n\n## B { #b }\n\nText b.\n"
PAGE += "\nOne.\n\nTwo.\n\nEnd of b.\n"  # far enough below for git to merge both


@pytest.fixture
def git(project):
    """Call git; each call is a day later."""
    days = iter(range(1, 28))

    def git(*arguments: str, check: bool = True) -> str:
        date = f"2026-01-{next(days):02d}T12:00:00Z"
        environment = {
            **os.environ,
            **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
            **{f"GIT_{who}_DATE": date for who in ("AUTHOR", "COMMITTER")},
        }
        done = subprocess.run(["git", *arguments], cwd=project.root, env=environment, capture_output=True, text=True)
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout.strip()

    subprocess.run(["git", "init", "-q", "-b", "main"], cwd=project.root, check=True)
    return git


@pytest.fixture
def commit(git, project):
    """Commit everything; each call is a day later."""

    def commit(message: str) -> str:
        subprocess.run(["git", "add", "-A"], cwd=project.root, check=True)
        git("commit", "-qm", message)
        return subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=project.root, capture_output=True, text=True, check=True
        ).stdout.strip()

    return commit


@pytest.fixture
def pair(project, write, commit):
    """A page in both languages, and what is said of it."""

    def edit(language: str, old: str, new: str) -> None:
        path = project.docs(language) / "a.md"
        path.write_text(path.read_text().replace(old, new))

    def told() -> list[str]:
        pages, _ = load_pages(project)
        return [str(problem) for problem in freshness.problems(freshness.stale(project, pages))]

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


def test_wording_answers_nothing_and_a_listed_commit_may(pair, commit, write):
    edit, told = pair
    edit("zh", "Text b.", "Text b, corrected.")
    commit("correct b")
    edit("en", "Text b.", "Text, b.")
    sha = commit("a comma [wording]")
    assert len(told()) == 1
    write(".wording-commits", f"{sha}  # said the same before\n")
    assert len(told()) == 1  # the mark holds
    edit("en", "Text, b.", "Text, b, corrected.")
    sha = commit("and in English")
    write(".wording-commits", f"{sha}  # and in English\n")
    assert told() == []


def test_what_is_not_committed_is_not_told(pair):
    edit, told = pair
    edit("zh", "Text b.", "Text b, in progress.")
    assert told() == []


# -- branches ---------------------------------------------------------------------------------------


def test_a_commit_is_compared_with_its_own_parent(pair, commit, git):
    """By date, the second would undo in one language what a branch did meanwhile."""
    edit, told = pair
    git("switch", "-qc", "left")
    edit("zh", "Text b.", "Text, b.")
    commit("a comma [wording]")
    git("switch", "-q", "main")
    for language in ("zh", "en"):
        edit(language, "Text a.", "New a.")
    commit("both")
    git("merge", "-q", "left", "-m", "merge")
    assert told() == []


def test_a_branch_does_not_hide_what_another_left_behind(pair, commit, git):
    edit, told = pair
    git("switch", "-qc", "left")
    edit("zh", "Text b.", "Text b, corrected.")
    sha = commit("correct b")
    git("switch", "-qc", "right", "main")
    for language in ("zh", "en"):
        edit(language, "End of b.", "End of b, corrected.")
    commit("correct the end of b")
    git("merge", "-q", "left", "-m", "merge")
    (problem,) = told()
    assert problem.startswith("docs/en/a.md:13: `#b` changed in docs/zh/a.md on ") and sha[:10] in problem


def test_two_branches_with_a_language_each_answer_each_other(pair, commit, git):
    edit, told = pair
    for language in ("zh", "en"):
        git("switch", "-qc", language, "main")
        edit(language, "Text b.", "Text b, corrected.")
        commit(f"correct b in {language}")
        assert len(told()) == 1
    git("merge", "-q", "zh", "-m", "merge")
    assert told() == []


def test_an_answer_counts_only_for_what_it_builds_on(pair, commit, git):
    edit, told = pair
    git("switch", "-qc", "left")
    edit("zh", "Text b.", "Text b, corrected.")
    commit("correct b")
    edit("en", "Text b.", "Text b, corrected too.")
    commit("and in English")
    git("switch", "-qc", "right", "main")
    edit("zh", "End of b.", "End of b, corrected.")
    sha = commit("correct the end of b")
    for name in ("left", "right"):  # whichever is merged into the other
        git("switch", "-q", name)
        git("branch", "-f", "other", "right" if name == "left" else "left")
        git("merge", "-q", "other", "-m", "merge")
        (problem,) = told()
        assert sha[:10] in problem
        git("reset", "-q", "--hard", "HEAD^")


def test_what_only_a_merge_says_may_answer(pair, commit, git):
    edit, told = pair
    git("switch", "-qc", "left")
    edit("zh", "Text b.", "Text b, corrected.")
    commit("correct b")
    git("switch", "-q", "main")
    for language in ("zh", "en"):
        edit(language, "Lead.", "A lead.")
    commit("lead")
    git("merge", "-q", "left", "--no-commit")
    edit("en", "Text b.", "Text b, corrected too.")
    commit("merge")
    assert told() == []
    edit("zh", "corrected", "corrected again")
    commit("correct b again")
    assert len(told()) == 1


def test_what_only_a_merge_says_is_no_change(pair, commit, git):
    edit, told = pair
    for branch in ("left", "right"):
        git("switch", "-qc", branch, "main")
        for language in ("zh", "en"):
            edit(language, "Text b.", f"Text b, {branch}.")
        commit(branch)
    git("merge", "-q", "left", "-X", "ours", "-m", "merge")
    edit("zh", "Text b, right.", "Text b, left and right.")
    git("commit", "-qa", "--amend", "--no-edit")
    assert told() == []


def test_a_rebased_branch_is_read_as_it_is_now(pair, commit, git):
    edit, told = pair
    git("switch", "-qc", "left")
    edit("zh", "Text b.", "Text b, corrected.")
    before = commit("correct b")
    git("switch", "-q", "main")
    for language in ("zh", "en"):
        edit(language, "Lead.", "A lead.")
    commit("lead")
    git("switch", "-q", "left")
    (problem,) = told()
    assert before[:10] in problem
    git("rebase", "-q", "main")
    (problem,) = told()
    assert before[:10] not in problem and "`#b` changed in docs/zh/a.md" in problem


def test_a_change_that_was_picked_twice_is_answered_once(pair, commit, git):
    edit, told = pair
    git("switch", "-qc", "left")
    edit("zh", "Text b.", "Text b, corrected.")
    sha = commit("correct b")
    git("switch", "-qc", "right", "main")
    for language in ("zh", "en"):
        edit(language, "Lead.", "A lead.")
    commit("lead")
    git("cherry-pick", sha)
    edit("en", "Text b.", "Text b, corrected too.")
    commit("and in English")
    git("merge", "-q", "left", "-m", "merge")
    assert told() == []


def test_a_part_of_the_history_begins_in_step(pair, commit, git, project, tmp_path_factory):
    edit, _ = pair
    edit("zh", "Text a.", "New a.")
    commit("a, unknown to the clone")
    edit("zh", "Text b.", "Text b, corrected.")
    commit("the first that the clone has")
    edit("zh", "Lead.", "A lead.")
    commit("lead")
    clone = tmp_path_factory.mktemp("clone") / "shallow"
    git("clone", "-q", "--depth", "2", f"file://{project.root}", str(clone))
    shallow = dataclasses.replace(project, root=clone)
    pages, _ = load_pages(shallow)
    assert [
        str(problem).partition(" changed")[0] for problem in freshness.problems(freshness.stale(shallow, pages))
    ] == ["docs/en/a.md:1: the text above the first heading"]


def test_a_page_that_moved_begins_in_step(pair, commit, git):
    edit, told = pair
    edit("zh", "Text b.", "Text b, corrected.")
    commit("correct b")
    for language in ("zh", "en"):
        git("mv", f"docs/{language}/a.md", f"docs/{language}/c.md")
    commit("another name")
    assert told() == []


def test_the_line_is_that_of_the_newest_commit(pair, commit):
    edit, told = pair
    edit("zh", "Text b.", "Text b, corrected.")
    commit("correct b")
    for language in ("zh", "en"):
        edit(language, "Lead.", "Lead.\n\nMore.")
    commit("more")
    assert told()[0].startswith("docs/en/a.md:15: `#b`")


def test_outside_of_git_nothing_is_told(project, write):
    write("docs/zh/a.md", PAGE)
    write("docs/en/a.md", PAGE)
    pages, _ = load_pages(project)
    assert freshness.stale(project, pages) == []


def test_readers_see_a_quiet_line_below_the_heading():
    items = [
        freshness.StaleSection("docs/en/a.md", 13, section, "docs/zh/a.md", "f" * 40, 1767355200)
        for section in ("b", "")
    ]
    nothing = SimpleNamespace(scripts={}, results={}, environment={}, newest_python="")

    def marked(items: list[freshness.StaleSection]) -> str:
        return markdown.site(document.read(PAGE, nothing, "en", behind=items), lambda *_: "")

    lines = marked(items).splitlines()
    at = [i for i, line in enumerate(lines) if "verbatim-behind" in line]
    assert [lines[i - 2] for i in at] == ["# Title", "## B { #b }"]
    assert "newer: it was updated on 2026-01-02" in lines[at[0]]
    assert "verbatim-behind" not in marked([])


def test_each_language_that_has_the_page_lacks_a_change_until_it_follows(project, write, commit):
    locales = ", ".join(f"{{locale: {name}}}" for name in ("zh", "en", "ja", "ko"))
    write("mkdocs.yml", f"plugins: [{{i18n: {{languages: [{locales}]}}}}, {{verbatim: {{partial: [ja, ko]}}}}]\n")
    for language in ("zh", "en", "ja"):
        write(f"docs/{language}/a.md", PAGE)
    commit("first")

    def behind() -> list[str]:
        pages, _ = load_pages(project)
        return [f"{item.page} {item.newer}" for item in freshness.stale(project, pages)]

    assert behind() == []
    write("docs/zh/a.md", PAGE.replace("Text b.", "Text b, corrected."))
    commit("correct b")
    assert behind() == ["docs/en/a.md docs/zh/a.md", "docs/ja/a.md docs/zh/a.md"]
    write("docs/en/a.md", PAGE.replace("Text b.", "Text b, right now."))
    commit("follow")
    assert behind() == ["docs/ja/a.md docs/zh/a.md"]
    write("docs/ja/a.md", PAGE.replace("Text b.", "Text b, right."))
    commit("follow, too")
    assert behind() == []

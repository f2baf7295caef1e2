"""A commit says in its subject what it does, in so many characters as are shown."""

from __future__ import annotations

import subprocess

import pytest

from scripts import commits


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("A sound subject", []),
        ("A sound subject\n\nAnd why.\n", []),
        ("短的标题\n\n原因。", []),
        ("x" * 72, []),
        ("x" * 73, ["the subject has 73 characters, at most 72 are shown: the reason goes below"]),
        ("# of git\nA sound subject\n# of git", []),
        ("Ends with a stop.", ["the subject ends with a full stop, which a title has not"]),
        ("A subject\nthat goes on", ["the second line is not blank, so the subject goes on"]),
        ("", ["the first line is empty: say there what the commit does"]),
        (f"Merge branch 'a' of {'b' * 80}", []),
    ],
)
def test_what_is_wrong_with_a_message(message, told, tmp_path):
    assert commits.wrong(message) == told
    (tmp_path / "message").write_text(message)
    assert commits.main(str(tmp_path / "message")) == bool(told)


def test_the_commits_of_a_branch_are_told_by_their_names(tmp_path):
    def git(*arguments: str) -> str:
        who = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
        return subprocess.run(
            ["git", *who, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "-q", "-b", "main")
    git("commit", "-q", "--allow-empty", "-m", f"{'x' * 90} was before the branch")
    git("switch", "-qc", "branch")
    git("commit", "-q", "--allow-empty", "-m", "A sound one", "-m", "And why.")
    git("commit", "-q", "--allow-empty", "-m", "y" * 80)
    (told,) = commits.of_branch(tmp_path, "main")
    assert told.startswith(f"{git('rev-parse', '--short', 'HEAD')}: the subject has 80 characters")
    git("reset", "-q", "--hard", "HEAD^")
    assert commits.of_branch(tmp_path, "main") == []

"""Dates of the last change, from git."""

from __future__ import annotations

import subprocess
from datetime import datetime

from verbatim.git import changed, parse


def test_the_newest_commit_counts():
    log = "\0".join(
        (
            "",
            "2026-11-21T10:00:00+08:00",
            "\na.md",
            "目录/b.md",
            "",
            "2026-11-20T10:00:00+00:00",
            "\na.md",
            "c d.md",
            "",
        )
    )
    dates = parse(log)
    assert dates == {
        "a.md": datetime.fromisoformat("2026-11-21T10:00:00+08:00"),
        "目录/b.md": datetime.fromisoformat("2026-11-21T10:00:00+08:00"),
        "c d.md": datetime.fromisoformat("2026-11-20T10:00:00+00:00"),
    }


def git(folder, *arguments: str) -> None:
    command = ["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@t", *arguments]
    subprocess.run(command, check=True, capture_output=True)


def test_reads_a_repository_and_its_folders(tmp_path):
    (tmp_path / "sub").mkdir()
    for name in ("a.md", "sub/页 b.md"):
        (tmp_path / name).write_text("x")
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-q", "-m", "m")
    assert set(changed(tmp_path)) == {"a.md", "sub/页 b.md"}
    assert set(changed(tmp_path / "sub")) == {"页 b.md"}


def test_a_part_of_the_history_is_no_history(tmp_path):
    whole, part = tmp_path / "whole", tmp_path / "part"
    whole.mkdir()
    git(whole, "init", "-q")
    for text in ("1", "2"):
        (whole / "a.md").write_text(text)
        git(whole, "add", ".")
        git(whole, "commit", "-q", "-m", text)
    git(tmp_path, "clone", "-q", "--depth=1", whole.as_uri(), str(part))
    assert changed(whole)
    assert changed(part) == {}


def test_without_git_there_are_no_dates(tmp_path):
    assert changed(tmp_path) == {}

"""Reads the project's history from git: dates, commits, files as they were at a commit.

Outside of a repository, or without git, every function returns an empty result.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path


def run(root: Path, *arguments: str) -> str:
    """Return what a git command prints; an empty string if it fails. Paths beyond ASCII are not quoted."""
    command = ["git", "-c", "core.quotePath=false", *arguments]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def complete(root: Path) -> bool:
    """Whether the whole history is available: this is a repository, and not a shallow clone."""
    return run(root, "rev-parse", "--is-shallow-repository").strip() == "false"


def knows(root: Path, commit: str) -> bool:
    """Whether a branch, tag or commit of this name exists."""
    return bool(run(root, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"))


def blobs(root: Path, names: Iterable[str]) -> dict[str, str]:
    """Read files as they were at some commit, with a single git process.

    Args:
        root: the project's folder.
        names: ``commit:./path`` of each file.

    Returns:
        Name → text, with line ends as ``\\n``. A file that did not exist at that commit is left out.
    """
    wanted = list(names)
    if not wanted:
        return {}
    asked = "".join(f"{name}\n" for name in wanted).encode()
    command = ["git", "cat-file", "--batch"]
    try:
        answer = subprocess.run(command, cwd=root, input=asked, capture_output=True, check=False).stdout
    except OSError:
        return {}
    texts, position = {}, 0
    for name in wanted:
        end = answer.find(b"\n", position)
        head = answer[position:end].split()
        position = end + 1
        if len(head) == 3 and head[1] == b"blob":
            size = int(head[2])
            texts[name] = answer[position : position + size].decode(errors="replace").replace("\r\n", "\n")
            position += size + 1
    return texts


def changed(root: Path) -> dict[str, datetime]:
    """Return the date of the last commit that changed each file.

    Keys are paths from ``root``. With only a part of the history, nothing is returned: a wrong date is worse than none.
    """
    if not complete(root):
        return {}
    # --relative leaves out what lies outside the root.
    return parse(run(root, "log", "--format=%x00%cI", "--name-only", "--relative", "-z"))


def parse(log: str) -> dict[str, datetime]:
    """Read ``git log --format=%x00%cI --name-only -z``, newest first."""
    dates: dict[str, datetime] = {}
    date: datetime | None = None
    for part in log.replace("\n", "\0").split("\0"):
        stamp = _date(part)
        if stamp:
            date = stamp
        elif part and date:
            dates.setdefault(part, date)
    return dates


def _date(text: str) -> datetime | None:
    if len(text) < 20 or text[4:5] != "-" or text[10:11] != "T":
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None

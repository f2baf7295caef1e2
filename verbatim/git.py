"""What git knows of the project: dates, commits, files as commits left them.

Outside of a repository, or where git is missing, there is nothing to know: every function then returns nothing.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path


def run(root: Path, *arguments: str) -> str:
    """Return what a git command prints; nothing where it fails. Paths beyond ASCII are not quoted."""
    command = ["git", "-c", "core.quotePath=false", *arguments]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def complete(root: Path) -> bool:
    """Whether the whole history is at hand: a repository, and not a shallow clone."""
    return run(root, "rev-parse", "--is-shallow-repository").strip() == "false"


def knows(root: Path, commit: str) -> bool:
    """Whether a branch, a tag or a commit is known."""
    return bool(run(root, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"))


def blobs(root: Path, names: Iterable[str]) -> dict[str, str]:
    """Read files as commits left them, ``commit:./path`` each, by one git process.

    Returns:
        Name → text, line ends as ``\\n``; a file that was not there is missing.
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
    """Return, for every file that git knows, the date of the last commit that touched it.

    Keys are paths from ``root``. Nothing is returned where only a part of the history is at hand: a date that is wrong
    is worse than none.
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
        found = _date(part)
        if found:
            date = found
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

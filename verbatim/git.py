"""When each file was last changed, by git's history."""

from __future__ import annotations

import subprocess
from datetime import datetime
from pathlib import Path


def changed(root: Path) -> dict[str, datetime]:
    """Return, for every file that git knows, the date of the last commit that touched it.

    Keys are paths from ``root``. Nothing is returned where there is no git, no repository, or only a part of its
    history: a date that is wrong is worse than none.
    """
    try:
        if _git(root, "rev-parse", "--is-shallow-repository").strip() != "false":
            return {}
        # Quoted paths would not be found again; --relative leaves out what lies outside the root.
        log = _git(root, "-c", "core.quotePath=false", "log", "--format=%x00%cI", "--name-only", "--relative", "-z")
    except (OSError, subprocess.CalledProcessError):
        return {}
    return parse(log)


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


def _git(root: Path, *arguments: str) -> str:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout

"""Nothing is left to write: no placeholder of `new`, no note of an author."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.run.script import Script
from verbatim.words import NEW_PAGE

#: The title of a new script.
TITLE = "What this recipe shows, in one sentence."

NEW = "`new` wrote this for you to replace; STYLE.md says how"

#: What people write where something is still missing.
TODO = re.compile(r"\b(?:TODO|FIXME|TBD|XXX|[Tt]o be (?:written|continued)|[Cc]oming soon)\b|待补充|待完善|敬请期待")


def check_left(page: Page) -> Iterator[Problem]:
    """Yield the placeholders of `new` that are left in a page."""
    left = [text for text in NEW_PAGE[page.language].values() if text in page.text]
    for number, line in enumerate(page.text.splitlines() if left else (), 1):
        for text in left:
            if text in (line.strip(), line.partition(": ")[2].strip("[]")) or line.startswith(f"## {text} {{"):
                yield Problem(page.path, number, f"left to write: `{text}`", NEW)


def check_todo(path: str, text: str) -> Iterator[Problem]:
    """Yield the notes of an author about things to do."""
    for number, line in enumerate(text.splitlines() if TODO.search(text) else (), 1):
        if match := TODO.search(line):
            yield Problem(path, number, f"left to do: `{match[0]}`", "do it, or open an issue and take the note out")


def check_title_left(script: Script) -> Iterator[Problem]:
    """Yield the title that `new` wrote into a script."""
    if script.title == TITLE:
        yield Problem(script.path, 1, f"left to write: `{TITLE}`", NEW)

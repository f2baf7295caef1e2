"""Pages and scripts are finished: they have no placeholder of `new`, and no note of things to do."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.run.script import Script
from verbatim.words import NEW_PAGE

#: The title of a new script.
TITLE = "What this recipe shows, in one sentence."

NEW = "`new` wrote this for you to replace; book/STYLE.md says how"

#: What people write where something is still missing.
TODO_MARK = re.compile(
    r"\b(?:TODO|FIXME|TBD|XXX|[Tt]o be (?:written|continued)|[Cc]oming soon)\b|待补充|待完善|敬请期待"
)
#: Names that stand for any.
NAMELESS_NAME = re.compile(r"\b(?:foo|foobar|baz|qux)\b")


def check_placeholders(page: Page) -> Iterator[Problem]:
    """Yield the placeholders of `new` that are left in a page."""
    left = [text for text in NEW_PAGE[page.language].values() if text in page.text]
    for number, line in enumerate(page.text.splitlines() if left else (), 1):
        for text in left:
            if text in (line.strip(), line.partition(": ")[2].strip("[]")) or line.startswith(f"## {text} {{"):
                yield Problem(page.path, number, f"left to write: `{text}`", NEW)


def check_todo(path: str, text: str) -> Iterator[Problem]:
    """Yield the notes of an author about things to do."""
    for number, line in enumerate(text.splitlines() if TODO_MARK.search(text) else (), 1):
        if match := TODO_MARK.search(line):
            yield Problem(path, number, f"left to do: `{match[0]}`", "do it, or open an issue and take the note out")


def check_named(script: Script) -> Iterator[Problem]:
    """Yield names that say nothing; `bar` is also what Matplotlib draws."""
    for number, line in enumerate(script.text.splitlines() if NAMELESS_NAME.search(script.text) else (), 1):
        if match := NAMELESS_NAME.search(line):
            yield Problem(script.path, number, f"`{match[0]}` names nothing", "write what it is: weight, logits, image")


def check_title(script: Script) -> Iterator[Problem]:
    """Yield the title that `new` wrote into a script."""
    if script.title == TITLE:
        yield Problem(script.path, 1, f"left to write: `{TITLE}`", NEW)

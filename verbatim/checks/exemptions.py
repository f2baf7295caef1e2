"""Where a check of wording is wrong, the page says so: `<!-- meant: 时期 (a time in history, no epoch) -->`.

The comment stands on a line of its own in the paragraph, names what is meant, and says why. It holds for that paragraph
alone, for checks of words, marks and numbers alone, and is taken out of the page that readers get.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verbatim.markdown import MEANT_COMMENT
from verbatim.pages.page import Page
from verbatim.problems import Problem

FORM = "write <!-- meant: WORD (why) --> on a line of its own, directly below the sentence"
#: How a comment names what it means, and why.
COMMENT_PARTS = re.compile(r"(?P<what>.*\S)\s+\((?P<why>.*\w.*)\)")


@dataclass(frozen=True)
class Exemption:
    """A comment, and the lines for which it holds."""

    line: int
    lines: range
    what: str
    """Part of the messages that it takes back."""


def apply(page: Page, problems: Iterable[Problem]) -> Iterator[Problem]:
    """Yield the problems of a page's wording that it does not say to be meant, and those of its comments.

    Args:
        page: The page.
        problems: What the checks of wording say of it.
    """
    told = list(problems)
    exemptions, wrong = _exemptions(page) if MEANT_COMMENT.search(page.text) else ([], [])
    if not exemptions and not wrong:
        yield from told
        return
    yield from wrong
    comments = {comment.line for comment in exemptions} | {comment.line for comment in wrong}
    used: set[Exemption] = set()
    for problem in told:
        about = [
            exemption
            for exemption in exemptions
            if problem.line in exemption.lines and exemption.what in problem.message
        ]
        used.update(about if problem.line not in comments else ())
        if not about and problem.line not in comments:
            yield problem
    for exemption in exemptions:
        if exemption not in used:
            yield Problem(
                page.path, exemption.line, f"nothing here is said of `{exemption.what}`", "take the comment out"
            )


def _exemptions(page: Page) -> tuple[list[Exemption], list[Problem]]:
    exemptions, wrong = [], []
    lines = page.text.split("\n")
    for number, line in enumerate(lines, 1):
        if comment := MEANT_COMMENT.search(line):
            parts = COMMENT_PARTS.fullmatch(comment["text"].strip())
            if not parts or not MEANT_COMMENT.fullmatch(line):
                wrong.append(Problem(page.path, number, "this comment does not say what is meant, and why", FORM))
                continue
            begin = end = number
            while begin > 1 and lines[begin - 2].strip():
                begin -= 1
            while end < len(lines) and lines[end].strip():
                end += 1
            exemptions.append(Exemption(number, range(begin, end + 1), parts["what"]))
    return exemptions, wrong

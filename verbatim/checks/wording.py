"""Sentences follow STYLE.md, as far as a machine can tell: no doubled, misspelt or unwanted words, no foreign marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from verbatim import languages
from verbatim.checks.prose import HALF_WIDTH, HAN
from verbatim.checks.rules import CHINESE_RULES, COMMON_RULES, ENGLISH_RULES, broken
from verbatim.markdown import BOX_HEAD, CAPTION_LINE, CODE_SPAN, FORMULA, front_matter_end, prose
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: Parts that are not prose: code, formulas, the targets of links, attributes, HTML, addresses.
UNREAD_PART = re.compile(
    rf"{CODE_SPAN.pattern}|{FORMULA.pattern}|\]\([^)]*\)|\{{[^}}]*\}}|<[^>]+>|https?://\S+", re.DOTALL
)
#: Quotations, and headings, which name errors as PyTorch prints them.
QUOTATION = re.compile(r"“[^”]*”|\"[^\"]*\"|^#{1,6} .*")

STRAIGHT_QUOTATION = re.compile(r'"[^"]*"')
#: Rules of one language.
LANGUAGE_RULES = {"zh": CHINESE_RULES, "en": ENGLISH_RULES}
#: An exclamation mark that ends a sentence; 5! and n! are numbers.
EXCLAMATION_MARK = re.compile(r"(?<=[\w)\]”\"*\0!?])(?<!\b\d)(?<!\b\d\d)(?<!\b[a-zA-Z])!(?=[\s\"”)*]|$)|！")


def check_words(page: Page) -> Iterator[Problem]:
    """Yield the rules that a page's sentences break, front matter included."""
    rules = (*LANGUAGE_RULES.get(page.language, ()), *COMMON_RULES)
    caption = languages.record(page.language).caption
    lines = page.text.splitlines()
    front = front_matter_end(lines)
    for number, line in [*_front(lines), *prose(page.text)]:
        if (match := BOX_HEAD.match(line)) and not match["rest"].strip():
            line = match["title"] or ""  # only a box's title is prose
        bare = UNREAD_PART.sub("\0", line)
        if number > front and (match := CAPTION_LINE.match(line)) and not match["text"].startswith(caption.rstrip()):
            yield Problem(page.path, number, "the caption is in the other language", f"write *{caption}…*")
        for message, hint in broken(rules, bare):
            yield Problem(page.path, number, message, hint)
        if EXCLAMATION_MARK.search(QUOTATION.sub("\0", bare)):
            yield Problem(page.path, number, "a sentence ends with an exclamation mark, `!`", "end it with a full stop")
        if page.language == "zh" and (quoted := next(filter(_chinese, STRAIGHT_QUOTATION.finditer(bare)), None)):
            message = f"half-width quotation marks in Chinese: `{quoted[0]}`".replace("\0", "…")
            yield Problem(page.path, number, message, "use “”")
    if page.language == "zh":
        for number, value in _front(lines):
            if match := HALF_WIDTH.search(UNREAD_PART.sub("\0", value)):
                message = f"half-width punctuation in Chinese: `{match[0]}`"
                yield Problem(page.path, number, message, "use ，；：？！（）")


def _chinese(quoted: re.Match[str]) -> bool:
    """Whether straight quotation marks hold Chinese, or stand beside it; `device("cuda")` is code."""
    around = quoted.string[max(quoted.start() - 1, 0) : quoted.end() + 1]
    return bool(re.search(HAN, around))


def _front(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the front matter's sentences. Keywords are written as readers type them."""
    for number, line in enumerate(lines[: front_matter_end(lines)], 1):
        key, colon, value = line.partition(":")
        if colon and key in ("title", "nav", "description"):
            value = value.strip()
            if value[:1] == value[-1:] and value[:1] in ("'", '"'):
                value = value[1:-1]  # YAML's own marks
            yield number, value


def check_titles_differ(pages: Iterable[Page]) -> Iterator[Problem]:
    """Yield pages of one language with the same title: search results and tabs could not be told apart."""
    first: dict[tuple[str, str], Page] = {}
    for page in sorted(pages, key=lambda page: page.path):
        heading = next((h for h in page.headings if h.level == 1), None)
        if heading is None:
            continue
        other = first.setdefault((page.language, heading.text), page)
        if other is not page:
            message = f"the title `{heading.text}` is that of {other.path}, too"
            yield Problem(page.path, heading.line, message, "say in it what only this page answers")

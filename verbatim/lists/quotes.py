"""Finds sentences of pages that quote an output as it was before a change. Pure.

A quotation is a number, a piece of inline code or four words in a row that the old output contains more often than the
new one. Numbers and single names are everywhere, so they count only in the section that shows the cell, and in the
front matter. Four words are on many pages by chance (`query, key and value`): on pages that do not show the cell they
have to be code, or six. A person decides what is really wrong.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from verbatim.book.compare import text_of
from verbatim.lists.places import Place, section_end
from verbatim.markdown import CAPTION_LINE, CODE_SPAN, LINK_END, front_matter_end, prose
from verbatim.pages.page import Page

Outputs = Sequence[dict[str, Any]]
Run = tuple[str, ...]
#: Numbers, and inline code of several words, of at least this many characters are searched for on every page.
DISTINCTIVE_CHARACTERS = 12
#: This many words in a row are a quotation.
QUOTED_WORDS = 4
#: So many are, outside of code, on a page that does not show the cell.
QUOTED_WORDS_ELSEWHERE = 6
#: A number in a sentence or an output: not a part of a name (`float32`), a version (2.13.0) or another number.
_NUMBER = re.compile(r"(?<![A-Za-z0-9_.])[-+−]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![A-Za-z0-9_]|\.\d)")
_WORD = re.compile(r"[A-Za-z_][\w.]*|\d[\w.]*")


@dataclass(frozen=True, order=True)
class Quote:
    """A line of a page that quotes an output as it was."""

    path: str
    line: int
    quoted: str
    """What it quotes; empty for the caption of a figure that changed."""
    text: str
    """The line."""


def find(pages: Iterable[Page], places: Iterable[Place], old: Outputs, new: Outputs) -> list[Quote]:
    """Return the lines of pages that quote an output of a cell that it no longer prints, in order.

    Args:
        pages: All pages.
        places: Where the cell is shown, in every language.
        old: The old outputs of the cell.
        new: The new ones.
    """
    was, now = _text(old), _text(new)
    numbers = _lost(_numbers(was), _numbers(now))
    phrases = _lost(_phrases(was), _phrases(now))
    redrawn = _figures(old) != _figures(new)
    places = list(places)
    quotes = []
    for page in pages:
        here = [place for place in places if place.page.path == page.path]
        near = set(_near(page, here))
        for line in _lines(page):
            runs = line.runs if here else line.runs_elsewhere
            phrase = next((" ".join(run) for run in runs if run in phrases), "")
            quoted = _quoted(line, was, now, numbers, phrase, close=line.number in near)
            below = any(line.number - place.embed.end in (1, 2) for place in here)
            if quoted or (redrawn and below and CAPTION_LINE.match(line.text)):
                quotes.append(Quote(page.path, line.number, quoted, line.text))
    return sorted(quotes)


def _quoted(line: _Line, was: str, now: str, numbers: set[float], phrase: str, *, close: bool) -> str:
    """Return the lost text that a line quotes; empty if there is none. `close`: whether the cell is shown there."""
    for code in line.codes:
        distinctive = (len(code) >= DISTINCTIVE_CHARACTERS and " " in code) or (close and len(code) > 1)
        if distinctive and code in was and code not in now:
            return code
    if phrase:
        return phrase
    for number in line.numbers:
        if _value(number) in numbers and (close or len(number) >= DISTINCTIVE_CHARACTERS):
            return number
    return ""


@dataclass(frozen=True)
class _Line:
    """A line of a page, and what it may quote."""

    number: int
    text: str
    codes: tuple[str, ...]
    runs: tuple[Run, ...]
    """What counts as a quotation on a page that shows the cell, each as words."""
    runs_elsewhere: tuple[Run, ...]
    """What does on another."""
    numbers: tuple[str, ...]


@functools.lru_cache(maxsize=4096)  # each page is asked once for each change
def _lines(page: Page) -> tuple[_Line, ...]:
    """Return the lines of a page's front matter and prose, without the ids of headings."""
    lines = page.text.split("\n")
    front = enumerate(lines[: front_matter_end(lines)], 1)
    code_lines = []
    for number, line in [*front, *prose(page.text)]:
        text = re.sub(r"\{\s*#[^}]*\}\s*$", "", line)
        bare = LINK_END.sub("]", text)
        codes = tuple(match[0].strip("`").strip() for match in CODE_SPAN.finditer(text))
        words = _words(re.sub(r"\\(?=[\[\]`*_])", "", bare))
        elsewhere = [run for code in codes for run in _runs(_words(code))]
        elsewhere += _runs(words, QUOTED_WORDS_ELSEWHERE)
        numbers = tuple(_NUMBER.findall(bare))
        code_lines.append(_Line(number, line.strip(), codes, tuple(_runs(words)), tuple(elsewhere), numbers))
    return tuple(code_lines)


def _numbers(text: str) -> list[float]:
    return [_value(number) for number in _NUMBER.findall(text)]


def _value(number: str) -> float:
    return float(number.replace("−", "-"))


def _near(page: Page, places: Iterable[Place]) -> Iterable[int]:
    """Yield the numbers of lines about the cells at some places: their sections and the front matter."""
    for place in places:
        yield from range(1, front_matter_end(page.text.split("\n")) + 1)
        start = place.section.line if place.section else 1
        yield from range(start, section_end(page, place.embed.line) + 1)


def _lost(old: Iterable[Any], new: Iterable[Any]) -> set[Any]:
    """Return the elements that the new has fewer of than the old."""
    return set(Counter(old) - Counter(new))


def _text(outputs: Outputs) -> str:
    return "\n".join(text_of(output) for output in outputs if output["output_type"] != "display_data")


def _figures(outputs: Outputs) -> list[str]:
    return [text_of(output) for output in outputs if output["output_type"] == "display_data"]


def _words(text: str) -> list[str]:
    return [word.rstrip(".") for word in _WORD.findall(text)]


def _runs(words: list[str], length: int = QUOTED_WORDS) -> Iterable[Run]:
    return zip(*(words[start:] for start in range(length)), strict=False)


def _phrases(text: str) -> list[Run]:
    """Return every run of words in an output's lines, except runs of numbers alone."""
    return [
        run
        for line in text.splitlines()
        for length in (QUOTED_WORDS, QUOTED_WORDS_ELSEWHERE)
        for run in _runs(_words(line), length)
        if any(len(word) > 2 for word in run) and not all(word[0].isdigit() for word in run)
    ]

"""Finds the sentences of pages that quote what an output no longer holds. Pure.

Found by text alone: a number, a piece of inline code or four words in a row that stood in the old output, and that
stand there less often in the new one. Numbers and single names stand everywhere, so they count only where the cell is
shown: in its section, and in the front matter. A person decides what is really wrong.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from verbatim.book.compare import text_of
from verbatim.lists.places import Place, section_end
from verbatim.markdown import CAPTION, CODE_SPAN, LINK, front_matter_end, prose
from verbatim.pages.page import Page

Outputs = Sequence[dict[str, Any]]
#: From so many characters on, a number, or inline code of several words, is looked for on every page.
TELLING = 12
#: So many words in a row are a quotation.
WORDS = 4
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
    """Return the lines of pages that quote what a cell no longer prints, in order.

    Args:
        pages: All pages.
        places: Where the cell is shown, in every language.
        old: What the cell printed.
        new: What it prints now.
    """
    was, now = _text(old), _text(new)
    numbers = _lost(_numbers(was), _numbers(now))
    phrases = _lost(_phrases(was), _phrases(now))
    redrawn = _figures(old) != _figures(new)
    places = list(places)
    found = []
    for page in pages:
        here = [place for place in places if place.page.path == page.path]
        near = set(_near(page, here))
        lines = page.text.splitlines()
        for number, line in _lines(page):
            close = number in near
            quoted = _quoted(line, was, now, numbers, phrases, close=close)
            caption = redrawn and CAPTION.match(line) and any(number - place.embed.end in (1, 2) for place in here)
            if quoted or caption:
                found.append(Quote(page.path, number, quoted, lines[number - 1].strip()))
    return sorted(found)


def _quoted(line: str, was: str, now: str, numbers: set[float], phrases: set[tuple[str, ...]], *, close: bool) -> str:
    """Return what a line quotes that is lost; empty if nothing. `close`: whether the cell is shown there."""
    for match in CODE_SPAN.finditer(line):
        code = match[0].strip("`").strip()
        telling = (len(code) >= TELLING and " " in code) or (close and len(code) > 1)
        if telling and was.count(code) > now.count(code) and code not in now:
            return code
    words = _words(re.sub(r"\\(?=[\[\]`*_])", "", LINK.sub("]", line)))
    if said := next((run for run in _runs(words) if run in phrases), None):
        return " ".join(said)
    for match in _NUMBER.finditer(LINK.sub("]", line)):
        if _value(match[0]) in numbers and (close or len(match[0]) >= TELLING):
            return match[0]
    return ""


def _numbers(text: str) -> list[float]:
    return [_value(found) for found in _NUMBER.findall(text)]


def _value(number: str) -> float:
    return float(number.replace("−", "-"))


def _lines(page: Page) -> list[tuple[int, str]]:
    """Return the numbered lines of a page that are no code: its front matter and its prose, without headings' ids."""
    lines = page.text.split("\n")
    front = list(enumerate(lines[: front_matter_end(lines)], 1))
    return [(number, re.sub(r"\{\s*#[^}]*\}\s*$", "", line)) for number, line in [*front, *prose(page.text)]]


def _near(page: Page, places: Iterable[Place]) -> Iterable[int]:
    """Yield the lines of a page that speak of a cell which it shows: its sections and the front matter."""
    for place in places:
        yield from range(1, front_matter_end(page.text.split("\n")) + 1)
        start = place.section.line if place.section else 1
        yield from range(start, section_end(page, place.embed.line) + 1)


def _lost(old: Iterable[Any], new: Iterable[Any]) -> set[Any]:
    """Return what there is less of in the new than in the old."""
    return set(Counter(old) - Counter(new))


def _text(outputs: Outputs) -> str:
    return "\n".join(text_of(output) for output in outputs if output["output_type"] != "display_data")


def _figures(outputs: Outputs) -> list[str]:
    return [text_of(output) for output in outputs if output["output_type"] == "display_data"]


def _words(text: str) -> list[str]:
    return [word.rstrip(".") for word in _WORD.findall(text)]


def _runs(words: list[str]) -> Iterable[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(WORDS)), strict=False)


def _phrases(text: str) -> list[tuple[str, ...]]:
    """Return every run of words of an output's lines; one that is numbers alone is none."""
    return [
        run
        for line in text.splitlines()
        for run in _runs(_words(line))
        if any(len(word) > 2 for word in run) and not all(word[0].isdigit() for word in run)
    ]

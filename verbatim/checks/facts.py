"""The languages of a section state the same facts, as far as a machine can see: numbers and names in code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial

from verbatim.checks.exemptions import FORM
from verbatim.languages import DEFAULT_LANGUAGES, Languages
from verbatim.markdown import CODE_SPAN, prose
from verbatim.memo import Memo
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: A number in a sentence, 7th, too; digits within a name or an address are none, and 7 billion is 70 亿.
NUMBER = re.compile(
    r"(?<![A-Za-z_\d.#/-])\d+(?:[.,]\d+)*"
    r"(?!(?!(?:st|nd|rd|th)\b)[A-Za-z_\d-]|\.\d|\s?多?[万亿]|\s(?:thousand|[mb]illion))"
)
NAME = re.compile(r"[A-Za-z_][\w.]*")
#: An item of a list is a paragraph of its own.
LIST_ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s")
LINK_TARGET = re.compile(r"\]\([^)]*\)|https?://\S+|\{[^}]*\}")
#: Numbers that the other language may say in words: 7, 1000, a quarter, half, a dozen, twenty-four hours.
SPOKEN_NUMBER = re.compile(r"0?\.?\d0*|0?\.?[27]5|12|24|1\.5")
#: Heading id, and the number of a paragraph below it.
Place = tuple[str, int]
#: Place → the lines of its paragraph, with their numbers.
Paragraphs = dict[Place, list[tuple[int, str]]]


def check_facts(pages: Iterable[Page], memo: Memo, languages: Languages = DEFAULT_LANGUAGES) -> Iterator[Problem]:
    """Where each language of a paragraph has a number, or a name in code, that the other has nowhere, one is wrong.

    What only one of them says is left alone, because a sentence may say “three” or 三, and give one example more: but a
    number that is seldom said in words stands in both.
    """
    by_language = {language: {p.name: p for p in pages if p.language == language} for language in languages.all}
    first, *others = languages.all
    for name, page in by_language[first].items():
        for twin in (by_language[other][name] for other in others if name in by_language[other]):
            texts = f"{page.path}\0{page.text}\0{twin.path}\0{twin.text}"
            yield from memo.check("facts", texts, partial(_differ, page, twin))


def _differ(page: Page, twin: Page) -> Iterator[Problem]:
    here, there = _paragraphs(page), _paragraphs(twin)
    said, told = ({place: _facts(lines) for place, lines in side.items()} for side in (here, there))
    all_here, all_there = ({fact for facts in side.values() for fact in facts} for side in (said, told))
    alike = _alike(here, there)
    for place in here.keys() & there.keys():
        ours, theirs = said[place].keys() - all_there, told[place].keys() - all_here
        for kind in (str.isidentifier, str.isnumeric):
            a, b = ([fact for fact in side if kind(fact.replace(".", ""))] for side in (ours, theirs))
            if kind is str.isnumeric and place[0] in alike:
                a, b = _apart(here[place], there[place]) or (a, b)
            if len(a) == len(b) == 1:
                message = f"`{b[0]}` here, `{a[0]}` in {page.path}"
                hint = f"both languages state the same facts: mend the wrong one; {FORM}"
                yield Problem(twin.path, told[place][b[0]], message, hint)
            elif kind is str.isnumeric and place[0] in alike and not (a and b):
                yield from _alone(page, said[place], a, twin)
                yield from _alone(twin, told[place], b, page)


def _alike(here: Paragraphs, there: Paragraphs) -> set[str]:
    """Return the ids of the sections that have as many paragraphs in each language: these say the same, one by one."""
    ours, theirs = (Counter(id for id, _ in side) for side in (here, there))
    return {id for id, count in ours.items() if theirs[id] == count}


def _apart(ours: list[tuple[int, str]], theirs: list[tuple[int, str]]) -> tuple[list[str], list[str]] | None:
    """Return the one number that differs, here and there, between paragraphs that have as many numbers."""
    here, there = (Counter(value for _, line in side for value in _numbers(line)) for side in (ours, theirs))
    a, b = list((here - there).elements()), list((there - here).elements())
    return (a, b) if len(a) == len(b) == 1 else None


def _alone(page: Page, facts: dict[str, int], numbers: list[str], other: Page) -> Iterator[Problem]:
    """A number that is seldom said in words is somewhere on the other page."""
    text = other.text.replace(",", "")
    for number in numbers:
        if not SPOKEN_NUMBER.fullmatch(number) and not re.search(rf"(?<!\d){re.escape(number)}(?!\d)", text):
            hint = f"both languages state the same facts: say it there, or take it out here; {FORM}"
            yield Problem(page.path, facts[number], f"`{number}` stands here, and nowhere in {other.path}", hint)


def _paragraphs(page: Page) -> Paragraphs:
    heads = {heading.line: heading.id for heading in page.headings}
    paragraphs: Paragraphs = {}
    id, paragraph, before = "", 0, 0
    for number, line in prose(page.text):
        if number in heads:
            id, paragraph = heads[number], 0
        elif not line.strip() or number > before + 1 or LIST_ITEM.match(line):
            paragraph += bool(line.strip() and (id, paragraph) in paragraphs)
        before = number if line.strip() else 0
        if line.strip():
            paragraphs.setdefault((id, paragraph), []).append((number, line))
    return paragraphs


def _facts(lines: list[tuple[int, str]]) -> dict[str, int]:
    """Return the numbers of a paragraph's sentences, and the names in their code → their line."""
    line_of: dict[str, int] = {}
    for number, line in lines:
        spans = [match[0].strip("` ").removesuffix("()") for match in CODE_SPAN.finditer(line)]
        facts = [span.rpartition(".")[2] for span in spans if NAME.fullmatch(span)]
        line_of.update(dict.fromkeys([*facts, *_numbers(line)], number))
    return line_of


def _numbers(line: str) -> list[str]:
    """Return the numbers of a line's sentences."""
    return [value.replace(",", "") for value in NUMBER.findall(LINK_TARGET.sub(" ", CODE_SPAN.sub(" ", line)))]

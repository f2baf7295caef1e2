"""The languages of a section state the same facts, as far as a machine can see: numbers, and names in code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from verbatim.checks.exemptions import FORM
from verbatim.languages import USUAL, Languages
from verbatim.markdown import CODE_SPAN, prose
from verbatim.memo import Memo
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: A number in a sentence; digits within a name or an address are none, and 7 billion is 70 亿.
NUMBER = re.compile(r"(?<![A-Za-z_\d.#/-])\d+(?:[.,]\d+)*(?![A-Za-z_\d-]|\.\d|\s?[万亿]|\s(?:thousand|[mb]illion))")
NAME = re.compile(r"[A-Za-z_][\w.]*")
#: An item of a list is a paragraph of its own.
ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s")
ADDRESS = re.compile(r"\]\([^)]*\)|https?://\S+|\{[^}]*\}")


def check_facts(pages: Iterable[Page], memo: Memo, languages: Languages = USUAL) -> Iterator[Problem]:
    """Where each language of a paragraph has a number, or a name in code, that the other has nowhere, one is wrong.

    What only one of them says is left alone: a sentence may say “three” or 三, and give one example more.
    """
    by_language = {language: {p.name: p for p in pages if p.language == language} for language in languages.all}
    first, *others = languages.all
    for name, page in by_language[first].items():
        for twin in (by_language[other][name] for other in others if name in by_language[other]):
            texts = f"{page.path}\0{page.text}\0{twin.path}\0{twin.text}"
            yield from memo.check("facts", texts, partial(_differ, page, twin))


def _differ(page: Page, twin: Page) -> Iterator[Problem]:
    here, there = _paragraphs(page), _paragraphs(twin)
    all_here, all_there = ({fact for facts in found.values() for fact in facts} for found in (here, there))
    for place in here.keys() & there.keys():
        ours, theirs = here[place].keys() - all_there, there[place].keys() - all_here
        for kind in (str.isidentifier, str.isnumeric):
            a, b = ([one for one in side if kind(one.replace(".", ""))] for side in (ours, theirs))
            if len(a) == len(b) == 1:
                message = f"`{b[0]}` here, `{a[0]}` in {page.path}"
                hint = f"both languages state the same facts: mend the wrong one; {FORM}"
                yield Problem(twin.path, there[place][b[0]], message, hint)


def _paragraphs(page: Page) -> dict[tuple[str, int], dict[str, int]]:
    """Return (heading id, number of the paragraph below it) → the numbers and names of its sentences → their line."""
    heads = {heading.line: heading.id for heading in page.headings}
    found: dict[tuple[str, int], dict[str, int]] = {}
    id, paragraph, before = "", 0, 0
    for number, line in prose(page.text):
        if number in heads:
            id, paragraph = heads[number], 0
        elif not line.strip() or number > before + 1 or ITEM.match(line):
            paragraph += bool(line.strip() and (id, paragraph) in found)
        before = number if line.strip() else 0
        spans = [match[0].strip("` ").removesuffix("()") for match in CODE_SPAN.finditer(line)]
        facts = [span.rpartition(".")[2] for span in spans if NAME.fullmatch(span)]
        facts += [one.replace(",", "") for one in NUMBER.findall(ADDRESS.sub(" ", CODE_SPAN.sub(" ", line)))]
        if line.strip():
            found.setdefault((id, paragraph), {}).update(dict.fromkeys(facts, number))
    return found

"""What readers are told to do about a message is an instruction, is about it alone, and was approved. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from verbatim.book.messages import MESSAGE_START
from verbatim.lists import approved, remedies
from verbatim.lists.places import Place, Sources
from verbatim.lists.remedies import MARK_KEYS, Remedy, blocks
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean

#: How many words of a message must be the same in all that share a remedy.
FIRST_WORDS = 2


def check_keys(page: Page) -> Iterator[Problem]:
    """A mark says nothing but what is known."""
    for block in blocks(page):
        for key in block.mark or {}:
            if key not in MARK_KEYS:
                message = f"the mark of a remedy says `{key}`, which means nothing"
                yield Problem(page.path, block.line, message, did_you_mean(key, MARK_KEYS))


def check_remedies(sources: Sources) -> Iterator[Problem]:
    """Each marked remedy says what to do, and about one message; the cell that it names proves it."""
    broken = {problem.path for problem in sources.book.problems}  # what fails by mistake needs another mend
    for language in sources.languages.all:
        by_cell = remedies.remedies(sources, language)
        yield from _of_none(sources, language)
        told = set()
        for place in sources.places(language):
            advice = by_cell.get((place.page.name, place.target), [])
            yield from _once(place, advice)
            for remedy in advice:
                if place.script.path not in broken and (place.page.path, remedy.block.line) not in told:
                    told.add((place.page.path, remedy.block.line))
                    yield from _remedy(sources, place, remedy)


def _once(place: Place, advice: list[Remedy]) -> Iterator[Problem]:
    """Yield the remedies of a cell beyond the first one that is for all of its messages."""
    for first, other in itertools.pairwise(remedy for remedy in advice if "of" not in (remedy.block.mark or {})):
        message = f"{place.embed.target} has a remedy on line {first.block.line} already"
        hint = "mark the paragraph that says best what to do, and no other"
        yield Problem(place.page.path, other.block.line, message, hint)


def _of_none(sources: Sources, language: str) -> Iterator[Problem]:
    """Yield the marks that quote what no message of their section says."""
    by_cell = remedies.remedies(sources, language)
    used = {(name, remedy.block.line) for (name, _), some in by_cell.items() for remedy in some}
    for page in sources.pages_in(language):
        for block in blocks(page):
            if "of" in (block.mark or {}) and (page.name, block.line) not in used:
                message = f"no message of the section has “{(block.mark or {})['of']}” in it"
                yield Problem(page.path, block.line, message, "quote it as it is printed")


def _remedy(sources: Sources, place: Place, remedy: Remedy) -> Iterator[Problem]:
    """Yield what is wrong with a remedy."""
    page, line, mark = place.page, remedy.block.line, remedy.block.mark or {}
    if not remedy.text:
        hint = "begin one of its sentences with an instruction (Write …; If …, write …), or take the mark out"
        yield Problem(page.path, line, "this remedy explains, and does not say what to do", hint)
    texts = [text for _, text in _beside(sources, place)]
    if "of" not in mark and len(firsts := dict.fromkeys(_first(text) for text in texts)) > 1:
        message = f"one remedy for several messages: {'; '.join(f'“{first} …”' for first in firsts)}"
        yield Problem(page.path, line, message, 'quote what those that it is for have in common: { .remedy of="…" }')
    if "proof" in mark:
        yield from _proof(sources, place, remedy)


def _beside(sources: Sources, place: Place) -> list[tuple[str, str]]:
    """Return all messages that stand below the same embed."""
    together = [beside for beside in sources.places_on(place.page) if beside.embed.line == place.embed.line]
    return [message for beside in together for message in remedies.own(sources, beside)]


def _first(text: str) -> str:
    """Return the first words of a message."""
    return " ".join(re.findall(r"[\w']+", MESSAGE_START.sub("", text, count=1))[:FIRST_WORDS])


def _proof(sources: Sources, place: Place, remedy: Remedy) -> Iterator[Problem]:
    """Yield what is wrong with the cell that a page names as the proof of a remedy."""
    path, name = remedies.proving_cell(remedy.proof)
    script = sources.book.scripts.get(path)
    cell = script.cell(name) if script else None
    if not script or not cell:
        hint = did_you_mean(name, [cell.name for cell in script.cells] if script else [])
        yield Problem(place.page.path, remedy.block.line, f"there is no cell {remedy.proof}", hint)
    elif not remedies.applies(sources, place, script, cell):
        message = f"the cell {remedy.proof} does not prove the remedy: it raises, prints the message, or has not run"
        hint = "name a cell in which the remedy is applied and the message is gone"
        yield Problem(place.page.path, remedy.block.line, message, hint)


def check_twins(sources: Sources) -> Iterator[Problem]:
    """All languages mark the same remedies, with the same words in the mark."""
    first = sources.languages.default
    marks = {
        (page.language, page.name): [block.mark for block in blocks(page) if block.mark is not None]
        for page in sources.pages
    }
    for page in sources.pages:
        there = marks.get((first, page.name))
        here = marks[page.language, page.name]
        if there is not None and there != here:
            place = next((block.line for block in blocks(page) if block.mark is not None), 1)
            message = f"the marks of remedies differ from those in docs/{first}/{page.name}"
            yield Problem(page.path, place, message, "mark the same paragraphs in both, with the same words")


def check_approved(sources: Sources, *, whole: bool) -> Iterator[Problem]:
    """What messages lead to is what a person approved, in a book that has such files.

    Args:
        sources: The book.
        whole: Whether these are all pages, so that what is approved and on no page is told, too.
    """
    project = sources.book.project
    if not approved.folder(project).is_dir():
        return
    before, problems = approved.read(project)
    yield from problems
    if problems:
        return
    now = approved.made(sources)
    lines: dict[str, list[str]] = {}
    for sign, some, other in (("-", before, now), ("+", now, before)):
        for chapter, templates in some.items():
            for template, places in templates.items():
                known = other.get(chapter, {}).get(template, [])
                for told in (place for place in places if place not in known):
                    said = [f"    {key}: {value}" for key, value in told.items() if key != "at"]
                    lines.setdefault(told["at"].partition("#")[0], []).extend(
                        f"{sign} {line}" for line in (f"{template} → {told['at']}", *said)
                    )
    pages = {page.name.removesuffix(".md"): page for page in sources.pages_in(sources.languages.default)}
    for name, diff in lines.items():
        if page := pages.get(name):
            message = "what its messages lead to is not what was approved\n" + "\n".join(diff)
            yield Problem(page.path, 0, message, f"if this is right: python -m verbatim remedies {name}")
        elif whole:
            path = project.relative(approved.folder(project) / f"{name.partition('/')[0]}.yml")
            yield Problem(path, 0, f"there is no page {name} any more", "python -m verbatim remedies takes it out")


def notes(sources: Sources, named: set[str]) -> Iterator[Problem]:
    """Yield how many remedies no cell proves, of all recipes or of those that are named."""
    without = [
        told["at"]
        for told in approved.unproved(approved.made(sources))
        if not named or told["at"].partition("#")[0] in named
    ]
    if without:
        places = ", ".join(sorted({*without})[:3]) + (" …" if len({*without}) > 3 else "")
        message = f"{len(without)} remedies are proved by no cell: {places}"
        folder = sources.book.project.relative(approved.folder(sources.book.project))
        yield Problem(folder, 0, message, "`unproved` lists them, each with its reason")

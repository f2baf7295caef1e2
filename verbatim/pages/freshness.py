"""Finds stale translations: sections that were changed in one language and not yet in the others.

`FILE` has, for each section, a hash of its prose in each language as it was when all languages last said the same.
Where one language's prose is what it was then and another's is not, the first is behind. Where all have changed, or a
section is new, they say the same again: `renewed` writes that down. Where a change concerns the wording of one language
alone, a person says so. Code and outputs do not count, because all languages share them, and line breaks do not either.

A line of `FILE` is a page: its name, then its sections, ``detach-shares-storage=zh:1f0a3c,en:9b02d7``. Branches that
each write a page's line anew both keep theirs when they are merged (`.gitattributes`): what any line of a page has
counts. A book without the file does without.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from verbatim.markdown import MEANT_COMMENT, headings, prose
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.project import Project, write_if_changed

FILE = "book/in-step.txt"
ABOUT = """\
# What each section said when all languages last said the same: a page, then each section with a hash a language.
# `python -m verbatim check --fix` writes it: of what changed in all languages, or is new.
# `python -m verbatim check --same PAGE`: of a change that concerns the wording of one language alone.
"""
#: What stands for the text above a page's first heading, which has no id.
TOP = "-"
_SECTION_HASHES = re.compile(r"(?P<id>[\w.-]+)=(?P<hashes>[\w-]+:[0-9a-f]+(?:,[\w-]+:[0-9a-f]+)*)")

#: Language → hash of a section's prose.
Hashes = dict[str, str]


@dataclass(frozen=True)
class Section:
    """The prose of a page between two headings."""

    line: int
    """Of its heading."""
    hash: str


@dataclass(frozen=True)
class StaleSection:
    """A section that was changed in another language only."""

    page: str
    """The page that is behind."""
    line: int
    """Line of the section's heading there."""
    section: str
    """The heading's id; empty for the text above the first heading."""
    newer: str
    """The page that is ahead."""


def sections(text: str) -> dict[str, Section]:
    """Split a page at its headings: id → section; `TOP` for the text above the first heading."""
    ids = {heading.line: heading.id for heading in headings(text) if heading.level > 1}
    lines: dict[str, tuple[int, list[str]]] = {TOP: (1, [])}
    current = TOP
    for number, line in prose(text):
        if number in ids:
            current = ids[number]
            lines[current] = (number, [])
        if not MEANT_COMMENT.fullmatch(line):  # a comment of one language's wording
            lines[current][1].extend(line.split())
    return {id: Section(line, _hash(" ".join(words))) for id, (line, words) in lines.items()}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:6]


@dataclass(frozen=True)
class Stored:
    """What `FILE` says."""

    pages: dict[str, list[dict[str, Hashes]]]
    """Page → each of its lines: section → hashes."""
    problems: tuple[Problem, ...] = ()


def read(project: Project) -> Stored:
    """Read `FILE`; empty where a project has none."""
    pages: dict[str, list[dict[str, Hashes]]] = {}
    problems = []
    for number, line in enumerate(project.text(FILE).splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        page, *parts = line.split()
        matches = [_SECTION_HASHES.fullmatch(part) for part in parts]
        if not page.endswith(".md") or not all(matches):
            hint = "a line is a page and its sections: python -m verbatim check --fix writes it anew"
            problems.append(Problem(FILE, number, "this line cannot be read", hint))
            continue
        pages.setdefault(page, []).append(
            {match["id"]: dict(part.split(":") for part in match["hashes"].split(",")) for match in matches if match}
        )
    return Stored(pages, tuple(problems))


@dataclass(frozen=True)
class _State:
    """A section of a page in all its languages, beside what was stored of it."""

    now: dict[str, Section]
    """Language → the section."""
    stored: Hashes
    """What all said when they last said the same; empty where that is not known."""

    @property
    def hashes(self) -> Hashes:
        return {language: section.hash for language, section in self.now.items()}

    @property
    def changed(self) -> list[str]:
        """The languages that say something else than they did."""
        return [language for language in self.now if self.stored.get(language) not in (None, self.now[language].hash)]

    @property
    def behind(self) -> list[str]:
        """The languages that say what they did, while another says something else."""
        same = [language for language in self.now if self.stored.get(language) == self.now[language].hash]
        return same if self.changed else []

    @property
    def current(self) -> bool:
        return self.stored == self.hashes


def _states(pages: Iterable[Page], stored: Stored) -> Iterator[tuple[str, str, _State]]:
    """Yield each page's name, each of its sections that all languages of the page have, and its state."""
    by_name: dict[str, list[Page]] = {}
    for page in pages:
        by_name.setdefault(page.name, []).append(page)
    for name, twins in sorted(by_name.items()):
        if len(twins) < 2:
            continue
        by_language = {page.language: sections(page.text) for page in twins}
        lines = stored.pages.get(name, [])
        for id in next(iter(by_language.values())):
            now = {language: of[id] for language, of in by_language.items() if id in of}
            if len(now) == len(by_language):  # else the skeletons differ, which `check` reports
                yield name, id, _State(now, _nearest([line[id] for line in lines if id in line], now))


def _nearest(lines: list[Hashes], now: dict[str, Section]) -> Hashes:
    """Return that of several lines of a page which has most of what its section says now."""

    def alike(hashes: Hashes) -> int:
        return sum(hashes.get(language) == section.hash for language, section in now.items())

    return max(lines, key=alike, default={})


def stale(project: Project, pages: Iterable[Page]) -> list[StaleSection]:
    """Return every stale section."""
    behind = []
    for name, id, state in _states(pages, read(project)):
        for language in state.behind:
            page, newer = (f"docs/{code}/{name}" for code in (language, state.changed[0]))
            behind.append(StaleSection(page, state.now[language].line, "" if id == TOP else id, newer))
    return sorted(behind, key=lambda item: (item.page, item.line))


def notes(stale: Iterable[StaleSection]) -> list[Problem]:
    """Return a note for each stale section, with the command that shows the change."""
    problems = []
    for item in stale:
        where = f"`#{item.section}`" if item.section else "the text above the first heading"
        message = f"{where} has changed in {item.newer} since both said the same, and not here"
        # the page itself: one without a script is no recipe that could be named
        hint = f"git log -p -- {item.newer} shows it; where both say the same all the same: check --same {item.page}"
        problems.append(Problem(item.page, item.line, message, hint))
    return problems


def check(project: Project, pages: Iterable[Page]) -> Iterator[Problem]:
    """`FILE` can be read, and has what is new or has changed in all languages: else a later change of one is missed."""
    if not (project.root / FILE).is_file():
        return
    stored = read(project)
    yield from stored.problems
    told: dict[str, list[tuple[int, str]]] = {}
    for name, id, state in _states(pages, stored):
        if not state.current and not state.behind:
            language, section = next(iter(state.now.items()))
            told.setdefault(f"docs/{language}/{name}", []).append((section.line, id))
    for path, places in told.items():
        which = ", ".join("the text above the first heading" if id == TOP else f"`#{id}`" for _, id in places)
        message = f"{which}: new, or changed in all languages, which {FILE} does not say yet"
        hint = f"where all say the same: python -m verbatim check --fix {path}"
        yield Problem(path, places[0][0], message, hint)


def renew(project: Project, pages: Iterable[Page], *, same: bool = False) -> bool:
    """Write down what pages say the same in all languages. Return whether that is new.

    Args:
        project: The project. Nothing is written where it has no `FILE`.
        pages: The pages; lines of others stay, but for those of pages that are gone.
        same: Whether a person says that of all their sections, whatever changed.
    """
    path = project.root / FILE
    if not path.is_file():
        return False
    pages, stored = list(pages), read(project)
    lines: dict[str, dict[str, Hashes]] = {page.name: {} for page in pages}
    for name, id, state in _states(pages, stored):
        lines[name][id] = state.stored if state.behind and not same else state.hashes
    others = [
        (name, line)
        for name, of in stored.pages.items()
        for line in of
        if name not in lines and any((project.docs(language) / name).is_file() for language in project.languages.all)
    ]
    rows = [_row(name, line) for name, line in (*lines.items(), *others) if line]
    return write_if_changed(path, ABOUT + "".join(f"{row}\n" for row in sorted(rows)))


def _row(page: str, sections: dict[str, Hashes]) -> str:
    """Return a line of `FILE`."""
    hashes = {id: ",".join(f"{language}:{hash}" for language, hash in of.items()) for id, of in sections.items()}
    return " ".join([page, *(f"{id}={listed}" for id, listed in hashes.items())])


def renamed(text: str, old: str, new: str) -> str:
    """Return the text of `FILE` with another name of a page."""
    lines = [re.sub(rf"^{re.escape(old)} ", f"{new} ", line) for line in text.splitlines()]
    about = [line for line in lines if line.startswith("#")]
    return "".join(f"{line}\n" for line in (*about, *sorted(line for line in lines if line not in about)))

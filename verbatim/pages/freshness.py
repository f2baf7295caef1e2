"""Finds stale translations: sections that were changed in one language and not yet in the other, from git's history.

A commit that changes the prose of a section in one language makes the other language stale. A later commit that builds
on it, and changes the other language or both, makes it current again. Two parallel branches that changed one language
each do so for each other. Code and outputs do not count, because both languages share them.

Each commit is compared with its own parents, so that parallel branches do not seem to undo each other. In a merge only
lines that none of its parents has count as changed; they may make a section current, never stale.

A commit with `[wording]` in its message concerns the wording of one language alone: it has no effect here. A commit
that is listed in `.wording-commits` left both languages equal: it may make a section current, never stale.
"""

from __future__ import annotations

import functools
import itertools
import operator
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from verbatim import git
from verbatim.markdown import MEANT, headings, prose
from verbatim.memo import Memo, software
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.project import Project

#: A word of Latin letters, or any other character.
WORD = re.compile(r"[A-Za-z0-9]+|.")
#: Characters of an edit that a note shows.
SHOWN = 80


@dataclass(frozen=True)
class Edit:
    """A commit's change to a page in one language."""

    before: tuple[str, ...]
    """The text in each of the commit's parents, or before a first commit; empty where it did not exist."""
    after: str
    """The text after the commit; empty if it removed the page."""


@dataclass(frozen=True)
class Change:
    """A commit's change to a page."""

    commit: str
    time: int
    """Seconds since 1970."""
    number: int
    """Its index among the commits that changed pages, parents before children."""
    built_on: int
    """The numbers of all commits that it builds on, as bits."""
    edits: dict[str, Edit]
    """Language → change; for a merge, only languages whose text differs from that of every parent."""

    @property
    def merges(self) -> bool:
        """Whether it has more than one parent."""
        return any(len(edit.before) > 1 for edit in self.edits.values())

    def languages(self, read: Callable[[str], Sections]) -> dict[str, list[str]]:
        """Return section → languages in which its prose changed. `read`: a cached version of `sections`."""
        found: dict[str, list[str]] = {}
        for language, edit in self.edits.items():
            olds, new = [read(text) for text in edit.before], read(edit.after)
            for section in set(new).union(*olds):
                lines = new.get(section, _NONE)[1]
                before = [old.get(section, _NONE)[1] for old in olds]
                if set(lines).difference(*before) if self.merges else lines != before[0]:
                    found.setdefault(section, []).append(language)
        return found


@dataclass(frozen=True)
class StaleSection:
    """A section that was changed in one language only."""

    page: str
    """The page that is behind."""
    line: int
    """Line of the section's heading there."""
    section: str
    """The heading's id; empty for the text above the first heading."""
    newer: str
    """The page that is ahead."""
    commit: str
    """The commit that changed it."""
    time: int

    @property
    def date(self) -> str:
        """Day of the change, 2026-11-21."""
        return datetime.fromtimestamp(self.time, UTC).strftime("%Y-%m-%d")


Sections = dict[str, tuple[int, list[str]]]


def sections(text: str) -> Sections:
    """Split a page at its headings: id → (line of the heading, lines of prose)."""
    ids = {heading.line: heading.id for heading in headings(text) if heading.level > 1}
    current = ""
    found: dict[str, tuple[int, list[str]]] = {"": (1, [])}
    for number, line in prose(text):
        if number in ids:
            current = ids[number]
            found[current] = (number, [])
        if line.strip() and not MEANT.fullmatch(line):  # a comment of one language's wording
            found[current][1].append(line.strip())
    return found


def behind(
    name: str, changes: list[Change], texts: dict[str, str], wording: frozenset[str], equal: frozenset[str]
) -> list[StaleSection]:
    """Find the sections of a page that are stale in some of its languages.

    Args:
        name: The page.
        changes: The changes of commits to it, parents before children.
        texts: Language → the page's current text.
        wording: Commits that concern the wording of one language alone.
        equal: Commits after which all languages were equal.
    """
    pending: dict[str, dict[str, list[Change]]] = {}  # section → stale language → the changes that it lacks
    read = functools.cache(sections)  # the text after one commit is the text before the next
    for change in changes:
        for section, changed in change.languages(read).items():
            lacks = pending.setdefault(section, {language: [] for language in texts})
            changed = [language for language in changed if language in texts]
            if len(changed) == 1 and change.commit in wording:
                continue
            answered = False
            for language in changed:
                left = [one for one in lacks[language] if not change.built_on >> one.number & 1]
                answered |= len(left) < len(lacks[language])
                lacks[language] = left
            if changed and not answered and not change.merges and change.commit not in equal:
                for language in lacks.keys() - changed:
                    lacks[language].append(change)
    now = {language: sections(text) for language, text in texts.items()}
    found = []
    for section, lacks in pending.items():
        if all(lacks.values()):  # two branches, a language each
            continue
        for language in (language for language in lacks if lacks[language]):
            if all(section in of for of in now.values()):  # else the skeletons differ, which `check` reports
                last = lacks[language][-1]
                other = next(other for other in last.edits if other in texts and other != language)
                page, newer = f"docs/{language}/{name}", f"docs/{other}/{name}"
                found.append(StaleSection(page, now[language][section][0], section, newer, last.commit, last.time))
    return sorted(found, key=lambda item: (item.page, item.line))


_NONE: tuple[int, list[str]] = (0, [])


def stale(project: Project, pages: Iterable[Page], memo: Memo | None = None) -> list[StaleSection]:
    """Return every stale section. `memo`: caches the result for a commit."""
    names = _languages(pages)
    head = git.run(project.root, "rev-parse", "HEAD").strip()
    if not head:
        return _stale(project, names)
    key = repr((head, names, _listed(project)))
    return (memo or Memo()).get("behind", key, lambda: _stale(project, names), software(__file__))


def _languages(pages: Iterable[Page]) -> dict[str, list[str]]:
    """Return name → the languages that have the page."""
    found: dict[str, list[str]] = {}
    for page in sorted(pages, key=lambda page: (page.name, page.language)):
        found.setdefault(page.name, []).append(page.language)
    return found


def _stale(project: Project, pages: dict[str, list[str]]) -> list[StaleSection]:
    wording = frozenset(git.run(project.root, "log", "--fixed-strings", "--grep=[wording]", "--format=%H").split())
    equal = frozenset(line.split("#")[0].strip() for line in _listed(project).splitlines())
    separate = _changed_separately(_log(project), pages)
    heads = {name: {lang: f"HEAD:./docs/{lang}/{name}" for lang in pages[name]} for name in separate}
    blobs = {
        blob for touched in separate.values() for _, files in touched for ids in files.values() for blob in ids if blob
    }
    texts = git.blobs(project.root, [*sorted(blobs), *(head for one in heads.values() for head in one.values())])
    found = []
    for name, touched in separate.items():
        changes = [
            Change(
                commit.id,
                commit.time,
                commit.number,
                commit.built_on,
                {
                    lang: Edit(tuple(texts.get(b, "") for b in old), texts.get(new, ""))
                    for lang, (*old, new) in files.items()
                },
            )
            for commit, files in touched
        ]
        now = {lang: texts.get(head, "") for lang, head in heads[name].items()}
        found += behind(name, changes, now, wording, equal)
    return found


def _listed(project: Project) -> str:
    listed = project.root / ".wording-commits"
    return listed.read_text(encoding="utf-8") if listed.is_file() else ""


@dataclass(frozen=True)
class _Commit:
    """A commit that changed pages."""

    id: str
    time: int
    parents: int
    number: int
    built_on: int
    files: dict[str, tuple[str, ...]]
    """Path → the ids of its text: in each parent, then in the commit; empty where it did not exist."""


def _log(project: Project) -> list[_Commit]:
    """Return the commits that changed pages, parents before children. A merge has the files that differ from all."""
    folders = [f"docs/{language}" for language in project.languages.all]
    options = ["--reverse", "--topo-order", "--parents", "-c", "--raw", "--no-abbrev", "--no-renames", "--relative"]
    log = git.run(project.root, "log", *options, "--format=%x00%H %ct %P", "--", *folders)
    found: dict[str, _Commit] = {}
    for entry in log.split("\0")[1:]:
        head, *lines = entry.splitlines()
        commit, time, *parents = head.split()
        older = [found[parent] for parent in parents if parent in found]  # a shallow clone lacks some
        built_on = functools.reduce(operator.or_, (one.built_on | 1 << one.number for one in older), 0)
        files = dict(_file(line) for line in lines if line)
        found[commit] = _Commit(commit, int(time), len(parents), len(found), built_on, files)
    return list(found.values())


def _file(line: str) -> tuple[str, tuple[str, ...]]:
    """Read a line such as ``::100644 100644 100644 <id> <id> <id> MM<tab>path``: one colon a parent."""
    data, _, path = line.partition("\t")
    parents = len(data) - len(data.lstrip(":"))
    ids = data.split()[parents + 1 : 2 * parents + 2]
    return path, tuple("" if set(one) == {"0"} else one for one in ids)


_Files = dict[str, tuple[str, ...]]


def _changed_separately(log: list[_Commit], pages: dict[str, list[str]]) -> dict[str, list[tuple[_Commit, _Files]]]:
    """Return the pages whose languages were not always changed together.

    Returns:
        Name → the commits that touched the page, each with the ids of its text by language.
    """
    touched: dict[str, list[tuple[_Commit, _Files]]] = {}
    for commit in log:
        changed: dict[str, _Files] = {}
        for path, ids in commit.files.items():
            _, language, name = path.split("/", 2)
            changed.setdefault(name, {})[language] = ids
        for name, files in changed.items():
            touched.setdefault(name, []).append((commit, files))
    return {
        name: found
        for name, found in sorted(touched.items())
        if any(set(pages.get(name, ())) - files.keys() for commit, files in found if commit.parents < 2)
    }


def problems(behind: Iterable[StaleSection]) -> list[Problem]:
    """Return a note for each stale section, with the command that shows the change."""
    found = []
    for item in behind:
        where = f"`#{item.section}`" if item.section else "the text above the first heading"
        message = f"{where} changed in {item.newer} on {item.date}, and not here"
        hint = f"read: git show {item.commit[:10]} -- {item.newer}"
        found.append(Problem(item.page, item.line, message, hint))
    return found


def unanswered(project: Project, pages: Iterable[Page]) -> list[Problem]:
    """Return a note for each section that was changed in one language only and is not committed yet."""
    folders = [f"docs/{language}" for language in project.languages.all]
    changed = set(git.run(project.root, "diff", "--name-only", "--relative", "HEAD", "--", *folders).splitlines())
    here = {page.path: page for page in pages}

    @functools.cache
    def edited(path: str) -> dict[str, tuple[int, str, str]]:
        before = sections(git.blobs(project.root, [f"HEAD:./{path}"]).get(f"HEAD:./{path}", ""))
        return {
            section: (line, *_first_edit(before[section][1], text))
            for section, (line, text) in sections(here[path].text).items()
            if section in before and text != before[section][1]
        }

    found = []
    for path in sorted(changed & here.keys()):
        _, language, name = path.split("/", 2)
        twins = [f"docs/{other}/{name}" for other in project.languages.others(language)]
        twins = [twin for twin in twins if twin in here]
        answered = {section for twin in twins if twin in changed for section in edited(twin)}
        for section, (line, gone, new) in edited(path).items():
            if twins and section not in answered:
                where = f"`#{section}`" if section else "the text above the first heading"
                what = "".join(f"; {sign} `{_short(text)}`" for sign, text in (("-", gone), ("+", new)) if text)
                hint = "change both; where the wording alone got better, say [wording] in the commit message"
                message = f"{where} is changed here, and not in {', '.join(twins)}{what}"
                found.append(Problem(path, line, message, hint))
    return found


def _first_edit(before: list[str], after: list[str]) -> tuple[str, str]:
    """Return what the first edit of some lines took out, and what it wrote there."""
    old, new = (WORD.findall(" ".join(lines)) for lines in (before, after))
    start = _alike(old, new)
    end = _alike(old[start:][::-1], new[start:][::-1])
    return "".join(old[start : len(old) - end]).strip(), "".join(new[start : len(new) - end]).strip()


def _alike(before: list[str], after: list[str]) -> int:
    """Return how many words two texts begin with in common."""
    pairs = zip(before, after, strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _short(text: str) -> str:
    """Return the beginning of a text, in one line of a message."""
    return text.replace("`", "") if len(text) <= SHOWN else f"{text[:SHOWN].replace('`', '')}…"

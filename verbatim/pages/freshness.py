"""Finds the sections of pages that were changed in one language and not yet in the other, from git's history.

The commits of a page's two files are replayed, oldest first. A commit that changes a section's prose in one language
leaves the other language behind, until that one is changed as well or one commit changes both. Code and outputs do not
count, because both languages share them. A commit that only concerns the wording of one language has `[wording]` in its
message or is listed in `.wording-commits`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from verbatim import git, store
from verbatim.markdown import headings, prose
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.project import LANGUAGES, Project


@dataclass(frozen=True)
class Version:
    """A page in every language, as it was after a commit."""

    commit: str
    time: int
    """Seconds since 1970."""
    texts: dict[str, str]
    """Language → text of the page; empty if the page did not exist."""


@dataclass(frozen=True)
class Behind:
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


def sections(text: str) -> dict[str, tuple[int, list[str]]]:
    """Cut a page at its headings: id → (line of the heading, lines of prose)."""
    ids = {heading.line: heading.id for heading in headings(text) if heading.level > 1}
    current = ""
    found: dict[str, tuple[int, list[str]]] = {"": (1, [])}
    for number, line in prose(text):
        if number in ids:
            current = ids[number]
            found[current] = (number, [])
        if line.strip():
            found[current][1].append(line.strip())
    return found


def behind(name: str, versions: list[Version], wording: frozenset[str] = frozenset()) -> list[Behind]:
    """Replay a page's versions, oldest first. `wording`: commits that need no counterpart in the other language."""
    first, second = LANGUAGES
    twin = {first: second, second: first}
    owes: dict[str, tuple[str, Version]] = {}  # section → (the language that is behind, since which version)
    before = {language: sections("") for language in LANGUAGES}
    for version in versions:
        now = {language: sections(version.texts.get(language, "")) for language in LANGUAGES}
        for section in now[first].keys() | now[second].keys():
            changed = [
                lang for lang in LANGUAGES if now[lang].get(section, _NONE)[1] != before[lang].get(section, _NONE)[1]
            ]
            if len(changed) == 2:
                owes.pop(section, None)
            elif changed and version.commit not in wording:
                if section in owes and owes[section][0] == changed[0]:
                    del owes[section]  # it caught up
                else:
                    owes[section] = (twin[changed[0]], version)
        before = now
    found = []
    for section, (language, version) in owes.items():
        if all(section in before[lang] for lang in LANGUAGES):  # else the skeletons differ, which `check` tells
            page, newer = f"docs/{language}/{name}", f"docs/{twin[language]}/{name}"
            found.append(Behind(page, before[language][section][0], section, newer, version.commit, version.time))
    return sorted(found, key=lambda item: (item.page, item.line))


_NONE: tuple[int, list[str]] = (0, [])


def stale(project: Project, pages: Iterable[Page]) -> list[Behind]:
    """Return every section that is behind its twin; what the history up to a commit says is kept."""
    names = sorted({page.name for page in pages})
    head = git.run(project.root, "rev-parse", "HEAD").strip()
    key = repr((head, names, _listed(project))) + Path(__file__).read_text(encoding="utf-8")
    path = store.file(project.cache, "behind", key, "json") if head else None
    kept = store.text(path, lambda: json.dumps([asdict(item) for item in _stale(project, names)]))
    return [Behind(**item) for item in json.loads(kept)]


def _stale(project: Project, pages: Iterable[str]) -> list[Behind]:
    wording = wording_commits(project)
    apart = _apart(project, set(pages))
    names = [f"{c}:./docs/{lang}/{n}" for n, cs in apart.items() for c, _ in cs for lang in LANGUAGES]
    texts = git.blobs(project.root, names)
    found = []
    for name, commits in apart.items():
        versions = [
            Version(commit, time, {lang: texts.get(f"{commit}:./docs/{lang}/{name}", "") for lang in LANGUAGES})
            for commit, time in commits
        ]
        found += behind(name, versions, wording)
    return found


def wording_commits(project: Project) -> frozenset[str]:
    """Return the commits that need no counterpart in the other language."""
    marked = git.run(project.root, "log", "--fixed-strings", "--grep=[wording]", "--format=%H")
    lines = _listed(project).splitlines()
    return frozenset([*marked.split(), *(line.split("#")[0].strip() for line in lines)])


def _listed(project: Project) -> str:
    listed = project.root / ".wording-commits"
    return listed.read_text(encoding="utf-8") if listed.is_file() else ""


def _apart(project: Project, names: set[str]) -> dict[str, list[tuple[str, int]]]:
    """Return the pages whose languages were not always changed together: name → `(commit, time)`, oldest first."""
    folders = [f"docs/{language}" for language in LANGUAGES]
    log = git.run(project.root, "log", "--reverse", "--format=%H %ct", "--name-only", "--no-renames", "--", *folders)
    touched: dict[str, dict[tuple[str, int], set[str]]] = {}
    commit = ("", 0)
    for line in log.splitlines():
        if match := re.fullmatch(r"([0-9a-f]{40}) (\d+)", line):
            commit = (match[1], int(match[2]))
        elif line:
            _, language, name = line.split("/", 2)
            touched.setdefault(name, {}).setdefault(commit, set()).add(language)
    return {
        name: list(commits)
        for name, commits in sorted(touched.items())
        if name in names and any(len(languages) < len(LANGUAGES) for languages in commits.values())
    }


def problems(project: Project, pages: Iterable[Page]) -> list[Problem]:
    """Return a note for each section that is behind, with the command that shows what changed."""
    found = []
    for item in stale(project, pages):
        where = f"`#{item.section}`" if item.section else "the text above the first heading"
        message = f"{where} changed in {item.newer} on {item.date}, and not here"
        hint = f"read: git show {item.commit[:10]} -- {item.newer}"
        found.append(Problem(item.page, item.line, message, hint))
    return found


def unanswered(project: Project, pages: Iterable[Page]) -> list[Problem]:
    """Say which sections were changed in one language only and are not committed yet."""
    folders = [f"docs/{language}" for language in LANGUAGES]
    changed = set(git.run(project.root, "diff", "--name-only", "--relative", "HEAD", "--", *folders).splitlines())
    here = {page.path: page for page in pages}
    found = []
    for path in sorted(changed & here.keys()):
        _, language, name = path.split("/", 2)
        twins = [f"docs/{other}/{name}" for other in LANGUAGES if other != language]
        if any(twin in changed or twin not in here for twin in twins):
            continue
        before = sections(git.blobs(project.root, [f"HEAD:./{path}"]).get(f"HEAD:./{path}", ""))
        for section, (line, text) in sections(here[path].text).items():
            if section in before and text != before[section][1]:
                where = f"`#{section}`" if section else "the text above the first heading"
                hint = "change both; where the wording alone got better, say [wording] in the commit message"
                found.append(Problem(path, line, f"{where} is changed here, and not in {', '.join(twins)}", hint))
    return found

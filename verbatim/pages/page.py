"""A page of one language, parsed: front matter, headings, embeds, links."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import yaml

from verbatim import yaml_texts
from verbatim.markdown import (
    FORMULA,
    Embed,
    Fence,
    Formula,
    Heading,
    Listing,
    blank,
    boxes,
    embeds,
    fences,
    formulas,
    front_matter_end,
    headings,
    links,
    listings,
    outside_code,
    without_front_matter,
)
from verbatim.problems import Problem
from verbatim.project import Project

#: Characters that end a line for `str.splitlines`, but not for editors.
LINE_BREAK = re.compile("[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")

#: The most bytes of a page. The largest one of the book has 14 KiB.
MOST_BYTES = 1 << 17
#: Marks for each of which Markdown looks through the rest of a paragraph, and how many one may have: the time grows
#: with their square. The most in a paragraph of the book are 158.
MARKS = "`[]()<*_!{\\&"
MOST_MARKS = 1000
#: The most characters of a line; the longest of the book has 707.
LINE_CHARACTERS = 10_000
PARAGRAPH_LINES = re.compile(r"[^\n]+(?:\n[ \t]*[^\s][^\n]*)*")


@dataclass(frozen=True)
class Page:
    """One page of one language."""

    path: str
    """From the project's root: ``docs/zh/autograd/detach.md``."""
    text: str

    @cached_property
    def language(self) -> str:
        return self.path.split("/")[1]

    @cached_property
    def name(self) -> str:
        """Path below the language's folder."""
        return self.path.split("/", 2)[2]

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def meta(self) -> dict[str, Any]:
        """The front matter; empty if there is none or it is not valid, which `check` reports."""
        try:
            front = self.front_matter()
        except yaml.YAMLError:
            return {}
        return front if isinstance(front, dict) else {}

    def front_matter(self) -> object:
        """Return the parsed front matter.

        Raises:
            yaml.YAMLError: It is not YAML.
        """
        lines = self.text.split("\n")
        return yaml_texts.load("\n".join(lines[1 : front_matter_end(lines) - 1]))

    @cached_property
    def bare(self) -> str:
        """The text with blanks in place of front matter, fences and code spans, so that positions stay the same."""
        return outside_code(without_front_matter(self.text))

    @cached_property
    def plain(self) -> str:
        """`bare` with blanks in place of formulas, too."""
        return FORMULA.sub(blank, self.bare)

    @cached_property
    def embeds(self) -> list[Embed]:
        return embeds(self.text)

    @cached_property
    def headings(self) -> list[Heading]:
        return headings(self.text)

    @cached_property
    def heading_words(self) -> frozenset[str]:
        """The words of its headings. Each part of a name with dots is one."""
        return frozenset(word for heading in self.headings for word in re.findall(r"\w+", heading.text))

    @cached_property
    def fences(self) -> list[Fence]:
        return fences(self.text)

    @cached_property
    def listings(self) -> list[Listing]:
        return listings(self.text)

    @cached_property
    def boxes(self) -> list[tuple[int, str]]:
        """``(line, kind)``."""
        return boxes(self.text)

    @cached_property
    def formulas(self) -> list[tuple[int, Formula]]:
        return formulas(self.text)

    @cached_property
    def links(self) -> list[tuple[int, str]]:
        """``(line, target)`` of every link and image outside of code."""
        return links(self.text)

    @cached_property
    def scripts(self) -> list[str]:
        """The scripts that the page shows, each once, in order of appearance."""
        return list(dict.fromkeys(embed.script for embed in self.embeds))


def load_pages(project: Project) -> tuple[list[Page], list[Problem]]:
    """Read every page of every language."""
    pages, problems = [], []
    for language in project.languages.all:
        for path in project.pages(language):
            name = project.relative(path)
            try:
                size = path.stat().st_size
                data = path.read_bytes() if size <= MOST_BYTES else b""
            except OSError as error:
                problems.append(Problem(name, 0, f"the page cannot be read: {error.strerror}"))
                continue
            if size > MOST_BYTES:
                hint = f"a page has at most {MOST_BYTES >> 10} KiB: cut it in two"
                problems.append(Problem(name, 0, f"the page has {size >> 10} KiB", hint))
            try:
                text = data.decode("utf-8-sig")
            except UnicodeDecodeError as error:
                line = data.count(b"\n", 0, error.start) + 1
                problems.append(Problem(name, line, "the page is not UTF-8", "save it as UTF-8"))
                # Ids and embeds are still read, so that links to this page are not reported as well.
                text = data.decode("utf-8", errors="replace")
            text = re.sub(r"\r\n?", "\n", text)
            if match := LINE_BREAK.search(text):
                line = text.count("\n", 0, match.start()) + 1
                hint = "python -m verbatim check --fix mends it"
                problems.append(Problem(name, line, f"U+{ord(match[0]):04X} ends a line for some programs only", hint))
                text = LINE_BREAK.sub(" ", text)  # then all programs count the same lines
            for paragraph, fact in reversed([*_bombs(text)]):
                line = text.count("\n", 0, paragraph.start()) + 1
                problems.append(Problem(name, line, fact, "cut it: it would take minutes to read"))
                lines = "\n" * paragraph[0].count("\n")
                text = text[: paragraph.start()] + lines + text[paragraph.end() :]
            pages.append(Page(name, text))
    return pages, problems


def _bombs(text: str) -> Iterator[tuple[re.Match[str], str]]:
    """Yield each paragraph that would take far longer to read than others, and what is wrong with it."""
    for paragraph in PARAGRAPH_LINES.finditer(text) if len(text) > MOST_MARKS else ():
        if mark := next((mark for mark in MARKS if paragraph[0].count(mark) > MOST_MARKS), ""):
            yield paragraph, f"more than {MOST_MARKS} `{mark}` stand in one paragraph"
        elif max(map(len, paragraph[0].split("\n"))) > LINE_CHARACTERS:
            yield paragraph, f"a line has more than {LINE_CHARACTERS} characters"


def scripts_of(project: Project, names: Iterable[str]) -> set[str]:
    """Return the paths of the scripts that pages show, for commands that must know before all pages are read.

    Args:
        project: The project.
        names: The pages' paths below their language, without the suffix. What cannot be read is told where all are.
    """
    scripts: set[str] = set()
    for path in (project.docs(language) / f"{name}.md" for language in project.languages.all for name in names):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            scripts.update(Page(project.relative(path), path.read_text(encoding="utf-8")).scripts)
    return scripts

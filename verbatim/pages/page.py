"""One page of one language, and what the engine must know of its text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from verbatim.embeds import Embed, Heading, embeds, headings, prose
from verbatim.problems import Problem
from verbatim.project import LANGUAGES, Project

LINK = re.compile(r"(?<!!)\[(?:[^\]\[]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|^\s*\[[^\]]+\]:\s*(\S+)")


#: A link to the web or to a mail address, which this project does not follow.
OUTSIDE = re.compile(r"^[a-z][a-z0-9+.-]*:")
CODE_SPAN = re.compile(r"(`+)(.+?)\1")


@dataclass(frozen=True)
class Page:
    """One page of one language."""

    path: str
    """From the project's root: ``docs/zh/autograd/detach.md``."""
    text: str

    @property
    def language(self) -> str:
        return self.path.split("/")[1]

    @property
    def name(self) -> str:
        """Path below the language's folder."""
        return self.path.split("/", 2)[2]

    @cached_property
    def embeds(self) -> list[Embed]:
        return embeds(self.text)

    @cached_property
    def headings(self) -> list[Heading]:
        return headings(self.text)

    @cached_property
    def links(self) -> list[tuple[int, str]]:
        """``(line, target)`` of every link outside of code."""
        found = []
        for number, line in prose(self.text):
            bare = CODE_SPAN.sub("", line)
            found += [(number, a or b) for a, b in LINK.findall(bare)]
        return found


def load_pages(project: Project) -> tuple[list[Page], list[Problem]]:
    """Read every page of every language."""
    pages, problems = [], []
    for language in LANGUAGES:
        for path in project.pages(language):
            name = project.relative(path)
            try:
                pages.append(Page(name, path.read_text(encoding="utf-8")))
            except (OSError, UnicodeDecodeError) as error:
                problems.append(Problem(name, 0, f"the page cannot be read: {error}", "save it as UTF-8"))
    return pages, problems

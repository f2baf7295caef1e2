"""The scripts and pages that all ways of building get: copies of the repository's recipes, each made different.

The prose is that of the recipe's English page, without links and formulas, which each way writes differently.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, replace
from pathlib import Path

from verbatim.markdown import prose
from verbatim.project import Project
from verbatim.run.script import Script, parse

#: Recipes that every way can show: nothing is raised, warned, drawn or skipped, and no process is started. None calls
#: `torch.compile` or `torch.export`: what they import would outweigh all else wherever scripts run in processes of their
#: own. With the cell that each copy gets more, they are no longer than this project allows.
RECIPES = (
    "autograd/grad-fn",
    "autograd/hook-names",
    "autograd/zero-grad",
    "data/k-fold",
    "data/return-index",
    "deployment/thread-safe",
    "evaluation/forgot-train",
    "language-models/end-token",
    "losses/cross-entropy",
    "modules/registration",
    "modules/state-dict",
    "training/adjust-lr",
    "training/amp-memory",
)
MARKDOWN_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
#: A paragraph without formulas, emphasis, HTML, references and tables.
PLAIN_PARAGRAPH = re.compile(r"[A-Z`](?:(?!\\\(|\\\[|\*|<|\]\[|\||_ ).)*")


@dataclass(frozen=True)
class Part:
    """A cell and the prose above it."""

    name: str
    text: str
    source: str

    @property
    def heading(self) -> str:
        return self.name.replace("-", " ").capitalize()


@dataclass(frozen=True)
class Page:
    """A script and its page."""

    name: str
    title: str
    intro: str
    parts: tuple[Part, ...]

    @property
    def script(self) -> str:
        """The script as this project's recipes are written."""
        cells = [f"# %% {part.name}\n{part.source}\n" for part in self.parts]
        return f'"""{self.title}."""\n\n' + "\n".join(cells)


def corpus(root: Path, count: int) -> list[Page]:
    """Return `count` pages, each a copy of one of the recipes."""
    pages = _originals(root)
    return [numbered(pages[number % len(pages)], number) for number in range(count)]


def numbered(page: Page, number: int, note: str = "copy") -> Page:
    """Return a copy whose last cell prints its number, and the version of torch that is installed.

    By the number one sees an output that stands on the wrong page, by the version one that is out of date.
    """
    source = f'from importlib.metadata import version\n\nprint("{note}", {number}, "of torch", version("torch"))'
    last = Part("which-copy", f"This is copy {number} of the recipe.", source)
    return replace(
        page, name=f"{page.name}-{number:04d}", title=f"{page.title}, copy {number}", parts=(*page.parts, last)
    )


def changed(page: Page) -> Page:
    """Return a page whose script prints something else than before."""
    last = page.parts[-1]
    return replace(page, parts=(*page.parts[:-1], replace(last, source=last.source.replace('"copy"', '"changed"', 1))))


def stamp(page: Page, version: str) -> str:
    """Return the line that the last cell of a page prints."""
    note, number = re.findall(r'print\("(\w+)", (\d+)', page.parts[-1].source)[0]
    return f"{note} {number} of torch {version}"


@functools.cache
def _originals(root: Path) -> list[Page]:
    project = Project(root)
    return [
        _page(
            parse(project.script(recipe).read_text(encoding="utf-8"), recipe),
            recipe.replace("/", "-"),
            (project.docs("en") / f"{recipe}.md").read_text(encoding="utf-8"),
        )
        for recipe in RECIPES
    ]


def _page(script: Script, name: str, text: str) -> Page:
    intro, *rest = paragraphs(text)
    rest = rest or [intro]
    parts = []
    shown = (cell for cell in script.cells if not cell.hidden)  # hidden ones prove sentences that are not copied
    for number, cell in enumerate(shown):  # no paragraph may stand on a page twice, so each gets its number
        parts.append(Part(cell.name, f"Part {number + 1}: {rest[number % len(rest)]}", cell.source))
    return Page(name, re.sub(r"[`\"<>]", "", script.title).rstrip("."), intro, tuple(parts))


def paragraphs(text: str) -> list[str]:
    """Return the plain paragraphs of a page, in order, links replaced by their text."""
    lines = dict(prose(text))
    blocks = "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1)).split("\n\n")
    flat = (MARKDOWN_LINK.sub(r"\1", " ".join(block.split())) for block in blocks)
    return [block for block in flat if PLAIN_PARAGRAPH.fullmatch(block)]

"""The scripts and pages that all ways of building get: copies of the repository's recipes, each made different.

Only recipes that every way can show are taken: nothing is raised, warned, drawn or skipped, no process is started, no cell
ends with a bare value (which notebooks print and scripts do not). None calls `torch.compile` or `torch.export`: of the
repository's scripts one in a hundred does, of the copies one in twenty would, and what they import would outweigh all
else wherever scripts run in processes of their own. The prose is that of the recipe's English page, without
links and formulas, which each way writes differently.
"""

from __future__ import annotations

import ast
import functools
import re
from dataclasses import dataclass, replace
from pathlib import Path

from verbatim.checks import lengths
from verbatim.markdown import prose
from verbatim.problems import Problems
from verbatim.project import Project
from verbatim.run.script import Script, parse

#: What compiles, starts processes, looks at its own file or changes what later scripts of the same process print.
UNUSUAL = re.compile(
    r"\b(?:num_workers|spawn|subprocess|multiprocessing|inspect|warnings|__file__|matplotlib|set_default\w*|"
    r"set_printoptions|open|compile|export)\b"
)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
#: How a paragraph begins.
PARAGRAPH = re.compile(r"[A-Z`]")


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
    intro: tuple[str, ...]
    parts: tuple[Part, ...]

    @property
    def script(self) -> str:
        """The script as this project's recipes are written."""
        cells = [f"# %% {part.name}\n{part.source}\n" for part in self.parts]
        return f'"""{self.title}."""\n\n' + "\n".join(cells)


def corpus(root: Path, count: int) -> list[Page]:
    """Return `count` pages, each a copy of one of the usable recipes."""
    usable = _usable(root)
    return [numbered(usable[number % len(usable)], number) for number in range(count)]


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
def _usable(root: Path) -> tuple[Page, ...]:
    project, pages = Project(root), []
    for path in project.scripts():
        try:
            script = parse(path.read_text(encoding="utf-8"), project.relative(path))
        except Problems:
            continue
        recipe = project.recipe(script.path)
        page = project.docs("en") / f"{recipe}.md"
        if usable(script) and page.is_file():
            pages.append(_page(script, recipe, page.read_text(encoding="utf-8")))
    return tuple(pages)


def usable(script: Script) -> bool:
    """Say whether every way can show what a script prints, and whether this project lets its page show all of it."""
    lines = [line for cell in script.cells for line in cell.source.splitlines() if line.strip()]
    # A copy's last cell gets two lines more.
    if (
        len(lines) + 2 > lengths.MOST_LINES
        or max(map(len, lines)) > lengths.MOST_COLUMNS
        or len(script.cells) >= lengths.MOST_SECTIONS
    ):
        return False
    plain = all(set(cell.options) <= {"hidden"} and not cell.annotations for cell in script.cells)
    return plain and not UNUSUAL.search(script.text) and all(_ends_silently(cell.source) for cell in script.cells)


def _ends_silently(source: str) -> bool:
    last = ast.parse(source).body[-1]
    if not isinstance(last, ast.Expr):
        return True
    call = last.value
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print"


def _page(script: Script, recipe: str, text: str) -> Page:
    texts = paragraphs(text)
    intro, rest = texts[:2], texts[2:] or texts
    parts, said = [], {*intro}
    for number, cell in enumerate(script.cells):
        paragraph = rest[number % len(rest)]
        if paragraph in said:  # no paragraph may stand on a page twice
            paragraph = f"Part {number + 1}: {paragraph}"
        said.add(paragraph)
        parts.append(Part(cell.name, paragraph, cell.source))
    title = re.sub(r"[`\"]", "", script.title).rstrip(".")
    return Page(recipe.replace("/", "-"), title, tuple(intro), tuple(parts))


def paragraphs(text: str) -> list[str]:
    """Return the plain paragraphs of a page, in order, links replaced by their text."""
    lines = dict(prose(text))
    blocks = "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1)).split("\n\n")
    plain = [LINK.sub(r"\1", " ".join(block.split())) for block in blocks if PARAGRAPH.match(block.lstrip("\n"))]
    return [block for block in plain if not re.search(r"\\\(|\\\[|\*|<|\]\[|\||_ ", block)]

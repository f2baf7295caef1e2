"""Finds which page shows which cell in which section. All lists are generated from this data. Pure."""

from __future__ import annotations

import functools
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Concatenate, ParamSpec, TypeVar

from verbatim.book.compare import text_of
from verbatim.book.gather import Book
from verbatim.book.messages import messages_of
from verbatim.book.releases.model import Counts
from verbatim.languages import CAPTIONED, CHINESE, Languages
from verbatim.lists import api
from verbatim.markdown import MEANT_COMMENT, OUTSIDE_LINK, Embed, Heading, resolve, retarget
from verbatim.pages.chapters import Map
from verbatim.pages.document import cells_of
from verbatim.pages.freshness import StaleSection
from verbatim.pages.page import Page
from verbatim.project import Project
from verbatim.run.script import Cell, Script

Value = TypeVar("Value")
Asked = ParamSpec("Asked")

#: The folder of pages that are made of lists, and so repeat what stands on other pages.
LISTS_FOLDER = "ways"


@dataclass(frozen=True)
class Sources:
    """The data that lists are generated from."""

    book: Book
    pages: list[Page]
    map: Map = field(default_factory=Map)
    """The chapters, their pages and topics, in reading order."""
    behind: list[StaleSection] = field(default_factory=list)
    address: Callable[[str], str] = api.address
    """Looks up the address of a name in PyTorch's documentation. The default imports PyTorch."""
    _cache: dict[tuple[Any, ...], Any] = field(default_factory=dict, compare=False, repr=False)
    """The cache of `once`."""

    @property
    def languages(self) -> Languages:
        """The languages of the book."""
        return self.book.project.languages

    def pages_in(self, language: str) -> list[Page]:
        """Return the pages of a language in reading order: by the map; pages that it lacks stand last in chapters."""
        order = list(self.map.chapters)
        entries = {entry.name: number for number, entry in enumerate(self.map.entries)}

        def key(page: Page) -> tuple[int, str, int, bool, str]:
            name = chapter(page)
            rank = order.index(name) if name in order else len(order)
            return rank, name, entries.get(page.name, len(entries)), not page.name.endswith("index.md"), page.name

        return sorted((page for page in self.pages if page.language == language), key=key)

    @functools.cached_property
    def _by_path(self) -> dict[str, Page]:
        return {page.path: page for page in self.pages}

    def page(self, path: str) -> Page | None:
        """Return the page with this path, relative to the project root, or ``None``."""
        return self._by_path.get(path)

    @functools.cached_property
    def counts(self) -> dict[str, Counts]:
        """Release → the numbers of its cells, for each release that is not the built one."""
        book = self.book
        return {release.name: release.counts(book.scripts, book.cpu) for release in book.releases.all}

    def places(self, language: str) -> list[Place]:
        """Return all places where pages of a language show a cell, in reading order."""
        return _places(self, language)

    def places_on(self, page: Page) -> list[Place]:
        """Return all places where a page shows a cell, in order."""
        places = []
        for embed in page.embeds:
            if script := self.book.scripts.get(embed.script):
                section = section_at(page, embed.line)
                places += [Place(page, embed, section, script, cell) for cell in cells_of(script, embed)]
        return places

    def outputs(self, place: Place) -> tuple[dict[str, Any], ...]:
        """Return the outputs of a cell that lists are made of.

        These are the outputs of this run followed by those recorded on a GPU, or any recorded outputs if this run has
        none. What ran here, but not where the record was made, counts for nothing: lists are the same on each machine.
        """
        result, record = self.book.display_results.get(place.script.path), self.book.cpu.get(place.script.path)
        ran = result.cell(place.cell.name) if result else None
        approved = record.cell(place.cell.name) if record else None
        skipped = (ran and ran.skipped) or (approved and approved.skipped)
        own = ran.outputs if ran and not skipped else ()
        recorded = self.book.recorded(place.script.path, place.cell.name)
        return own + recorded[1].outputs if recorded and (not own or recorded[0].device == "cuda") else own

    def quoted(self, place: Place) -> str:
        """Return ``Error: message`` if a cell's header declares it, and no output begins with it; else empty.

        That is so where there is no output yet, and where a child's message stands within the traceback of its parent.
        """
        says = place.cell.says
        if not says:
            return ""
        outputs = self.outputs(place)
        within = any(says in text_of(output) for output in outputs)
        first = any(says in line for _, line in messages_of(outputs))
        if outputs and (first or not within):
            return ""
        return f"{place.cell.raises or place.cell.warns}: {says}"

    def names(self, place: Place) -> tuple[str, ...]:
        """Return the public names of PyTorch that a cell uses."""
        result = self.book.display_results.get(place.script.path)
        ran = result.cell(place.cell.name) if result else None
        return ran.names if ran else ()


def once(make: Callable[Concatenate[Sources, Asked], Value]) -> Callable[Concatenate[Sources, Asked], Value]:
    """Cache the values of a function for the duration of a build: one for each language, if it takes one.

    Several pages, feeds and the manifest get the same object, which none of them may change.
    """
    key = f"{make.__module__}.{make.__qualname__}"

    @functools.wraps(make)
    def cached(sources: Sources, /, *asked: Asked.args, **named: Asked.kwargs) -> Value:
        of = (key, asked, *named.items())
        if of not in sources._cache:
            sources._cache[of] = make(sources, *asked, **named)
        value: Value = sources._cache[of]
        return value

    return cached


@once
def _places(sources: Sources, language: str) -> list[Place]:
    return [place for page in sources.pages_in(language) for place in sources.places_on(page)]


@dataclass(frozen=True)
class Place:
    """One place where a page shows a cell."""

    page: Page
    embed: Embed
    section: Heading | None
    """The nearest heading above it."""
    script: Script
    cell: Cell

    @property
    def target(self) -> str:
        """The recipe and the cell: ``autograd/detach#shares-storage``."""
        return f"{Project.recipe(self.script.path)}#{self.cell.name}"

    @property
    def anchor(self) -> str:
        """The id of its section; empty above the first section."""
        return self.section.id if self.section and self.section.level > 1 else ""

    @property
    def heading(self) -> str:
        """The text of its section's heading; the page's name if there is none."""
        return self.section.text if self.section else self.page.name


def chapter(page: Page) -> str:
    """Return a page's chapter: ``docs/zh/autograd/detach.md`` → ``autograd``; empty for a page outside folders."""
    return page.name.partition("/")[0] if "/" in page.name else ""


def only_leads(name: str) -> bool:
    """Whether a page only leads to others, as a chapter's first page and lists do. `name`: its path in its language."""
    return name.startswith(f"{LISTS_FOLDER}/") or posixpath.basename(name) == "index.md"


def chapter_title(sources: Sources, name: str, language: str) -> str:
    """Return the title of a chapter's index page; the folder's name if there is no such page."""
    index = sources.page(f"docs/{language}/{name}/index.md" if name else f"docs/{language}/index.md")
    return title(index) if index else name.capitalize()


def title(page: Page) -> str:
    """Return a page's first heading of level 1; the page's name if there is none."""
    return next((heading.text for heading in page.headings if heading.level == 1), page.name)


def section_at(page: Page, line: int) -> Heading | None:
    """Return the nearest heading above a line."""
    return next((h for h in reversed(page.headings) if h.line < line), None)


@functools.lru_cache(maxsize=4096)
def path_between(target: str, base: str) -> str:
    """Return a relative link: ``autograd/detach.md``, ``ways/errors.md`` → ``../autograd/detach.md``."""
    goal, here = ([part for part in path.split("/") if part] for path in (target, posixpath.dirname(base)))
    common = len(posixpath.commonprefix([goal, here]))
    return "/".join([*[".."] * (len(here) - common), *goal[common:]]) or "."


def link(text: str, page: Page, anchor: str, base: Page) -> str:
    """Return a Markdown link to a section.

    Args:
        text: The link's text.
        page: The page that it leads to.
        anchor: The section's id; empty for the top of the page.
        base: The page that contains the link.
    """
    target = path_between(page.name, base.name) if page.name != base.name else ""
    return f"[{escape_brackets(text)}]({target}{'#' + anchor if anchor or not target else ''})"


def link_place(place: Place, base: Page) -> str:
    """Return a Markdown link on page `base` to the section of a cell, with the section's heading as text."""
    return link(place.heading, place.page, place.anchor, base)


def relink(text: str, page: str, base: str, moved: Mapping[str, str] = MappingProxyType({})) -> str:
    """Return Markdown of one page with its relative links rewritten for use on another page.

    Args:
        text: The Markdown.
        page: The page that it was written for, from its language's folder: ``autograd/detach.md``.
        base: The page that it shall stand on; `page` itself if it stays.
        moved: Pages that were renamed: old → new. Links to them lead to the new name.
    """

    def target(link: str) -> str:
        if OUTSIDE_LINK.match(link) or link.startswith("/"):
            return link
        old, anchor = resolve(link, page)
        new = moved.get(old, old)
        if (page == base and old == new) or (link.startswith("#") and new == base):
            return link  # as it was written
        return path_between(new, base) + (f"#{anchor}" if anchor else "")

    return retarget(text, target)


@functools.lru_cache(maxsize=4096)
def escape_brackets(text: str) -> str:
    """Escape square brackets for use in a link's text. Brackets in code spans are left unchanged."""
    parts = re.split(r"(`+.+?`+)", text)
    return "".join(p if p.startswith("`") else re.sub(r"([\[\]])", r"\\\1", p) for p in parts)


def paragraphs(page: Page, start: int, end: int) -> list[tuple[int, str]]:
    """Return ``(line number, text)`` of the plain paragraphs between two lines.

    Embeds, fences, headings, captions, tables, lists and boxes are left out.
    """
    lines = page.lines
    inside = {n for embed in page.embeds for n in range(embed.line, embed.end + 1)}
    paragraphs: list[tuple[int, str]] = []
    current: list[str] = []
    for number in range(start, end + 2):
        line = lines[number - 1] if number <= min(end, len(lines)) else ""
        if number in inside or not line.strip():
            if current:
                paragraphs.append((number - len(current), join(current)))
            current = []
        else:
            current.append(line)
    return [
        (n, text)
        for n, text in paragraphs
        if not re.match(rf"#|```|~~~|!!!|\?\?\?|\*{CAPTIONED}|<|\||-\s|\d+\.\s|\s", text)
    ]


def join(lines: Iterable[str]) -> str:
    """Join wrapped lines with spaces, but without a space after a Chinese character; comments for `check` go."""
    text = ""
    for line in (line for line in lines if not MEANT_COMMENT.fullmatch(line)):
        stripped = line.strip() if text else line.rstrip()
        glue = "" if re.search(f"[{CHINESE}]$", text) else " "
        text = f"{text}{glue}{stripped}" if text else stripped
    return text


def first_sentence(text: str) -> str:
    """Return the first sentence of Chinese or English Markdown. Code spans, links and formulas are never split."""
    spans = [m.span() for m in re.finditer(r"(`+).+?\1|\[[^\]]*\]\([^)]*\)|\\\(.+?\\\)", text)]
    for match in re.finditer(r"[。？！]|[.?!](?=\s+[A-Z`*\[]|\s*$)", text):
        if any(a <= match.start() < b for a, b in spans) or re.search(r"\b(?:e\.g|i\.e|vs)\.$", text[: match.end()]):
            continue
        return text[: match.end()]
    return text


def section_end(page: Page, line: int) -> int:
    """Return the number of the last line of the section that contains a line."""
    return next((h.line - 1 for h in page.headings if h.line > line), len(page.lines))

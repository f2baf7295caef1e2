"""Reads out of a page's document what the search shall find on it. Pure.

Each section (a heading with an id and the text up to the next one) is found by itself. The author's words go to its
prose, code and outputs to fields of their own. What the site says of outputs (their titles, where they come from, which
releases print something else) is left out: it would be found on a thousand pages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from verbatim.book.messages import PRINTED_ERROR
from verbatim.book.releases.ranges import Kind
from verbatim.markdown import BOX_HEAD, Formula, fences, inline_text, outside_code
from verbatim.pages import other_releases
from verbatim.pages.document import Block, CellOutputs, Document, List, Printed, Prose, Shown, Unlinked
from verbatim.site.search.sections import Link, Page, Section, keywords_of
from verbatim.write.markdown import cut

#: Maximum number of indexed characters per section of an overview page, because the pages it lists are indexed anyway.
OVERVIEW = 300
#: Ids of sections that only link to other pages; they are not indexed.
SKIPPED_SECTIONS = {"read-on"}

#: A heading, with an id among other attributes: those of lists say how the contents name them, too.
_HEADING = re.compile(r"#{1,6}\s+(?P<text>.*?)(?:\s*\{[^{}]*#(?P<id>[\w.-]+)[^{}]*\})?\s*")
_TAB_HEAD = re.compile(r"\s*===[!+]*\s+\"(?P<title>.*)\"\s*")
_LIST_MARK = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")
_TABLE_RULE = re.compile(r"\s*\|[\s|:-]*-[\s|:-]*")
_TABLE_BORDER = re.compile(r"(?<!\\)\|")
#: At the end of a line of code: the mark of an annotation.
_CODE_LINE_END = re.compile(r"\s*(# \(\d+\)!?)?\s*$")

#: The target of a link, as its author wrote it → the address from the site's root, and the section's id; or nothing.
Address = Callable[[str], tuple[str, str] | None]


def page(
    document: Document,
    url: str,
    title: str,
    *,
    address: Address = lambda target: None,
    formula: Callable[[Formula], str] = lambda formula: formula.tex,
    overview: bool = False,
    asks: bool = True,
    meta: Mapping[str, Any] | None = None,
) -> Page:
    """Split a page into sections.

    Args:
        document: The page.
        url: Its address relative to the site root.
        title: The title to use if there is no first-level heading.
        address: Where a link to a page leads.
        formula: Writes a formula as text.
        overview: Whether the page only leads to other pages.
        asks: Whether the texts of its links are added to the sections that they lead to.
        meta: Its front matter; it may be invalid while serving.
    """
    reader = _Reader(document.language, document.newest_python, address, formula)
    for block in document.blocks:
        reader.read(block)
    first, *others = reader.sections
    first.title = first.title or title
    sections = [first, *(section for section in others if section.id not in SKIPPED_SECTIONS)]
    for section in sections:
        for name in ("code", "outputs", "messages"):
            lines = (_CODE_LINE_END.sub("", line) for line in getattr(section, name).splitlines())
            setattr(section, name, "\n".join(filter(None, lines)))
        section.prose = section.prose.strip("\n")
        if overview:
            section.prose = section.prose[:OVERVIEW]
            section.code = section.outputs = section.messages = ""
    keywords = () if overview else keywords_of(meta or {})
    if not overview:
        first.asked = "\n".join(filter(None, (str((meta or {}).get("description") or ""), *keywords)))
    return Page(url, sections, overview, tuple(reader.links) if asks else (), keywords)


class _Reader:
    """Collects the text of a page by section and field."""

    def __init__(self, language: str, newest_python: str, address: Address, formula: Callable[[Formula], str]):
        self._language, self._newest_python = language, newest_python
        self._address, self._formula = address, formula
        self.sections = [Section("")]
        self.links: list[Link] = []

    def read(self, block: Block) -> None:
        """Read a block."""
        match block:
            case Prose(lines) | List(_, lines):
                self._author(lines)
            case Unlinked(text):
                self._author(text.splitlines())
            case Shown():
                self._add("code", "\n\n".join(outputs.cell.source for outputs in block.cells))
                self._author(block.notes)
                for outputs in block.cells:
                    self._printed(outputs)
                self._author(block.captioned)

    def _add(self, name: str, text: str) -> None:
        """Add lines to a field of the section that is being read."""
        section = self.sections[-1]
        setattr(section, name, f"{getattr(section, name)}\n{text}")

    # -- the author's lines -------------------------------------------------------------------------

    def _author(self, lines: Sequence[str]) -> None:
        """Read Markdown: headings, paragraphs, tables, boxes, and fences that show no cell."""
        start = 0
        for fence in fences("\n".join(lines)):
            self._prose(lines[start : fence.line - 1])
            # The one list that shows outputs, that of errata, fences them as `verbatim.write` does.
            body = "\n".join(line.removeprefix(fence.indent) for line in fence.body)
            self._add("outputs" if " .verbatim " in fence.info else "code", body)
            start = fence.end
        self._prose(lines[start:])

    def _prose(self, lines: Sequence[str]) -> None:
        """Read lines without fences."""
        for paragraph in _paragraphs(lines):
            heading = _HEADING.fullmatch(paragraph)
            if heading and (heading["id"] or not self.sections[-1].title):
                text = _folded(inline_text(heading["text"], formula=self._formula))
                if heading["id"] and (not paragraph.startswith("# ") or self.sections[-1].title):
                    self.sections.append(Section(heading["id"]))
                self.sections[-1].title = text
            elif _TABLE_RULE.fullmatch(paragraph):
                continue
            elif paragraph.lstrip().startswith("|"):
                for cell in _cells(paragraph):
                    self._paragraph(cell)
            elif box := BOX_HEAD.fullmatch(paragraph) or _TAB_HEAD.fullmatch(paragraph):
                self._paragraph(box["title"] or "")
            else:
                self._paragraph(paragraph)

    def _paragraph(self, text: str) -> None:
        """Read a paragraph, a list's item, a cell of a table, a box's title, and the links in it."""
        mark = _LIST_MARK.match(text)
        links: list[tuple[str, str]] = []
        shown = inline_text(
            text[mark.end() :] if mark else text,
            formula=self._formula,
            link=lambda target, words: links.append((target, words)),
        )
        if said := "\n".join(filter(None, map(_folded, shown.splitlines()))):
            self._add("prose", said)
        lead, rest = "", shown
        for target, words in links:
            before, _, rest = rest.partition(words)
            lead += before
            if place := self._address(target):
                # An item's words before its links are asked, too: "`x`: [one](…), [the other](…)"
                asked = _folded(f"{lead} {words}" if mark else words)
                self.links.append(Link(*place, asked, self.sections[-1].id))

    # -- what cells printed -------------------------------------------------------------------------

    def _printed(self, outputs: CellOutputs) -> None:
        cell = outputs.cell
        if outputs.lacks and cell.says:
            self._add("messages", f"{cell.raises or cell.warns}: {cell.says}")
        for printed in filter(None, (outputs.printed, outputs.cuda)):
            for kind, text in _texts(printed):
                self._add("outputs" if kind == "output" else "messages", text)
        for ranges in outputs.all_ranges:
            for other in other_releases.others(ranges):
                if other.kind is not Kind.NOT_RUN:
                    self._messages(
                        Printed(other.outputs),
                        other_releases.named(other.versions, self._language, self._newest_python),
                    )

    def _messages(self, printed: Printed, releases: str) -> None:
        """Read what other releases print: messages alone, each with the releases, for the rest is much like ours."""
        for kind, text in _texts(printed):
            if kind != "output":
                self._add("messages", f"{releases} · {text}")
                continue
            for line in text.splitlines():
                if PRINTED_ERROR.match(line):
                    self._add("messages", f"{releases} · {line}")


def _texts(printed: Printed) -> Iterator[tuple[str, str]]:
    """Yield kind and text of each output that is no figure: ``output``, ``warning`` or ``error``."""
    for output in printed.outputs:
        if output["output_type"] != "display_data":
            kind, text, rest = cut(output)
            yield kind, "\n".join(filter(None, (text, rest))).strip("\n").expandtabs(4)  # as pages show it


def _paragraphs(lines: Sequence[str]) -> Iterator[str]:
    """Yield paragraphs, and one by one the lines that stand for themselves: headings, items, rows, heads of boxes."""
    open_lines: list[str] = []
    for line in [*lines, ""]:
        alone = line.lstrip().startswith(("|", "!!!", "???", "===")) or _HEADING.fullmatch(line)
        if open_lines and (not line.strip() or alone or _LIST_MARK.match(line)):
            yield "\n".join(open_lines)
            open_lines = []
        if alone:
            yield line
        elif line.strip():
            open_lines.append(line)


def _cells(row: str) -> Iterator[str]:
    """Yield the cells of a table's row; a border within code is none."""
    start = 0
    for border in _TABLE_BORDER.finditer(outside_code(row)):
        yield row[start : border.start()].replace("\\|", "|")
        start = border.end()
    yield row[start:]


def _folded(text: str) -> str:
    """Return a line with its white space collapsed."""
    return " ".join(text.split())

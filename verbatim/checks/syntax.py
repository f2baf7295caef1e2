"""Markdown is rendered as intended: nothing is left open, merged with its neighbour, or indented wrongly."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from verbatim.checks.rules import LINK, MARKDOWN_RULES, broken
from verbatim.markdown import blank, prose, without_front_matter
from verbatim.pages.page import Page
from verbatim.problems import Problem

LIST_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s")
#: The row between a table's heading and its other rows.
TABLE_RULE = re.compile(r"^\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$")
BLOCK_HEAD = re.compile(r"^\s*(?:!!!|\?\?\?\+?|===)[ +!]")
MARK_LINE = re.compile(r"^\s*\{:?\s*[.#][^}]*\}\s*$")
LINK_DEFINITION = re.compile(r"^\s*\[(?P<name>[^\]^]+)\]:\s", re.MULTILINE)
#: A half-open interval, [0, 1), closes with another bracket than it opens with.
HALF_OPEN_INTERVAL = re.compile(r"[\[(][^\[\]()（）\n]{1,20}[,，][^\[\]()（）\n]{1,20}[\])]")
BRACKET_PAIRS = (("(", ")"), ("（", "）"), ("“", "”"), ("「", "」"), ("《", "》"), ("【", "】"))

INDENT = "Markdown counts in fours: none, or four for each level"


def check_syntax(page: Page) -> Iterator[Problem]:
    """Yield Markdown that is not rendered as its author intended."""
    lines = page.text.split("\n")
    rows = page.plain.split("\n")
    for number, line in prose(page.text):
        for message, hint in broken(MARKDOWN_RULES, rows[number - 1]):
            yield Problem(page.path, number, message, hint)
        if line != line.rstrip():
            hint = "python -m verbatim check --fix mends it; a line break within a paragraph is <br>"
            yield Problem(page.path, number, "the line ends in spaces", hint)
    yield from _check_links(page, page.plain)
    for block in _blocks(page, lines):
        yield from _check_block(page, lines, rows, block)
    for fence in page.fences:
        if not fence.closed:
            yield Problem(page.path, fence.line, "this block is never closed", "end it with a line of ```")
        elif len(fence.indent) % 4:
            yield Problem(page.path, fence.line, f"the block is indented by {len(fence.indent)} spaces", INDENT)
        above = lines[fence.line - 2].strip() if fence.line > 1 else ""
        if above and not BLOCK_HEAD.match(above) and not above.startswith(("```", "~~~")):
            hint = "put an empty line before it: HTML has no block within a paragraph"
            yield Problem(page.path, fence.line, "this block stands within the paragraph above", hint)


def _check_links(page: Page, bare: str) -> Iterator[Problem]:
    """Each link has a text, and a reference link has a definition."""
    text = without_front_matter(page.text)  # code is blank in `bare`, which is as long
    for match in re.finditer(r"(?<!!)\[(\s*)\]\([^)]", bare):
        if not text[match.start(1) : match.end(1)].strip():
            line = bare.count("\n", 0, match.start()) + 1
            yield Problem(page.path, line, "this link has no text", "say between [ and ] where it leads")
    defined = {name.casefold() for name in LINK_DEFINITION.findall(page.text)}
    for match in re.finditer(r"\[([^\[\]]+)\]\[([^\[\]]*)\]", bare):
        name = text[match.start(2) : match.end(2)] or text[match.start(1) : match.end(1)]
        if name.casefold() not in defined and re.search(r"\w", match[0]):
            line = bare.count("\n", 0, match.start()) + 1
            yield Problem(page.path, line, f"no line says where `[{name}]` leads", LINK)


def _blocks(page: Page, lines: list[str]) -> Iterator[list[int]]:
    """Yield the numbers of lines that stand together: between empty lines, fences, headings and the heads of boxes."""
    block: list[int] = []
    for number, line in prose(page.text):
        apart = not line.strip() or line.startswith("#") or BLOCK_HEAD.match(line)
        if block and (apart or number != block[-1] + 1):
            yield block
            block = []
        if apart and line.strip():
            yield [number]
        elif not apart:
            block.append(number)
    if block:
        yield block


def _check_block(page: Page, lines: list[str], rows: list[str], block: list[int]) -> Iterator[Problem]:
    """Nothing in a paragraph, a list or a table is left open, and no line continues what it should not."""
    first, *rest = block
    text = [rows[number - 1] for number in block]
    indent = len(lines[first - 1]) - len(lines[first - 1].lstrip())
    if indent % 4:
        yield Problem(page.path, first, f"the text is indented by {indent} spaces", INDENT)
    yield from _check_open(page, block, text)
    if rest and re.match(r"^(?:=+|-{2,})\s*$", text[1]):
        yield Problem(page.path, first, "a line below makes a heading of this", "write it as `## … { #id }`")
    if len(block) == 1 and MARK_LINE.match(text[0]):
        hint = "write it directly below the paragraph that it is about, without an empty line"
        yield Problem(page.path, first, f"the mark `{lines[first - 1].strip()}` marks nothing", hint)
    if any(TABLE_RULE.match(row) for row in text) or text[0].lstrip().startswith("|"):
        yield from _check_table(page, block, text)
        return
    started = bool(LIST_ITEM.match(text[0]))
    for number, row in zip(rest, text[1:], strict=True):
        if not LIST_ITEM.match(row):
            continue
        indent = len(row) - len(row.lstrip())
        if not started:
            yield Problem(page.path, number, "this list continues the paragraph above", "put an empty line before it")
            started = True
        elif indent % 4:
            yield Problem(page.path, number, f"the item is indented by {indent} spaces", INDENT)


#: The mark of bold text; 2**63 and 2 ** 63 are powers.
BOLD_MARK = re.compile(r"(?!(?<=\d)\*\*\d|(?<=\d )\*\* \d)\*\*")


def _check_open(page: Page, block: list[int], text: list[str]) -> Iterator[Problem]:
    """Code, bold text, brackets and quotation marks end in the paragraph in which they begin."""
    for number, row in zip(block, text, strict=True):
        if re.search(r"(?<!\\)`", row):
            yield Problem(page.path, number, "a code span is left open", "end it with as many ` as it begins with")
            return  # where it ends nobody knows, so what stands beside it may be code
        if re.search(r"\\[(\[]", row):
            return  # a formula is left open, as a rule tells
    joined = "\n".join(re.sub(r"^(\s*)\d+\)", r"\1", row) for row in text)
    if len(BOLD_MARK.findall(joined)) % 2 and not re.search(r"\*{3,}", joined):
        yield Problem(page.path, block[0], "bold text is left open", "end it with **, without a space before that")
    else:
        yield from _check_bold(page, block, "\n".join(text))
    bare = HALF_OPEN_INTERVAL.sub(blank, joined)
    for opening, closing in BRACKET_PAIRS:
        more = bare.count(opening) - bare.count(closing)
        if more:
            rows = zip(block, bare.split("\n"), strict=True)
            at = next(number for number, row in rows if row.count(opening) != row.count(closing))
            mark, other = (opening, closing) if more > 0 else (closing, opening)
            message = f"`{mark}` has no `{other}`"
            yield Problem(page.path, at, message, "each opens and closes in the same paragraph")


def _check_bold(page: Page, block: list[int], text: str) -> Iterator[Problem]:
    """No space stands within the marks of bold text, which open and close it in turn."""
    if "***" in text:  # italics, too
        return
    lines = page.text.split("\n")
    raw = "\n".join(lines[number - 1] for number in block)  # code is blank in `text`, which is as long
    for count, mark in enumerate(BOLD_MARK.finditer(text)):
        inside = raw[mark.end() : mark.end() + 1] if count % 2 == 0 else raw[mark.start() - 1]
        if inside.isspace() and inside != "\n":
            message = "a space makes this bold text none"
            yield Problem(page.path, block[text.count("\n", 0, mark.start())], message, "write **so**")


def _check_table(page: Page, block: list[int], text: list[str]) -> Iterator[Problem]:
    """A table has an empty line above, a row of hyphens below its heading, and as many cells in each row."""
    rule = next((i for i, row in enumerate(text) if TABLE_RULE.match(row)), None)
    if rule is None:
        yield Problem(page.path, block[0], "this table has no row of hyphens", "write | --- | --- | below its heading")
        return
    if rule != 1:
        at = block[max(rule - 1, 0)]
        yield Problem(page.path, at, "this table continues the paragraph above", "put an empty line before its heading")
        return
    cells = [_cells(row) for row in text]
    for number, count in itertools.compress(zip(block, cells, strict=True), [count != cells[1] for count in cells]):
        message = f"this row has {count} cells, the table has {cells[1]} columns"
        yield Problem(page.path, number, message, "a cell that is left empty is | |; within a cell, write \\|")


def _cells(row: str) -> int:
    """Return how many cells a row of a table has; code is blank in it."""
    return row.replace("\\|", "").strip().removeprefix("|").removesuffix("|").count("|") + 1

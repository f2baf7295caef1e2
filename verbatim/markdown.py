"""The one grammar of pages: front matter, fences, embeds, headings, links, boxes, formulas. Pure; no Markdown library.

A page shows a cell with a fence whose only line is the script's path and the cell's name::

    ```example
    examples/autograd/detach.py#shares-storage
    ```
"""

from __future__ import annotations

import functools
import html
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from verbatim.languages import CAPTIONED

FENCE_LINE = re.compile(r"^(?P<indent>\s*)(?P<marks>`{3,}|~{3,})(?P<info>.*)$")
HEADING_LINE = re.compile(r"^(?P<marks>#{1,6})\s+(?P<text>.*?)(?:\s*\{\s*#(?P<id>[\w.-]+)\s*\})?\s*$")
CAPTION_LINE = re.compile(rf"^\s*\*(?P<text>{CAPTIONED}.+)\*\s*$")
LIST_ITEM = re.compile(r"^\s*\d+\.\s")
_TARGET = r"\]\(<?(?P<target>[^)\s>]+)>?(?:\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\)"
#: The end of a link or an image, ``](target)``; a definition, ``[name]: target``, too.
LINK_END = re.compile(_TARGET + r"|^\s*\[[^\]^][^\]]*\]:\s*<?(?P<defined>[^\s>]+)", re.MULTILINE)
#: A link to the web or to a mail address, which this project does not follow.
OUTSIDE_LINK = re.compile(r"^[a-z][a-z0-9+.-]*:")
#: It ends within its paragraph: a mark that is left open is text.
CODE_SPAN = re.compile(r"(?<!`)(?P<marks>`+)(?!`)(?:(?!\n\s*\n).)+?(?<!`)(?P=marks)(?!`)", re.DOTALL)
#: A comment that says which word a check is wrong about, and why.
MEANT_COMMENT = re.compile(r"[ \t]*<!--\s*meant:(?P<text>.*?)-->[ \t]*")
#: Such a line, in the text of a page.
MEANT_LINE = re.compile(rf"^{MEANT_COMMENT.pattern}\n", re.MULTILINE)
#: The mark of a remedy, below a block or at its end; `lists.remedies` says what it may say.
REMEDY_MARK = re.compile(r"\s*\{ \.remedy(?P<more>(?: [a-z]+=(?:\"[^\"]*\"|[^\s\"{}]+))*) \}$")
#: The first line of a box: ``!!! erratum once "…"``. What is left, `rest`, belongs to no box.
BOX_HEAD = re.compile(
    r"^\s*(?:!!!|\?\?\?\+?)\s+(?P<kinds>[\w-]+(?: +[\w-]+)*)(?:\s+\"(?P<title>.*)\")?(?P<rest>.*)$", re.DOTALL
)
FORMULA = re.compile(r"(?<!\\)\\\((?P<inline>.+?)\\\)|(?<!\\)\\\[(?P<display>.+?)\\\]", re.DOTALL)


@dataclass(frozen=True)
class Embed:
    """A request to show a cell, or a whole script where ``cell`` is empty."""

    line: int
    """1-based line of the opening fence."""
    end: int
    """1-based line of the closing fence."""
    indent: str
    script: str
    cell: str
    caption: str = ""
    """The italic line below (``*Figure: …*``): alternative text and caption of its figures."""

    @property
    def target(self) -> str:
        """``path#cell`` as written in the page."""
        return f"{self.script}#{self.cell}" if self.cell else self.script


@dataclass(frozen=True)
class Listing:
    """A request for one of the lists of `verbatim.lists`: a ``verbatim`` fence with the list's name."""

    line: int
    end: int
    name: str


@dataclass(frozen=True)
class Heading:
    """A heading outside of fences."""

    line: int
    level: int
    text: str
    id: str
    """The explicit ``{ #id }``; empty without one."""


@dataclass(frozen=True)
class Fence:
    """A fenced block, with the lines of its opening and closing marks (1-based)."""

    line: int
    end: int
    indent: str
    info: str
    body: tuple[str, ...]
    closed: bool = True
    """Whether it ends before the page does."""


def fences(text: str) -> list[Fence]:
    """Return the outermost fenced blocks, by CommonMark's rules: one that is never closed ends with the page."""
    return list(_fences(text))


@functools.lru_cache(maxsize=8192)  # headings, links, formulas and so on each ask again
def _fences(text: str) -> tuple[Fence, ...]:
    blocks: list[Fence] = []
    lines = text.splitlines()
    i = 0
    while i < len(lines):
        match = FENCE_LINE.match(lines[i])
        if not match or (match["marks"][0] == "`" and "`" in match["info"]):
            i += 1
            continue
        closing = re.compile(rf"^\s*{re.escape(match['marks'][0])}{{{len(match['marks'])},}}\s*$")
        j = i + 1
        while j < len(lines) and not closing.match(lines[j]):
            j += 1
        end, info, body = min(j + 1, len(lines)), match["info"].strip(), tuple(lines[i + 1 : j])
        blocks.append(Fence(i + 1, end, match["indent"], info, body, closed=j < len(lines)))
        i = j + 1
    return tuple(blocks)


def embeds(text: str) -> list[Embed]:
    """Return the page's embeds in order of appearance."""
    lines = text.splitlines()
    cells_shown = []
    for fence in fences(text):
        if fence.info != "example":
            continue
        target = " ".join(line.strip() for line in fence.body).strip()
        script, _, cell = target.partition("#")
        below = next((line for line in lines[fence.end :] if line.strip()), "")
        caption = CAPTION_LINE.match(below)
        cells_shown.append(Embed(fence.line, fence.end, fence.indent, script, cell, caption["text"] if caption else ""))
    return cells_shown


def listings(text: str) -> list[Listing]:
    """Return the page's lists in order of appearance."""
    return [
        Listing(fence.line, fence.end, " ".join(line.strip() for line in fence.body).strip())
        for fence in fences(text)
        if fence.info == "verbatim"
    ]


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Yield ``(line number, line)`` of everything outside of fences and front matter."""
    inside = {n for f in fences(text) for n in range(f.line, f.end + 1)}
    lines = text.splitlines()
    start = front_matter_end(lines)
    for number, line in enumerate(lines, 1):
        if number > start and number not in inside:
            yield number, line


def headings(text: str) -> list[Heading]:
    """Return the page's headings in order of appearance."""
    titles = []
    for number, line in prose(text):
        if match := HEADING_LINE.match(line):
            titles.append(Heading(number, len(match["marks"]), match["text"], match["id"] or ""))
    return titles


def annotations_below(lines: list[str], start: int) -> int:
    """Return the index after the ordered list that begins at or after ``lines[start]``.

    ``start`` is 0-based; it is returned if no list follows. The list holds the texts of the code's annotations.
    Material expects it directly below the code, so outputs are inserted after it.
    """
    i = start
    while i < len(lines) and not lines[i].strip():
        i += 1
    if i == len(lines) or not LIST_ITEM.match(lines[i]):
        return start
    indent = len(lines[i]) - len(lines[i].lstrip())
    end = i
    while i < len(lines):
        line = lines[i]
        deeper = len(line) - len(line.lstrip()) > indent
        if line.strip() and not LIST_ITEM.match(line) and not deeper:
            break
        if line.strip():
            end = i + 1
        i += 1
    return end


def front_matter_end(lines: list[str]) -> int:
    """Return the number of lines of the front matter, with its `---` marks; 0 without front matter."""
    return lines.index("---", 1) + 1 if lines[:1] == ["---"] and "---" in lines[1:] else 0


def without_front_matter(text: str) -> str:
    """Return a page's text with empty lines in place of the front matter, so that line numbers stay the same."""
    lines = text.split("\n")
    end = front_matter_end(lines)
    return "\n".join([""] * end + lines[end:])


def boxes(text: str) -> list[tuple[int, str]]:
    """Return ``(line, kind)`` of the page's boxes: ``!!! erratum`` and the like."""
    return [(number, match["kinds"].split()[0]) for number, line in prose(text) if (match := BOX_HEAD.match(line))]


def enclosing_box(lines: Sequence[str], embed: Embed) -> tuple[str, ...]:
    """Return the kinds of the box that an embed stands in: ``!!! erratum once "…"``; nothing outside of boxes."""
    if not embed.indent:
        return ()
    for line in reversed(lines[: embed.line - 1]):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent < len(embed.indent):
            match = BOX_HEAD.match(line)
            return tuple(match["kinds"].split()) if match else ()
    return ()


def links(text: str) -> list[tuple[int, str]]:
    """Return ``(line, target)`` of every link and image outside of code."""
    bare = outside_code(without_front_matter(text))
    targets = ((match.start(match.lastgroup or 0), match[match.lastgroup or 0]) for match in LINK_END.finditer(bare))
    return [(bare.count("\n", 0, start) + 1, target) for start, target in targets]


def resolve(link: str, page: str) -> tuple[str, str]:
    """Return the path that a relative link of a page leads to, and the anchor there; either may be the page's own.

    Args:
        link: The link's target as written: ``../devices/dtypes.md#casts``.
        page: The page's path, from where the result shall be: ``autograd/detach.md``.
    """
    path, _, anchor = link.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page, anchor


def retarget(text: str, replace: Callable[[str], str]) -> str:
    """Return Markdown with each target of a link or an image replaced; code stays as it is."""
    parts, position = [], 0
    for match in LINK_END.finditer(outside_code(text)):
        start, end = match.span(match.lastgroup or 0)
        parts += [text[position:start], replace(text[start:end])]
        position = end
    return "".join(parts) + text[position:]


@dataclass(frozen=True)
class Formula:
    """A formula in LaTeX."""

    tex: str
    display: bool = False


def outside_code(text: str) -> str:
    """Return a page's text with fences and code spans replaced by spaces, so that positions stay the same."""
    if "`" not in text and "~" not in text:
        return text
    lines = text.split("\n")
    for fence in fences(text):
        for number in range(fence.line - 1, fence.end):
            lines[number] = " " * len(lines[number])
    return CODE_SPAN.sub(blank, "\n".join(lines))


def blank(match: re.Match[str]) -> str:
    """Return what a pattern found as spaces, so that positions stay the same."""
    return "\n".join(" " * len(line) for line in match[0].split("\n"))


def formulas(text: str) -> list[tuple[int, Formula]]:
    """Return a page's formulas, each with its 1-based line."""
    if "\\(" not in text and "\\[" not in text:
        return []
    placed = []
    for match in FORMULA.finditer(outside_code(text)):
        line = text.count("\n", 0, match.start()) + 1
        placed.append((line, formula_of(match)))
    return placed


def formula_of(match: re.Match[str]) -> Formula:
    """Return what a match of `FORMULA` holds."""
    tex = match["inline"] or match["display"]
    return Formula(" ".join(tex.split()), match["display"] is not None)


#: A link, once code, formulas and images are out of the way.
_LINK = re.compile(r"\[(?P<text>(?:[^\[\]]|\[[^\[\]]*\])*)" + _TARGET)
_IMAGE = re.compile(r"!\[[^\[\]]*" + _TARGET)
#: A character that would else be a mark.
_ESCAPED = re.compile(r"\\([\\`*_{}\[\]()<>#+.!|~-])")
_ATTRIBUTES = re.compile(r"\{:? ?(?:[#.][\w-]|[\w-]+=|data-)[^{}\n]*\}")
_TAG = re.compile(r"<!--.*?-->|</?[a-zA-Z][^<>:]*(?:\s[^<>]*)?>", re.DOTALL)
_ADDRESS_IN_ANGLES = re.compile(r"<((?:https?://|mailto:)[^>\s]+)>")
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", re.DOTALL)
_EMPHASIS = re.compile(r"\*(?=\S)((?:[^*]|(?<=\s)\*(?=\s))+?)(?<=\S)\*|(?<![\w.])_(?=\S)([^_]+?)(?<=\S)_(?!\w)")
#: In place of what is no Markdown: private-use characters, and a number.
_KEPT = re.compile("\ue000(\\d+)\ue001")


def inline_text(
    text: str,
    *,
    code: Callable[[str], str] = lambda text: text,
    formula: Callable[[Formula], str] = lambda formula: formula.tex,
    link: Callable[[str, str], None] = lambda target, text: None,
) -> str:
    """Return a paragraph as its readers see it: no marks, targets of links, images, attributes, HTML.

    Args:
        text: The paragraph's Markdown, without the marks of its block: of a heading, a list's item, a box.
        code: Writes a code span; given is what stands in it.
        formula: Writes a formula.
        link: Called for each link: its target, and its text as readers see it.
    """
    kept: list[str] = []

    def keep(shown: str) -> str:
        kept.append(shown)
        return f"\ue000{len(kept) - 1}\ue001"

    def put_back(shown: str) -> str:
        return _KEPT.sub(lambda match: kept[int(match[1])], shown)

    def typeset(match: re.Match[str]) -> str:
        # What is displayed begins its line; elsewhere ``\\[`` is a bracket that shall begin no link.
        alone = not match.string[: match.start()].rpartition("\n")[2].strip()
        return keep(formula(formula_of(match))) if alone or match["inline"] else match[0]

    def linked(match: re.Match[str]) -> str:
        link(match["target"], put_back(_plain(match["text"])))
        return match["text"]

    text = CODE_SPAN.sub(lambda match: keep(code(match[0].strip("`").strip())), text)
    text = FORMULA.sub(typeset, text)
    text = _ESCAPED.sub(lambda match: keep(match[1]), text)
    return put_back(_plain(_LINK.sub(linked, _IMAGE.sub("", text))))


def _plain(text: str) -> str:
    """Return text without attributes, HTML and emphasis."""
    text = _ADDRESS_IN_ANGLES.sub(r"\1", _ATTRIBUTES.sub("", text))
    text = html.unescape(_TAG.sub("", text))
    return _EMPHASIS.sub(lambda match: match[1] or match[2], _STRONG.sub(r"\1", text))


def fence(text: str, info: str) -> list[str]:
    """Return a fenced block with marks longer than any in its content, so that the content cannot close it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    marks = "`" * max(3, longest + 1)
    return [f"{marks} {info}" if info.startswith("{") else f"{marks}{info}", *text.split("\n"), marks]


def code(text: str) -> str:
    """Return text as a code span with marks longer than any run of backticks in it."""
    if "`" not in text:
        return f"`{text}`"
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    marks = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{marks}{pad}{text}{pad}{marks}"

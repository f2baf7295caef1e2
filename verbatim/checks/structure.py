"""Pages are assembled correctly: no code typed by hand; boxes, marks and images that work; nothing twice."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from verbatim.checks.lengths import READ_ON
from verbatim.checks.outputs import TERMINAL_FENCES
from verbatim.lists import errata
from verbatim.markdown import BOX_HEAD, CODE_SPAN, REMEDY_MARK, prose
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean

#: Fences that a page may hold: cells, lists, and commands for a terminal, which no script can run.
ALLOWED_FENCES = ("example", "verbatim", *TERMINAL_FENCES)
#: A line of this many characters is a paragraph.
PARAGRAPH_CHARACTERS = 60
#: The boxes that Material styles, and the book's own.
ALLOWED_BOXES = (
    "abstract", "bug", "danger", "erratum", "example", "failure", "info", "note", "question", "quote", "success", "tip",
    "warning",
)  # fmt: skip
#: Boxes of other tools → the one that says the same here.
EQUIVALENT_BOXES = {"attention": "warning", "caution": "warning", "error": "danger", "hint": "tip", "important": "note"}
#: Words after a box's kind: the book's own, and Material's for a box beside the text.
BOX_WORDS = ("once", "inline", "end")
#: Marks below a paragraph that mean something to the engine or to the stylesheet.
KNOWN_MARKS = ("remedy",)
BOX_START = re.compile(r"^\s*(?:!!!|\?\?\?)")
TAB_HEAD = re.compile(r"^\s*===[+!]? +[\"']")
MARK_LINE = re.compile(r"^\s*\{:?\s*\.(?P<name>[\w-]+)(?P<more>\s+[^\s{}][^{}]*?)?\s*\}\s*$")
IMAGE_LINK = re.compile(r"!\[(?P<alt>[^\]]*)\]\([^)]*\)|!\[(?P<other>[^\]]*)\]\[|<img\b(?P<html>[^>]*)>")


def check_typed(page: Page) -> Iterator[Problem]:
    """Code and outputs are never typed by hand: they come from a script."""
    for fence in page.fences:
        if fence.info not in ALLOWED_FENCES:
            name = fence.info.split()[0] if fence.info else ""
            message = f"a `{name}` block was typed by hand" if name else "a block was typed by hand"
            near = did_you_mean(name, ALLOWED_FENCES)
            hint = near if near.startswith("did you mean") else "put the code into the script and embed its cell"
            yield Problem(page.path, fence.line, message, hint)


def check_boxes(page: Page) -> Iterator[Problem]:
    """Each box has a valid kind and is not empty; an erratum has its claim."""
    lines = page.text.splitlines()
    for number, text in prose(page.text):
        if BOX_START.match(text) and not BOX_HEAD.match(text):
            yield Problem(page.path, number, "this is no box", 'write !!! tip, or !!! tip "Title", with spaces')
    for number, kind in page.boxes:
        line = lines[number - 1]
        match = BOX_HEAD.match(line)
        more = [word for word in match["kinds"].split()[1:] if word not in BOX_WORDS] if match else []
        if match and (more or match["rest"].strip()):
            title = line.partition(kind)[2].strip()
            message = f"`{title}` is no title of a box without quotation marks"
            yield Problem(page.path, number, message, f'write !!! {kind} "{title.strip(chr(34))}"')
        if kind not in ALLOWED_BOXES:
            hint = (
                f"write !!! {EQUIVALENT_BOXES[kind]}" if kind in EQUIVALENT_BOXES else did_you_mean(kind, ALLOWED_BOXES)
            )
            yield Problem(page.path, number, f"there is no box `{kind}`", hint)
        elif kind == "erratum" and not errata.ERRATUM_BOX.match(line):
            hint = 'write its claim in the title: !!! erratum "Often said: …"'
            yield Problem(page.path, number, "the erratum quotes no claim", hint)
        below = next((text for text in lines[number:] if text.strip()), "")
        if _indent(below) < _indent(line) + 4:
            hint = "indent what belongs to it by four spaces"
            yield Problem(page.path, number, f"the box `{kind}` is empty", hint)


def check_tabs(page: Page) -> Iterator[Problem]:
    """What stands in a tab is indented: else the tab is empty, and its text stands below all tabs."""
    lines = page.text.splitlines()
    for number, text in prose(page.text):
        if TAB_HEAD.match(text):
            below = next((line for line in lines[number:] if line.strip()), "")
            if _indent(below) < _indent(text) + 4:
                message = f"the tab `{lines[number - 1].strip()}` is empty"
                yield Problem(page.path, number, message, "indent what belongs to it by four spaces")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def check_marks(page: Page) -> Iterator[Problem]:
    """Each mark on a line of its own is one of `KNOWN_MARKS`."""
    for number, line in prose(page.text):
        if not (match := MARK_LINE.match(line)):
            continue
        if match["more"] and match["name"] not in KNOWN_MARKS:
            continue  # an image with its width
        if match["name"] not in KNOWN_MARKS:
            yield Problem(
                page.path, number, f"there is no mark `{match['name']}`", did_you_mean(match["name"], KNOWN_MARKS)
            )
        elif not REMEDY_MARK.fullmatch(line):
            written = f"{{ .{match['name']} }}, with both spaces" + (', and of="…" behind it' if match["more"] else "")
            yield Problem(page.path, number, f"the mark `{line.strip()}` is not read", f"write {written}")


def check_sections(page: Page) -> Iterator[Problem]:
    """No section is empty."""
    lines = page.text.splitlines()
    for heading, following in itertools.zip_longest(page.headings, page.headings[1:]):
        end = following.line - 1 if following else len(lines)
        inner = following is not None and following.level > heading.level
        if heading.level > 1 and not inner and not any(map(str.strip, lines[heading.line : end])):
            message = f"the section `{heading.text}` is empty"
            yield Problem(page.path, heading.line, message, "write it, or take its heading out")


def check_images(page: Page) -> Iterator[Problem]:
    """Each image has an alternative text."""
    for number, line in prose(page.text):
        for match in IMAGE_LINK.finditer(CODE_SPAN.sub("", line)):
            text = match["alt"] or match["other"] or ""
            if match["html"] is not None:
                alt = re.search(r"\balt\s*=\s*(?:\"([^\"]*)\"|'([^']*)')", match["html"])
                text = (alt[1] or alt[2] or "") if alt else ""
            if not text.strip():
                hint = 'say what one sees and what it means: ![…](…), or alt="…"'
                yield Problem(page.path, number, "the image has no alternative text", hint)


def check_shown_once(page: Page) -> Iterator[Problem]:
    """Each cell is on a page once."""
    first: dict[str, int] = {}
    for embed in page.embeds:
        line = first.setdefault(embed.target, embed.line)
        if line != embed.line:
            hint = "link to it, or embed another cell"
            yield Problem(page.path, embed.line, f"{embed.target} is shown on line {line}, too", hint)
    for embed in page.embeds:
        other = next(
            (candidate for candidate in page.embeds if candidate.script == embed.script and candidate is not embed),
            None,
        )
        if other and not embed.cell:
            message = f"the whole script is shown here, and a cell of it on line {other.line}"
            yield Problem(page.path, embed.line, message, f"name the cell: {embed.script}#…")


def check_paragraphs_once(page: Page) -> Iterator[Problem]:
    """No paragraph is on a page twice."""
    first: dict[str, int] = {}
    for number, line in prose(page.text):
        if (
            len(line) >= PARAGRAPH_CHARACTERS
            and not line.lstrip().startswith("|")
            and (at := first.setdefault(line.strip(), number)) != number
        ):
            yield Problem(
                page.path, number, f"this paragraph stands on line {at}, too", "keep it where readers need it first"
            )


def check_read_on(pages: Iterable[Page]) -> Iterator[Problem]:
    """Each page of a recipe ends with where to read on, in a book whose pages do."""
    recipes = [page for page in pages if page.scripts and "/" in page.name and not page.name.endswith("index.md")]
    sections = [[heading.id for heading in page.headings if heading.level == 2] for page in recipes]
    if not any(READ_ON in ids for ids in sections):
        return
    for page, ids in zip(recipes, sections, strict=True):
        if ids[-1:] != [READ_ON]:
            message = "the page does not end with where to read on"
            yield Problem(page.path, page.text.count("\n"), message, f"## … {{ #{READ_ON} }}, with two or three links")


def check_keywords(pages: Iterable[Page]) -> Iterator[Problem]:
    """Each page of a recipe has words that readers would search for, in a book that has such words."""
    keywords = [(page, page.meta.get("keywords")) for page in pages if page.scripts and "/" in page.name]
    if not any(words for _, words in keywords):
        return
    for page, words in keywords:
        if not words and page.meta and not page.name.endswith("index.md"):
            hint = "what readers who don't know its words would type: keywords: [clear gradients, set_to_none]"
            yield Problem(page.path, 1, "the front matter has no `keywords`", hint)

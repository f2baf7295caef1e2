"""The Markdown of pages: sections, what one release of torch printed, and a form that reads well in a terminal. Pure.

Pages have what Python-Markdown calls admonitions, ``!!! erratum "Title"`` and ``??? versions "Title"``, with lines
indented by four below them; ids behind headings; and titles of outputs, which say what printed them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_FENCE_LINE = re.compile(r"(?P<indent> *)(?P<marks>`{3,}|~{3,})(?P<kind>[\w+-]*)(?: title=\"(?P<title>[^\"]*)\")?$")
_BOX_HEAD = re.compile(r"(?:!!!|\?\?\?\+?) (?P<kind>[\w-]+)[\w -]*?(?: \"(?P<title>.*)\")?$")
_HEADING_LINE = re.compile(r"(?P<marks>#{1,6}) (?P<text>.*?)(?: \{ #(?P<id>[\w.-]+) \})?$")
_ADDRESS_COMMENT = re.compile(r"<!-- (?P<address>\S+) -->")
#: Lines of a page that a chosen release replaces: the number of the first from 0, that behind the last, and what stands
#: in their place, each as the releases and the text; none where the lines are left out, whatever was chosen.
Replaced = tuple[int, int, list[tuple[list[str], str]]]
#: A part of a page: its first line, and the lines in it; a fence and a box have several, other lines stand alone.
Block = tuple[str, list[str]]


def blocks(lines: Sequence[str]) -> Iterator[Block]:
    """Yield the fences, with their lines, the boxes, with theirs moved to the left, and all other lines."""
    at = 0
    while at < len(lines):
        line, at = lines[at], at + 1
        inside: list[str] = []
        if fence := _FENCE_LINE.match(line):
            while at < len(lines) and lines[at].strip() != fence["marks"]:
                inside.append(lines[at])
                at += 1
            at += 1
        elif _BOX_HEAD.match(line):
            while at < len(lines) and (not lines[at].strip() or lines[at].startswith("    ")):
                inside.append(lines[at][4:])
                at += 1
            while inside and not inside[-1]:
                inside.pop()
                at -= 1
        yield line, inside


def whole(parts: Sequence[Block]) -> list[str]:
    """Return the lines that `blocks` took apart."""
    lines: list[str] = []
    for head, inside in parts:
        lines.append(head)
        if fence := _FENCE_LINE.match(head):
            lines += [*inside, fence["indent"] + fence["marks"]]
        elif inside:
            lines += [f"    {line}" if line else "" for line in inside]
    return lines


def sections(text: str) -> dict[str, str]:
    """Return the id of each section → its text, with the headings below it."""
    parts = list(blocks(text.split("\n")))
    by_id: dict[str, str] = {}
    for at, (head, _) in enumerate(parts):
        heading = _HEADING_LINE.match(head)
        if not heading or not heading["id"]:
            continue
        end = at + 1
        while end < len(parts):
            other = _HEADING_LINE.match(parts[end][0])
            if other and len(other["marks"]) <= len(heading["marks"]):
                break
            end += 1
        by_id[heading["id"]] = "\n".join(whole(parts[at:end])).rstrip() + "\n"
    return by_id


# -- what one release printed ---------------------------------------------------------------------


def printed_by(text: str, torch: str, replaced: Sequence[Replaced]) -> str:
    """Return a page with what one release of torch printed in place of the other outputs, where the page knows that.

    Args:
        text: The page.
        torch: The release.
        replaced: What of the page's lines a release replaces.
    """
    lines = text.split("\n")
    for start, end, by in reversed(replaced):
        own = [printed.split("\n") for releases, printed in by if torch in releases]
        lines[start:end] = own[0] if own else lines[start:end] if by else []
    return "\n".join(lines)


# -- in a terminal --------------------------------------------------------------------------------


def readable(text: str) -> str:
    """Return Markdown that reads well as it is, and that any renderer knows: boxes are quotes, titles are lines."""
    lines = text.split("\n")
    address = _ADDRESS_COMMENT.match(lines[0])
    lines = lines[1:] if address else lines
    made = "\n".join(_readable(lines)).strip("\n")
    return f"{made}\n\n{address['address']}\n" if address else f"{made}\n"


def _readable(lines: Sequence[str]) -> Iterator[str]:
    for head, inside in blocks(lines):
        if fence := _FENCE_LINE.match(head):
            indent = fence["indent"]
            if fence["title"]:
                yield from (f"{indent}*{fence['title']}*", "")
            yield from (f"{indent}{fence['marks']}{fence['kind']}", *inside, indent + fence["marks"])
        elif box := _BOX_HEAD.match(head):
            if box["title"]:
                yield from (f"> **{box['title']}**", ">")
            yield from (f"> {line}".rstrip() for line in _readable(inside))
        elif heading := _HEADING_LINE.match(head):
            yield f"{heading['marks']} {heading['text']}"
        else:
            yield head

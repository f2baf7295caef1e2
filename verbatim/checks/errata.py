"""Each erratum box quotes a claim, has a correction that is clear without the rest of the page, and a proof.

The correction stands before the proof, and below one that asks readers what it prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verbatim.book.gather import Book
from verbatim.checks.asks import asking
from verbatim.lists import errata
from verbatim.markdown import Embed
from verbatim.pages.document import cells_of
from verbatim.pages.other_releases import older
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: Words that refer to a place on the page. The list of errata shows a box's correction alone.
POINTING_WORD = re.compile(r"[上下]面|[上下]例|[上下]文|[上下]方|见[上下]|\b(?:above|below)\b", re.IGNORECASE)


def check_errata(book: Book, page: Page) -> Iterator[Problem]:
    """Yield the problems of the boxes of a page."""
    for box in errata.on_page(page):
        if box.once and box.proof and _was_always_so(book, box.proof):
            hint = (
                "prove it with a cell that an older release prints differently, or take `once` out of the box's kinds"
            )
            yield Problem(page.path, box.line, "no recorded release shows that this was so once", hint)
        if not box.claim:
            yield Problem(page.path, box.line, "the erratum quotes no claim", 'write !!! erratum "Often said: …"')
        if box.proof is None:
            hint = "embed the cell that proves it inside the box, indented by four spaces; else make it a plain section"
            yield Problem(page.path, box.line, "the erratum holds no executed proof", hint)
        asks = bool(box.proof and asking(book, box.proof))
        if not box.truth or (box.proof and not asks and box.answered > box.proof.line):
            hint = "say below its title what is so; the list of errata shows this paragraph"
            yield Problem(page.path, box.line, "the erratum says nothing before its proof", hint)
        elif box.proof and asks and box.answered < box.proof.line:
            hint = "put this paragraph below the embed, or take `asks=true` out of the cell's header"
            yield Problem(page.path, box.answered, "the erratum answers before its proof asks", hint)
        elif match := POINTING_WORD.search(errata.MARKDOWN_LINK.sub("", box.truth)):
            hint = "the list of errata shows this paragraph alone: name the thing, or link to it"
            yield Problem(page.path, box.line, f"the erratum's first paragraph points to “{match[0]}”", hint)
        elif box.truth.endswith((":", "：")):
            hint = "the list of errata shows this paragraph alone: end it with a full stop"
            yield Problem(page.path, box.line, "the erratum's first paragraph ends with a colon", hint)


def _was_always_so(book: Book, proof: Embed) -> bool:
    """Whether every release ran what an embed shows, and none before the built one printed anything else.

    If a finding is stale, this is unknown: a page may be written before the releases are run again.
    """
    script = book.scripts.get(proof.script)
    if script is None or not book.releases.all:
        return False
    record = book.cpu.get(proof.script)
    cells = cells_of(script, proof)
    current = all(release.finding(script, cell, record) for release in book.releases.all for cell in cells)
    return current and not any(older(book.ranges(proof.script, cell.name)) for cell in cells)

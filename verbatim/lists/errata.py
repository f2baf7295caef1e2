"""The page that collects all erratum boxes: a common false claim, the correction, and the cell that proves it. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verbatim.book.compare import text_of
from verbatim.book.releases.ranges import Range
from verbatim.languages import LANGUAGES
from verbatim.lists.places import (
    Sources,
    chapter,
    chapter_title,
    escape_brackets,
    join,
    link,
    once,
    relink,
    section_at,
    title,
)
from verbatim.markdown import Embed, Heading, fence
from verbatim.pages.other_releases import named, older
from verbatim.pages.page import Page
from verbatim.words import ERRATA

ERRATUM_BOX = re.compile(r'^(?P<indent>\s*)!!! erratum(?P<once> once)? "(?P<title>.*)"\s*$')
#: Prefix of a box's title, before the claim.
TITLE_PREFIX = re.compile(f"^(?:{'|'.join(re.escape(language.erratum) for language in LANGUAGES.values())})")
#: A Markdown link.
MARKDOWN_LINK = re.compile(r"\[[^\]]*\]\([^)]*\)")
#: Maximum number of lines shown of a proof's output.
MOST_LINES = 8


@dataclass(frozen=True)
class Erratum:
    """One erratum box."""

    claim: str
    truth: str
    """The box's first paragraph that is no fence, as the page's Markdown."""
    page: Page
    line: int
    section: Heading | None
    proof: Embed | None
    """The embedded cell in the box that proves the correction."""
    answered: int = 0
    """The line of `truth`; 0 where there is none."""
    once: bool = False
    """Whether the claim was true in older releases, as the proof's output there shows."""

    @property
    def anchor(self) -> str:
        """The id of its section; empty above the first section."""
        return self.section.id if self.section and self.section.level > 1 else ""


@once
def errata(sources: Sources, language: str) -> list[Erratum]:
    """Return the boxes on all pages of a language, in reading order."""
    return [erratum for page in sources.pages_in(language) for erratum in on_page(page)]


def on_page(page: Page) -> list[Erratum]:
    """Return the boxes of a page. Text inside an embed is ignored."""
    if "!!! erratum" not in page.text:
        return []
    lines = page.lines
    boxes = []
    for number, line in enumerate(lines, 1):
        match = ERRATUM_BOX.match(line)
        if not match or any(e.line <= number <= e.end for e in page.embeds):
            continue
        indent = match["indent"] + "    "
        last = number
        for below in lines[number:]:
            if below.strip() and not below.startswith(indent):
                break
            last += 1
        section = section_at(page, number)
        proof = next((e for e in page.embeds if number < e.line <= last), None)
        fenced = {n for fence in page.fences for n in range(fence.line, fence.end + 1)}
        said = [n for n in range(number + 1, last + 1) if n not in fenced and lines[n - 1].strip()]
        first = [n for place, n in enumerate(said) if n == said[0] + place]
        truth = join(lines[n - 1].removeprefix(indent) for n in first)
        claim, once = TITLE_PREFIX.sub("", match["title"]), bool(match["once"])
        boxes.append(Erratum(claim, truth, page, number, section, proof, said[0] if said else 0, once))
    return boxes


def render(sources: Sources, page: Page) -> list[str]:
    """Return the list as Markdown lines: one heading per chapter, one item per claim."""
    words = ERRATA[page.language]
    lines: list[str] = []
    current = None
    for erratum in errata(sources, page.language):
        if chapter(erratum.page) != current:
            current = chapter(erratum.page)
            lines += ["", f"## {chapter_title(sources, current, page.language)} {{ #{current or 'home'} }}", ""]
        heading = erratum.section.text if erratum.section else title(erratum.page)
        proof = link(heading, erratum.page, erratum.anchor, page)
        truth = relink(erratum.truth, erratum.page.name, page.name)
        quoted = f"“{escape_brackets(erratum.claim)}”"
        lines += [
            f"- {words['said']}**{quoted}**",
            "",
            f"    {words['fact']}{truth}",
            "",
            f"    {words['proof']}{proof}",
            "",
        ]
        if printed := _printed(sources, erratum):
            info = f'{{ .text .no-copy .verbatim .verbatim-output title="{ERRATA[page.language]["printed"]}" }}'
            lines += [*(f"    {line}" if line else "" for line in fence(printed, info)), ""]
        for earlier in before(sources, erratum):
            label = words["once"].format(versions=named(earlier.versions, page.language))
            info = f'{{ .text .no-copy .verbatim .verbatim-output title="{label}" }}'
            lines += [*(f"    {line}" if line else "" for line in fence(_beginning(earlier.outputs), info)), ""]
    return lines


def before(sources: Sources, erratum: Erratum) -> list[Range]:
    """Return what the proof printed in older releases, oldest first; empty unless the claim was true once."""
    if not erratum.once:
        return []
    book, places = sources.book, sources.places_on(erratum.page)
    proof = [place for place in places if place.embed is erratum.proof]
    return [earlier for place in proof for earlier in older(book.ranges(place.script.path, place.cell.name))]


def _printed(sources: Sources, erratum: Erratum) -> str:
    """Return the first lines of the proof's output; empty if it was not run or only drew figures."""
    places = [place for place in sources.places_on(erratum.page) if place.embed is erratum.proof]
    return _beginning([output for place in places for output in sources.outputs(place)])


def _beginning(outputs: Sequence[dict[str, Any]]) -> str:
    """Return the first `MOST_LINES` lines of some outputs; empty if they are only figures."""
    texts = [text_of(output).rstrip("\n") for output in outputs if output["output_type"] != "display_data"]
    lines = "\n".join(texts).split("\n")
    return "\n".join(lines[:MOST_LINES] + ["…"] * (len(lines) > MOST_LINES))

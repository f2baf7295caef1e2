"""Document → notebook: prose, code and outputs in the page's language. Pure.

Markdown that MkDocs understands and notebooks do not (boxes, tabs, ids of headings, ``\\(formulas\\)``) is rewritten to
what Jupyter, Colab and GitHub show. The notebook also has the cells that the page does not show, because its code needs
them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from verbatim.book.compare import text_of
from verbatim.book.releases.ranges import Kind, Range
from verbatim.markdown import FORMULA, Formula, fence, fences, formula_of, outside_code, retarget
from verbatim.pages import other_releases
from verbatim.pages.document import CellOutputs, Document, List, Missing, Prose, Shown
from verbatim.words import OUTPUTS, VERSIONS
from verbatim.write.labels import origin_labels

BOX_HEAD = re.compile(r'^(?P<indent> *)(?:!!!|\?\?\?\+?|===!?\+?) *(?P<kind>[\w -]*?)(?: *"(?P<title>.*)")? *$')
HEADING_ID = re.compile(r"^(?P<text>#{1,6} .*?)\s*\{\s*#(?P<id>[\w.-]+)[^}]*\}\s*$")
#: Attribute lists: after a link or an image, or on their own line below a paragraph.
ATTRIBUTE_LIST = re.compile(r"(?<=[)\]`*])\{:?\s*[.#][^}\n]*\}|^\s*\{:?\s*[.#][^}\n]*\}\s*$")
ANNOTATION_MARK = re.compile(r"#[ \t]*\((\d+)\)!?[ \t]*$", re.MULTILINE)
#: A link that leads away from the page's files.
OUTSIDE_LINK = re.compile(r"^(?:[a-z][a-z0-9+.-]*:|#|//)")

#: A colour that is legible on white and on black, for viewers that show a figure as a separate image.
INK = "#767676"

#: Given a link's target on the page, returns the address for the notebook.
Link = Callable[[str], str]
#: Given a formula, returns its Markdown for the notebook.
FormulaText = Callable[[Formula], str]


def dollars(formula: Formula) -> str:
    """Write a formula as notebooks do."""
    return f"$${formula.tex}$$" if formula.display else f"${formula.tex}$"


def weave(document: Document, *, link: Link, formula: FormulaText = dollars, footer: str = "") -> dict[str, Any]:
    """Return a page as a notebook (nbformat 4.5).

    Args:
        document: The page. The cells of its recipe that it does not show are included, too.
        link: Rewrites the targets of links.
        formula: Renders formulas.
        footer: Markdown of the last cell; there is no such cell if it is empty.
    """
    weaver = _Weaver(document)
    lines: list[str] = []
    embeds: list[tuple[int, Shown | Missing]] = []
    for block in document.blocks:
        match block:
            case Prose(own) | List(_, own):
                lines += own
            case Shown() | Missing():
                embeds.append((len(lines), block))
                lines += [f"{block.indent}```"] * 2  # an empty fence holds its place
                lines += [*block.notes, *block.captioned] if isinstance(block, Shown) else ()
    prose = _Prose("\n".join(lines), link, formula)
    position = 0
    for place, block in embeds:
        weaver.prose(prose.lines(position, place))
        if isinstance(block, Shown):
            weaver.shown(block)
        position = place + 2
    weaver.prose(prose.lines(position, None))
    weaver.rest()
    weaver.prose([footer])
    about = {"environment": document.environment, "language": document.language, "recipe": document.recipe}
    metadata: dict[str, Any] = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
        "verbatim": about,
    }
    return {"cells": weaver.cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def join(notebooks: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return notebooks as one, to be run from top to bottom."""
    cells: list[dict[str, Any]] = []
    for number, notebook in enumerate(notebooks):
        cells += [{**cell, "id": f"{number}-{cell['id']}"[:64]} for cell in notebook["cells"]]
    for count, cell in enumerate((cell for cell in cells if cell["cell_type"] == "code"), 1):
        cell["execution_count"] = count
    return {**notebooks[0], "cells": cells}


def dumps(notebook: dict[str, Any]) -> str:
    """Return the text of the notebook for download. Its figures have a colour that is legible on any background."""
    copy = json.loads(json.dumps(notebook))
    for cell in copy["cells"]:
        for output in cell.get("outputs", []):
            if "image/svg+xml" in output.get("data", {}):
                svg = "".join(output["data"]["image/svg+xml"]).replace("currentColor", INK)
                output["data"]["image/svg+xml"] = svg
    return json.dumps(copy, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


class _Weaver:
    """Collects the cells of a notebook in order."""

    def __init__(self, document: Document):
        self.document = document
        self.language = document.language
        self.words = OUTPUTS[self.language]
        self.cells: list[dict[str, Any]] = []
        self._taken: set[str] = set()
        self._ran = 0

    def prose(self, lines: list[str]) -> None:
        """Add a Markdown cell, unless it would be empty."""
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
        if text.strip(" >\n"):
            self._markdown(text)

    def _markdown(self, text: str) -> None:
        self.cells.append(
            {
                "cell_type": "markdown",
                "id": f"text-{len(self.cells)}",
                "metadata": {},
                "source": text.splitlines(keepends=True),
            }
        )

    def shown(self, block: Shown) -> None:
        """Add the cells that a page shows, after those of the same script that run before them."""
        known = self.document.scripts.get(block.cells[0].script, ())
        last = max((known.index(outputs) for outputs in block.cells if outputs in known), default=-1)
        for outputs in known[: last + 1]:
            self._take(outputs, block.caption if outputs in block.cells else "")

    def rest(self) -> None:
        """Add the remaining cells of the page's own script, such as checks at its end."""
        for outputs in self.document.own:
            self._take(outputs, "")

    def _take(self, outputs: CellOutputs, caption: str) -> None:
        if outputs.target in self._taken:
            return
        self._taken.add(outputs.target)
        self._ran += 1
        cell = outputs.cell
        metadata: dict[str, Any] = {"verbatim": {"name": cell.name, "script": outputs.script, **cell.options}}
        if caption:
            metadata["verbatim"]["caption"] = caption
        if cell.raises:
            metadata["tags"] = ["raises-exception"]
        if cell.hidden or cell.fold:
            metadata["jupyter"] = {"source_hidden": True}
        source = ANNOTATION_MARK.sub(r"# (\1)", cell.source)
        self.cells.append(
            {
                "cell_type": "code",
                "execution_count": self._ran,
                "id": f"{self._ran}-{cell.name}"[:64],
                "metadata": metadata,
                "outputs": list(outputs.printed.outputs) if outputs.printed else [],
                "source": source.splitlines(keepends=True),
            }
        )
        if note := self._note(outputs):
            self.prose([f"*{note}*"])
        if cell.hidden:
            return
        if outputs.ranges:
            metadata["verbatim"]["versions"] = [
                {"torch": list(same.versions), "kind": same.kind} for same in outputs.ranges
            ]
        others = (other for ranges in outputs.all_ranges for other in other_releases.others(ranges))
        if any(other.kind is not Kind.NOT_RUN for other in others):
            self._markdown(self._fold(outputs.all_ranges))

    def _note(self, outputs: CellOutputs) -> str:
        """Return what is said of the outputs of a cell."""
        if outputs.lacks:
            return self.words["not-recorded"]
        if not outputs.printed or not (outputs.printed.outputs or outputs.printed.recorded):
            return ""
        return " · ".join(origin_labels(outputs, outputs.printed, self.language))

    def _fold(self, kinds: Sequence[tuple[Range, ...]]) -> str:
        """Return the outputs of other releases of torch and of other Pythons in a fold of Jupyter and GitHub."""
        language, newest = self.language, self.document.newest_python
        words = VERSIONS[language]
        title = other_releases.summary([span for ranges in kinds for span in ranges], language, newest)
        parts = [f"<details><summary>{title}</summary>"]
        for span, of in ((span, ranges) for ranges in kinds for span in other_releases.others(ranges)):
            label = other_releases.named(span.versions, language, newest)
            note = words[other_releases.absence(span, of) or "recorded"]
            if span.kind is Kind.NOT_RUN:
                note = words["not-run"].format(cell=span.reason)
            elif not span.outputs:
                note = f"{words['nothing']} · {note}"
            elif any(output["output_type"] == "display_data" for output in span.outputs):
                note = f"{words['figure']} · {note}"
            parts.append(f"*{note} · {label}*")
            texts = [text_of(output).rstrip("\n") for output in span.outputs if output["output_type"] != "display_data"]
            parts += ["\n".join(fence(text, "text")) for text in texts]
        return "\n\n".join([*parts, "</details>"])


class _Prose:
    """A page's prose as notebook Markdown, line by line, so that embeds can cut it anywhere."""

    def __init__(self, text: str, link: Link, formula: FormulaText):
        self.text = _formulas(text, formula)
        self._lines = self.text.split("\n")
        self._link = link
        self._fenced = {n for f in fences(self.text) for n in range(f.line, f.end + 1)}
        self._boxes: list[int] = []
        """Indents of the boxes that are open."""

    def lines(self, start: int, end: int | None) -> list[str]:
        """Return lines ``start`` to ``end`` (0-based) as a notebook has them."""
        stop = len(self._lines) if end is None else end
        return [out for number in range(start, stop) for out in self._line(self._lines[number], number + 1)]

    def _line(self, line: str, number: int) -> list[str]:
        # A blank line belongs to a box where what follows it does.
        ahead = next((text for text in self._lines[number - 1 :] if text.strip()), "")
        indent = len(ahead) - len(ahead.lstrip())
        while self._boxes and indent < self._boxes[-1] + 4:
            self._boxes.pop()
        quote = "> " * len(self._boxes)
        if number in self._fenced:
            return [quote + self._dedent(line)]
        if (box := BOX_HEAD.match(line)) and (box["kind"] or box["title"]):
            self._boxes.append(len(box["indent"]))
            title = box["title"] if box["title"] is not None else box["kind"].strip().capitalize()
            inner = "> " * len(self._boxes)
            return [quote.rstrip(), f"{inner}**{title}**", inner.rstrip()]
        text = self._dedent(line)
        if heading := HEADING_ID.match(text):
            return [f'{quote}<a id="{heading["id"]}"></a>', quote.rstrip(), quote + self._inline(heading["text"])]
        return [(quote + self._inline(text)).rstrip()]

    def _dedent(self, line: str) -> str:
        depth = self._boxes[-1] + 4 if self._boxes else 0
        return line[depth:] if not line[:depth].strip() else line.lstrip()

    def _inline(self, line: str) -> str:
        for match in reversed(list(ATTRIBUTE_LIST.finditer(outside_code(line)))):
            line = line[: match.start()] + line[match.end() :]
        return retarget(line, lambda target: target if OUTSIDE_LINK.match(target) else self._link(target))


def _formulas(text: str, formula: FormulaText) -> str:
    """Rewrite the formulas outside of code. The number of lines stays the same."""
    for match in reversed(list(FORMULA.finditer(outside_code(text)))):
        new = formula(formula_of(match))
        text = text[: match.start()] + new + "\n" * match[0].count("\n") + text[match.end() :]
    return text

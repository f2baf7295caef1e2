"""Document → HTML of the book, which pandoc turns into an EPUB or into Typst's source.

What the author wrote is converted as Markdown. What cells printed is written as HTML at once, in the place of marks
that Markdown takes for words; so nothing of it has to be found again in HTML.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from verbatim.pages.document import CellOutputs, Document, Footer, Shown
from verbatim.write import markdown
from verbatim.write.markdown import EDITION, Line

#: Stands for HTML in Markdown: a word that no page has.
_MARK = "verbatimhtml{}q"
_HTML_MARK = re.compile(r"(?:<p>)?verbatimhtml(\d+)q(?:</p>)?")
#: What Material's annotations are marked with: their text stands below the code.
_ANNOTATION_MARK = re.compile(r"(# ?\(\d+\))!")

#: Of an output that is longer than this many lines of paper, about a page, the middle is left to the web page.
_MOST, _FIRST, _LAST = 48, 20, 8
_CODE_COLUMNS = 80
_TAB_COLUMNS = 4

#: Markdown → HTML.
Convert = Callable[[str], str]


def page(document: Document, figure: markdown.FigureAddress, convert: Convert, left_out: Callable[[int], str]) -> str:
    """Return a page as HTML, without its footer.

    Args:
        document: The page.
        figure: As in `markdown.site`.
        convert: Converts Markdown.
        left_out: Says that so many lines of an output stand on the web page alone.
    """
    own = replace(document, blocks=tuple(block for block in document.blocks if not isinstance(block, Footer)))
    writer = _Writer(own, figure, convert, left_out)
    text = markdown.joined(markdown.lines_of(writer))
    return _HTML_MARK.sub(lambda match: writer.written[int(match[1])], convert(text))


class _Writer(markdown.Writer):
    """Writes code and outputs as HTML, and marks in their place."""

    def __init__(
        self, document: Document, figure: markdown.FigureAddress, convert: Convert, left_out: Callable[[int], str]
    ):
        super().__init__(document, figure, EDITION)
        self._convert, self._left_out = convert, left_out
        self.written: list[str] = []
        """The HTML that marks stand for."""

    def _shown(self, block: Shown) -> list[Line]:
        folded = any(outputs.cell.fold for outputs in block.cells)  # and so are the notes on it
        return super()._shown(replace(block, notes=()) if folded else block)

    def _mark(self, lines: Sequence[Line]) -> list[Line]:
        """Return a paragraph that stands for lines of HTML."""
        self.written.append("\n".join(line.text for line in lines if line.text))
        return [Line(""), Line(_MARK.format(len(self.written) - 1)), Line("")]

    def _code(self, block: Shown) -> list[Line]:
        """Return the code of cells; nothing where it is folded: that is left to the web page."""
        if any(outputs.cell.fold for outputs in block.cells):
            return []
        source = html.escape("\n\n".join(outputs.cell.source for outputs in block.cells), quote=False)
        unmarked = _ANNOTATION_MARK.sub(r"\1", source)
        return self._mark([Line(f'<pre class="python"><code>{unmarked}</code></pre>')])

    def _outputs(self, outputs: CellOutputs, caption: str) -> list[Line]:
        lines = super()._outputs(outputs, caption)
        return self._mark(lines) if lines else []

    def _in_other_releases(self, outputs: CellOutputs, block: Shown) -> list[Line]:
        lines = super()._in_other_releases(outputs, block)
        return self._mark(lines) if lines else []

    def _remark(self, text: str) -> list[Line]:
        said = self._convert(text).removeprefix("<p>").removesuffix("</p>")
        return [Line(f'<div class="small">{said}</div>')]

    def _note(self, outputs: CellOutputs, text: str, where: str, kind: str = "") -> Line:
        return Line(f'<div class="label">{text}</div>')

    def _box(self, kind: str, title: str, lines: Sequence[Line], *, is_open: bool = False) -> list[Line]:
        return [
            Line(f'<div class="box {kind}"><div class="label">{html.escape(title, quote=False)}</div>'),
            *lines,
            Line("</div>"),
        ]

    def _tabs(self, tabs: Mapping[str, Sequence[Line]]) -> list[Line]:
        return [line for title, lines in tabs.items() for line in (Line(f'<div class="label">{title}</div>'), *lines)]

    def _image(self, address: str, caption: str, data: str) -> Line:
        said = html.unescape(re.sub(r"<[^>]*>", "", self._convert(caption)))  # as Markdown has it: without code spans
        alternative = html.escape(said, quote=False).replace('"', "&quot;")
        return Line(f'<p><img alt="{alternative}" src="{address}" /></p>')

    def _fence(self, text: str, kind: str, title: str, data: str, more: str = "") -> list[Line]:
        # As Markdown has code.
        lines = (line if line.strip() else "" for line in text.expandtabs(_TAB_COLUMNS).split("\n"))
        text = "\n".join(lines)
        code = printed(html.escape(text, quote=False), self._left_out)
        if title:
            label = f'<div class="label">{html.escape(title, quote=False)}</div>'
            code = f'<div class="printed {kind}">{label}{code}</div>'
        return [Line(code)]


def printed(text: str, left_out: Callable[[int], str]) -> str:
    """Return a printed text as HTML, of a long one its beginning and its end. `text`: escaped."""
    first, count, last = shorten(text)
    shown = f"<pre><code>{first}</code></pre>"
    return f'{shown}<div class="left-out">{left_out(count)}</div><pre><code>{last}</code></pre>' if count else shown


def shorten(text: str) -> tuple[str, int, str]:
    """Return the beginning of a printed text, how many lines are left out behind it, and the end.

    A text that is not much longer than a page of paper is returned whole, with 0 and an empty end.
    """
    lines = text.split("\n")
    heights = [-(-len(html.unescape(line)) // _CODE_COLUMNS) or 1 for line in lines]
    if sum(heights) <= _MOST:
        return text, 0, ""
    first = sum(total <= _FIRST for total in accumulate(heights)) or 1
    last = len(lines) - (sum(total <= _LAST for total in accumulate(reversed(heights))) or 1)
    return ("\n".join(lines[:first]), last - first, "\n".join(lines[last:])) if first < last else (text, 0, "")

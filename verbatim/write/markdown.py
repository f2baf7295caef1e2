"""Document → Markdown, for the site and to be read plainly.

That of the site is for Python-Markdown with pymdownx.superfences and attr_list, as MkDocs, ProperDocs and Zensical use
it; its outputs say in attributes what the site's styles and scripts need. The plain form has none of these, and nobody
is asked to guess.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from verbatim.book import origins
from verbatim.book.compare import text_of
from verbatim.book.releases.ranges import Kind, Range
from verbatim.languages import CHINESE
from verbatim.markdown import fence, fences
from verbatim.pages import other_releases
from verbatim.pages.document import (
    Behind,
    Block,
    CellOutputs,
    Document,
    Footer,
    List,
    Missing,
    Printed,
    Prose,
    Shown,
    Unlinked,
    UsedNames,
)
from verbatim.words import NEEDS, OUTPUTS, VERSIONS
from verbatim.write.labels import built_labels, origin_labels

#: An error of more lines is folded after the first.
FOLDED_LINES = 4

#: A paragraph's classes, and links to the site's feeds: of no use elsewhere.
_IDLE_MARKUP = re.compile(r'^\s*\{ [^}]*\}$|<a href="[^"]*changes\.xml">')
#: What the contents call a heading.
_HEADING_LABEL = re.compile(r' data-toc-label="[^"]*"(?= \}$)')
#: The first line of a fence with attributes: its kind, and its title.
_FENCE_ATTRIBUTES = re.compile(r'(?P<marks>\s*`{3,}) ?\{ \.(?P<kind>\w+)(?:[^}]*?(?P<title> title="[^"]*"))?[^}]*\}')
_CHINESE_CHARACTER = re.compile(f"[{CHINESE}]")
#: A line that ends in Chinese. If the next begins in Chinese, they are joined: Markdown would put a space between them.
_GOES_ON = re.compile(_CHINESE_CHARACTER.pattern + r"\Z")

#: Given a figure's SVG, its recipe and cell: returns the address to write into the page.
FigureAddress = Callable[[str, str, str], str]


class Place(NamedTuple):
    """Of a line that says what a cell printed: which cell, and what printed it."""

    cell: int
    """The number of the cell on the page, among those that releases print differently."""
    releases: tuple[str, ...] = ()
    """The releases of torch, where it is not the built version."""
    fold: bool = False
    """Whether it is of the fold with the outputs of all other releases."""


class Line(NamedTuple):
    """A line of Markdown."""

    text: str
    code: bool = False
    """Whether it belongs to a fence: nothing in it is Markdown."""
    place: Place | None = None
    """Where releases print different outputs: which of these it is of."""


@dataclass(frozen=True)
class Form:
    """How outputs are written."""

    attributes: bool = True
    """Whether fences of outputs have the site's classes and data; else kind and title alone."""
    figures: bool = True
    """Whether figures have these."""
    guesses: bool = True
    """Whether what the reader is to guess is folded behind a question."""
    asides: bool = True
    """Whether the code of figures is shown, and what names the page uses."""
    releases: bool = False
    """Whether what other releases print stands behind the built version's outputs, too, as it does in place of them."""


SITE = Form()
#: For other site generators that know Python-Markdown's extensions.
PLAIN = Form(figures=False, guesses=False)
#: For the book.
EDITION = Form(figures=False, guesses=False, asides=False)
#: For whoever reads the Markdown itself.
BARE = Form(attributes=False, figures=False, guesses=False, asides=False)


def site(document: Document, figure: FigureAddress) -> str:
    """Return a page as the site's Markdown."""
    writer = Writer(document, figure, SITE)
    return joined([line for block in document.blocks for line in writer.block(block)])


def plain(document: Document, figure: FigureAddress, form: Form, *, front: Sequence[str] = ()) -> str:
    """Return a page as plain Markdown.

    Args:
        document: The page.
        figure: As in `site`.
        form: How outputs are written.
        front: As in `lines_of`.
    """
    return joined(lines_of(Writer(document, figure, form), front=front))


def lines_of(
    writer: Writer,
    *,
    rewrite_prose: Callable[[str], str] = lambda text: text,
    rewrite_line: Callable[[str], str] = lambda text: text,
    front: Sequence[str] = (),
) -> list[Line]:
    """Return the lines of a page as plain Markdown.

    Classes of paragraphs, links to feeds and repeated empty lines are left out; lines of one Chinese sentence, joined.

    Args:
        writer: Writes the page.
        rewrite_prose: Rewrites what stands between fences, before it is tidied; as many lines as they were.
        rewrite_line: Rewrites a line of it, after that.
        front: The lines of the front matter.
    """
    body = [Line(""), *(line for block in writer.document.blocks for line in writer.block(block))]
    lines = _split([*_prose(*front), *body])
    filled = [number for number, line in enumerate(lines) if line.text]
    lines = lines[filled[0] : filled[-1] + 1] if filled else []
    done: list[Line] = []
    for code, same in groupby(lines, key=lambda line: line.code):
        group = list(same)
        if code:
            done += group
            continue
        texts = rewrite_prose("\n".join(line.text for line in group)).split("\n")
        rewritten = [line._replace(text=text) for line, text in zip(group, texts, strict=True)]
        done += [line._replace(text=rewrite_line(line.text)) for line in _tidy(rewritten)]
    return done


def _tidy(lines: list[Line]) -> list[Line]:
    """Return lines outside of fences, tidied."""
    kept: list[Line] = []
    for line in (line._replace(text=_HEADING_LABEL.sub("", line.text)) for line in lines):
        if _IDLE_MARKUP.search(line.text) or (not line.text.strip() and kept and not kept[-1].text.strip()):
            continue
        if kept and _GOES_ON.search(kept[-1].text) and _CHINESE_CHARACTER.match(line.text):
            kept[-1] = kept[-1]._replace(text=kept[-1].text + line.text)
        else:
            kept.append(line)
    return kept


def marked(lines: Sequence[str], *, attributes: bool = True) -> list[Line]:
    """Return lines of Markdown, each with whether it belongs to a fence; `attributes`: as in `Form`."""
    made = [Line(line) for line in lines]
    for block in fences("\n".join(lines)):
        for number in range(block.line - 1, block.end):
            made[number] = Line(lines[number], code=True)
        if not attributes:
            made[block.line - 1] = Line(
                _FENCE_ATTRIBUTES.sub(r"\g<marks>\g<kind>\g<title>", lines[block.line - 1]), code=True
            )
    return made


def problem_box(title: str, text: str) -> list[str]:
    """Return a box that shows an author what is wrong, in the page itself."""
    inner = fence(text, "{ .text .no-copy .verbatim-problem }")
    return [f'!!! failure "{title}"', "", *(f"    {line}" if line else "" for line in inner), ""]


class Writer:
    """Writes the blocks of a page."""

    def __init__(self, document: Document, figure: FigureAddress, form: Form):
        self.document, self.figure, self.form = document, figure, form
        self.language = document.language
        self.words, self.versions = OUTPUTS[self.language], VERSIONS[self.language]
        self._differing = 0
        """The number of the cells so far that releases print differently."""

    def block(self, block: Block) -> list[Line]:
        """Return a block's lines."""
        match block:
            case Prose(lines) | List(_, lines):
                return marked(lines, attributes=self.form.attributes)
            case Behind(newer):
                note = self.words["behind"].format(newer=self.words.get(f"in {newer}", newer))
                return _prose("", f'<p class="verbatim-behind">{note}</p>', "")
            case Missing(target, indent):
                return _indent(marked(problem_box(self.words["missing"], target)), indent)
            case Shown():
                return self._shown(block)
            case UsedNames(text):
                return _prose("", "", text, "{ .verbatim-used }") if self.form.asides else []
            case Unlinked(text):
                return marked(text.splitlines())
            case Footer():
                return _prose("", footer(block, self.language))

    def _shown(self, block: Shown) -> list[Line]:
        output_lines: list[Line] = []
        below: list[Line] = []
        for outputs in block.cells:
            printed, fold = self._outputs(outputs, block.caption), self._in_other_releases(outputs, block)
            if fold:
                self._differing += 1
                printed = [*_placed(printed, Place(self._differing)), *self._by_release(outputs, block)]
                fold = _placed(fold, Place(self._differing, fold=True))
            output_lines += printed
            # A caption stands right below its figure, and the fold below the caption.
            (below if block.caption else output_lines).extend(fold)
        lines = _indent(self._code(block), block.indent)
        if block.notes:
            # Below folded code they are folded, too: Material looks for them right after the code.
            folded = "    " if any(outputs.cell.fold for outputs in block.cells) else ""
            lines += [Line(""), *_indent(marked(block.notes), folded)]
        if self.form.guesses and any(outputs.asks for outputs in block.cells):
            key = "asks-error" if any(outputs.cell.raises for outputs in block.cells) else "asks"
            output_lines = self._box("asks", self.words[key], output_lines)
        if output_lines:
            lines += [Line(""), *_indent(output_lines, block.indent), Line("")]
        lines += marked(block.captioned)
        return [*lines, *_indent(below, block.indent), Line("")] if below else lines

    def _code(self, block: Shown) -> list[Line]:
        """Return the code of cells as one fence; in a fold if one of the cells has `fold=true`."""
        source = "\n\n".join(outputs.cell.source for outputs in block.cells)
        lines = _fenced(source, "python")
        if any(outputs.cell.fold for outputs in block.cells):
            draws = re.search(r"\b(plt|fig|axe?s?)\b", source)
            if draws and not self.form.asides:
                return []
            kind, key = ("example drawing", "figure-code") if draws else ("example", "folded-code")
            return self._box(kind, self.words[key], lines)
        return lines

    def _outputs(self, outputs: CellOutputs, caption: str) -> list[Line]:
        """Return the cell's outputs; empty if it printed nothing."""
        if outputs.lacks:
            return self._not_recorded(outputs)
        if outputs.printed is None:
            return []
        releases = built_labels(outputs, outputs.printed, self.language, self.document.newest_python)
        labels = [*origin_labels(outputs, outputs.printed, self.language), *releases]
        unrun, named = _data(unrun=outputs.unrun), _data(releases=releases[-1:])
        own = self._printed(outputs, outputs.printed, labels, caption, unrun, named, apart=bool(outputs.all_ranges))
        if not own or not outputs.cuda:
            return own
        theirs = self._printed(outputs, outputs.cuda, origin_labels(outputs, outputs.cuda, self.language), caption)
        differs = _prose("", f'<p class="verbatim-differs">{self.words["differs"]}</p>') if outputs.differs else []
        return [*self._tabs({"CPU": own, "CUDA": theirs}), *differs]

    def _not_recorded(self, outputs: CellOutputs) -> list[Line]:
        """Return the message that a cell quotes (`says=`), if it does, then its source and what it needs."""
        need = NEEDS[self.language].get(outputs.need) or NEEDS[self.language]["other"].format(need=outputs.need)
        note = self.words["not-recorded-text"].format(need=need)
        cell = outputs.cell
        if not cell.says:
            return self._remark(note)
        kind, data = "error" if cell.raises else "warning", f'data-verbatim="{outputs.target}" data-device="known"'
        block = self._fence(
            f"{cell.raises or cell.warns}: {cell.says}", kind, self.words["known"], data, " .verbatim-known"
        )
        origin = f"<{cell.origin}>" if cell.origin.startswith("https://") else f"`{cell.origin}`"
        source = self.words["origin" if origins.installed(cell.origin) else "origin-unverified"].format(origin=origin)
        space = "" if source.endswith("。") else " "
        return [*block, Line(""), *self._remark(source + space + note)]

    def _remark(self, text: str) -> list[Line]:
        """Return a paragraph about an output that is not there. `text`: Markdown."""
        return _prose(text, "{ .verbatim-unrecorded }")

    def _in_other_releases(self, outputs: CellOutputs, block: Shown) -> list[Line]:
        """Return a fold with the outputs of the cell in releases that print something else; empty if none does.

        Every element in the fold names its releases in `data-torch`, so that the page's script can replace the built
        version's outputs by those of the release that a reader chooses, and where its title says them, how in
        `data-releases`; where the code does not run there,
        `data-until` and `data-since` name the nearest ones in which it does. It is open where the page claims that the
        output of older releases was once right.
        """
        if not outputs.all_ranges:
            return []
        lines: list[Line] = []
        for ranges in outputs.all_ranges:
            for other in other_releases.others(ranges):
                lines += [Line(""), *self._of_range(outputs, other, ranges, block.caption)]
        is_open = block.once and bool(other_releases.older(outputs.ranges))
        both = [other for ranges in outputs.all_ranges for other in ranges]
        title = other_releases.summary(both, self.language, self.document.newest_python, once=block.once)
        return [Line(""), *self._box("versions", title, lines[1:], is_open=is_open)]

    def _by_release(self, outputs: CellOutputs, block: Shown) -> list[Line]:
        """Return what stands in place of the built version's outputs, for each range of releases of torch."""
        lines: list[Line] = []
        for other in other_releases.others(outputs.ranges) if self.form.releases else ():
            place = Place(self._differing, other.versions)
            lines += _placed(self._of_range(outputs, other, outputs.ranges, block.caption), place)
        return lines

    def _of_range(self, outputs: CellOutputs, other: Range, ranges: Sequence[Range], caption: str) -> list[Line]:
        label = other_releases.named(other.versions, self.language, self.document.newest_python)
        older, newer = other_releases.neighbours(other, ranges, raises=bool(outputs.cell.raises))
        where, named = _data(torch=other.versions, until=[older], since=[newer]), _data(releases=[label])
        if other.kind is Kind.NOT_RUN:
            note = self.versions["not-run"].format(cell=other.reason)
            return [self._note(outputs, f"{_coded(note)} · {label}", where + named, "not-run")]
        missing = other_releases.absence(other, ranges)
        labels = [self.versions[missing or "recorded"], label]
        return self._printed(outputs, Printed(other.outputs), labels, caption, where, named, apart=True)

    def _note(self, outputs: CellOutputs, text: str, where: str, kind: str = "") -> Line:
        """Return a line in place of an output. `text`: HTML; `where`: as in `_printed`; `kind`: for the stylesheet."""
        classes = f"verbatim-version {kind}".rstrip()
        return Line(f'<p class="{classes}" data-verbatim="{outputs.target}"{where}>{text}</p>')

    def _printed(
        self,
        outputs: CellOutputs,
        printed: Printed,
        labels: list[str],
        caption: str,
        where: str = "",
        named: str = "",
        *,
        apart: bool = False,
    ) -> list[Line]:
        """Return outputs.

        Args:
            outputs: What the cell printed.
            printed: What it printed.
            labels: Parts of the outputs' titles.
            caption: That of its figures.
            where: Attributes that say which releases printed it, or, of the built version's, which ones are unknown.
            named: An attribute that says how the title names these releases.
            apart: Whether releases differ. Then figures and missing outputs, which have no title, get a line with
                labels.
        """
        lines: list[Line] = []
        if apart and not printed.outputs:
            return [self._note(outputs, " · ".join([self.versions["nothing"], *labels]), where + named)]
        data = f'data-verbatim="{outputs.target}" data-device="{printed.device}"{where}'
        for output in printed.outputs:
            if output["output_type"] == "display_data":
                if apart:
                    lines += [Line(""), self._note(outputs, " · ".join(labels), where + named)]
                address = self.figure(output["data"]["image/svg+xml"], *outputs.target.split("#"))
                lines += [Line(""), self._image(address, caption, data)]
                continue
            kind, text, rest = cut(output)
            lines += [Line(""), *self._fence(text, kind, " · ".join([self.words[kind], *labels]), data + named)]
            if rest:
                summary = self.words["rest"].format(count=len(rest.splitlines()))
                lines += [Line(""), *self._box("quote", summary, self._fence(rest, kind, "", data))]
        return lines[1:]

    def _box(self, kind: str, title: str, lines: Sequence[Line], *, is_open: bool = False) -> list[Line]:
        """Return a box with a title, which is folded unless it `is_open`."""
        return [*_prose(f'???{"+" if is_open else ""} {kind} "{title}"', ""), *_indent(lines, "    ")]

    def _tabs(self, tabs: Mapping[str, Sequence[Line]]) -> list[Line]:
        """Return alternatives by their titles, of which one is shown."""
        return [
            line
            for title, lines in tabs.items()
            for line in (*_prose("", f'=== "{title}"', ""), *_indent(lines, "    "))
        ][1:]

    def _image(self, address: str, caption: str, data: str) -> Line:
        alternative = re.sub(r"([\[\]\\])", r"\\\1", caption)
        attributes = f"{{ .verbatim-figure {data} }}" if self.form.figures else ""
        return Line(f"![{alternative}]({address}){attributes}")

    def _fence(self, text: str, kind: str, title: str, data: str, more: str = "") -> list[Line]:
        """Return a fence of what was printed. `more`: further classes."""
        titled = f' title="{_attribute(title)}"' if title else ""
        if not self.form.attributes:
            return _fenced(text, f"text{titled}")
        return _fenced(text, f"{{ .text .no-copy .verbatim .verbatim-{kind}{more}{titled} {data} }}")


def footer(block: Footer, language: str) -> str:
    """Return HTML that names the versions that printed a page's outputs; empty for a page without outputs."""
    said = sentences(block, language)
    data = " ".join(f'data-{key}="{html.escape(value)}"' for key, value in sorted(block.environment.items()))
    return f'<p class="verbatim-ran" {data}>{said}</p>' if said else ""


def sentences(block: Footer, language: str) -> str:
    """Return the sentences of the footer, as HTML."""
    if not block.environment:
        return ""
    text = OUTPUTS[language]["ran"].format(library=block.library, rest=block.beside)
    releases = other_releases.ran(block.tested, language)
    return "<br>".join(html.escape(said) for said in (text, releases) if said)


def cut(output: dict[str, Any]) -> tuple[str, str, str]:
    """Return the kind of an output, the text that is shown, and the rest, which is folded."""
    text = text_of(output)
    if output["output_type"] == "stream":
        return "warning" if output["name"] == "stderr" else "output", text.rstrip("\n"), ""
    lines = text.splitlines()
    return ("error", text, "") if len(lines) <= FOLDED_LINES else ("error", lines[0], "\n".join(lines[1:]))


def joined(lines: Sequence[Line]) -> str:
    """Return lines as a text."""
    return "\n".join(line.text for line in _split(lines)) + "\n"


def _split(lines: Sequence[Line]) -> list[Line]:
    """Return lines that no program takes for several: what a script prints may hold other characters that end one."""
    return [line._replace(text=text) for line in lines for text in line.text.splitlines() or [""]]


def _prose(*texts: str) -> list[Line]:
    return [Line(text) for text in texts]


def _fenced(text: str, info: str) -> list[Line]:
    return [Line(line, code=True) for line in fence(text, info)]


def _indent(lines: Sequence[Line], indent: str) -> list[Line]:
    return [line._replace(text=indent + line.text) if line.text else line for line in lines]


def _placed(lines: Sequence[Line], place: Place) -> list[Line]:
    return [line._replace(place=place) for line in lines]


def _data(**releases: Sequence[str]) -> str:
    """Return attributes of HTML that name releases; nothing of one without any."""
    named = {key: " ".join(filter(None, names)) for key, names in releases.items()}
    return "".join(f' data-{key}="{names}"' for key, names in named.items() if names)


def _coded(text: str) -> str:
    """Return Markdown of plain words and code spans as HTML."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _attribute(text: str) -> str:
    return text.replace("\\", "").replace('"', "'")

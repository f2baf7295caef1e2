"""Cells and outputs → plain Markdown. Pure: pages in, pages out, no Markdown library and no site generator.

The result is for Python-Markdown with pymdownx.superfences and attr_list, as MkDocs, ProperDocs and Zensical use it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from verbatim.book import origins
from verbatim.book.compare import Change, compare
from verbatim.book.gather import Book
from verbatim.book.records import Record, RecordedCell
from verbatim.book.releases.ranges import Kind, Range
from verbatim.markdown import CAPTION, MEANT_LINE, Embed, annotations_below, embeds, enclosing_box, fence, headings
from verbatim.pages import other_releases
from verbatim.run.result import CellResult
from verbatim.run.script import Cell, Script
from verbatim.words import NEEDS, OUTPUTS, VERSIONS

if TYPE_CHECKING:
    from verbatim.pages.freshness import StaleSection


#: An error of more lines is folded after the first.
FOLD = 4

#: The mark of a remedy with what it says to the build alone.
_REMEDY = re.compile(r"\{ \.remedy (?:[^{}\"]|\"[^\"]*\")+ \}$", re.MULTILINE)

#: Additional kind of an erratum box: the claim was right in an older release, as its output shows.
ONCE = "once"

#: Given a figure's SVG, its recipe and cell: returns the address to write into the page.
FigureAddress = Callable[[str, str, str], str]


def expand(text: str, book: Book, language: str, figure: FigureAddress) -> str:
    """Return a page with its embeds replaced by code and outputs.

    An embed of something that does not exist becomes a box that says so; the checks report it as well.
    """
    text = _REMEDY.sub("{ .remedy }", MEANT_LINE.sub("", text))
    lines = text.splitlines()
    done: list[str] = []
    position = 0
    for embed in embeds(text):
        done += lines[position : embed.line - 1]
        script = book.scripts.get(embed.script)
        position = embed.end
        if script is None or not shown(script, embed):
            done += _indent(problem_box(OUTPUTS[language]["missing"], embed.target), embed.indent)
            continue
        code = shown(script, embed)
        once = ONCE in enclosing_box(lines, embed)
        outputs: list[str] = []
        below: list[str] = []
        asks = False
        for cell in code:
            place = _ShownCell(book, language, figure, script, cell, embed.caption)
            outputs += place.outputs()
            asks |= place.asks
            # A caption stands right below its figure, and the fold below the caption.
            (below if embed.caption else outputs).extend(place.in_other_releases(once=once))
        annotated = any(cell.annotations for cell in code)
        notes_end = annotations_below(lines, position) if annotated else position
        block = _render_code(code, language)
        done += _indent(block, embed.indent)
        if notes_end > position:
            # Below folded code they are folded, too: Material looks for them right after the code.
            folded = "    " if any(cell.fold for cell in code) else ""
            done += ["", *_indent(lines[position:notes_end], folded)]
            position = notes_end
        if asks:
            outputs = _folded_behind_question(outputs, code, language)
        if outputs:
            done += ["", *_indent(outputs, embed.indent), ""]
        if below:
            caption = next(n for n in range(position, len(lines)) if CAPTION.match(lines[n]))
            done += [*lines[position : caption + 1], *_indent(below, embed.indent), ""]
            position = caption + 1
    done += lines[position:]
    return "\n".join(done) + "\n"


def shown(script: Script, embed: Embed) -> list[Cell]:
    """Return the cells that an embed shows: the named one, or all that are not hidden."""
    if embed.cell:
        cell = script.cell(embed.cell)
        return [cell] if cell else []
    return [cell for cell in script.cells if not cell.hidden]


def _render_code(cells: list[Cell], language: str) -> list[str]:
    """Return the code of cells as one fence; in a fold if one of the cells has `fold=true`."""
    source = "\n\n".join(cell.source for cell in cells)
    block = fence(source, "python")
    if any(cell.fold for cell in cells):
        key = "figure-code" if re.search(r"\b(plt|fig|axe?s?)\b", source) else "folded-code"
        return [f'??? example "{OUTPUTS[language][key]}"', "", *_indent(block, "    ")]
    return block


def _folded_behind_question(outputs: list[str], cells: list[Cell], language: str) -> list[str]:
    """Return outputs in a closed fold whose title asks the reader to guess them."""
    key = "asks-error" if any(cell.raises for cell in cells) else "asks"
    return [f'??? asks "{OUTPUTS[language][key]}"', "", *_indent(outputs, "    ")]


@dataclass(frozen=True)
class _ShownCell:
    """A cell at one place of a page, as Markdown."""

    book: Book
    language: str
    figure: FigureAddress
    script: Script
    cell: Cell
    caption: str

    @property
    def _target(self) -> str:
        return f"{self.book.project.recipe(self.script.path)}#{self.cell.name}"

    @cached_property
    def _result(self) -> CellResult | None:
        result = self.book.results.get(self.script.path)
        return result.cell(self.cell.name) if result else None

    @cached_property
    def _ranges(self) -> tuple[Range, ...]:
        return self.book.ranges(self.script.path, self.cell.name)

    @cached_property
    def _pythons(self) -> tuple[Range, ...]:
        return self.book.pythons(self.script.path, self.cell.name)

    @property
    def asks(self) -> bool:
        """Whether the reader is to guess the outputs: the cell asks, and printed something, here or elsewhere."""
        result = self._result
        if not self.cell.asks or result is None:
            return False
        return bool(self.book.recorded(self.script.path, self.cell.name) if result.skipped else result.outputs)

    def outputs(self) -> list[str]:
        """Return the cell's outputs as lines of Markdown; empty if it printed nothing."""
        words, result = OUTPUTS[self.language], self._result
        if result is None:
            return []
        if not result.skipped:
            labels = [words["varies"]] if self.cell.varies else []
            # The label of torch comes last: the page's script uses it as the name of the output.
            differing = [ranges for ranges in (self._pythons, self._ranges) if ranges]
            built = map(other_releases.built, differing)
            labels += [other_releases.labelled(one, self.language, self.book.newest_python) for one in built]
            return self._beside_cuda(self._render(result.outputs, "cpu", labels, apart=bool(differing)), result.outputs)
        if found := self.book.recorded(self.script.path, self.cell.name):
            return self._recorded(*found)
        need = NEEDS[self.language].get(result.skipped) or NEEDS[self.language]["other"].format(need=result.skipped)
        text = words["not-recorded-text"].format(need=need)
        return [f'!!! not-recorded "{words["not-recorded"]}"', "", f"    {text}", *self._quoted()]

    def _recorded(self, record: Record, recorded: RecordedCell) -> list[str]:
        """Return the outputs of a record, with labels that say where they were printed."""
        words = OUTPUTS[self.language]
        labels = [words["recorded"].format(where=provenance(self.book.printed_by(record, recorded)))]
        if record.device == "cuda":
            labels.append(words["unverified"])
        if recorded.sha != self.cell.sha:
            labels.append(words["stale"])
        if self.cell.varies:
            labels.append(words["varies"])
        return self._render(recorded.outputs, record.device, labels)

    def _beside_cuda(self, own: list[str], outputs: tuple[dict[str, Any], ...]) -> list[str]:
        """Show the outputs on the CPU and on a GPU in two tabs, if the cell was recorded on a GPU and used it."""
        record = self.book.cuda.get(self.script.path)
        recorded = record.cell(self.cell.name) if record else None
        if not own or not record or not recorded or not recorded.touched:
            return own
        theirs = self._recorded(record, recorded)
        lines = ['=== "CPU"', "", *_indent(own, "    "), "", '=== "CUDA"', "", *_indent(theirs, "    ")]
        if not self.cell.varies and compare(outputs, recorded.outputs) is Change.DRIFT:
            lines += ["", f'<p class="verbatim-differs">{OUTPUTS[self.language]["differs"]}</p>']
        return lines

    def in_other_releases(self, *, once: bool) -> list[str]:
        """Return a fold with the outputs of the cell in releases that print something else; empty if none does.

        Every element in the fold names its releases in `data-torch`, so that the page's script can replace the built
        version's outputs by those of the release that a reader chooses. `once`: open the fold, because the page claims
        that the output of older releases was once right.
        """
        if not (self._ranges or self._pythons) or not self._result or self._result.skipped:
            return []
        lines: list[str] = []
        for ranges in (self._ranges, self._pythons):
            for one in other_releases.others(ranges):
                lines += ["", *self._of_range(one, other_releases.absence(one, ranges))]
        is_open = once and bool(other_releases.older(self._ranges))
        both = [*self._ranges, *self._pythons]
        title = other_releases.summary(both, self.language, self.book.newest_python, once=once)
        return ["", f'???{"+" if is_open else ""} versions "{title}"', *_indent(lines, "    ")]

    def _of_range(self, one: Range, missing: str) -> list[str]:
        words = VERSIONS[self.language]
        label = other_releases.named(one.versions, self.language, self.book.newest_python)
        if one.kind is Kind.NOT_RUN:
            note = words["not-run"].format(cell=one.reason)
            return [self._note(f"{_coded(note)} · {label}", one.versions, "not-run")]
        return self._render(one.outputs, "cpu", [words[missing or "recorded"], label], one.versions, apart=True)

    def _note(self, text: str, torch: Sequence[str], kind: str = "") -> str:
        """Return a line in place of an output. `text`: HTML; `kind`: a class for the stylesheet."""
        data = f' data-torch="{" ".join(torch)}"' if torch else ""
        classes = f"verbatim-version {kind}".rstrip()
        return f'<p class="{classes}" data-verbatim="{self._target}"{data}>{text}</p>'

    def _quoted(self) -> list[str]:
        """Return the message that the cell quotes (`says=`), with its source, as part of a box."""
        cell, words = self.cell, OUTPUTS[self.language]
        if not cell.says:
            return []
        kind = "error" if cell.raises else "warning"
        info = (
            f'{{ .text .no-copy .verbatim .verbatim-{kind} .verbatim-known title="{words["known"]}" '
            f'data-verbatim="{self._target}" data-device="known" }}'
        )
        origin = f"<{cell.origin}>" if cell.origin.startswith("https://") else f"`{cell.origin}`"
        block = fence(f"{cell.raises or cell.warns}: {cell.says}", info)
        source = words["origin" if origins.installed(cell.origin) else "origin-unverified"].format(origin=origin)
        return ["", *_indent([*block, "", source], "    ")]

    def _render(
        self,
        outputs: tuple[dict[str, Any], ...],
        device: str,
        labels: list[str],
        torch: Sequence[str] = (),
        *,
        apart: bool = False,
    ) -> list[str]:
        """Return outputs as Markdown.

        Args:
            outputs: Notebook outputs.
            device: The device that printed them.
            labels: Parts of their titles.
            torch: The releases that printed them, if the built version did not.
            apart: Whether releases differ. Then figures and missing outputs, which have no title, get a line with
                labels.
        """
        words = OUTPUTS[self.language]
        lines: list[str] = []
        if apart and not outputs:
            return [self._note(" · ".join([VERSIONS[self.language]["nothing"], *labels]), torch)]
        attributes = f'data-verbatim="{self._target}" data-device="{device}"'
        attributes += f' data-torch="{" ".join(torch)}"' if torch else ""
        for output in outputs:
            if output["output_type"] == "display_data":
                if apart:
                    lines += ["", self._note(" · ".join(labels), torch)]
                address = self.figure(output["data"]["image/svg+xml"], *self._target.split("#"))
                alternative = re.sub(r"([\[\]\\])", r"\\\1", self.caption)
                lines += ["", f"![{alternative}]({address}){{ .verbatim-figure {attributes} }}"]
                continue
            kind, text, rest = _text(output)
            title = " · ".join([words[kind], *labels])
            info = f'{{ .text .no-copy .verbatim .verbatim-{kind} title="{_attribute(title)}" {attributes} }}'
            lines += ["", *fence(text, info)]
            if rest:
                summary = words["rest"].format(count=len(rest.splitlines()))
                inner = fence(rest, f"{{ .text .no-copy .verbatim .verbatim-{kind} {attributes} }}")
                lines += ["", f'??? quote "{summary}"', "", *_indent(inner, "    ")]
        return lines[1:]


def _coded(text: str) -> str:
    """Return Markdown of plain words and code spans as HTML."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def provenance(printed_by: dict[str, str]) -> str:
    """Name the environment that printed a record: GPU, torch build, date."""
    torch = printed_by.get("torch", "")
    parts = (printed_by.get("gpu"), torch if "gpu" in printed_by else f"torch {torch}".strip(), printed_by.get("date"))
    return " · ".join(filter(None, parts))


def _text(output: dict[str, Any]) -> tuple[str, str, str]:
    """Return the kind of an output, the text that is shown, and the rest, which is folded."""
    if output["output_type"] == "stream":
        kind = "warning" if output["name"] == "stderr" else "output"
        return kind, output["text"].rstrip("\n"), ""
    text = "\n".join(output["traceback"])
    lines = text.splitlines()
    if len(lines) <= FOLD:
        return "error", text, ""
    return "error", lines[0], "\n".join(lines[1:])


def problem_box(title: str, text: str) -> list[str]:
    """Return a box that shows an author what is wrong, in the page itself."""
    return [f'!!! failure "{title}"', "", *_indent(fence(text, "{ .text .no-copy .verbatim-problem }"), "    "), ""]


def _attribute(text: str) -> str:
    return text.replace("\\", "").replace('"', "'")


def _indent(lines: list[str], indent: str) -> list[str]:
    return [indent + line if line else line for line in lines]


def mark_behind(text: str, items: list[StaleSection], language: str) -> str:
    """Insert a line below each heading whose section is newer in the other language."""
    lines = text.splitlines()
    places = {heading.id: heading.line for heading in headings(text)}
    first = next((heading.line for heading in headings(text) if heading.level == 1), 0)
    for item in sorted(items, key=lambda item: -places.get(item.section, first)):
        words, newer = OUTPUTS[language], item.newer.split("/")[1]
        note = words["behind"].format(date=item.date, newer=words.get(f"in {newer}", newer))
        lines.insert(places.get(item.section, first), f'\n<p class="verbatim-behind">{note}</p>\n')
    return "\n".join(lines) + "\n"


def footer(book: Book, scripts: list[str], language: str) -> str:
    """Return an HTML element that names the versions that printed a page's outputs; empty for a page without outputs.

    These are the versions of the records, so that a page is the same on every machine, unless other versions ran the
    scripts now.
    """
    environment = book.environment
    ran = any(book.printed[script].environment for script in scripts if script in book.printed)
    if not environment or not ran or book.pending & set(scripts):
        return ""
    library = book.project.library
    text = OUTPUTS[language]["ran"].format(library=library.ran(environment), rest=library.beside(environment))
    data = " ".join(f'data-{key}="{html.escape(value)}"' for key, value in sorted(environment.items()))
    releases = other_releases.ran(book, scripts, language)
    also = f"<br>{html.escape(releases)}" if releases else ""
    return f'<p class="verbatim-ran" {data}>{html.escape(text)}{also}</p>'

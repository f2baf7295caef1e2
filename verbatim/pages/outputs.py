"""Cells and outputs → plain Markdown. Pure: pages in, pages out, no Markdown library and no site generator.

The result is for Python-Markdown with pymdownx.superfences and attr_list, as MkDocs, ProperDocs and Zensical use it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from verbatim.book import origins
from verbatim.book.compare import Change, compare
from verbatim.book.gather import Book
from verbatim.book.releases.ranges import Kind, Range
from verbatim.markdown import CAPTION, Embed, annotations_below, embeds, fence, headings, opened
from verbatim.pages import other_releases
from verbatim.run.script import Cell, Script
from verbatim.words import NEEDS, OUTPUTS, VERSIONS

if TYPE_CHECKING:
    from verbatim.pages.freshness import Behind


#: An error of more lines is folded after the first.
FOLD = 4

#: Additional kind of an erratum box: the claim was right in an older release, as its output shows.
ONCE = "once"

#: Given a figure's SVG, its recipe and cell: returns the address to write into the page.
FigureAddress = Callable[[str, str, str], str]


def expand(text: str, book: Book, language: str, figure: FigureAddress) -> str:
    """Return a page with its embeds replaced by code and outputs.

    An embed of something that does not exist becomes a box that says so; the checks report it as well.
    """
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
        code, outputs = [], []
        once = ONCE in opened(lines, embed)
        below: list[str] = []
        for cell in shown(script, embed):
            code.append(cell)
            outputs += render_outputs(book, script, cell, language, embed.caption, figure)
            fold = in_other_versions(book, script, cell, language, embed.caption, figure, once=once)
            if embed.caption:
                below += fold
            else:
                outputs += fold
        annotated = any(cell.annotations for cell in code)
        notes_end = annotations_below(lines, position) if annotated else position
        block = render_code(code, language)
        done += _indent(block, embed.indent)
        if notes_end > position:
            # Below folded code they are folded, too: Material looks for them right after the code.
            folded = "    " if any(cell.fold for cell in code) else ""
            done += ["", *_indent(lines[position:notes_end], folded)]
            position = notes_end
        if outputs:
            done += ["", *_indent(outputs, embed.indent), ""]
        if below:  # a caption stands right below its figure
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


def render_code(cells: list[Cell], language: str) -> list[str]:
    """Return the code of cells as one fence; in a fold if one of the cells has `fold=true`."""
    source = "\n\n".join(cell.source for cell in cells)
    block = fence(source, "python")
    if any(cell.fold for cell in cells):
        key = "figure-code" if re.search(r"\b(plt|fig|axe?s?)\b", source) else "folded-code"
        return [f'??? example "{OUTPUTS[language][key]}"', "", *_indent(block, "    ")]
    return block


def render_outputs(
    book: Book, script: Script, cell: Cell, language: str, caption: str, figure: FigureAddress
) -> list[str]:
    """Return a cell's outputs as lines of Markdown; none if it printed nothing."""
    words = OUTPUTS[language]
    ran = book.results.get(script.path)
    result = ran.cell(cell.name) if ran else None
    recipe = book.project.recipe(script.path)
    target = f"{recipe}#{cell.name}"
    if result is None:
        return []
    if not result.skipped:
        labels = [words["varies"]] if cell.varies else []
        # The label of torch comes last: the page's script uses it as the name of the output.
        differing = [
            ranges for ranges in (book.pythons(script.path, cell.name), book.ranges(script.path, cell.name)) if ranges
        ]
        labels += [
            other_releases.labelled(other_releases.built(ranges), language, book.newest_python) for ranges in differing
        ]
        own = _outputs(result.outputs, target, "cpu", labels, language, caption, figure, apart=bool(differing))
        return _beside_cuda(book, script, cell, own, result.outputs, language, caption, figure)
    found = book.recorded(script.path, cell.name)
    if found is None:
        need = NEEDS[language].get(result.skipped) or NEEDS[language]["other"].format(need=result.skipped)
        text = words["not-recorded-text"].format(need=need)
        return [f'!!! not-recorded "{words["not-recorded"]}"', "", f"    {text}", *_quoted(cell, target, words)]
    record, recorded = found
    labels = [words["recorded"].format(where=provenance(book.printed_by(record, recorded)))]
    if record.device == "cuda":
        labels.append(words["unverified"])
    if recorded.sha != cell.sha:
        labels.append(words["stale"])
    if cell.varies:
        labels.append(words["varies"])
    return _outputs(recorded.outputs, target, record.device, labels, language, caption, figure)


def in_other_versions(
    book: Book,
    script: Script,
    cell: Cell,
    language: str,
    caption: str,
    figure: FigureAddress,
    *,
    once: bool = False,
) -> list[str]:
    """Return a fold with the outputs of a cell in releases that print something else; empty if none does.

    Every element in the fold names its releases in `data-torch`, so that the page's script can replace the built
    version's outputs by those of the release that a reader chooses. `once`: open the fold, because the page claims that
    the output of older releases was once right.
    """
    result = book.results.get(script.path)
    ran = result.cell(cell.name) if result else None
    ranges, pythons = book.ranges(script.path, cell.name), book.pythons(script.path, cell.name)
    if not (ranges or pythons) or not ran or ran.skipped:
        return []
    target = f"{book.project.recipe(script.path)}#{cell.name}"
    lines: list[str] = []
    for of in (ranges, pythons):
        for one in other_releases.others(of):
            label, missing = (
                other_releases.named(one.versions, language, book.newest_python),
                other_releases.absence(one, of),
            )
            lines += ["", *_of_range(one, label, missing, target, language, caption, figure)]
    is_open = once and bool(other_releases.older(ranges))
    title = other_releases.summary([*ranges, *pythons], language, book.newest_python, once=once)
    return ["", f'???{"+" if is_open else ""} versions "{title}"', *_indent(lines, "    ")]


def _of_range(
    one: Range, label: str, missing: str, target: str, language: str, caption: str, figure: FigureAddress
) -> list[str]:
    words = VERSIONS[language]
    if one.kind is Kind.NOT_RUN:
        note = words["not-run"].format(cell=one.reason)
        return [_note(f"{_coded(note)} · {label}", target, one.versions, "not-run")]
    labels = [words[missing or "recorded"], label]
    return _outputs(one.outputs, target, "cpu", labels, language, caption, figure, one.versions, apart=True)


def _note(text: str, target: str, torch: Sequence[str], kind: str = "") -> str:
    """Return a line in place of an output. `text`: HTML; `kind`: a class for the stylesheet."""
    data = f' data-torch="{" ".join(torch)}"' if torch else ""
    return f'<p class="{f"verbatim-version {kind}".rstrip()}" data-verbatim="{target}"{data}>{text}</p>'


def _coded(text: str) -> str:
    """Return Markdown of plain words and code spans as HTML."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text))


def _beside_cuda(
    book: Book,
    script: Script,
    cell: Cell,
    own: list[str],
    outputs: tuple[dict[str, Any], ...],
    language: str,
    caption: str,
    figure: FigureAddress,
) -> list[str]:
    """Show the outputs on the CPU and on a GPU in two tabs, if the cell was recorded on a GPU and used it."""
    record = book.cuda.get(script.path)
    recorded = record.cell(cell.name) if record else None
    if not own or not record or not recorded or not recorded.touched:
        return own
    words = OUTPUTS[language]
    labels = [words["recorded"].format(where=provenance(record.provenance)), words["unverified"]]
    labels += [words["stale"]] * (recorded.sha != cell.sha) + [words["varies"]] * cell.varies
    target = f"{book.project.recipe(script.path)}#{cell.name}"
    theirs = _outputs(recorded.outputs, target, record.device, labels, language, caption, figure)
    lines = ['=== "CPU"', "", *_indent(own, "    "), "", '=== "CUDA"', "", *_indent(theirs, "    ")]
    if not cell.varies and compare(outputs, recorded.outputs) is Change.DRIFT:
        lines += ["", f'<p class="verbatim-differs">{words["differs"]}</p>']
    return lines


def _quoted(cell: Cell, target: str, words: dict[str, str]) -> list[str]:
    """Return the message that a cell quotes (`says=`), with its source, as part of a box."""
    if not cell.says:
        return []
    kind = "error" if cell.raises else "warning"
    info = (
        f'{{ .text .no-copy .verbatim .verbatim-{kind} .verbatim-known title="{words["known"]}" '
        f'data-verbatim="{target}" data-device="known" }}'
    )
    origin = f"<{cell.origin}>" if cell.origin.startswith("https://") else f"`{cell.origin}`"
    block = fence(f"{cell.raises or cell.warns}: {cell.says}", info)
    source = words["origin" if origins.installed(cell.origin) else "origin-unverified"].format(origin=origin)
    return ["", *_indent([*block, "", source], "    ")]


def provenance(printed_by: dict[str, str]) -> str:
    """Name the environment that printed a record: GPU, torch build, date."""
    torch = printed_by.get("torch", "")
    parts = (printed_by.get("gpu"), torch if "gpu" in printed_by else f"torch {torch}".strip(), printed_by.get("date"))
    return " · ".join(filter(None, parts))


def _outputs(
    outputs: tuple[dict[str, Any], ...],
    target: str,
    device: str,
    labels: list[str],
    language: str,
    caption: str,
    figure: FigureAddress,
    torch: Sequence[str] = (),
    *,
    apart: bool = False,
) -> list[str]:
    """Return outputs as Markdown.

    Args:
        torch: The releases that printed them, if the built version did not.
        apart: Whether releases differ. Then figures and missing outputs, which have no title, get a line with labels.
    """
    words = OUTPUTS[language]
    lines: list[str] = []
    if apart and not outputs:
        return [_note(" · ".join([VERSIONS[language]["nothing"], *labels]), target, torch)]
    attributes = f'data-verbatim="{target}" data-device="{device}"'
    attributes += f' data-torch="{" ".join(torch)}"' if torch else ""
    for output in outputs:
        if output["output_type"] == "display_data":
            if apart:
                lines += ["", _note(" · ".join(labels), target, torch)]
            address = figure(output["data"]["image/svg+xml"], *target.split("#"))
            alternative = re.sub(r"([\[\]\\])", r"\\\1", caption)
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


def mark_behind(text: str, items: list[Behind], language: str) -> str:
    """Insert a line below each heading whose section is newer in the other language."""
    lines = text.splitlines()
    places = {heading.id: heading.line for heading in headings(text)}
    first = next((heading.line for heading in headings(text) if heading.level == 1), 0)
    for item in sorted(items, key=lambda item: -places.get(item.section, first)):
        note = OUTPUTS[language]["behind"].format(date=item.date)
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
    rest = f"Python {environment['python']} · NumPy {environment['numpy']} · Matplotlib {environment['matplotlib']}"
    text = OUTPUTS[language]["ran"].format(torch=f"torch {environment['torch']}", rest=rest)
    data = " ".join(f'data-{key}="{html.escape(value)}"' for key, value in sorted(environment.items()))
    releases = other_releases.ran(book, scripts, language)
    also = f"<br>{html.escape(releases)}" if releases else ""
    return f'<p class="verbatim-ran" {data}>{html.escape(text)}{also}</p>'

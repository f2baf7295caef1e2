"""Embeds: each shows a cell that exists, each cell is shown, with its annotations and its caption."""

from __future__ import annotations

import re
from collections.abc import Iterator

from verbatim import languages
from verbatim.book.gather import Book
from verbatim.markdown import CAPTION_LINE, annotations_below, prose
from verbatim.pages.document import cells_of
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean

#: The fewest characters of a caption, also in Chinese; the shortest of the book has 27.
CAPTION_LETTERS = 6


def check_embeds(book: Book, pages: list[Page]) -> Iterator[Problem]:
    """Each embed names a script and a cell that exist and may be shown."""
    broken = {problem.path for problem in book.problems}
    for page in pages:
        for embed in page.embeds:
            script = book.scripts.get(embed.script)
            if script is None:
                if embed.script not in broken:  # else the script has a problem of its own
                    hint = did_you_mean(embed.script, book.scripts)
                    yield Problem(page.path, embed.line, f"there is no script `{embed.script}`", hint)
                continue
            if not embed.cell:
                continue
            cell = script.cell(embed.cell)
            if cell is None:
                names = [c.name for c in script.cells if not c.hidden]
                message = f"{embed.script} has no cell `{embed.cell}`"
                yield Problem(page.path, embed.line, message, did_you_mean(embed.cell, names))
            elif cell.hidden:
                message = f"{embed.script} hides the cell `{embed.cell}`"
                yield Problem(page.path, embed.line, message, "remove `hidden=true` from it, or the embed")


def check_cells_used(book: Book, pages: list[Page], *, whole: bool) -> Iterator[Problem]:
    """Each script, and each of its cells that is not hidden, stands on a page.

    Unless these are all pages (`whole`), scripts are skipped whose own pages are not among them.
    """
    own = {page.name.removesuffix(".md") for page in pages}
    used: dict[str, set[str]] = {}
    for page in pages:
        for embed in page.embeds:
            if script := book.scripts.get(embed.script):
                used.setdefault(embed.script, set()).update(cell.name for cell in cells_of(script, embed))
    for path, script in book.scripts.items():
        if not path.startswith("examples/") or not (whole or book.project.recipe(path) in own):
            continue
        if path not in used:
            yield Problem(
                path,
                0,
                "no page shows this script",
                f"embed it, or start its pages: python -m verbatim new {book.project.recipe(path)}",
            )
            continue
        for cell in script.cells:
            if not cell.hidden and cell.name not in used[path]:
                hint = f"embed {path}#{cell.name}, or add `hidden=true`"
                yield Problem(path, cell.header_line, f"no page shows the cell `{cell.name}`", hint)


def check_annotations(book: Book, page: Page) -> Iterator[Problem]:
    """Each code annotation ``# (1)!`` has its text below the embed."""
    lines = page.text.splitlines()
    for embed in page.embeds:
        script = book.scripts.get(embed.script)
        numbers = sorted(n for cell in (cells_of(script, embed) if script else []) for n in cell.annotations)
        if not numbers:
            continue
        end = annotations_below(lines, embed.end)
        items = sum(bool(re.match(rf"^{embed.indent}\d+\.\s", line)) for line in lines[embed.end : end])
        if items != len(numbers):
            message = f"{embed.target} has {len(numbers)} annotations, {items} texts stand below it"
            yield Problem(page.path, embed.line, message, "write them as a numbered list right below the fence")


def check_captions(book: Book, page: Page) -> Iterator[Problem]:
    """Each figure has a caption, which is its alternative text, and each caption a figure."""
    lines = page.text.splitlines()
    below = {next((n for n in range(embed.end, len(lines)) if lines[n].strip()), -1) + 1 for embed in page.embeds}
    for number, line in prose(page.text):
        if CAPTION_LINE.match(line) and number not in below:
            hint = "move it directly below the embed of its figure, or take it out"
            yield Problem(page.path, number, "this caption stands below no figure", hint)
    for embed in page.embeds:
        result = book.display_results.get(embed.script)
        script = book.scripts.get(embed.script)
        if not result or not script:
            continue
        ran = [cell_result for cell in cells_of(script, embed) if (cell_result := result.cell(cell.name))]
        drawn = any(output["output_type"] == "display_data" for cell_result in ran for output in cell_result.outputs)
        caption = languages.record(page.language).caption
        if drawn and not embed.caption:
            hint = f"write one line below the embed: *{caption}…*"
            yield Problem(page.path, embed.line, f"the figure of {embed.target} has no alternative text", hint)
        elif drawn and len(embed.caption.removeprefix(caption)) < CAPTION_LETTERS:
            message = f"this caption says nothing to who cannot see the figure: `{embed.caption}`"
            yield Problem(page.path, embed.end, message, "say what one sees, and what it means")
        elif embed.caption and ran and not drawn and not any(cell_result.skipped for cell_result in ran):
            hint = "leave the figure open at the end of the cell, or take the caption out"
            yield Problem(page.path, embed.end, f"{embed.target} draws no figure for this caption", hint)

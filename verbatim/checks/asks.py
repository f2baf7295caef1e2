"""A cell that asks readers what it prints has an answer, which stands below the question and not above."""

from __future__ import annotations

from collections.abc import Iterator

from verbatim.book.compare import text_of
from verbatim.book.gather import Book
from verbatim.lists.places import section_at
from verbatim.markdown import CODE_SPAN, HEADING_LINE, Embed, annotations_below, prose
from verbatim.pages.document import cells_of
from verbatim.pages.page import Page
from verbatim.problems import Problem


def asking(book: Book, embed: Embed) -> bool:
    """Whether an embed shows a cell that asks."""
    script = book.scripts.get(embed.script)
    return any(cell.asks for cell in cells_of(script, embed)) if script else False


def check_asking(book: Book) -> Iterator[Problem]:
    """Each cell that asks what it prints has printed something, and draws no figure: its caption would tell."""
    for path, script in book.scripts.items():
        for cell in (cell for cell in script.cells if cell.asks):
            result = book.display_results.get(path)
            ran = result.cell(cell.name) if result else None
            recorded = book.recorded(path, cell.name) if ran and ran.skipped else None
            if ran is None or (ran.skipped and recorded is None):
                continue
            kinds = [output["output_type"] for output in (recorded[1] if recorded else ran).outputs]
            does = "draws a figure" if "display_data" in kinds else "" if kinds else "prints nothing"
            if does:
                message = f"cell `{cell.name}` asks what it prints, and {does}"
                yield Problem(
                    path, cell.header_line, message, "take `asks=true` out of its header, or print the answer"
                )


def check_answers(book: Book, page: Page) -> Iterator[Problem]:
    """Below each question a sentence says why; above it, in its section, none quotes a line of the answer."""
    lines = page.text.splitlines()
    for embed in page.embeds:
        if not asking(book, embed):
            continue
        cells = cells_of(book.scripts[embed.script], embed)
        end = annotations_below(lines, embed.end) if any(cell.annotations for cell in cells) else embed.end
        below = next((line for line in lines[end:] if line.strip()), "")
        if not below.startswith(embed.indent) or HEADING_LINE.match(below) or below.lstrip().startswith(("```", "!!!")):
            hint = "readers have guessed and looked: the sentence right below tells them why it is so"
            yield Problem(page.path, embed.line, f"nothing below {embed.target} says why it prints this", hint)
        section = section_at(page, embed.line)
        above = range(section.line if section else 1, embed.line)
        answers = set(_printed(book, embed))
        for number, line in prose(page.text):
            for span in CODE_SPAN.finditer(line) if number in above else ():
                if (quoted := span[0].strip("` ")) in answers:
                    message = f"`{quoted}` is the answer to the question below it: {embed.target}"
                    yield Problem(page.path, number, message, "say it below the question, or do not ask")


def _printed(book: Book, embed: Embed) -> Iterator[str]:
    """Yield the lines that an embed shows as printed text, and what a message says behind its class."""
    for cell in cells_of(book.scripts[embed.script], embed):
        ran = book.find(embed.script, cell.name)
        for output in ran[2].outputs if ran else ():
            if output["output_type"] != "display_data":
                for line in text_of(output).splitlines():
                    yield from (line.strip(), line.partition(": ")[2].strip())

"""Outputs are readable, hide nothing, need no network, and pages quote them correctly. Pure."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

from verbatim.book.compare import text_of
from verbatim.book.gather import Book
from verbatim.markdown import CAPTION_LINE, CODE_SPAN, FORMULA, Embed, Fence, prose
from verbatim.memo import Memo
from verbatim.pages.document import cells_of, outputs_of
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.run.script import Cell, Script, tree_of

#: The most that a reader takes in. The longest output of the book has some 20 lines; torch's longest warning 430
#: letters.
MOST_LINES, LINE_LETTERS = 100, 1000
#: Characters of a figure's SVG. The largest of the book has some 80,000; thousands of points make millions.
FIGURE_CHARACTERS = 256 * 1024
#: Fences that hold commands for a terminal.
TERMINAL_FENCES = ("bash", "sh", "powershell")
#: How a carriage return is shown (`verbatim.run.clean`).
RETURN = "\N{SYMBOL FOR CARRIAGE RETURN}"
#: A line that names nothing but folders of the machine (`verbatim.run.clean`).
FOLDER_LINE = re.compile(r"\s*(?:(?:/tmp/)?…(?=\s|$)\s*)+")
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[-+]?\d+)?(?!\w)")
#: A measured number: PyTorch prints four decimals, and nobody else does.
MEASURED_NUMBER = re.compile(r"(?<![\w.])\d+\.\d{4,}(?!\w|\.\d)")
#: How many times as fast or large: three digits or more were measured, 1.5 is a guess.
MEASURED_RATIO = re.compile(r"(?<![\w.])(?=[\d.]{4})\d+\.\d+(?= ?倍| times\b)")
#: Several values in brackets, as PyTorch prints them.
BRACKETED_VALUES = re.compile(r"\[(?:-?\d+(?:\.\d*)?)(?:, -?\d+(?:\.\d*)?)+\]")
#: π, e, the golden ratio, Euler's constant, roots and logarithms.
KNOWN_CONSTANTS = (
    *(math.pi, math.tau, math.e, (1 + math.sqrt(5)) / 2, 0.5772156649015329),
    *map(math.sqrt, (2, 3, 5, 10)),
    *map(math.log, (2, 10)),
)
#: The means and deviations of ImageNet's three channels, by which everybody scales images.
IMAGENET_NUMBERS = (0.485, 0.456, 0.406, 0.229, 0.224, 0.225)
#: The target of a link, and an address in the text: no number of the page.
LINK_TARGET = re.compile(r"\]\([^)]*\)|<?https?://[^\s>]+>?")
PAINT_COLOUR = re.compile(r'\b(?:fill|stroke)="#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})"')
#: A comment that is more than a shape.
REASON_COMMENT = re.compile(r"#\s*[^(\s]")
#: Calls that keep a warning from readers.
SILENCING_CALLS = ("simplefilter", "filterwarnings")
#: Functions that ask the network for an address, and addresses of other machines.
DOWNLOAD_CALL = re.compile(
    r"\b(?:(?:requests|httpx)\.(?:get|post)|download_url_to_file|load_state_dict_from_url|urlopen|urlretrieve)$"
)
REMOTE_ADDRESS = re.compile(r"(?:https?|ftp)://(?!localhost\b|127\.|\[::1\])")
#: A name that a script gives to such an address.
ADDRESS_NAMED = re.compile(rf"^\s*(\w+) = f?[\"']{REMOTE_ADDRESS.pattern}", re.MULTILINE)
#: One of these stands in whatever asks the network: other code need not be parsed.
NETWORK_WORDS = ("http", "ftp", "download")
#: A size in a sentence: PyTorch prints it so, and nobody else does.
PRINTED_SIZE = re.compile(r"torch\.Size\(\[[\d, ]*\]\)")
#: A tensor as it is printed, in code; what makes one begins with `torch.`.
PRINTED_TENSOR = re.compile(r"`+ ?(?P<printed>tensor\(.*\d.*\)) ?`+")


def check_sizes(book: Book) -> Iterator[Problem]:
    """No output is longer than anybody reads, no line wider, and no figure larger than a page should be."""
    for cell, script, output in _outputs(book):
        if output["output_type"] == "display_data" and len(text_of(output)) > FIGURE_CHARACTERS:
            message = f"cell `{cell.name}` draws a figure of {len(text_of(output)) >> 10} KiB"
            yield Problem(
                script.path, cell.line, message, "draw fewer points, or rasterized=True; each reader loads it"
            )
        if output["output_type"] != "stream":
            continue
        lines = text_of(output).splitlines()
        if RETURN in text_of(output):
            message = f"cell `{cell.name}` prints a progress bar: it writes over its own line, which no page can show"
            yield Problem(script.path, cell.line, message, "switch it off: progress=False, or disable=True")
        elif not cell.varies and any(FOLDER_LINE.fullmatch(line) for line in lines):
            message = f"cell `{cell.name}` prints where this machine keeps something, which pages show as …"
            yield Problem(script.path, cell.line, message, "print its name alone: path.name")
        elif len(lines) > MOST_LINES:
            message = f"cell `{cell.name}` prints {len(lines)} lines"
            yield Problem(script.path, cell.line, message, "print what matters: a shape, a few rows, a bool")
        elif len(widest := max(lines, key=len, default="")) > LINE_LETTERS and output["name"] == "stdout":
            message = f"cell `{cell.name}` prints a line of {len(widest)} characters"
            yield Problem(script.path, cell.line, message, "print what matters: a shape, a few values, a bool")


def check_ink(book: Book, memo: Memo | None = None) -> Iterator[Problem]:
    """No figure is drawn in black, white or grey, which one of the two themes would swallow.

    Args:
        book: The book.
        memo: Caches the colours of figures.
    """
    memo = memo or Memo()
    for cell, script, output in _outputs(book):
        if output["output_type"] != "display_data":
            continue
        drawn = text_of(output)
        if grey := memo.check("ink", drawn, partial(_greys, drawn)):
            message = f"cell `{cell.name}` draws in #{min(grey)}"
            hint = "text and lines take the page's colour by themselves; name other colours only: C0, C1 …"
            yield Problem(script.path, cell.line, message, hint)


def _greys(svg: str) -> Iterator[str]:
    return filter(_neutral, PAINT_COLOUR.findall(svg))


def _neutral(colour: str) -> bool:
    full = colour if len(colour) == 6 else "".join(letter * 2 for letter in colour)
    parts = [int(full[i : i + 2], 16) for i in (0, 2, 4)]
    return max(parts) - min(parts) < 12


def check_silenced(book: Book) -> Iterator[Problem]:
    """No script keeps a warning quiet that its reader would get, and does not say why."""
    for script in book.scripts.values():
        for cell in script.cells:
            if not any(word in cell.source for word in SILENCING_CALLS):
                continue
            lines = cell.source.splitlines()
            for node in ast.walk(tree_of(cell.source)):
                if not isinstance(node, ast.Call):
                    continue
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                first = node.args[0] if node.args else None
                near = lines[max(node.lineno - 2, 0) : (node.end_lineno or node.lineno) + 1]
                if any(map(REASON_COMMENT.search, near)):
                    continue
                if name in SILENCING_CALLS and isinstance(first, ast.Constant) and first.value == "ignore":
                    hint = 'show it, warns="…", or write what does not warn; else say why in a comment beside it'
                    message = f"cell `{cell.name}` keeps a warning from the reader"
                    yield Problem(script.path, cell.line + node.lineno - 1, message, hint)


def check_hidden(book: Book) -> Iterator[Problem]:
    """No cell that readers do not see prints."""
    for cell, script, output in _outputs(book):
        if not cell.hidden or output.get("name") != "stdout":
            continue
        for node in tree_of(cell.source).body:
            call = node.value if isinstance(node, ast.Expr) else None
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "print":
                message = f"cell `{cell.name}` is hidden, so nobody sees what it prints"
                hint = "prove it with assert, or show the cell: take hidden=true out"
                yield Problem(script.path, cell.line + node.lineno - 1, message, hint)


def check_network(book: Book) -> Iterator[Problem]:
    """No script asks the network: what comes from there, and whether it comes, is none of its own."""
    for script in book.scripts.values():
        for cell in script.cells:
            if cell.needs or cell.raises or not any(word in cell.source for word in NETWORK_WORDS):
                continue
            remote = set(ADDRESS_NAMED.findall("\n".join(other.source for other in script.cells)))
            for node in (node for node in ast.walk(tree_of(cell.source)) if _asks(node, remote)):
                hint = "put the file beside the script, or make the data in it"
                line = cell.line + getattr(node, "lineno", 1) - 1
                yield Problem(script.path, line, f"cell `{cell.name}` asks the network", hint)


def _asks(node: ast.AST, remote: set[str]) -> bool:
    """Whether a call is given an address of another machine, which it may name, or told to download."""
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func)
    texts = [
        argument.value
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]
    loads = any(
        argument.arg == "download" and getattr(argument.value, "value", False) is True for argument in node.keywords
    )
    named = any(isinstance(argument, ast.Name) and argument.id in remote for argument in node.args)
    return loads or (bool(DOWNLOAD_CALL.search(name)) and (named or any(map(REMOTE_ADDRESS.match, texts))))


def check_numbers(book: Book, page: Page) -> Iterator[Problem]:
    """Each number that a page seems to have read from an output stands there, or in the code."""
    if not page.scripts or not whole(book, page):
        return  # cells that did not run are reported already
    texts = "\n".join(shown_text(book, script) for script in page.scripts)
    numbers = {*map(abs, map(float, NUMBER.findall(texts))), *IMAGENET_NUMBERS}
    for number, line in prose(page.text):
        caption = CAPTION_LINE.match(line)
        bare = LINK_TARGET.sub("", FORMULA.sub("", line if caption else CODE_SPAN.sub("", line)))
        if wrong := [size for size in PRINTED_SIZE.findall(line) if size not in texts]:
            message = f"`{wrong[0]}` stands neither in the code nor in the outputs of this page"
            yield Problem(page.path, number, message, "write the size that is printed")
        for printed in (
            match["printed"] for span in CODE_SPAN.finditer(line) if (match := PRINTED_TENSOR.fullmatch(span[0]))
        ):
            if not all(part in "".join(texts.split()) for part in "".join(printed.split()).split("…")):
                message = f"`{printed}` stands neither in the code nor in the outputs of this page"
                yield Problem(
                    page.path, number, message, "write the tensor that is printed, with … for what is left out"
                )
        measured = [
            *filter(_measured, [*MEASURED_NUMBER.findall(bare), *MEASURED_RATIO.findall(bare)]),
            # Whole numbers in brackets are a shape as often as not.
            *(
                value
                for part in BRACKETED_VALUES.findall(bare)
                if caption or "." in part
                for value in NUMBER.findall(part)
            ),
        ]
        if wrong := [value for value in measured if not _among(value, numbers)]:
            message = f"`{wrong[0]}` stands neither in the code nor in the outputs of this page"
            yield Problem(page.path, number, message, "write what is printed; round as the output does, or less")


def check_commands(book: Book, page: Page) -> Iterator[Problem]:
    """An output right below commands for a terminal is theirs: it names each of them behind `$`, and no other."""
    blocks = {fence.line: fence for fence in page.fences}
    for above in page.fences:
        below = next((n for n in range(above.end, len(page.lines)) if page.lines[n].strip()), -1) + 1
        embed = next(
            (embed_below for embed_below in page.embeds if embed_below.line == below and below in blocks), None
        )
        if above.info not in TERMINAL_FENCES or not embed:
            continue
        printed = _printed(book, embed)
        if printed is None:
            continue  # no machine has run it
        ran = [line[2:].strip() for line in printed.splitlines() if line.startswith("$ ")]
        typed = _commands(above)
        hint = "run what is shown, and print `$ ` with each command; or say between the two what the output is of"
        for command in (command for command in typed if command not in ran):
            yield Problem(page.path, above.line, f"the output below is not of the command `{command}`", hint)
        for command in (command for command in ran if command not in typed):
            yield Problem(page.path, above.line, f"the output below is of `{command}`, too, which is not shown", hint)


def _commands(block: Fence) -> list[str]:
    """Return the commands of a block, each on one line, without comments."""
    lines = re.sub(r"\\\n\s*", "", "\n".join(block.body)).splitlines()
    bare = (re.sub(r"(?:^|\s)#\s.*", "", line).strip() for line in lines)
    return [line for line in bare if line]


def _printed(book: Book, embed: Embed) -> str | None:
    """Return what the cells of an embed print, here or where they were recorded; ``None`` if one has run nowhere."""
    script = book.scripts.get(embed.script)
    printed = [outputs_of(book, script, cell).printed for cell in cells_of(script, embed)] if script else []
    if not printed or None in printed:
        return None
    return "\n".join(text_of(output) for cell_result in printed if cell_result for output in cell_result.outputs)


def whole(book: Book, page: Page) -> bool:
    """Whether each script of a page ran to its end."""
    results = [(book.fresh_results.get(name), book.scripts.get(name)) for name in page.scripts]
    return all(ran and script and not ran.problems and len(ran.cells) == len(script.cells) for ran, script in results)


def _measured(number: str) -> bool:
    """Whether a number was measured.

    One with the same digit throughout was chosen: 0.9999, 0.0001. A constant of mathematics is known: 3.14159.
    """
    decimals = len(number.partition(".")[2])
    known = any(
        number in (f"{constant:.{decimals}f}", f"{constant:.17f}"[: len(number)]) for constant in KNOWN_CONSTANTS
    )
    return len(set(number) - set(".0")) > 1 and not known


def shown_text(book: Book, path: str) -> str:
    """Return the code and the outputs of a script, with the labels of its figures; empty if there is no such script."""
    parts = [book.scripts[path].text] if path in book.scripts else []
    for _, _, output in _outputs(book, path):
        if output["output_type"] == "display_data":
            parts += [label for axes in output["metadata"].get("axes", ()) for label in axes["labels"]]
        else:
            parts.append(text_of(output))
    return "\n".join(parts)


def _among(number: str, numbers: set[float]) -> bool:
    """Whether a number equals one of `numbers`, rounded to its decimals."""
    decimals = len(number.partition("e")[0].partition(".")[2])
    value = abs(float(number))
    return value in numbers or any(round(other, decimals) == value for other in numbers)


def _outputs(book: Book, path: str = "") -> Iterator[tuple[Cell, Script, dict[str, Any]]]:
    """Yield every output that was printed, with its cell; of one script where `path` names it."""
    for name in [path] if path else book.display_results:
        script, result = book.scripts.get(name), book.display_results.get(name)
        for ran in result.cells if result else ():
            cell = script.cell(ran.name) if script else None
            if script and cell:
                yield from ((cell, script, output) for output in ran.outputs)

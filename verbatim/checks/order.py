"""A page runs from top to bottom: its cells, pasted one after another, do what the page shows.

A page may show cells in another order than its script runs them, and hides some of them. Where it does, its cells are
run once more, in its own order and in one process: each must print what the page shows, and raise where it shows an
error. Where a page shows the first cells of its script, in the script's order, the script's own run was that run.

The cells are compiled from the script's file, with the lines on which they stand there. So `inspect`, pickling and the
compiler find their source, and tracebacks name the lines that the page shows.

What must differ says why, cell by cell, in the page's front matter: ``order: {reads-back: the reason}``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

from verbatim.book.compare import diff, same
from verbatim.book.gather import Book
from verbatim.checks.lengths import REASON_CHARACTERS
from verbatim.memo import Memo
from verbatim.pages.document import cells_of
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean
from verbatim.run import cache
from verbatim.run.job import Limits
from verbatim.run.result import CellResult, Result
from verbatim.run.runner import Runner
from verbatim.run.script import Cell, Script, tree_of

#: The key of the front matter.
KEY = "order"
#: How a reason is written.
FORM = "order: {name-of-the-cell: why it must differ}"


@dataclass(frozen=True)
class Reading:
    """The cells of one script, as pages show them from top to bottom."""

    script: Script
    """The script with these cells alone, in the order of the pages."""
    pages: list[Page] = field(default_factory=list)
    """The pages that show them so: those of one recipe in all languages."""


def readings(book: Book, pages: Iterable[Page]) -> list[Reading]:
    """Return what pages show of each script that ran, without those parts that the script's own run has shown."""
    readings: dict[tuple[str, ...], Reading] = {}
    for page in pages:
        for path in page.scripts:
            script, ran = book.scripts.get(path), book.fresh_results.get(path)
            if not script or not ran or ran.problems or path in book.pending:
                continue  # what is wrong with a script is told already
            embeds = [embed for embed in page.embeds if embed.script == path]
            cells = tuple(dict.fromkeys(cell for embed in embeds for cell in cells_of(script, embed)))
            if cells != script.cells[: len(cells)]:
                key = (path, *(cell.name for cell in cells))
                readings.setdefault(key, Reading(replace(script, cells=cells))).pages.append(page)
    return list(readings.values())


def check(
    book: Book,
    pages: list[Page],
    *,
    limits: Limits | None = None,
    jobs: int | None = None,
    memo: Memo | None = None,
    of: Callable[[Page], bool] | None = None,
) -> list[Problem]:
    """Run pages from top to bottom, unless the result is cached, and return the problems.

    Args:
        book: Scripts that were run.
        pages: The pages.
        limits: Limits on each run.
        jobs: Number of runs in parallel.
        memo: Caches the parsed results.
        of: Selects the pages that are run; all by default.
    """
    # An index shows a cell of each of several recipes, and nobody pastes it.
    own = [page for page in pages if (not of or of(page)) and not page.name.endswith("index.md")]
    wanted = readings(book, own)
    problems: list[Problem] = []
    needed: dict[str, set[str]] = {page.path: set() for page in own}
    for reading, again in zip(wanted, _run(book, wanted, limits, jobs, memo), strict=True):
        excused = {name for page in reading.pages for name in _reasons(page)}
        page = reading.pages[0]
        for cell, problem in _compared(book, page, reading.script, again):
            for page in reading.pages:
                needed[page.path].add(cell)
            if cell not in excused:
                problems.append(problem)
    for page in own:
        problems += _check_reasons(book, page, needed[page.path])
    return problems


def _run(book: Book, wanted: list[Reading], limits: Limits | None, jobs: int | None, memo: Memo | None) -> list[Result]:
    results: dict[int, Result] = {}
    for number, reading in enumerate(wanted):
        if cached := cache.get(book.project, reading.script, book.notes, memo=memo, go_on=True):
            results[number] = cached
    missing = [(number, reading.script) for number, reading in enumerate(wanted) if number not in results]
    if missing:
        with Runner(book.project, jobs=jobs, limits=limits, scripts=[script for _, script in missing]) as runner:
            futures = [(number, script, runner.submit(script, go_on=True)) for number, script in missing]
            for number, script, future in futures:
                results[number] = future.result()
                cache.put(book.project, script, results[number], book.notes, go_on=True)
    return [results[number] for number in range(len(wanted))]


def _compared(book: Book, page: Page, script: Script, again: Result) -> Iterator[tuple[str, Problem]]:
    """Yield each cell that does not do from top to bottom what the page shows, and the problem."""
    here = book.fresh_results[script.path]
    lines = {
        cell.name: embed.line
        for embed in reversed(page.embeds)
        if embed.script == script.path
        for cell in cells_of(script, embed)
    }
    for cell in script.cells:
        first, second = here.cell(cell.name), again.cell(cell.name)
        if second is None:  # the process ended before it
            for problem in again.problems:
                message = f"where the page is run from top to bottom, {problem.message}"
                yield cell.name, Problem(page.path, lines[cell.name], message, problem.hint)
            return
        if first and not first.skipped and not second.skipped and _differs(cell, first, second):
            yield cell.name, _problem(book.scripts[script.path], page, cell, lines, first, second)


def _differs(cell: Cell, first: CellResult, second: CellResult) -> bool:
    if cell.varies:
        return _error(first)[:1] != _error(second)[:1]
    return not same(cell, first.outputs, second.outputs)


def _error(result: CellResult) -> tuple[str, ...]:
    """Return the type and the message of the error that a cell raised; nothing if it raised none."""
    errors = ((output["ename"], output["evalue"]) for output in result.outputs if output["output_type"] == "error")
    return next(errors, ())


def _problem(
    script: Script, page: Page, cell: Cell, lines: dict[str, int], first: CellResult, second: CellResult
) -> Problem:
    hint = f"show above it what it uses; if it must differ, say why: order: {{{cell.name}: …}}"
    error = _error(second)
    if error and error != _error(first):
        message = error[1].partition("\n")[0]
        said = f"cell `{cell.name}` raises {error[0]}: {message} where the page is run from top to bottom"
        name = message.split("'")[1] if error[0] == "NameError" and message.count("'") > 1 else ""
        return Problem(page.path, lines[cell.name], said, _origin(script, page, cell, lines, name) or hint)
    target = f"{script.path}#{cell.name}"
    said = f"cell `{cell.name}` prints something else where the page is run from top to bottom"
    changed = diff(first.outputs, second.outputs, target, ("shown", "from top to bottom"))
    return Problem(page.path, lines[cell.name], f"{said}\n{changed}", hint)


def _origin(script: Script, page: Page, cell: Cell, lines: dict[str, int], name: str) -> str:
    """Return where the script gets a name from that is not there yet; empty if no cell above says."""
    above = script.cells[: script.cells.index(cell)]
    origin = next((cell for cell in reversed(above) if name in _bound(cell)), None) if name else None
    if origin is None:
        return ""
    what = f"`{name}` comes from the cell `{origin.name}`"
    if origin.name in lines:
        return f"{what}, which stands on line {lines[origin.name]}: show that above"
    where = "is hidden" if origin.hidden else "is not on this page"
    return f"{what} ({script.path}:{origin.header_line}), which {where}: show it above, or fold it there by fold=true"


def _bound(cell: Cell) -> set[str]:
    """Return the names that the code of a cell binds, in functions, too."""
    names = set()
    for node in ast.walk(tree_of(cell.source)):
        match node:
            case ast.Name(name, ast.Store()) | ast.FunctionDef(name) | ast.ClassDef(name):
                names.add(name)
            case ast.alias(name, alias):
                names.add(alias or name.partition(".")[0])
    return names


def _reasons(page: Page) -> dict[str, str]:
    """Return cell → why it differs, of the front matter; what is none is left out."""
    reasons = page.meta.get(KEY)
    given = reasons.items() if isinstance(reasons, dict) else ()
    return {str(cell): why for cell, why in given if isinstance(why, str) and len(why) >= REASON_CHARACTERS}


def _check_reasons(book: Book, page: Page, needed: set[str]) -> Iterator[Problem]:
    """Each reason is one in words, for a cell of the page that differs."""
    if KEY not in page.meta:
        return
    line = next((number for number, text in enumerate(page.lines, 1) if text.startswith(f"{KEY}:")), 1)
    reasons = page.meta[KEY]
    if not isinstance(reasons, dict) or len(_reasons(page)) < len(reasons):
        message = f"`{KEY}` in the front matter has no reason for each cell"
        yield Problem(page.path, line, message, f"write {FORM}; quote a reason that has a comma")
    if any(
        path in book.pending or book.fresh_results[path].problems for path in page.scripts if path in book.fresh_results
    ):
        return  # what is not run is not known to differ or not
    cells: list[str] = []
    skipped: set[str] = set()
    for embed in page.embeds:
        script, ran = book.scripts.get(embed.script), book.fresh_results.get(embed.script)
        cells += [cell.name for cell in cells_of(script, embed)] if script else []
        skipped |= {cell.name for cell in ran.cells if cell.skipped} if ran else set()
    for name in _reasons(page):
        if name not in cells:
            message = f"`{KEY}` in the front matter names the cell `{name}`, which the page does not show"
            yield Problem(page.path, line, message, did_you_mean(name, cells))
        elif name not in needed and name not in skipped:
            message = f"`{KEY}` in the front matter excuses nothing: `{name}` does what the page shows"
            yield Problem(page.path, line, message, "remove it")

"""Checks that scripts also work on machines that lack a GPU, a compiler or an optional package.

A cell that is skipped on some machine must not define anything that other cells need. So each script is run once more
for each capability that it asks for and that this machine has, as if that capability were missing. (Those that this
machine lacks were missing in the normal run.) On a machine with a GPU, `record --device cuda` runs the cells that need
one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from verbatim.book.compare import agree, diff
from verbatim.book.gather import Book
from verbatim.problems import Problem
from verbatim.run import cache
from verbatim.run.job import Limits
from verbatim.run.result import Result
from verbatim.run.runner import Runner
from verbatim.run.script import Script


def base(need: str) -> str:
    """``cuda:2`` → ``cuda``."""
    return need.partition(":")[0]


def to_try(script: Script, printed: Result) -> list[str]:
    """Return the capabilities that a script asks for and that were present in its run."""
    had = (cell for cell in script.cells if cell.needs and (ran := printed.cell(cell.name)) and not ran.skipped)
    return list(dict.fromkeys(base(cell.needs) for cell in had))


def check(
    book: Book, *, limits: Limits | None = None, jobs: int | None = None, only: Collection[str] | None = None
) -> list[Problem]:
    """Run each script without each of its capabilities, unless the result is cached, and return the problems.

    Args:
        book: Scripts that were run.
        limits: Limits on each script.
        jobs: Number of scripts run in parallel.
        only: Paths of the scripts to check; all by default.
    """
    wanted = [
        (script, name)
        for path, script in book.scripts.items()
        if only is None or path in only
        if path in book.fresh_results and not book.fresh_results[path].problems
        for name in to_try(script, book.fresh_results[path])
    ]
    results: dict[tuple[str, str], Result] = {}
    missing = []
    for script, name in wanted:
        if cached := cache.get(book.project, script, book.notes, name):
            results[script.path, name] = cached
        else:
            missing.append((script, name))
    if missing:
        with Runner(book.project, jobs=jobs, limits=limits, scripts=[script for script, _ in missing]) as runner:
            futures = [(script, name, runner.submit(script, name)) for script, name in missing]
            for script, name, future in futures:
                results[script.path, name] = future.result()
                cache.put(book.project, script, future.result(), book.notes, name)
    return [
        problem
        for script, name in wanted
        for problem in compared(script, name, book.fresh_results[script.path], results[script.path, name])
    ]


def compared(script: Script, name: str, here: Result, there: Result) -> Iterator[Problem]:
    """Yield problems without a capability: errors of the run, and cells that print something else.

    Each message names the cells that are skipped.
    """
    skipped = [cell for cell in script.cells if base(cell.needs) == name]
    hint = "move what other cells need out of what is not run, or repeat it where it is needed"

    def before(line: int) -> str:
        cells = [cell for cell in skipped if cell.line <= line] or skipped
        return "not run there: " + ", ".join(f"`{cell.name}` ({script.path}:{cell.header_line})" for cell in cells)

    for problem in there.problems:
        message = f"where `{name}` is missing, {problem.message}; {before(problem.line)}"
        yield Problem(problem.path, problem.line, message, hint)
    for cell in script.cells if not there.problems else ():
        ran_here, ran_there = here.cell(cell.name), there.cell(cell.name)
        if cell in skipped or not ran_here or not ran_there or ran_here.skipped:
            continue
        if not agree(cell, ran_here.outputs, ran_there.outputs):
            shown = diff(ran_here.outputs, ran_there.outputs, f"{script.path}#{cell.name}")
            message = f"where `{name}` is missing, cell `{cell.name}` prints something else; {before(cell.line)}"
            yield Problem(script.path, cell.header_line, f"{message}\n{shown}", hint)

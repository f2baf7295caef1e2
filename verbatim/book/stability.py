"""Finds unstable outputs: runs recipes that are to be approved again, as if at another time and on another machine."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from verbatim.book.compare import agree, diff
from verbatim.book.gather import Book
from verbatim.problems import Problem
from verbatim.project import Project
from verbatim.run.job import Limits
from verbatim.run.perturb import CONDITIONS
from verbatim.run.processes import load
from verbatim.run.result import Result
from verbatim.run.runner import Runner
from verbatim.run.script import Cell, Script

#: Seconds that a cell may take before its author is asked whether it must.
SLOW_SECONDS = 2.0


def check(
    book: Book, names: Iterable[str], *, limits: Limits | None = None, jobs: int | None = None
) -> Iterator[Problem]:
    """Run scripts again under all `CONDITIONS` at once, and yield a problem for each cell that prints something else.

    Then the script is run once more for each condition, so that the problem can name the one that matters.

    Args:
        book: The book of the first run.
        names: Paths of the scripts that are to be approved.
        limits: Limits on each script.
        jobs: Number of scripts run in parallel.
    """
    scripts = [book.scripts[name] for name in names if not book.fresh_results[name].problems]
    if not scripts:
        return
    for script in scripts:
        yield from check_isolation(script, book.fresh_results[script.path], book.project)
    with Runner(book.project, jobs=jobs, limits=limits, scripts=scripts) as runner:
        futures = [(script, runner.submit(script, perturbed=tuple(CONDITIONS))) for script in scripts]
        for script, future in futures:
            first, again = book.fresh_results[script.path], future.result()
            wrong = differing(script, first, again)
            if not wrong:
                if len(again.cells) < len(first.cells):
                    yield from again.problems  # it does not even run there
                continue
            causes = {"": runner.submit(script)} | {
                name: runner.submit(script, perturbed=(name,)) for name in CONDITIONS
            }
            for cell in wrong:
                how, hint = "each time it is run", "print what is the same in every run; else varies=true"
                for name, run in causes.items():
                    if cell in differing(script, first, run.result()):
                        how, hint = CONDITIONS.get(name, (how, hint))
                        break
                old, new = first.cell(cell.name), again.cell(cell.name)
                assert old and new
                shown = diff(old.outputs, new.outputs, f"{script.path}#{cell.name}").splitlines()[2:]
                message = "\n".join([f"cell `{cell.name}` prints something else {how}", *shown])
                yield Problem(script.path, cell.line, message, hint)


def check_isolation(script: Script, result: Result, project: Project) -> Iterator[Problem]:
    """Yield a problem for each file of this machine that a script reads, and for each thread or process that it leaves.

    Only files that the script's text names count: what libraries read by themselves, its author cannot help.
    """
    lines = script.text.splitlines()
    for name, fingerprint in result.reads.items():
        path = name.rstrip("/*")
        named = re.compile(rf"{re.escape(path)}(?!/*\.?[\w-])")  # itself, not what is below it
        line = next((number for number, text in enumerate(lines, 1) if len(path) > 1 and named.search(text)), 0)
        if line and fingerprint != "missing" and not path.startswith(str(project.root)):
            message = f"the script reads {name}, which another machine has differently or not at all"
            yield Problem(script.path, line, message, "take it out, or put what it needs beside the script")
    for name in result.left:
        cell = script.cells[-1]
        message = f"the {name} still runs when the script has ended"
        hint = "join it, or open it by `with`, as in: with multiprocessing.Pool(2) as pool"
        yield Problem(script.path, cell.line, message, hint)


def differing(script: Script, first: Result, again: Result) -> list[Cell]:
    """Return the cells whose outputs in two runs differ by more than noise, in order."""
    cells = []
    for cell in script.cells:
        old, new = first.cell(cell.name), again.cell(cell.name)
        if not old or not new or old.skipped or new.skipped:
            continue
        if not agree(cell, old.outputs, new.outputs):
            cells.append(cell)
    return cells


def remarks(script: Script, result: Result) -> Iterator[Problem]:
    """Yield hints for the author that do not prevent approval.

    On a busy machine there are none about the time of a cell, because others may have caused it.
    """
    for ran in result.cells:
        cell = script.cell(ran.name)
        if cell and ran.seconds > SLOW_SECONDS and not load():
            message = f"cell `{cell.name}` took {ran.seconds:.1f} s"
            yield Problem(script.path, cell.line, message, "well under a second is usual: smaller tensors, fewer steps")

"""Calls each function and class that pages offer to copy under the conditions that readers have.

    python -m scripts.try_functions [RECIPE…] [--all] [--seconds 30]

The first call of each in its script is made again in other dtypes, under autocast, on `meta` and on a GPU that is not
there, with a batch of one and an empty one, with strides, in both modes, with frozen and with tied weights. What is
suspicious is printed, `path:line function condition: what happened`, to be read: a mistake that a page shows on purpose
is none, and a dtype may be meant. A function whose script fails or takes too long here is left out, and counted.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from verbatim.book.compare import text_of
from verbatim.book.gather import parse_all
from verbatim.problems import Problems, report
from verbatim.project import Project, find_root
from verbatim.run.job import Limits
from verbatim.run.runner import Runner
from verbatim.run.script import Cell, Script, tree_of

HERE = Path(__file__).resolve().parent
BEFORE, BEHIND = "before-all-others", "behind-all-others"
#: What is printed. The rest are the same results, errors that say what is wrong, and what cannot be without data.
SUSPICIOUS_OUTCOMES = ("wrong", "dtype", "misfit")


@dataclass(frozen=True)
class Definition:
    """A function or a class in the code that a page shows."""

    name: str
    line: int
    """The line of its name."""
    first: int
    """Its first line, which may be a decorator."""
    last: int


def definitions(script: Script) -> list[Definition]:
    """Return what the shown cells define, functions and classes alone that stand in no other."""
    return [
        Definition(node.name, *(cell.line - 1 + line for line in _lines(node)))
        for cell in script.cells
        if not cell.hidden
        for node in tree_of(cell.source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]


def _lines(node: ast.FunctionDef | ast.ClassDef) -> tuple[int, int, int]:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return node.lineno, first, node.end_lineno or node.lineno


def watched(script: Script) -> Script:
    """Return the script with a cell before all others that notes calls, and one behind them that calls again."""
    lines = [line for definition in definitions(script) for line in range(definition.first, definition.last + 1)]
    begin = (
        f"import sys\nsys.path.append({str(HERE)!r})\nimport call_again\n_calls = call_again.begin(__file__, {lines})"
    )
    before = Cell(BEFORE, begin, 1, 1, hidden=True)
    return replace(script, cells=(before, *script.cells, Cell(BEHIND, "call_again.end(_calls)", 1, 1, hidden=True)))


def main(arguments: Sequence[str]) -> int:
    """Print what is suspicious, and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipes", nargs="*", help="such as losses/dice, or a chapter; all by default")
    parser.add_argument("--all", action="store_true", help="print what is not suspicious, too")
    parser.add_argument("--seconds", type=float, default=30, help="processor time of one script")
    options = parser.parse_args(arguments)
    project = Project(find_root())
    try:
        scripts, problems = parse_all(project, project.select(options.recipes))
    except Problems as error:
        scripts, problems = {}, error.problems
    if problems:
        print(report(problems), file=sys.stderr)
        return 1
    count: Counter[str] = Counter()
    chosen = [script for script in scripts.values() if definitions(script)]
    with Runner(project, limits=Limits.of(options.seconds), scripts=chosen) as runner:
        running = {runner.submit(watched(script), go_on=True): script for script in chosen}
        for future in as_completed(running):
            script, result = running[future], future.result()
            last = result.cell(BEHIND)
            texts = (
                [text_of(output) for output in last.outputs if output["output_type"] != "display_data"] if last else []
            )
            text = "".join(texts)
            _tell(
                script,
                _read(text),
                " ".join(problem.message for problem in result.problems) or text,
                count,
                options.all,
            )
    print(", ".join(f"{number} {what}" for what, number in count.items()))
    return 0


def _read(text: str) -> list[dict[str, Any]] | None:
    """Return what the last cell tells; nothing where it did not get to its end."""
    line = text.strip().splitlines()[-1:]
    return json.loads(line[0]) if line and line[0].startswith("[") else None


def _tell(script: Script, told: list[dict[str, Any]] | None, why: str, count: Counter[str], everything: bool) -> None:
    defined = definitions(script)
    count["definitions"] += len(defined)
    if told is None:
        count["left out with their script"] += len(defined)
        print(f"{script.path}: left out: {why[-200:]}")
        return
    for definition in defined:
        own = any(definition.first <= call["line"] <= definition.last for call in told)
        count["called again" if own else "never called with what can be copied"] += 1
        if not own and everything:
            print(f"{script.path}:{definition.line} {definition.name}: never called with what can be copied")
    for call in (call for call in told if call["kind"] != "again"):
        count["calls"] += 1
        count[call["kind"]] += 1
        if everything or call["kind"] in SUSPICIOUS_OUTCOMES:
            place = f"{script.path}:{call['line']} {call['name']} {call['condition']}"
            print(f"{place}: {call['kind']}{': ' if call['detail'] else ''}{call['detail']}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Runs scripts, and prints what each cell prints."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from verbatim.book.compare import text_of
from verbatim.commands.common import gather_afresh, report_problems
from verbatim.problems import Problems, obeyed_by_none
from verbatim.project import Project, find_root, write_if_changed


def main(options: argparse.Namespace) -> int:
    """Run scripts, afresh, and print their outputs."""
    project = _project(options.paths)
    book, _ = gather_afresh(project, options, any_script=True)
    print(*book.notes, sep="\n", end="\n" if book.notes else "", file=sys.stderr)
    for name, result in book.fresh_results.items():
        print(f"== {name}  ({result.seconds:.2f} s)")
        for cell in result.cells:
            note = f"  [not run: needs {cell.skipped}]" if cell.skipped else ""
            print(f"-- {cell.name}{note}")
            for number, output in enumerate(cell.outputs, 1):
                if output["output_type"] == "display_data":
                    print(_save_figure(options.figures, project.recipe(name), cell.name, number, text_of(output)))
                else:
                    print(obeyed_by_none(text_of(output).rstrip("\n")))
    return report_problems(book.problems)


def _project(paths: list[str]) -> Project:
    """Return the project of the working folder; where there is none, the folder of the first script."""
    try:
        return Project(find_root())
    except Problems:
        if not paths:
            raise
        return Project(Path(paths[0]).absolute().parent)


def _save_figure(folder: Path | None, recipe: str, cell: str, number: int, svg: str) -> str:
    """Write a figure into a folder, if one is given. Return the line to print in its place."""
    if folder is None:
        return f"[figure, {len(svg) / 1024:.0f} KiB of SVG]"
    path = folder / f"{recipe.replace('/', '-')}-{cell}-{number}.svg"
    write_if_changed(path, svg)
    return f"[figure: {path}]"

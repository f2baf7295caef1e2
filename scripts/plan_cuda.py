"""Tells what `make cuda` is about to record, and prints the recipes, those that cannot do without a GPU first.

python -m scripts.plan_cuda [RECIPE…]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from verbatim.book import records
from verbatim.book.gather import parse_all
from verbatim.problems import Problems, report
from verbatim.project import Project, find_root
from verbatim.run import cache
from verbatim.run.gpus import ask
from verbatim.run.script import Script


def main(arguments: Sequence[str]) -> int:
    """Print the plan to stderr, and a recipe a line to stdout. Records whose script is gone are removed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("recipes", nargs="*")
    project = Project(find_root())
    try:
        scripts, problems = parse_all(project, project.select(parser.parse_args(arguments).recipes))
        gpus = ask().count
    except Problems as error:
        problems, scripts = error.problems, {}
    if problems:
        print(report(problems), file=sys.stderr)
        return 1
    chosen = sorted((script for script in scripts.values() if script.gpus), key=lambda script: not _needs(script))
    print("\n".join(plan(project, chosen, gpus)), file=sys.stderr)
    if not arguments:
        for path in records.orphans(project):
            if path.is_relative_to(project.outputs / "cuda"):
                path.unlink()
    for script in chosen:
        print(project.recipe(script.path))
    return 0


def _needs(script: Script) -> int:
    return sum(cell.needs.startswith("cuda") for cell in script.cells)


def plan(project: Project, scripts: Sequence[Script], gpus: int) -> list[str]:
    """Return what is going to run, in lines."""
    needing = [script for script in scripts if _needs(script)]
    cells = sum(map(_needs, needing))
    lines = [
        f"{len(needing)} recipes have {cells} cells that need a GPU; {len(scripts) - len(needing)} others use one "
        f"where there is one. GPUs here: {gpus}, each for one script at a time."
    ]
    for script in needing:
        if script.gpus > gpus:
            name = project.recipe(script.path)
            lines.append(f"{name} has cells that want {script.gpus} GPUs; what is recorded of these stays.")
    known = [result.seconds for script in scripts if (result := cache.get(project, script, []))]
    if known:
        lines.append(
            f"On this machine's CPU, {len(known)} of them took {sum(known):.0f} s; starting CUDA adds a few each."
        )
    return lines


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

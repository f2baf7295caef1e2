"""Approves what readers are told to do about each message: writes ``outputs/remedies/``."""

from __future__ import annotations

import argparse
import contextlib
import difflib

from verbatim import build as stages
from verbatim.book.gather import Options, gather
from verbatim.commands.common import report_problems
from verbatim.lists import approved
from verbatim.memo import Memo
from verbatim.project import Project, find_root


def main(options: argparse.Namespace) -> int:
    """Write what the pages of the given recipes say, or all, and show it as a diff. Nothing is run."""
    project = Project(find_root())
    named = {project.recipe(project.relative(path)) for path in project.select(options.paths)}
    with contextlib.closing(Memo(project.cache)) as memo:
        build = stages.outline(gather(project, options=Options(run=(), memo=memo)), memo=memo)
        now = approved.made(build.sources)
    before, problems = approved.read(project)
    if problems and options.paths:
        return report_problems(problems)
    approved.write(project, now, (lambda page: page in named) if options.paths else lambda page: True)
    after, _ = approved.read(project)
    for name in sorted({*before, *after}):
        old, new = (approved.text(some.get(name, {})).splitlines() for some in (before, after))
        if lines := list(difflib.unified_diff(old, new, name, name, lineterm="", n=1)):
            print(*lines[2:], sep="\n")
    every = [told for templates in after.values() for places in templates.values() for told in places]
    messages = len({template for templates in after.values() for template in templates})
    none, release = (sum(told.get("remedy") == kind for told in every) for kind in (approved.NONE, approved.RELEASE))
    proved, unproved = (sum(key in told for told in every) for key in ("proof", "unproved"))
    print(
        f"{messages} messages at {len(every)} places: {proved} remedies proved, {unproved} not; "
        f"{none} places without a remedy, {release} of other releases alone"
    )
    return 0

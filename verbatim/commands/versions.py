"""Runs what is stale with the torch and the Python that are here."""

from __future__ import annotations

import argparse
import json

from verbatim import progress
from verbatim.book.gather import parse_all
from verbatim.book.releases import run
from verbatim.commands.common import report_problems
from verbatim.project import Project, find_root
from verbatim.run.job import Limits


def main(options: argparse.Namespace) -> int:
    """Record what the torch and the Python that are here print, where they are not those of the CPU records."""
    project = Project(find_root())
    scripts, problems = parse_all(project, project.scripts())
    if problems:
        return report_problems(problems)
    release, problems = run.rerun(
        project,
        scripts,
        only=map(project.relative, project.select(options.paths)),
        names=json.loads(options.names.read_text(encoding="utf-8")) if options.names else (),
        everything=options.all,
        jobs=options.jobs,
        limits=Limits.of(options.seconds),
        progress=progress.Bar(),
    )
    print(*problems, run.summary(project, release, scripts), sep="\n")
    return 0

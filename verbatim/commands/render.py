"""Writes every page as plain Markdown, code and outputs in place."""

from __future__ import annotations

import argparse

from verbatim import build as stages
from verbatim import export
from verbatim.book.gather import gather
from verbatim.commands.common import report_problems, run_options
from verbatim.project import Project, find_root


def main(options: argparse.Namespace) -> int:
    """Write every page, expanded, below DIR/zh and DIR/en, figures beside them."""
    build = stages.prepare(gather(Project(find_root()), options=run_options(options)))
    if build.problems:
        return report_problems(build.problems)
    export.write(build, options.out)
    print(f"{len(build.pages)} pages written to {options.out}")
    return 0

"""What several commands share: how scripts are run, and how problems are told."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterable
from dataclasses import replace

from verbatim import progress
from verbatim.book.gather import Book, Options, gather
from verbatim.problems import Problem, report
from verbatim.project import Project
from verbatim.run.gpus import ask, today
from verbatim.run.job import Limits


def run_options(options: argparse.Namespace) -> Options:
    """Return how scripts are run, by the options that all commands share."""
    return Options(limits=Limits.of(options.seconds), jobs=options.jobs, progress=progress.Bar())


def gather_afresh(
    project: Project, options: argparse.Namespace, *, any_script: bool = False
) -> tuple[Book, dict[str, str] | None]:
    """Run scripts, whatever is cached unless that is asked for, on the device and the cluster that the options name.

    Args:
        project: The project.
        options: The options of the command.
        any_script: Accept scripts without a title or cells.

    Returns:
        The book, and what a record of a GPU states about the machine; ``None`` for a run on the CPU.
    """
    paths = project.select(options.paths)
    how = replace(run_options(options), fresh=not getattr(options, "cached", False), any_script=any_script)
    with contextlib.ExitStack() as stack:
        provenance = None
        if options.scheduler:
            from verbatim.run.cluster import Cluster  # needs an extra

            cluster = stack.enter_context(Cluster(project, options.scheduler, device=options.device, limits=how.limits))
            how = replace(how, cluster=cluster)
            for note in cluster.notes:
                print(note, file=sys.stderr)
        if options.device == "cuda":
            gpus = how.cluster.gpus if how.cluster else ask()
            how = replace(how, gpus=gpus.count)
            provenance = {**gpus.provenance, "date": today()}
            print(" · ".join(provenance.values()))
        return gather(project, paths, how), provenance


def report_problems(problems: Iterable[Problem]) -> int:
    """Print problems. Return the exit code: 1 if there are any."""
    problems = list(problems)
    if problems:
        print(report(problems), file=sys.stderr)
    return 1 if problems else 0

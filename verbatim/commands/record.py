"""Approves what the scripts print now: writes their records."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

from verbatim.book import drift as drifts
from verbatim.book import records, stability
from verbatim.book.gather import Book
from verbatim.book.releases import upgrade
from verbatim.commands.common import gather_afresh, report_problems
from verbatim.problems import Problem, Problems
from verbatim.project import Project, find_root
from verbatim.run.job import Limits


def main(options: argparse.Namespace) -> int:
    """Write the records of the given recipes, or of all; where a run went wrong, the old record stays."""
    project = Project(find_root())
    outside = [path for path in project.select(options.paths) if not path.is_relative_to(project.examples)]
    if outside:
        hint = "put it below examples/, or see what it prints: python -m verbatim run"
        raise Problems(
            [Problem(str(path), 0, "this is no script of the book, so it has no record", hint) for path in outside]
        )
    book, provenance = gather_afresh(project, options)
    problems = [p for p in book.problems if not p.path.startswith("outputs/")]
    wrong = {p.path for p in problems} | {name for name, result in book.fresh_results.items() if result.problems}
    if not provenance and not options.new_environment:
        wrong |= _of_another_environment(book, problems)
    if not provenance and not options.scheduler:
        differing = [name for name in book.scripts if name not in wrong and not _agrees(book, name)]
        unsteady = list(stability.check(book, differing, limits=Limits.of(options.seconds), jobs=options.jobs))
        problems += unsteady
        wrong |= {problem.path for problem in unsteady}
    approved = {name: script for name, script in book.scripts.items() if name not in wrong}
    all_anew = not wrong and (not options.paths or not book.recorded_environment)
    written = [
        name
        for name, script in approved.items()
        if records.write(project, script, book.fresh_results[name], provenance, all_anew=all_anew)
    ]
    for name in written:
        _show(book, name, book.cuda if provenance else book.cpu)
    removed = [] if options.paths else _remove_orphans(project, options.device)
    if book.ran and not provenance and all_anew:
        records.write_environment(project, book.ran)
    if (written or removed) and not provenance:
        upgrade.keep(
            project,
            approved,
            {name: book.cpu[name] for name in approved if name in book.cpu},
            book.recorded_environment,
        )
    print(f"{book.executed} recipes run, {len(written) + len(removed)} records changed")
    for name in written if options.paths else ():
        for remark in stability.remarks(book.scripts[name], book.fresh_results[name]):
            print(f"note: {remark}", file=sys.stderr)
    return report_problems(problems)


def _agrees(book: Book, name: str) -> bool:
    """Whether a script prints what its record holds."""
    record = book.cpu.get(name)
    return record is not None and records.agrees_whole(book.scripts[name], record, book.fresh_results[name])


def _show(book: Book, name: str, recorded: dict[str, records.Record]) -> None:
    """Print what was approved of a script, as a diff."""
    single = replace(book, scripts={name: book.scripts[name]})
    old = {name: recorded[name]} if name in recorded else {}
    for change in drifts.against_records(single, old):
        if change.kind not in drifts.EQUAL_KINDS and change.diff:
            print(change.diff)


def _of_another_environment(book: Book, problems: list[Problem]) -> set[str]:
    """Return the scripts whose record something else printed than what runs here, and add a problem for them."""
    recorded = [name for name in book.scripts if book.project.record(book.project.recipe(name), "cpu").exists()]
    left_alone = {name: other for name in recorded if (other := book.environment_differs(name))}
    place = book.project.relative(records.environment_path(book.project))
    for other, count in Counter(left_alone.values()).items():
        message = f"the records were printed by something else: here is {other}; {count} records are left as they are"
        hint = "use that (README: `TORCH_INDEX` chooses the build), or approve what this one prints: --new-environment"
        problems.append(Problem(place, 0, message, hint))
    return {*left_alone}


def _remove_orphans(project: Project, device: str) -> list[Path]:
    """Remove the records of scripts that are gone, and return their paths."""
    orphans = [path for path in records.orphans(project) if path.is_relative_to(project.outputs / device)]
    for path in orphans:
        path.unlink()
    return orphans

"""Shows what the outputs change, against the records of a commit."""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import replace

from verbatim import lists
from verbatim.book import drift as drifts
from verbatim.book import gather as recorded
from verbatim.book.gather import gather
from verbatim.book.releases.model import torch_release
from verbatim.checks.links import PINS
from verbatim.commands.common import run_options
from verbatim.lists import drift_report
from verbatim.pages.page import load_pages
from verbatim.project import Project, find_root, write_if_changed


def main(options: argparse.Namespace) -> int:
    """Show what changed; exit code 1 only where a script fails."""
    project = Project(find_root())
    book = gather(project, project.select(options.paths), replace(run_options(options), fresh=True))
    old = drifts.records_at(project, options.against)
    if options.paths:
        old = {path: record for path, record in old.items() if path in book.scripts}
    printed = {name: book.as_recorded(name) for name in book.fresh_results}
    changes = drifts.against_records(replace(book, fresh_results=printed), old)
    was, now = (versions.get("torch", "unknown") for versions in (book.recorded_environment, book.ran))
    title = f"torch {was} → {now}" if was != now else f"Outputs against {options.against}, torch {now}"
    failed = [p for p in book.problems if not p.path.startswith("outputs/")]
    sources = lists.gather(book, load_pages(project)[0], [])
    differ = {change.recipe for change in changes if change.kind not in drifts.EQUAL_KINDS}
    unrecorded = {project.recipe(drift.script) for drift in recorded.drift(book)}  # the others are approved already
    right = sorted(differ & unrecorded - {project.recipe(p.path) for p in failed})
    command = book.approve(right) if right else ""
    if torch_release(was) != torch_release(now):
        # On the branch that raises it, the pin is the new one already, and what ran just now need not run again.
        raised = re.search(rf"^torch=={re.escape(torch_release(now))}(?!\S)", project.text(PINS), re.MULTILINE)
        record = 'make record OPTIONS="--new-environment --cached"'
        command = record if raised else f"make upgrade TORCH={torch_release(now)} APPLY=1"
    text = drift_report.render(changes, sources, failed, title=title, address=project.site_url, command=command)
    if options.about:
        about = {"pages": drift_report.pages(changes, sources), "failed": sorted({p.path for p in failed})}
        write_if_changed(options.about, json.dumps(about))
    if options.report:
        write_if_changed(options.report, text)
        print(f"{options.report} written")
    else:
        print(text, end="")
    return 1 if failed else 0

"""Writes the data of the packages that readers install, `explain/`."""

from __future__ import annotations

import argparse
import contextlib
from dataclasses import replace

from verbatim import build as stages
from verbatim.book.gather import gather
from verbatim.commands.common import report_problems, run_options
from verbatim.memo import Memo
from verbatim.project import Project, find_root
from verbatim.site.downloads import assistants, explain, explain_book


def main(options: argparse.Namespace) -> int:
    """Write the data of the packages that readers install; nothing where outputs are not those that were approved."""
    project = Project(find_root())
    with contextlib.closing(Memo(project.cache)) as memo:
        build = stages.prepare(gather(project, options=replace(run_options(options), memo=memo)), memo=memo)
    if build.problems or build.drifted:
        return report_problems([*build.problems, *build.drifted])
    messages, book = project.root / explain.FILE, project.root / explain_book.FILE
    about = explain.write(build.sources, project.site_url, messages)
    pages = assistants.as_released(build.sources, build.document, project.site_url)
    explain_book.pack(project.root / "site", book, about, project.languages, explain.known(build.sources), pages)
    for path in (messages, book):
        print(f"{project.relative(path)} written: {path.stat().st_size / 1024:.0f} KiB")
    return 0

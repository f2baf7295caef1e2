"""Makes the whole book one EPUB and one PDF a language."""

from __future__ import annotations

import argparse
import contextlib
import sys
from dataclasses import replace

from verbatim import build as stages
from verbatim.book.gather import gather
from verbatim.commands.common import report_problems, run_options
from verbatim.editions import make
from verbatim.memo import Memo
from verbatim.problems import Problem
from verbatim.project import CONFIG, Project, find_root


def main(options: argparse.Namespace) -> int:
    """Make the book's files; nothing where anything is wrong or outputs are not those that were approved."""
    project = Project(find_root())
    languages = project.languages.whole
    wanted = options.language or languages
    if unknown := [language for language in wanted if language not in languages]:
        hint = f"it has {' and '.join(languages)}"
        facts = (f"the book has no edition in `{language}`" for language in unknown)
        return report_problems(Problem(CONFIG, 0, fact, hint) for fact in facts)
    with contextlib.closing(Memo(project.cache)) as memo:
        build = stages.prepare(gather(project, options=replace(run_options(options), memo=memo)), memo=memo)
    if build.problems or build.drifted:
        return report_problems([*build.problems, *build.drifted])
    formats = tuple(options.format or make.FORMATS)
    for language in wanted:
        edition = make.edition(build, language, project.site_url)
        if boxes := make.uncovered(edition.html):
            print(f"no font has {' '.join(sorted(boxes))}: readers will see boxes", file=sys.stderr)
        try:
            files = make.make(edition, options.out, formats)
        except make.CannotMakeError as error:
            print(f"{error}\n  hint: `make book` installs what is needed", file=sys.stderr)
            return 1
        for file in files:
            print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
    return 0

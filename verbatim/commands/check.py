"""Lists every problem of scripts, pages and outputs."""

from __future__ import annotations

import argparse
import functools
import sys
from dataclasses import replace
from pathlib import Path

from verbatim import build as stages
from verbatim import memo, progress
from verbatim.book import capabilities
from verbatim.book.gather import gather
from verbatim.build import Build
from verbatim.checks import mend, order, prose, remedies
from verbatim.checks.files import EDITED_FILES
from verbatim.commands.common import report_problems, run_options
from verbatim.pages import freshness
from verbatim.pages.page import Page, load_pages, scripts_of
from verbatim.problems import Problem, Problems
from verbatim.project import CONFIG, Project, find_root
from verbatim.site import settings_problems
from verbatim.site.html import formulas


def main(options: argparse.Namespace) -> int:
    """Check everything, or only what concerns the given paths."""
    project = Project(find_root())
    if unreadable := project.unreadable():
        raise Problems(unreadable)
    named = {project.recipe(project.relative(path)) for path in _scripts_or_pages(project, options.paths)}
    if options.same:
        if not named:
            raise Problems([Problem("--same", 0, "no page is named", "name those that say the same in all languages")])
        pages = [page for page in load_pages(project)[0] if project.recipe(page.path) in named]
        freshness.renew(project, pages, same=True)
    if options.fix:
        for mended in mend.mend(project, named):
            print(mended)
    with progress.reported():
        build, problems, behind = memo.call(project.cache, functools.partial(_check, project, options, named))
    scripts = build.book.scripts
    if named:
        problems = [p for p in problems if p.path in EDITED_FILES or project.recipe(p.path) in named]
        behind = [p for p in behind if project.recipe(p.path) in named]
        scripts = {path: script for path, script in scripts.items() if project.recipe(path) in named}
    stale = build.book.releases.stale(scripts, build.book.cpu)
    unproved = remedies.notes(build.sources, named)
    for note in [*build.book.notes, *stale, *behind, *unproved]:
        print(f"note: {note}", file=sys.stderr)
    if not problems and named:
        print(f"{', '.join(sorted(named))}: nothing wrong; the rest of the book was not looked at")
    elif not problems:
        print(f"{len(scripts)} scripts and {len(build.pages)} pages, nothing wrong")
    return report_problems(problems)


def _check(
    project: Project, options: argparse.Namespace, named: set[str], values: memo.Memo
) -> tuple[Build, list[Problem], list[Problem]]:
    """Check everything. Return the build, its problems, and which sections are behind.

    Of the scripts, only those of the recipes that are `named` are run; all if none is.
    """

    def typeset(pages: list[Page]) -> list[Problem]:
        return formulas.problems(pages, formulas.Typesetter(values))

    run = {*map(project.relative, map(project.script, named)), *scripts_of(project, named)} if named else None
    of = (lambda page: project.recipe(page.path) in named) if named else None
    progress.doing(f"looking at {', '.join(sorted(named)) or 'the book'}: scripts and records")
    how = replace(run_options(options), memo=values, run=run, of=named or None)
    book = gather(project, options=how)
    progress.doing("pages")
    build = stages.prepare(book, more=typeset, memo=values, of=of)
    progress.doing("spelling, settings, machines that lack something")
    problems = [*build.problems, *build.drifted, *prose.formatting(project), *prose.spelling(project)]
    problems += prose.check_thesaurus(project, build.pages, (script.text for script in build.book.scripts.values()))
    problems += [] if any(p.path == CONFIG for p in problems) else settings_problems.problems(project)
    problems += capabilities.check(build.book, limits=how.limits, jobs=how.jobs, only=run)
    progress.doing("pages from top to bottom")
    problems += order.check(build.book, build.pages, limits=how.limits, jobs=how.jobs, memo=values, of=of)
    problems += freshness.check(project, [page for page in build.pages if not of or of(page)])
    return build, problems, freshness.notes(build.behind)


def _scripts_or_pages(project: Project, paths: list[str]) -> list[Path]:
    """Return the scripts that paths name. A page without a script of its own (an index, a list) may be named, too."""
    scripts = []
    for path in paths:
        name = project.recipe(project.relative(Path(path)))
        files = () if project.unfit(name) else (project.docs(code) / f"{name}.md" for code in project.languages.all)
        scripts += [project.script(name)] if any(file.is_file() for file in files) else project.select([path])
    return scripts

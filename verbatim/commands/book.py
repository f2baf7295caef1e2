"""Makes the book one EPUB and one PDF a language, and volumes of it."""

from __future__ import annotations

import argparse
import contextlib
import sys
from dataclasses import replace

from verbatim import build as stages
from verbatim.book.gather import gather
from verbatim.build import Build
from verbatim.commands.common import report_problems, run_options
from verbatim.editions import make, manuscript
from verbatim.lists.places import chapter
from verbatim.memo import Memo
from verbatim.pages import chapters
from verbatim.pages.page import scripts_of
from verbatim.problems import Problem, did_you_mean
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
    book = chapters.read(project)
    known = manuscript.volumes(book)
    if missing := [name for name in options.chapter if name not in known]:
        return report_problems(
            Problem(chapters.MAP, 0, f"there is no chapter `{name}`", did_you_mean(name, known)) for name in missing
        )
    with contextlib.closing(Memo(project.cache)) as memo:
        build = _build(
            project, options, {entry.name for name in options.chapter for entry in book.chapters[name]}, memo
        )
    if build.problems or build.drifted:
        return report_problems([*build.problems, *build.drifted])
    for language in wanted:
        path = [*map(chapter, chapters.path(book, build.pages, language))][:1]
        for volume in options.chapter or (known if options.volumes else ["", *path]):
            if not make_files(build, language, volume, options):
                return 1
    return 0


def _build(project: Project, options: argparse.Namespace, names: set[str], memo: Memo) -> Build:
    """Run the scripts and check the pages; only those of some pages, if any are named."""
    how = replace(run_options(options), memo=memo)
    if not names:
        return stages.prepare(gather(project, options=how), memo=memo)
    recipes = {name.removesuffix(".md") for name in names}
    run = scripts_of(project, recipes)
    book = gather(project, options=replace(how, run=run, of={*map(project.recipe, run), *recipes}))
    build = stages.prepare(book, memo=memo, of=lambda page: page.name in names)
    own = {*run, *(page.path for page in build.pages if page.name in names)}
    build.problems = [problem for problem in build.problems if problem.path in own]
    build.drifted = [problem for problem in build.drifted if problem.path in own]
    return build


def make_files(build: Build, language: str, volume: str, options: argparse.Namespace) -> bool:
    """Make the files of the book, or of a volume, in a language, and say so; tell what cannot be made."""
    formats = tuple(options.format or (("pdf",) if volume else make.FORMATS))
    edition = make.edition(build, language, build.book.project.site_url, volume)
    if boxes := make.uncovered(edition.html):
        print(f"no font has {' '.join(sorted(boxes))}: readers will see boxes", file=sys.stderr)
    try:
        files = make.make(edition, options.out, formats)
    except make.CannotMakeError as error:
        print(f"{error}\n  hint: `make book` installs what is needed", file=sys.stderr)
        return False
    for file in files:
        print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
    return True

"""Starts a recipe: script, pages, entry in the map, record."""

from __future__ import annotations

import argparse
import sys

from verbatim import scaffold
from verbatim.commands import arguments, record
from verbatim.problems import as_typed
from verbatim.project import Project, find_root
from verbatim.words import SCAFFOLD


def main(options: argparse.Namespace) -> int:
    """Start a recipe that passes as it stands."""
    project = Project(find_root())
    questions = {language: getattr(options, language, None) or "" for language in project.languages.whole}
    if sys.stdin.isatty():
        for language in sorted(questions):
            questions[language] = questions[language] or input(SCAFFOLD[language]["question"]).strip()
    alike = {
        f"{section.page}{'#' if section.id else ''}{section.id}": section.title
        for language, question in questions.items()
        for section in scaffold.answering(project, question or options.recipe.partition("/")[2], language)
    }
    for path in scaffold.new(project, options.recipe, questions):
        print(project.relative(path))
    if alike:
        print(
            "\nThese sections may answer it already; a better sentence there is worth more than another page:",
            *(f"  {where}  {title}" for where, title in alike.items()),
            as_typed(f"If one does: python -m verbatim remove {options.recipe}\n"),
            sep="\n",
        )
    code = record.main(arguments.parser().parse_args(["record", options.recipe]))
    steps = (
        f"\nnext: python -m verbatim serve {options.recipe}   (shows both pages and follows what you save)\n"
        f"then: python -m verbatim check {options.recipe}   (tells what is left to do)\n"
        f"      python -m verbatim record {options.recipe}  (approves what the script prints)\n"
        "      make ready   (says whether all is ready for a pull request)"
    )
    print(as_typed(steps))
    return code

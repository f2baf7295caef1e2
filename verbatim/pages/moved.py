"""Pages that have another address now, `book/moved.yml`: the old address leads to the new one."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from verbatim import paths, yaml_texts
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean
from verbatim.project import Project

LIST = "book/moved.yml"
ABOUT = "# Pages with another address now: the old one leads there. `python -m verbatim move` adds lines.\n\n"


def read(project: Project) -> dict[str, str]:
    """Return old recipe → new recipe, such as ``modules/sdpa`` → ``attention/sdpa``; empty where nothing has moved.

    What is wrong with the file is left out; `check` tells it.
    """
    return {old: new for _, old, new in _parse(project)[0]}


def check(project: Project, pages: list[Page]) -> Iterator[Problem]:
    """Yield what is wrong with the list: it must lead from where no page is to where one is, in each language."""
    entries, problems = _parse(project)
    yield from problems
    existing = {language: {p.name for p in pages if p.language == language} for language in project.languages.all}
    for line, old, new in entries:
        for language, names in existing.items():
            if f"{old}.md" in names:
                fact = f"docs/{language}/{old}.md exists, so its address cannot lead elsewhere"
                yield Problem(LIST, line, fact, "delete this line, or give the page another name")
            if f"{new}.md" not in names and language not in project.languages.partial:
                fact = f"docs/{language}/{new}.md does not exist"
                yield Problem(LIST, line, fact, did_you_mean(f"{new}.md", names))


def _parse(project: Project) -> tuple[list[tuple[int, str, str]], list[Problem]]:
    """Return the entries, each with its line, and what is wrong with the file's form."""
    if not (project.root / LIST).is_file():
        return [], []
    try:
        root = yaml_texts.compose(project.text(LIST))
    except yaml.YAMLError as error:
        return [], [yaml_texts.problem(error, LIST, "the list", "compare it with git diff")]
    pairs = root.value if isinstance(root, yaml.MappingNode) else []
    entries = [
        (key.start_mark.line + 1, key.value, value.value)
        for key, value in pairs
        if isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode)
    ]
    if root is not None and len(entries) != max(len(pairs), 1):
        return entries, [
            Problem(LIST, 0, "the list must be lines `chapter/old: chapter/new`", "compare it with git diff")
        ]
    problems = [
        Problem(LIST, line, fact, paths.HINT)
        for line, *names in entries
        if (fact := next(filter(None, (project.unfit(name, parts=2) for name in names)), ""))
    ]
    wrong = {problem.line for problem in problems}
    entries = [entry for entry in entries if entry[0] not in wrong]
    first: dict[str, int] = {}
    again = [(line, first[old]) for line, old, _ in entries if first.setdefault(old, line) != line]
    problems += [Problem(LIST, line, f"this page stands on line {at}, too", "keep one") for line, at in again]
    return entries, problems

"""Pages that have another address now, `moved.yml`: the old address leads to the new one."""

from __future__ import annotations

from collections.abc import Iterator

import yaml

from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean
from verbatim.project import LANGUAGES, Project

LIST = "moved.yml"
ABOUT = "# Pages with another address now: the old one leads there. `python -m verbatim move` adds lines.\n\n"


def read(project: Project) -> dict[str, str]:
    """Return old recipe → new recipe, such as ``modules/sdpa`` → ``attention/sdpa``; empty where nothing has moved.

    What is wrong with the file is left out; `check` tells it.
    """
    return {old: new for _, old, new in _entries(project)}


def check(project: Project, pages: list[Page]) -> Iterator[Problem]:
    """Yield what is wrong with the list: it must lead from where no page is to where one is, in each language."""
    path = project.root / LIST
    if not path.is_file():
        return
    try:
        value = yaml.safe_load(path.read_text(encoding="utf-8", errors="replace"))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        yield Problem(LIST, mark.line + 1 if mark else 0, "the list is not YAML", "compare it with git diff")
        return
    entries = _entries(project)
    if value is not None and len(entries) != (len(value) if isinstance(value, dict) else -1):
        yield Problem(
            LIST, 0, "the list must be lines `chapter/old: chapter/new`, each once", "compare it with git diff"
        )
    existing = {language: {p.name for p in pages if p.language == language} for language in LANGUAGES}
    for line, old, new in entries:
        for language, names in existing.items():
            if f"{old}.md" in names:
                fact = f"docs/{language}/{old}.md exists, so its address cannot lead elsewhere"
                yield Problem(LIST, line, fact, "delete this line, or give the page another name")
            if f"{new}.md" not in names:
                fact = f"docs/{language}/{new}.md does not exist"
                yield Problem(LIST, line, fact, did_you_mean(f"{new}.md", names))


def _entries(project: Project) -> list[tuple[int, str, str]]:
    """Return the entries, each with its line."""
    try:
        root = yaml.compose((project.root / LIST).read_text(encoding="utf-8", errors="replace"))
    except (OSError, yaml.YAMLError):
        return []
    found = []
    if isinstance(root, yaml.MappingNode):
        for key, value in root.value:
            if isinstance(key, yaml.ScalarNode) and isinstance(value, yaml.ScalarNode):
                found.append((key.start_mark.line + 1, key.value, value.value))
    return found

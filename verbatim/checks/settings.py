"""mkdocs.yml and the map, before MkDocs reads them: marks of a merge, YAML, and the navigation beside the pages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import yaml
from pathspec.gitignore import GitIgnoreSpec

from verbatim.checks.structure import check_conflicts
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean
from verbatim.project import CONFIG, LANGUAGES, Project

#: Files besides scripts and pages that people edit, and that a merge may leave undecided.
EDITED = (CONFIG, "topics.yml", "GLOSSARY.md", "STYLE.md")
PAGE = re.compile(r"[\w./-]+\.md")


def check_settings(project: Project, pages: Iterable[Page]) -> Iterator[Problem]:
    """Yield what is wrong with the files that hold the book together."""
    for name in EDITED:
        path = project.root / name
        if path.is_file():
            yield from check_conflicts(name, path.read_text(encoding="utf-8", errors="replace"))
    text = (project.root / CONFIG).read_text(encoding="utf-8", errors="replace")
    try:
        data = yaml.load(text, Loader=_Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        yield Problem(CONFIG, mark.line + 1 if mark else 0, "the settings are not YAML", "compare them with git diff")
        return
    if isinstance(data, dict) and data.get("nav"):
        paths = {page.name: page.path for page in reversed(_by_language(pages))}
        yield from _check_nav(text, data["nav"], paths, _omitted(data))


def _by_language(pages: Iterable[Page]) -> list[Page]:
    """Return the pages in the order of their languages: a page is named by its path in the first that has it."""
    return sorted(pages, key=lambda page: LANGUAGES.index(page.language))


def _omitted(data: dict[str, object]) -> GitIgnoreSpec:
    """Return which pages may stand outside of the navigation, by their paths below ``docs/``, as MkDocs is told.

    All of them with `validation.nav.omitted_files: ignore`, else those of `not_in_nav`.
    """
    validation = data.get("validation")
    nav = validation.get("nav") if isinstance(validation, dict) else None
    if isinstance(nav, dict) and nav.get("omitted_files") == "ignore":
        return GitIgnoreSpec.from_lines(["*"])
    return GitIgnoreSpec.from_lines(str(data.get("not_in_nav") or "").splitlines())


def _check_nav(text: str, nav: object, paths: dict[str, str], omitted: GitIgnoreSpec) -> Iterator[Problem]:
    """Each page stands in the navigation, once, and each entry has its page.

    `paths`: name of a page → its path. `omitted`: the pages that no entry need name.
    """
    names = set(paths)
    listed = [entry for entry in _entries(nav) if PAGE.fullmatch(entry)]
    lines = {line.rpartition(" ")[2]: number for number, line in enumerate(text.splitlines(), 1)}
    for name in sorted(set(listed) - names):
        message = f"the navigation names {name}, which is no page"
        yield Problem(CONFIG, lines.get(name, 0), message, did_you_mean(name, names))
    for name in sorted(names - set(listed)):
        if omitted.match_file(paths[name].partition("/")[2]):
            continue
        hint = f"add it below `nav:` of {CONFIG}, in the order in which one would read: - {name}"
        yield Problem(paths[name], 0, "the page is not in the navigation", hint)
    for name in sorted({name for name in listed if listed.count(name) > 1}):
        yield Problem(CONFIG, lines.get(name, 0), f"the navigation names {name} twice", "keep one")


def _entries(nav: object) -> Iterator[str]:
    """Yield every file that a navigation names."""
    if isinstance(nav, str):
        yield nav
    elif isinstance(nav, list):
        for item in nav:
            yield from _entries(item)
    elif isinstance(nav, dict):
        for item in nav.values():
            yield from _entries(item)


class _Loader(yaml.SafeLoader):
    """Reads what MkDocs adds to YAML, such as ``!ENV``, as plain values."""


def _plain(loader: yaml.SafeLoader, suffix: str, node: yaml.Node) -> object:
    if isinstance(node, yaml.SequenceNode):
        return loader.construct_sequence(node)
    return node.value if isinstance(node, yaml.ScalarNode) else None


_Loader.add_multi_constructor("!", _plain)
_Loader.add_multi_constructor("tag:yaml.org,2002:python/", _plain)

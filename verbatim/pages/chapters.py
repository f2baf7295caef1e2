"""Reads the map of the book, `book/topics.yml`: chapters, their pages in reading order, the topics that each answers.

The navigation is generated from it, and checks compare it with the pages.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import yaml

from verbatim import paths, yaml_texts
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.project import Project

MAP = "book/topics.yml"


@dataclass(frozen=True)
class Entry:
    """One page of the map."""

    name: str
    """The page's path below each language's folder: ``autograd/detach.md``."""
    chapter: str
    """Its chapter; empty for a page outside of all chapters."""
    topics: tuple[tuple[str, int], ...]
    """``(topic, line)`` of the topics that the page answers: ids of headings, the same in both languages."""
    line: int
    end: int
    """The entry's last line."""


@dataclass(frozen=True)
class Map:
    """The entries in reading order, and the problems of the file. Both are empty if a project has no map."""

    entries: tuple[Entry, ...] = ()
    problems: tuple[Problem, ...] = ()

    @cached_property
    def chapters(self) -> dict[str, list[Entry]]:
        """Chapter → its pages, in reading order."""
        by_chapter: dict[str, list[Entry]] = {}
        for entry in self.entries:
            if entry.chapter:
                by_chapter.setdefault(entry.chapter, []).append(entry)
        return by_chapter

    @cached_property
    def topics(self) -> dict[str, list[str]]:
        """Chapter → its topics, for each chapter that has some."""
        by_chapter = {
            name: [id for entry in entries for id, _ in entry.topics] for name, entries in self.chapters.items()
        }
        return {name: topics for name, topics in by_chapter.items() if topics}


def path(book: Map, pages: Iterable[Page], language: str) -> list[Page]:
    """Return the path for those who begin, its first page and its steps in reading order; empty where there is none.

    It is the chapter whose first page says `path` in its front matter.
    """
    of = {page.name: page for page in pages if page.language == language}
    for first, *others in book.chapters.values():
        if first.name in of and of[first.name].meta.get("path"):
            return [of[first.name], *(of[entry.name] for entry in others if entry.name in of)]
    return []


def read(project: Project) -> Map:
    """Return a project's map."""
    if not (project.root / MAP).is_file():
        return Map()
    try:
        root = yaml_texts.compose(project.text(MAP))
    except yaml.YAMLError as error:
        return Map(problems=(yaml_texts.problem(error, MAP, "the map", "compare it with git diff"),))
    entries: list[Entry] = []
    problems: list[Problem] = []
    for chapter, key, value in _pages(root, problems):
        name = posixpath.normpath(posixpath.join(chapter, _name(key)))  # a chapter may end with pages of another one
        if fact := project.unfit(name):
            problems.append(Problem(MAP, _first(key), fact, paths.HINT))
            continue
        topics = _topics(key, value, problems)
        entries.append(Entry(f"{name}.md", chapter, topics, _first(key), max(_last(key), _last(value))))
    return Map(tuple(entries), tuple(problems))


def _pages(root: yaml.Node | None, problems: list[Problem]) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """Yield chapter, name and topics of each page, the latter two as YAML nodes."""
    if root is not None and not isinstance(root, yaml.MappingNode):
        hint = "write `chapter:`, and below it, indented, its pages: `page: [topic, topic]`"
        problems.append(Problem(MAP, _first(root), "the map is no list of chapters", hint))
        return
    for key, value in root.value if root else ():
        if isinstance(value, yaml.MappingNode):
            yield from ((_name(key), page, topics) for page, topics in value.value)
        else:
            yield "", key, value


def _topics(key: yaml.Node, value: yaml.Node, problems: list[Problem]) -> tuple[tuple[str, int], ...]:
    """Return the topics of a page with their lines."""
    if value.tag == "tag:yaml.org,2002:null":
        return ()
    nodes = value.value if isinstance(value, yaml.SequenceNode) else [value]
    if nodes == [value] or not all(isinstance(node, yaml.ScalarNode) for node in nodes):
        problems.append(Problem(MAP, _first(value), f"`{key.value}` has no list of topics", "write [topic, topic]"))
        return ()
    return tuple((node.value, _first(node)) for node in nodes)


def _name(node: yaml.Node) -> str:
    """Return what a node names; what is no name is none that a page can have."""
    return (isinstance(node, yaml.ScalarNode) and str(node.value)) or "[…]"


def _first(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _last(node: yaml.Node) -> int:
    """Return a node's last line. For YAML, a list with one item a line ends where the next node begins."""
    if isinstance(node, yaml.SequenceNode) and not node.flow_style:
        return max(map(_last, node.value))
    return int(node.end_mark.line) + 1

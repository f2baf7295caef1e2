"""`book/topics.yml` and the pages agree: each page is in it, each topic has a section, each chapter a title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from verbatim.languages import Languages
from verbatim.pages.chapters import MAP, Entry, Map, read
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean
from verbatim.project import CONFIG, Project


def check_map(project: Project, pages: list[Page]) -> Iterator[Problem]:
    """The map is valid, and agrees with the pages. A project may have none."""
    book = read(project)
    yield from book.problems
    if book.problems or not book.entries:
        return
    yield from _check_pages(book, pages, project.languages)
    yield from _check_topics(book, pages, project.languages)
    yield from _check_titles(book, pages, project.languages)
    settings = project.text(CONFIG).splitlines()
    for number, line in enumerate(settings, 1):
        if line.startswith("nav:"):
            yield Problem(CONFIG, number, f"the navigation is made of {MAP}, not of this `nav`", "remove it here")


def _check_pages(book: Map, pages: list[Page], languages: Languages) -> Iterator[Problem]:
    """Each page is in the map once, and each entry has its page."""
    # A page is named by its path in the first language that has it.
    paths = {p.name: p.path for p in sorted(pages, key=lambda p: languages.all.index(p.language), reverse=True)}
    first: dict[str, Entry] = {}
    for entry in book.entries:
        if entry.name not in paths:
            message = f"the map names {entry.name}, which is no page"
            yield Problem(MAP, entry.line, message, did_you_mean(entry.name, paths))
        if first.setdefault(entry.name, entry) is not entry:
            message = f"the map names {entry.name} on line {first[entry.name].line}, too"
            yield Problem(MAP, entry.line, message, "keep one")
    for name in sorted(paths.keys() - first.keys()):
        if f"{name.rpartition('/')[0]}.md" in first:  # a part of a page, such as ways/errors/others.md
            continue
        chapter, _, rest = name.removesuffix(".md").partition("/")
        hint = f"add it to {MAP} where one would read it: `{rest}:` below `{chapter}:`" if rest else f"add `{chapter}:`"
        yield Problem(paths[name], 0, "the page is not in the map, so not in the navigation", hint)


def _check_topics(book: Map, pages: list[Page], languages: Languages) -> Iterator[Problem]:
    """Each topic stands once in the map, and has its section on its own page, once, in every language that is whole."""
    places: dict[tuple[str, str], list[tuple[str, int]]] = {}
    for page in pages:
        for heading in page.headings:
            places.setdefault((page.language, heading.id), []).append((page.path, heading.line))
    listed = [(entry, topic, line) for entry in book.entries for topic, line in entry.topics]
    count = Counter(topic for _, topic, _ in listed)
    for entry, topic, line in listed:
        if count[topic] > 1:
            yield Problem(MAP, line, f"the map names the topic `{topic}` {count[topic]} times", "keep one")
            continue
        for language in languages.whole:
            own = f"docs/{language}/{entry.name}"
            sections = places.get((language, topic), [])
            if not sections:
                message = f"the topic `{topic}` has no section in `{language}`"
                yield Problem(MAP, line, message, f"write it: a heading with {{ #{topic} }} in {own}")
            elif len(sections) > 1:
                there = ", ".join(f"{path}:{at}" for path, at in sections)
                hint = "links and searches lead to one place: rename the others"
                yield Problem(MAP, line, f"the topic `{topic}` stands {len(sections)} times: {there}", hint)
            elif sections[0][0] != own:
                message = f"the topic `{topic}` of {entry.name} stands in {sections[0][0]}:{sections[0][1]}"
                yield Problem(MAP, line, message, "list it behind the page that answers it, or move the section")


def _check_titles(book: Map, pages: Iterable[Page], languages: Languages) -> Iterator[Problem]:
    """The first page of each chapter has the chapter's title for the navigation, and no other page has one.

    Of a partial language, that is the first page which it has.
    """
    pages = list(pages)
    there = {(page.language, page.name) for page in pages}
    firsts: dict[tuple[str, str], str] = {}
    for language in languages.all:
        for name, entries in book.chapters.items():
            named = [
                entry.name for entry in entries if language not in languages.partial or (language, entry.name) in there
            ]
            firsts.update({(language, first): name for first in named[:1]})
    for page in pages:
        chapter = firsts.get((page.language, page.name))
        if chapter is not None and "chapter" not in page.meta:
            hint = "say it in the front matter, in the page's language: `chapter: …`"
            yield Problem(page.path, 1, f"the chapter `{chapter}` has no title for the navigation", hint)
        for key in ("chapter", "footer", "path", "tab"):
            if key in page.meta and chapter is None:
                message = f"`{key}` is read on the first page of a chapter alone"
                yield Problem(page.path, 1, message, f"remove it, or make the page its chapter's first in {MAP}")

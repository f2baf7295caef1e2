"""The lists of the home page: ways into the book with their sizes, releases, where to start. Pure."""

from __future__ import annotations

import re

from verbatim.lists import errors, names
from verbatim.lists.places import Sources, path_between, relink
from verbatim.pages.page import Page
from verbatim.words import FRONT

#: Id of the section of a chapter's index page that says where to start.
START = "start"
#: Id of the home page's section of chapters: where a question leads to.
CHAPTERS = "by-question"
_ITEM = re.compile(r"^(?:\d+\.|[-*])\s+(?P<text>\S.*)$")


def recipes(sources: Sources, language: str) -> list[Page]:
    """Return the pages of a language that are about a recipe: a script has their path."""
    scripts = sources.book.scripts
    return [page for page in sources.of(language) if f"examples/{page.name.removesuffix('.md')}.py" in scripts]


def render_doors(sources: Sources, page: Page) -> list[str]:
    """Return the ways into the book, by error, by name and by question, and below them the releases that ran it.

    Lists that no page shows are left out.
    """
    words, language = FRONT[page.language], page.language
    counts = {
        "errors": len(errors.groups(sources, language)),
        "names": len(names.names(sources, language)),
        "questions": len(recipes(sources, language)),
    }
    targets = {kind: _shows(sources, kind, page) for kind in ("errors", "names")}
    targets["questions"] = f"#{CHAPTERS}" if any(heading.id == CHAPTERS for heading in page.headings) else ""
    doors = [
        f"- [{words[kind]}]({target}) {words[f'{kind} text'].format(count=counts[kind])}"
        for kind, target in targets.items()
        if target
    ]
    releases = sources.book.releases
    others = [name for name in releases.names if name != releases.built]
    built = sources.book.project.library.ran(sources.book.approved).partition("+")[0]
    sentences = [words["built"].format(library=built)] if built else []
    if others:
        sentences.append(words["others"].format(count=len(others), first=others[0], last=others[-1]))
    return ["", *doors, "", *(["".join(sentences), "{ .numbers }", ""] if sentences else [])]


def render_start(sources: Sources, page: Page) -> list[str]:
    """Return a numbered list: of each chapter, in reading order, the first of the pages that it starts with."""
    indexes = [index for index in sources.of(page.language) if index.name.endswith("/index.md")]
    firsts = [relink(first, index.name, page.name) for index in indexes if (first := _first(index))]
    return ["", *(f"1. {first}" for first in firsts), ""]


def _first(index: Page) -> str:
    """Return the first item of a page's section `START`, as Markdown; empty where it has none."""
    heading = next((heading for heading in index.headings if heading.id == START), None)
    for line in index.text.splitlines()[heading.line :] if heading else ():
        if item := _ITEM.match(line):
            return item["text"]
        if line.startswith("#"):
            break
    return ""


def _shows(sources: Sources, kind: str, base: Page) -> str:
    """Return the link on page `base` to the page that shows a list; empty where none does."""
    pages = (page for page in sources.of(base.language) if any(listing.name == kind for listing in page.listings))
    return next((path_between(page.name, base.name) for page in pages), "")

"""The lists of the home page: ways into the book with their sizes, releases, where to start. Pure."""

from __future__ import annotations

from verbatim.lists import errors, names
from verbatim.lists.places import Sources, path_between, title
from verbatim.pages.chapters import path
from verbatim.pages.page import Page
from verbatim.words import FRONT

#: Id of the home page's section of chapters: where a question leads to.
CHAPTERS = "by-question"


def recipes(sources: Sources, language: str) -> list[Page]:
    """Return the pages of a language that are about a recipe: a script has their path."""
    scripts = sources.book.scripts
    return [page for page in sources.pages_in(language) if f"examples/{page.name.removesuffix('.md')}.py" in scripts]


def render_doors(sources: Sources, page: Page) -> list[str]:
    """Return the ways into the book, by error, by name and by question, and below them the other releases that ran it.

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
    steps = path(sources.map, sources.pages, language)
    targets["path"] = path_between(steps[0].name, page.name) if steps else ""
    doors = [
        f"- [{words[kind]}]({target}) {words[f'{kind} text'].format(count=counts.get(kind))}"
        for kind, target in targets.items()
        if target
    ]
    releases = sources.book.releases
    others = [name for name in releases.names if name != releases.built]
    ran = words["others"].format(count=len(others), first=others[0], last=others[-1]) if others else ""
    return ["", *doors, "", *([ran, "{ .numbers }", ""] if ran else [])]


def render_start(sources: Sources, page: Page) -> list[str]:
    """Return a numbered list of the steps of the path for those who begin; nothing where there is none."""
    steps = path(sources.map, sources.pages, page.language)[1:]
    items = (f"1. [{title(step)}]({path_between(step.name, page.name)})" for step in steps)
    return ["", *items, ""] if steps else []


def _shows(sources: Sources, kind: str, base: Page) -> str:
    """Return the link on page `base` to the page that shows a list; empty where none does."""
    pages = (page for page in sources.pages_in(base.language) if any(listing.name == kind for listing in page.listings))
    return next((path_between(page.name, base.name) for page in pages), "")

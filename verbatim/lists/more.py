"""The end of a chapter's index page: the pages of the chapter that nothing on the index leads to. Pure."""

from __future__ import annotations

from verbatim.lists.places import Sources, link, path_between, title
from verbatim.markdown import OUTSIDE
from verbatim.pages.page import Page
from verbatim.words import FRONT


def render(sources: Sources, index: Page) -> str:
    """Return a section with a link to each page that the map has in a chapter and its index leaves out; else empty.

    So a new page can be reached by its title before somebody writes the question by which readers look for it.
    """
    chapter = index.name.removesuffix("/index.md")
    entries = sources.map.chapters.get(chapter, []) if chapter != index.name else []
    linked = {target.partition("#")[0] for _, target in index.links if not OUTSIDE.match(target)}
    pages = (sources.page(f"docs/{index.language}/{entry.name}") for entry in entries)
    found = [page for page in pages if page and page is not index and path_between(page.name, index.name) not in linked]
    if not found:
        return ""
    items = "\n".join(f"- {link(title(page), page, '', index)}" for page in found)
    return f"\n## {FRONT[index.language]['more']} {{ #more }}\n\n{items}\n"

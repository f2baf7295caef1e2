"""The end of a chapter's index page: links to the pages of the chapter that the index does not link to. Pure."""

from __future__ import annotations

from verbatim.lists.places import Sources, link, path_between, title
from verbatim.markdown import OUTSIDE_LINK
from verbatim.pages.page import Page
from verbatim.words import FRONT


def render(sources: Sources, index: Page) -> str:
    """Return a section with links to the pages of a chapter that its index leaves out; empty if there are none.

    So a new page can be reached by its title before its author adds a question to the index.
    """
    chapter = index.name.removesuffix("/index.md")
    if chapter == index.name:
        return ""
    entries = sources.map.chapters.get(chapter, [])
    linked = {target.partition("#")[0] for _, target in index.links if not OUTSIDE_LINK.match(target)}
    pages = (sources.page(f"docs/{index.language}/{entry.name}") for entry in entries)
    unlinked = [
        page for page in pages if page and page is not index and path_between(page.name, index.name) not in linked
    ]
    if not unlinked:
        return ""
    items = "\n".join(f"- {link(title(page), page, '', index)}" for page in unlinked)
    return f"\n## {FRONT[index.language]['more']} {{ #more }}\n\n{items}\n"

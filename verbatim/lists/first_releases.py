"""The list of public names by the first recorded release that has them. Pure.

It has only names that the book uses, and only releases that were run: a name may have come with a release between the
two in its row.
"""

from __future__ import annotations

from verbatim.lists import names, releases
from verbatim.lists.places import Sources
from verbatim.pages.page import Page
from verbatim.words import SINCE


def render(sources: Sources, page: Page) -> list[str]:
    """Return Markdown: each release in bold, below it a line a module with the names that it is the first to have.

    A table would need three columns, of which a phone has room for one.
    """
    words = SINCE[page.language]
    listed = names.places_of(sources, page.language)
    steps = [step for step in releases.steps(sources, page.language)[::-1] if step.names]
    if not steps:
        return [words["none"]]
    lines: list[str] = []
    for step in steps:
        by_module: dict[str, list[str]] = {}
        for name in step.names:
            by_module.setdefault(names.module(name, listed), []).append(name)
        lines += ["", words["step"].format(new=step.new, old=step.old), ""]
        for _, group in sorted(by_module.items()):
            lines.append(f"- {' · '.join(names.link_name(name, listed, page) for name in group)}")
    return lines[1:]

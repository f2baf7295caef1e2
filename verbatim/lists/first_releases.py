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
    """Return a Markdown table: a row for each release and module with names that the release before lacks."""
    words = SINCE[page.language]
    listed = names.places_of(sources, page.language)
    steps = [step for step in releases.steps(sources, page.language)[::-1] if step.names]
    if not steps:
        return [words["none"]]
    lines = [f"| {words['first']} | {words['module']} | {words['names']} |", "| --- | --- | --- |"]
    for step in steps:
        by_module: dict[str, list[str]] = {}
        for name in step.names:
            by_module.setdefault(names.module(name, listed), []).append(name)
        for module, group in sorted(by_module.items()):
            shown = " · ".join(names.link_name(name, listed, page) for name in group)
            lines.append(f"| {words['step'].format(new=step.new, old=step.old)} | `{module}` | {shown} |")
    return lines

"""Reduces the navigation to what a page shows of it. Independent of MkDocs.

With `navigation.prune`, Material shows the pages of the section that the current page is in; of every other section,
the title and a link to its first page. Its templates nevertheless go through the pages of all sections, so that every
frame would depend on every page. They are given the other sections with their first pages alone.
"""

from __future__ import annotations

import copy
from collections.abc import Collection
from typing import Any

#: The features of Material that hide the pages of other sections.
PRUNES = {"navigation.tabs", "navigation.prune"}


class Pruned:
    """The navigation as the pages of each section see it.

    Args:
        nav: MkDocs' navigation.
        features: Material's features that are switched on.
    """

    def __init__(self, nav: Any, features: Collection[str]):
        prunes = PRUNES.issubset(features)
        self.short = [_short(item) if prunes else item for item in nav.items]
        """The navigation's items, each section with its first page alone."""
        self._within = {id(item): self._with(nav, item) for item in nav.items}
        self._outside = self._with(nav, None)
        self.all = [*self._within.values(), self._outside]

    def around(self, page: Any) -> Any:
        """Return the navigation of a page."""
        top = page.ancestors[-1] if page.ancestors else None
        return self._within.get(id(top), self._outside)

    def _with(self, nav: Any, whole: Any) -> Any:
        """Return a navigation in which one item is whole."""
        made = copy.copy(nav)
        made.items = [item if item is whole else short for item, short in zip(nav.items, self.short, strict=True)]
        return made


def _short(item: Any) -> Any:
    """Return a section with its first page alone; a page or a link as it is."""
    if not item.children:
        return item
    made = copy.copy(item)
    made.parent, made.children = None, [_short(item.children[0])]
    made.active = False  # the page that is made just now may be in it
    return made

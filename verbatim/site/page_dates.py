"""When pages were last changed, as git knows it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from verbatim import git


class PageDates:
    """The dates of a project's pages, as they are when this is made.

    Args:
        root: The project's root.
    """

    def __init__(self, root: Path):
        self._changed = git.changed(root)

    def date(self, path: str) -> datetime | None:
        """Return when a page (``docs/zh/autograd/detach.md``), or the script of its recipe, was last changed.

        Nothing where that is not known.
        """
        recipe = path.split("/", 2)[2].removesuffix(".md")
        dates = (self._changed.get(file) for file in (path, f"examples/{recipe}.py"))
        return max(filter(None, dates), default=None)

"""Splits a long list into several pages, so that none of them is heavy. Pure.

A page asks for a part of a list by naming the groups that it takes, and for a range of their first letters::

    ```verbatim
    errors RuntimeError a-m
    ```

The page that asks for the whole list then shows each of its entries in one line, which leads to the part that shows
all of it. An entry that no part takes is shown in full there: nothing is ever missing, and a book without parts has one
page.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable
from dataclasses import dataclass

from verbatim.lists.places import Sources, once
from verbatim.pages.page import Page

_LETTER_RANGE = re.compile(r"([a-z])-([a-z])")


@dataclass(frozen=True)
class Part:
    """The part of a list that a page shows."""

    page: Page
    groups: tuple[str, ...] = ()
    """Patterns of group names, as `fnmatch` reads them: ``torch.nn``, ``*Warning``, ``*``."""
    letters: tuple[str, str] = ("", "")
    """The first and the last letter of the entries that it takes; empty for all of them."""

    def fit(self, group: str, entry: str) -> int:
        """Return how well an entry fits: the length of the longest pattern that matches its group; -1 if none does.

        Args:
            group: The entry's group.
            entry: Its text within the group. An entry that does not begin with a letter counts as `a`.
        """
        first = entry[:1].lower()
        letter = first if first.isascii() and first.isalpha() else "a"
        if self.letters[0] and not self.letters[0] <= letter <= self.letters[1]:
            return -1
        fitting = (len(pattern.replace("*", "")) for pattern in self.groups if fnmatch.fnmatchcase(group, pattern))
        return max(fitting, default=-1)


def read(text: str, page: Page) -> tuple[str, Part]:
    """Parse the text of a fence: the list's name, and the part of it that the page shows."""
    name, *words = text.split()
    ranges = [match for word in words if (match := _LETTER_RANGE.fullmatch(word))]
    return name, Part(page, groups(words), (ranges[0][1], ranges[0][2]) if ranges else ("", ""))


def groups(words: Iterable[str]) -> tuple[str, ...]:
    """Return the words of a fence that name groups, not letters."""
    return tuple(word for word in words if not _LETTER_RANGE.fullmatch(word))


def parts(sources: Sources, name: str, language: str) -> list[Part]:
    """Return the parts into which the pages of a language split a list, sorted by page."""
    return [part for of, part in _all(sources, language) if of == name]


@once
def _all(sources: Sources, language: str) -> list[tuple[str, Part]]:
    parts_shown = [
        read(listing.name, page) for page in sources.pages_in(language) for listing in page.listings if listing.name
    ]
    return sorted(((name, part) for name, part in parts_shown if part.groups), key=lambda pair: pair[1].page.name)


def part_for(candidates: Iterable[Part], group: str, entry: str) -> Part | None:
    """Return the part that takes an entry: the one with the longest pattern; ``None`` if none takes it."""
    best = max(candidates, key=lambda part: part.fit(group, entry), default=None)
    return best if best and best.fit(group, entry) >= 0 else None

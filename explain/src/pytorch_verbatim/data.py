"""The book's messages, as the build has written them beside this file. Read when something is to be recognised."""

from __future__ import annotations

import functools
import json
import os
import re
from typing import Any, NamedTuple

from pytorch_verbatim.matching import Matcher, Rules
from pytorch_verbatim.message_words import Known

FILE = os.path.join(os.path.dirname(__file__), "messages.json")


#: A hole of a sentence, and what is added to the number in it.
_HOLE_USE = re.compile(r"\{([a-z]+)([+-][0-9])?\}")


class Place(NamedTuple):
    """Where a page shows a message, in one language."""

    address: str
    """The page and the section, from the site's root."""
    titles: str
    """The titles of the page and of the section, a line each."""
    remedy: str
    """What to do: one paragraph, with code in backticks; empty if the page has to be read."""
    about: int
    """Whether a title says the message: 0 none, 1 one does, 2 one says its sentence with the first of its names; -1
    where it is another release's, of which no more is said than which ones run the code."""


class Message(NamedTuple):
    """A message that the book shows in one section."""

    text: str
    """All that is printed, with the exception's class."""
    cell: str
    """What prints it: ``autograd/detach#shares-storage``."""
    torch: tuple[str, ...]
    """The releases that print it, oldest first; empty if all recorded releases do."""
    pythons: tuple[str, ...]
    """The Pythons that print it, oldest first, if that of the book does not."""
    quoted: bool
    """Whether the text is quoted from PyTorch's source because no run has recorded it."""
    places: dict[str, Place]
    """Language → place."""


class Book:
    """All messages, and the build of the book that they come from."""

    def __init__(self, content: dict[str, Any]) -> None:
        self.about: dict[str, Any] = content["book"]
        """``address`` of the site, ``commit``, its ``date``, whether files were ``edited`` since, the ``torch`` and
        ``python`` that printed the book, all recorded ``releases`` of torch, oldest first, the pages that have
        ``moved``, old name → new name, how many ``messages`` it knows, as all lists count them: those that differ in
        numbers alone are one, and the command to ``install`` each extra."""
        self._content = content

    def __len__(self) -> int:
        return len(self._content["messages"])

    def __getitem__(self, number: int) -> Message:
        text, cell, torch, pythons, quoted, places = self._content["messages"][number]
        named = {language: Place(*place) for language, place in places.items()}
        return Message(self._content["texts"][text][0], cell, tuple(torch), tuple(pythons), quoted, named)

    def advice(self, text: str, language: str) -> str:
        """Return what a message says in the reader's own numbers and names; empty if it has none that are told."""
        for entry in self._content["advice"]:
            if match := re.search(entry["pattern"], text):
                given = dict(zip(entry["names"], match.groups()))
                return _HOLE_USE.sub(
                    lambda use: str(int(given[use[1]]) + int(use[2])) if use[2] else given[use[1]],  # noqa: B023
                    entry["says"][language],
                )
        return ""

    def matcher(self, language: str) -> Matcher:
        """Return what recognises messages by the pages of a language; its numbers are those of messages."""
        words = [(word, named) for word in self._content["words"] for named in (False, True)]
        known = [
            Known(text, {words[n][0]: words[n][1] for n in whole}, {words[n][0]: words[n][1] for n in first})
            for text, whole, first in self._content["texts"]
        ]
        shown = {}
        for place in self._content["order"][language]:
            text, *_, places = self._content["messages"][place]
            shown[place] = text, Place(*places[language]).about
        return Matcher(Rules(self._content["rules"]), known, shown)


@functools.lru_cache(maxsize=1)
def book() -> Book:
    """Return the book's messages.

    Raises:
        FileNotFoundError: This is a checkout in which ``python -m verbatim explain-data`` has not run.
    """
    with open(FILE, encoding="utf-8") as file:
        return Book(json.load(file))


@functools.lru_cache(maxsize=2)
def matcher(language: str) -> Matcher:
    """Return `Book.matcher` of a language, made once."""
    return book().matcher(language)

"""Cuts messages into words, by rules that come with the data. Pure, of Python's own modules alone.

The build cuts the messages of pages, and the package that readers install those of readers. It depends on nothing, so
it has a copy of this file: `verbatim/site/search/message_words.py` is `explain/src/pytorch_verbatim/message_words.py`,
and a test holds both together. Work is bounded: the first ``READ`` characters of a message are looked at, and each
expression takes time in proportion.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple


class Words(NamedTuple):
    """A message by its words."""

    names: dict[str, bool]
    """Word in lower case → whether it is a name."""
    taken: frozenset[str]
    """What was taken out."""
    quoted: frozenset[str]
    """The names in quotes, and their first parts."""
    sequence: tuple[str, ...]
    """The words as they are written, in their order."""


class Known(NamedTuple):
    """A message to compare with: its names as in `Words`, of the whole and of its first sentence."""

    text: str
    """All that is printed, with the exception's class."""
    whole: dict[str, bool]
    first: dict[str, bool]


class Cutter:
    """Cuts messages into words. `given`: the rules."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self._out = [re.compile(rule, re.ASCII) for rule in given["RULES"]]
        self._word, self._named = re.compile(given["WORD"]), re.compile(given["NAMED"])
        self._quoted_name, self._sentence = re.compile(given["QUOTED_NAME"]), re.compile(given["SENTENCE"])
        self._class, self._varies = re.compile(given["CLASS"], re.ASCII), re.compile(given["VARIES"], re.ASCII)
        self._within = re.compile(given["WITHIN"], re.ASCII)

    def words(self, text: str) -> Words:
        """Return the words of a message, and what was taken out of it."""
        text = self.said(text)
        taken: set[str] = set()
        for rule in self._out:
            taken.update(rule.findall(text))
            text = rule.sub(" ", text)
        quoted: set[str] = set()
        for match in filter(None, map(self._quoted_name.search, taken)):
            quoted |= {match[0], match[1]}
        found = self._word.findall(text)[: self.given["LIMIT"]]
        names = {word.lower(): bool(self._named.search(word) or self._varies.match(word.lower())) for word in found}
        return Words(names, frozenset(taken), frozenset(quoted), tuple(found))

    def said(self, text: str) -> str:
        """Return what a message says without its class."""
        said = self._class.sub("", text[: self.given["READ"]])
        within = self._within.match(said)
        return within[2] if within else said

    def first(self, text: str) -> str:
        """Return the first sentence of a message."""
        return self._sentence.split(text[: self.given["READ"]], maxsplit=1)[0]

    def known(self, text: str) -> Known:
        """Return a message to compare with."""
        return Known(text, self.words(text).names, self.words(self.first(text)).names)

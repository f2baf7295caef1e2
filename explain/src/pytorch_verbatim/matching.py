"""Recognises messages: which of those that pages show is the one that a reader got. Pure.

The rules come with the data; `verbatim/site/search/messages.py` in the book's repository describes them. The search of
the book's site, `docs/assets/search/messages.js`, follows the same rules; a test holds both together. Work is bounded
by the rules: the first ``READ`` characters of a message are looked at, and each expression takes time in proportion.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

#: The search of the site shows several pages and may show one that does not fit; what stands below a traceback, of any
#: library, has to be right. So here two messages have to be this alike, from 0 to 1, or to share this much, in weights
#: of a word that one message alone has. Chosen with `explain/tests/elsewhere.json`.
SURE = 0.9
PLENTY = 4.4


class Words(NamedTuple):
    """A message by its words."""

    names: dict[str, bool]
    """Word in lower case → whether it is a name."""
    taken: frozenset[str]
    """What was taken out."""
    quoted: frozenset[str]
    """The names in quotes, and their first parts."""


class Known(NamedTuple):
    """A message to compare with: its names as in `Words`, of the whole and of its first sentence."""

    text: str
    """All that is printed, with the exception's class."""
    whole: dict[str, bool]
    first: dict[str, bool]


class Rules:
    """The rules by which messages are cut into words."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.given = given
        self._out = [re.compile(rule, re.ASCII) for rule in given["RULES"]]
        self._word, self._named = re.compile(given["WORD"]), re.compile(given["NAMED"])
        self._quoted_name, self._sentence = re.compile(given["QUOTED_NAME"]), re.compile(given["SENTENCE"])
        self._quotes_tell = re.compile(given["QUOTES_TELL"])

    def words(self, text: str) -> Words:
        """Return the words of a message, and what was taken out of it."""
        text = text[: self.given["READ"]]
        taken: set[str] = set()
        for rule in self._out:
            taken.update(rule.findall(text))
            text = rule.sub(" ", text)
        quoted: set[str] = set()
        for match in filter(None, map(self._quoted_name.search, taken)):
            quoted |= {match[0], match[1]}
        found = self._word.findall(text)[: self.given["LIMIT"]]
        names = {word.lower(): bool(self._named.search(word)) for word in found}
        return Words(names, frozenset(taken), frozenset(quoted))

    def quotes_tell(self, text: str) -> bool:
        """Whether a message says little but what stands in its quotes."""
        return bool(self._quotes_tell.match(text))

    def first(self, text: str) -> str:
        """Return the first sentence of a message."""
        return self._sentence.split(text[: self.given["READ"]], maxsplit=1)[0]

    def known(self, text: str) -> Known:
        """Return a message to compare with."""
        return Known(text, self.words(text).names, self.words(self.first(text)).names)


class Matcher:
    """Finds messages among those that pages show.

    Args:
        rules: The rules.
        known: All messages; no text stands in it twice.
        shown: The message that each place shows, in the book's order of places.
    """

    def __init__(self, rules: Rules, known: Sequence[Known], shown: Mapping[int, int]) -> None:
        self.rules, self.known, self.shown = rules, known, shown
        self._rare = math.log(1 + len(known))
        self._spread: dict[str, int] = {}
        self._having: dict[str, list[int]] = {}
        """Word → the numbers of the messages that have it."""
        for number, (_, whole, first) in enumerate(known):
            for word in whole:
                self._spread[word] = self._spread.get(word, 0) + 1
                self._having.setdefault(word, []).append(number)
            for word in first:
                if word not in whole:
                    self._having.setdefault(word, []).append(number)

    def _weight(self, word: str) -> float:
        return math.log(1 + len(self.known) / (self._spread.get(word) or 1))

    def _compare(self, theirs: dict[str, bool], ours: dict[str, bool]) -> tuple[float, float]:
        """Return how alike two messages are, from 0 to 1, and the weight of what both have."""
        both = _sum(self._weight(word) for word in theirs if word in ours)
        apart = self.rules.given["EXTRA"] * self._apart(theirs, ours) + self._apart(ours, theirs)
        return both / (both + apart or 1), both

    def _apart(self, one: dict[str, bool], other: dict[str, bool]) -> float:
        """Return the weight of the words that only the first of two messages has."""
        name = self.rules.given["NAME"]
        return _sum(self._weight(word) * (name if named else 1) for word, named in one.items() if word not in other)

    def _sure(self, pair: tuple[float, float]) -> bool:
        """Whether two messages are so alike, or share so much, that the same words are no chance."""
        alike, both = pair
        return alike >= SURE or (alike >= self.rules.given["ALIKE"] and both >= PLENTY * self._rare)

    def _candidates(self, words: Iterable[str]) -> list[int]:
        """Return the numbers of the messages that share enough with these words to be compared, ascending."""
        shared: dict[int, float] = {}
        for word in words:
            weight = self._weight(word)
            for number in self._having.get(word, ()):
                shared[number] = shared.get(number, 0) + weight
        # Half of what is needed, so that no sum is cut by its rounding; or nothing but a class.
        enough = self.rules.given["ENOUGH"] * self._rare / 2
        return sorted(n for n, weight in shared.items() if weight >= enough or len(self.known[n].whole) == 1)

    def match(self, text: str, *, sure: bool = False) -> list[int]:
        """Return the numbers of the places that show this message, best first.

        Args:
            text: The message.
            sure: Whether it has to be more alike than the rules ask for, by `SURE` or `PLENTY`.
        """
        rules = self.rules.given
        theirs, begun = self.rules.words(text), self.rules.words(self.rules.first(text)).names
        alike: dict[int, tuple[float, float]] = {}
        for number in self._candidates({**theirs.names, **begun}):
            _, all_ours, first = self.known[number]
            whole = self._compare(theirs.names, all_ours)
            pairs = whole, self._compare(begun, first), self._compare(theirs.names, first)
            best, both = max(pairs)
            if best < rules["ALIKE"] or (sure and not any(map(self._sure, pairs))):
                continue
            ours = self.rules.words(self.known[number].text)
            said = both >= rules["TELLING"] * self._rare and not self.rules.quotes_tell(self.known[number].text)
            told = said or not theirs.quoted or not ours.quoted
            bare = len(theirs.names) == len(ours.names) == 1 and theirs.taken == ours.taken
            quoted = len(theirs.quoted & ours.quoted)
            if (both >= rules["ENOUGH"] * self._rare or bare) and (told or quoted):
                alike[number] = quoted / (len(ours.quoted) or 1), whole[0]

        def order(place: int) -> tuple[int, ...]:
            return tuple(-math.floor(step * 10) for step in alike[self.shown[place]])

        return sorted((place for place, message in self.shown.items() if message in alike), key=order)


def _sum(numbers: Iterable[float]) -> float:
    """Return a sum as JavaScript rounds it: Python's own adds more exactly since 3.12."""
    total = 0.0
    for number in numbers:
        total += number
    return total

"""Recognises messages: which of those that pages show is the one that a reader got. Pure.

The rules come with the data; `verbatim/site/search/messages.py` in the book's repository describes them. The search of
the book's site, `docs/assets/search/messages.js`, follows the same rules; a test holds both together. Work is bounded
by the rules: the first ``READ`` characters of a message are looked at, and each expression takes time in proportion.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Optional

from pytorch_verbatim.message_words import Cutter, Known, Words

#: A title says the sentence of a message with the first of its names, and none of the others.
ABOUT_ALL = 2
#: How alike a message is that is named as near.
NEAR_SHARE = 0.35
#: What is counted as a neighbour: a word, a number, a sign.
_TOKEN = re.compile(r"[A-Za-z0-9_]+|[^A-Za-z0-9_\s]")
_NUMBER = re.compile(r"[0-9]+(?:[.x][0-9]+)*")


class Form(NamedTuple):
    """Which sentence a message is, and the names in it."""

    number: int
    """That of the rule."""
    names: tuple[str, ...]


class Rules(Cutter):
    """The rules by which messages are cut into words, and by which some are the same."""

    def __init__(self, given: dict[str, Any]) -> None:
        super().__init__(given)
        self._forms = [re.compile(form, re.ASCII) for form in given["FORMS"]]
        self._of_pytorch = re.compile(given["WORDS_OF_PYTORCH"], re.ASCII)
        self._called = re.compile(given["CALLED"], re.ASCII)
        self._root = re.compile(given["ROOT"], re.ASCII)

    def pairs(self, text: str) -> Counter[tuple[str, str]]:
        """Return the pairs of neighbours in a message, all numbers alike, with how often each is there."""
        tokens = _TOKEN.findall(_NUMBER.sub("0", self.said(text)))[: self.given["LIMIT"]]
        return Counter(zip(tokens, tokens[1:]))

    def differ(self, theirs: Words, ours: Words) -> bool:
        """Whether two messages differ in one word alone, and that makes another message."""
        if len(theirs.sequence) != len(ours.sequence):
            return False
        apart = [two for two in zip(theirs.sequence, ours.sequence) if two[0] != two[1]]
        return len(apart) == 1 and all(word[:1].islower() and not self._varies.match(word) for word in apart[0])

    def called(self, text: str) -> str:
        """Return the function that a message says at its beginning; empty if it says none."""
        match = self._called.match(self.said(text))
        return match[1] if match else ""

    def form(self, text: str) -> Optional[Form]:
        """Return the form of a message, if it has one."""
        for number, form in enumerate(self._forms):
            if match := form.search(text[: self.given["READ"]]):
                return Form(number, tuple(name or "" for name in match.groups()))
        return None

    def plain(self, text: str, form: Optional[Form]) -> bool:
        """Whether a message is Python's own, and says nothing of PyTorch."""
        if form is None or form.number >= self.given["PYTHON"]:
            return False
        return not self._of_pytorch.search(self._out[1].sub(" ", text[: self.given["READ"]]))

    def root(self, text: str) -> str:
        """Return the first part of a message's class, if that is of another library than PyTorch."""
        match = self._root.match(text[: self.given["READ"]])
        return match[1] if match else ""


class Matcher:
    """Finds messages among those that pages show.

    Args:
        rules: The rules.
        known: All messages; no text stands in it twice.
        shown: Of each place, in the book's order of places, the message that it shows, and whether a title says it:
            0 none, 1 one does, 2 one says its sentence with the first of its names alone; -1 where it is another
            release's, of which no more is said than which ones run the code.
    """

    def __init__(self, rules: Rules, known: Sequence[Known], shown: Mapping[int, tuple[int, int]]) -> None:
        self.rules, self.known, self.shown = rules, known, shown
        self._forms = [rules.form(message.text) for message in known]
        self._roots = {rules.root(message.text) for message in known}
        self._rare = math.log(1 + len(known))
        self._having: dict[str, list[int]] = {}
        """Word → the numbers of the messages that have it."""
        spread: dict[str, int] = {}
        for number, (_, whole, first) in enumerate(known):
            for word in whole:
                spread[word] = spread.get(word, 0) + 1
                self._having.setdefault(word, []).append(number)
            for word in first:
                if word not in whole:
                    self._having.setdefault(word, []).append(number)
        self._weights = {word: math.log(1 + len(known) / count) for word, count in spread.items()}
        """Word → how much it tells; a word that no message has tells as much as the rarest."""

    def _compare(self, theirs: dict[str, bool], ours: dict[str, bool]) -> tuple[float, float]:
        """Return how alike two messages are, from 0 to 1, and the weight of what both have."""
        both = _sum(self._weights.get(word, self._rare) for word in theirs if word in ours)
        apart = self.rules.given["EXTRA"] * self._apart(theirs, ours) + self._apart(ours, theirs)
        return both / (both + apart or 1), both

    def _apart(self, one: dict[str, bool], other: dict[str, bool]) -> float:
        """Return the weight of the words that only the first of two messages has."""
        name, weight, rare = self.rules.given["NAME"], self._weights, self._rare
        return _sum(weight.get(word, rare) * (name if named else 1) for word, named in one.items() if word not in other)

    def _candidates(self, words: Mapping[str, bool]) -> list[int]:
        """Return the numbers of the messages that share enough with these words to be compared, ascending."""
        shared: dict[int, float] = {}
        for word in words:
            weight = self._weights.get(word, self._rare)
            for number in self._having.get(word, ()):
                shared[number] = shared.get(number, 0) + weight
        # Half of what is needed, so that no sum is cut by its rounding.
        enough = self.rules.given["ENOUGH"] * self._rare / 2
        return sorted(
            n for n, weight in shared.items() if weight >= enough or self.known[n].whole.keys() == words.keys()
        )

    def match(self, text: str, *, in_torch: bool = False) -> list[int]:
        """Return the numbers of the places that show this message, best first.

        Args:
            text: The message.
            in_torch: Whether a frame of its traceback lies in torch.
        """
        form = self.rules.form(text)
        if self.rules.root(text) not in self._roots | {""}:
            return []
        plain = self.rules.plain(text, form)
        if plain and not in_torch:
            return []
        fitting = self._of_form(form) if form else self._alike(text)
        theirs, begun = self.rules.words(text), self.rules.pairs(text)
        order: dict[int, tuple[int, ...]] = {}
        for place, (message, about) in self.shown.items():
            if message not in fitting or (plain and about <= 0):
                continue
            if form and form != self._forms[message] and about < ABOUT_ALL:
                continue
            ours = self.rules.words(self.known[message].text)
            quoted = len(theirs.quoted & ours.quoted) / (len(ours.quoted) or 1)
            alike, _ = self._compare(theirs.names, self.known[message].whole)
            pairs = self.rules.pairs(self.known[message].text)
            near = sum((pairs & begun).values()) / (sum((pairs | begun).values()) or 1)
            order[place] = (
                -int(form == self._forms[message]),
                -math.floor(quoted * 10),
                0 if form else -math.floor(alike * 10),
                int(about < 0),
                -math.floor(near * 100),
            )
        return sorted(order, key=order.__getitem__)

    def nearest(self, text: str) -> list[int]:
        """Return the numbers of the places whose message shares most with one that none shows, best first.

        Of a message that says nothing of PyTorch there are none.
        """
        form = self.rules.form(text)
        if self.rules.plain(text, form) or self.rules.root(text) not in self._roots | {""}:
            return []
        theirs = self.rules.words(text).names
        alike: dict[int, float] = {}
        for number in self._candidates(theirs):
            own = self._forms[number]
            if form and (own is None or own.number != form.number or not {*form.names} & {*own.names} - {""}):
                continue  # the same sentence about other names is not near
            score, both = self._compare(theirs, self.known[number].whole)
            if score >= NEAR_SHARE and both >= self.rules.given["ENOUGH"] * self._rare:
                alike[number] = -score
        return sorted(
            (place for place, (message, _) in self.shown.items() if message in alike),
            key=lambda p: alike[self.shown[p][0]],
        )

    def _of_form(self, form: Form) -> set[int]:
        """Return the numbers of the messages of a form that have all of its names, or the first one and others."""
        return {
            number
            for number, own in enumerate(self._forms)
            if own and own.number == form.number and (own == form or (form.names[0] and form.names[0] == own.names[0]))
        }

    def _alike(self, text: str) -> set[int]:
        """Return the numbers of the messages that are the same by their words."""
        theirs, first = self.rules.words(text), self.rules.words(self.rules.first(text))
        called = self.rules.called(text)
        numbers = set()
        for number in self._candidates({**theirs.names, **first.names}):
            if self._forms[number]:
                continue
            ours = self.known[number]
            pairs = [
                self._compare(theirs.names, ours.whole),
                self._compare(first.names, ours.first),
                self._compare(theirs.names, ours.first),
            ]
            if not self._same(max(pairs), pairs[0], theirs, ours):
                continue
            if called and self.rules.called(ours.text) not in (called, ""):
                continue
            whole, beginning = self.rules.words(ours.text), self.rules.words(self.rules.first(ours.text))
            if not self.rules.differ(theirs, whole) and not self.rules.differ(first, beginning):
                numbers.add(number)
        return numbers

    def _same(self, best: tuple[float, float], whole: tuple[float, float], theirs: Words, ours: Known) -> bool:
        """Whether two messages are one, by how alike they are at best and as a whole, and what both have."""
        rules = self.rules.given
        alike, both = best
        if both < rules["ENOUGH"] * self._rare:
            return whole[0] == 1 and theirs.taken == self.rules.words(ours.text).taken
        if alike < (rules["ALIKE"] if max(both, whole[1]) >= rules["PLENTY"] * self._rare else rules["SURE"]):
            return False
        if both >= rules["TELLING"] * self._rare or not theirs.quoted:
            return True
        quoted = self.rules.words(ours.text).quoted
        return not quoted or bool(theirs.quoted & quoted)


def _sum(numbers: Iterable[float]) -> float:
    """Return a sum as JavaScript rounds it: Python's own adds more exactly since 3.12."""
    total = 0.0
    for number in numbers:
        total += number
    return total

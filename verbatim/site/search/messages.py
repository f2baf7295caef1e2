"""Recognises error messages and warnings: which of those that pages show is the one that a reader got. Pure.

How a message is matched, the same here and in `docs/assets/search/messages.js` (a test holds both together):

1. `RULES` take out, one after the other, what differs from reader to reader: texts in quotes, paths, addresses,
   numbers and shapes. The expressions mean the same in Python and JavaScript; the build hands them, and the numbers
   below, to the browser.
2. What remains is cut into words, in lower case, the first `LIMIT` of them. Each counts once; their order does not
   count, because releases reword.
3. A word weighs by how rare it is among the messages of all pages: ``log(1 + N / n)``, where ``n`` of ``N`` messages
   have it. A word that only the reader's message has counts `EXTRA` of that, because readers paste more than a
   message; a name (`NAMED`) that only one of them has counts `NAME` of that, because ``Net`` and ``my_layer`` are the
   reader's own.
4. Two messages are alike by the weight of what both have, against that and what only one of them has. Compared are the
   whole texts and their first sentences; the best counts. From `ALIKE` on, with `ENOUGH` in common, it is the same
   message; so are two that are nothing but the same class.
5. Python's own messages say little but what stands in their quotes: ``'Net' object has no attribute 'to_gpu'``. Of two
   that share less than `TELLING` and have names in quotes, one of these must be the same.
6. Of several that are the same, those come first of whose names in quotes, and beginnings of such (``module.``), the
   reader's has more, then those that are more alike as a whole, then those whose page or section says more of the
   message in its title and nothing else in quotes or numbers (all in steps of a tenth), then those on pages that show
   more of the same.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

#: Texts in quotes.
QUOTED = r"(?<![A-Za-z0-9_])'[^'\n]*'(?![A-Za-z0-9_])|\"[^\"\n]*\"|`[^`\n]*`"
#: A name in quotes, and its first part: ``"module.fc.weight"`` tells by it whose keys they are.
QUOTED_NAME = r"^['\"`]([A-Za-z_][A-Za-z0-9_]*)(?:\.[A-Za-z0-9_]+)*['\"`]$"
#: What else differs from reader to reader: paths, addresses in memory, numbers and shapes.
RULES = (
    QUOTED,
    r"(?:[A-Za-z]:)?[\\/]?(?:[A-Za-z0-9_.@~+-]+[\\/])+[A-Za-z0-9_.@~+-]*",
    r"0x[0-9A-Fa-f]+",
    r"(?<![A-Za-z0-9_])[+-]?[0-9]+(?:[.x][0-9]+)*(?:e[+-]?[0-9]+)?(?![A-Za-z0-9_])",
)
#: A word of a message.
WORD = r"[A-Za-z_][A-Za-z0-9_]*"
#: A word that is a name.
NAMED = r"_|[0-9]|[a-z][A-Z]"
#: What ends the first sentence of a message.
SENTENCE = r"\n|\.\s"
#: How many words of a message count: long ones end with advice that all of them give.
LIMIT = 60
#: What a word counts that only the reader's message has.
EXTRA = 0.2
#: What a name counts that only one of two messages has.
NAME = 0.3
#: How alike two messages are that are the same.
ALIKE = 0.6
#: How much two messages share at least, in weights of a word that one message alone has.
ENOUGH = 1.25
#: How much two messages share that need no name in quotes in common.
TELLING = 3.75

#: How many characters of a message are kept: about `LIMIT` words.
LONGEST = 500
#: What a message begins with, among those of a section.
BEGINS = re.compile(r"(?:torch [^·]*· )?(?:\w+\.)*[A-Z]\w*(?:Error|Warning|Exception)\b:?")

_RULES = [re.compile(rule, re.ASCII) for rule in RULES]
_WORD, _NAMED, _QUOTED_NAME = re.compile(WORD), re.compile(NAMED), re.compile(QUOTED_NAME)


@dataclass(frozen=True)
class Template:
    """A message that a page shows."""

    text: str
    """All that is printed, with the exception's class."""
    url: str
    """The page, from the site's root."""
    section: str
    """The id of the section; empty for the first one."""
    remedy: str
    """What the page advises: one paragraph, with code in backticks."""
    titles: str = ""
    """The titles of the page and of the section, a line each."""


@dataclass(frozen=True)
class Words:
    """A message by its words."""

    names: dict[str, bool]
    """Word in lower case → whether it is a name."""
    taken: frozenset[str]
    """What was taken out."""
    quoted: frozenset[str]
    """The names in quotes, and their first parts."""


def words(text: str) -> Words:
    """Return the words of a message, and what was taken out of it."""
    taken: set[str] = set()
    for rule in _RULES:
        taken.update(rule.findall(text))
        text = rule.sub(" ", text)
    quoted = {match[0]: match[1] for match in map(_QUOTED_NAME.search, taken) if match}
    names = {word.lower(): bool(_NAMED.search(word)) for word in _WORD.findall(text)[:LIMIT]}
    return Words(names, frozenset(taken), frozenset({*quoted, *quoted.values()}))


class Matcher:
    """Finds messages among those that pages show."""

    def __init__(self, templates: Sequence[Template]) -> None:
        self.templates = templates
        self._whole = [words(one.text) for one in templates]
        self._first = [words(_first(one.text)) for one in templates]
        self._titles = [[words(line) for line in one.titles.splitlines()] for one in templates]
        texts = {one.text: found for one, found in zip(templates, self._whole, strict=True)}
        self._count = len(texts)
        self._rare = math.log(1 + self._count)
        self._spread = Counter(word for found in texts.values() for word in found.names)

    def _weight(self, word: str) -> float:
        return math.log(1 + self._count / (self._spread[word] or 1))

    def _compare(self, theirs: Words, ours: Words) -> tuple[float, float]:
        """Return how alike two messages are, from 0 to 1, and the weight of what both have."""

        def apart(one: Words, other: Words) -> float:
            missing = ((word, named) for word, named in one.names.items() if word not in other.names)
            return sum(self._weight(word) * (NAME if named else 1) for word, named in missing)

        both = sum(self._weight(word) for word in theirs.names if word in ours.names)
        return both / (both + EXTRA * apart(theirs, ours) + apart(ours, theirs) or 1), both

    def match(self, text: str) -> list[int]:
        """Return the numbers of the templates that are this message, best first."""
        theirs, first = words(text), words(_first(text))
        found: dict[int, float] = {}
        for number, (ours, ours_first) in enumerate(zip(self._whole, self._first, strict=True)):
            whole = self._compare(theirs, ours)
            alike, both = max(whole, self._compare(first, ours_first), self._compare(theirs, ours_first))
            own = both < TELLING * self._rare and theirs.quoted and ours.quoted and not theirs.quoted & ours.quoted
            bare = len(theirs.names) == len(ours.names) == 1 and theirs.taken == ours.taken
            if alike >= ALIKE and (both >= ENOUGH * self._rare or bare) and not own:
                found[number] = whole[0]
        shown = Counter(self.templates[number].url for number in found)

        def order(number: int) -> tuple[float, ...]:
            ours, shows = self._whole[number], shown[self.templates[number].url]
            titled = max((self._titled(title, theirs) for title in self._titles[number]), default=0)
            quoted = len(theirs.quoted & ours.quoted) / (len(ours.quoted) or 1)
            return -math.floor(quoted * 10), -math.floor(found[number] * 10), -math.floor(titled * 10), -shows, number

        return sorted(found, key=order)

    def _titled(self, title: Words, message: Words) -> float:
        """Return how much of a title is in a message, from 0 to 1; 0 if something taken out of it is not."""
        if not title.taken <= message.taken:
            return 0
        there = sum(self._weight(word) for word in title.names if word in message.names)
        return there / (sum(map(self._weight, title.names)) or 1)


def _first(text: str) -> str:
    """Return the first sentence of a message."""
    return re.split(SENTENCE, text, maxsplit=1)[0]


def plain(markdown: str) -> str:
    """Return a paragraph of Markdown without links and emphasis; code stays in backticks."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown.replace("**", ""))


def continued(first: str, shown: str) -> str:
    """Return a message, of which the first line is known, with the lines that follow it in what a section shows."""
    lines = shown.split("\n")
    at = next((number for number, line in enumerate(lines) if line.endswith(first)), len(lines))
    rest = itertools.takewhile(lambda line: not BEGINS.match(line), lines[at + 1 :])
    return "\n".join([first, *rest])[:LONGEST]


def rules() -> dict[str, object]:
    """Return what the browser needs to match as this module does."""
    names: tuple[str, ...] = ("RULES", "QUOTED_NAME", "WORD", "NAMED", "SENTENCE", "LIMIT", "EXTRA", "NAME", "ALIKE")
    names += ("ENOUGH", "TELLING")
    return {name: globals()[name] for name in names}

"""What error messages and warnings are recognised by: those that pages show, and the rules of comparison. Pure.

How a reader's message is matched, the same in `docs/assets/search/messages.js` and in the package that readers install,
`explain/src/pytorch_verbatim/matching.py` (a test holds both together):

1. Of a message the first `READ` characters are looked at. `RULES` take out, one after the other, what differs from
   reader to reader: texts in quotes, paths, addresses, numbers and shapes. The expressions mean the same in Python and
   JavaScript, and take time in proportion to the text, whatever it is; the build hands them, and the numbers below, to
   both.
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
   that have names in quotes, one of these must be the same if the page's message is of such a class (`QUOTES_TELL`),
   or if both share less than `TELLING`.
6. Of several that are the same, those come first of whose names in quotes, and beginnings of such (``module.``), the
   reader's has more, then those that are more alike as a whole (both in steps of a tenth), then those that stand
   earlier among all messages, which the build has put in order (`ordered`): first those on pages whose title says the
   message, then those in sections whose heading says it, then those that are merely shown. A title with numbers or a
   remark in parentheses tells of a case of its own, and comes after one without. The rest is reading order, in which
   what explains comes before what applies it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass

from verbatim.lists import errors
from verbatim.lists.places import Sources, once, title
from verbatim.pages.other_releases import named

#: Texts in quotes.
QUOTED = r"(?<![A-Za-z0-9_])'[^'\n]*'(?![A-Za-z0-9_])|\"[^\"\n]*\"|`[^`\n]*`"
#: A name in quotes, and its first part: ``"module.fc.weight"`` tells by it whose keys they are.
QUOTED_NAME = r"^['\"`]([A-Za-z_][A-Za-z0-9_]*)(?:\.[A-Za-z0-9_]+)*['\"`]$"
#: What else differs from reader to reader: paths, addresses in memory, numbers and shapes.
RULES = (
    QUOTED,
    r"(?<![A-Za-z0-9_.@~+-])(?:[A-Za-z]:)?[\\/]?(?:[A-Za-z0-9_.@~+-]+[\\/])+[A-Za-z0-9_.@~+-]*",
    r"0x[0-9A-Fa-f]+",
    r"(?<![A-Za-z0-9_])[+-]?[0-9]+(?:[.x][0-9]+){0,9}(?:e[+-]?[0-9]+)?(?![A-Za-z0-9_])",
)
#: A word of a message.
WORD = r"[A-Za-z_][A-Za-z0-9_]*"
#: A word that is a name.
NAMED = r"_|[0-9]|[a-z][A-Z]"
#: The beginning of a message that says little but what stands in its quotes: a class that Python itself raises.
QUOTES_TELL = (
    r"^(?:[A-Za-z0-9_.]*\.)?(?:Attribute|CalledProcess|Key|Name|Type|Import|ModuleNotFound)Error(?![A-Za-z0-9_])"
)
#: What ends the first sentence of a message.
SENTENCE = r"\n|\.\s"
#: How many characters of a message are looked at.
READ = 20_000
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
TELLING = 2.5


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
    """What to do: one paragraph, with code in backticks; empty if the page has to be read."""
    titles: str = ""
    """The titles of the page and of the section, a line each."""
    printed: str = ""
    """The releases of torch, or the Pythons, that print it, in the words of the language; empty if all do."""


#: What stands in a title besides the message: that it is one, and remarks in parentheses.
BESIDE = re.compile(r"^(?:Errors?|Warnings?|报错|警告)[:：]|[(（][^()（）]*[)）]")
#: What tells of a case of its own: numbers and remarks.
OWN = re.compile(r"\d|[(（][^()（）]+[)）]")
#: A word of a title: as of a message, or Chinese, which no message has.
TITLED = re.compile(rf"{WORD}|[\u3400-\u9fff]+")
#: Titles that say several messages.
PARTS = re.compile(r"[;；、]")
#: How much of a title stands in a message that it says, by weight, and how many words: fewer are a name.
SAYS, FEW = 2 / 3, 3


@once
def ordered(sources: Sources, language: str) -> list[errors.Message]:
    """Return the messages that the pages of a language show, first those that a page is about (rule 6)."""
    found = errors.messages(sources, language)
    texts = {one.whole: {*_words(one.whole)} for one in found}
    spread = Counter(word for words in texts.values() for word in words)

    def says(text: str, message: errors.Message) -> int:
        """Return 2 if a title says a message, 1 if it does so of a case of its own, 0 if it does not."""
        told = any(said({*_words(part)}, message) for part in PARTS.split(BESIDE.sub("", text)))
        return told * (1 if OWN.search(text) else 2)

    def said(words: set[str], message: errors.Message) -> bool:
        weights = {word: math.log(1 + len(texts) / (spread[word] or 1)) for word in words}
        there = words & texts[message.whole]
        return len(there) >= FEW and sum(weights[word] for word in there) >= SAYS * sum(weights.values())

    reading = {(place.page.name, place.anchor): n for n, place in reversed([*enumerate(sources.places(language))])}

    def order(one: errors.Message) -> tuple[int, int, int]:
        place = one.place
        return -says(title(place.page), one), -says(place.heading, one), reading[place.page.name, place.anchor]

    return sorted(found, key=order)


def _words(text: str) -> list[str]:
    return [word.lower() for word in TITLED.findall(text)]


def templates(sources: Sources, language: str) -> list[Template]:
    """Return the messages that the pages of a language show, in the order of `ordered`."""
    return [_template(sources, message) for message in ordered(sources, language)]


def _template(sources: Sources, message: errors.Message) -> Template:
    place = message.place
    titles = [title(place.page), *([place.heading] if place.anchor else [])]
    printing = [*message.torch, *message.pythons]
    return Template(
        message.whole,
        sources.languages.address(place.page.language, place.page.name),
        place.anchor,
        plain(message.remedy),
        "\n".join(dict.fromkeys(plain(one).replace("`", "") for one in titles)),
        named(printing, place.page.language, sources.book.newest_python) if printing else "",
    )


def plain(markdown: str) -> str:
    """Return a paragraph of Markdown without links and emphasis; code stays in backticks."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown)
    return re.sub(r"(`[^`]*`)|\*+(?=\S)|(?<=\S)\*+", lambda match: match[1] or "", text)


def rules() -> dict[str, object]:
    """Return what a browser and the package need to match messages."""
    names: tuple[str, ...] = ("RULES", "QUOTED_NAME", "WORD", "NAMED", "QUOTES_TELL", "SENTENCE")
    names += ("READ", "LIMIT", "EXTRA", "NAME", "ALIKE", "ENOUGH", "TELLING")
    return {name: globals()[name] for name in names}

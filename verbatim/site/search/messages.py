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
   reader's has more, then those that are more alike as a whole, then those whose page or section says more of the
   message in its title and nothing else in quotes or numbers (all in steps of a tenth), then those on pages that show
   more of the same.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verbatim.lists import errors
from verbatim.lists.places import Sources, title

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
QUOTES_TELL = r"^(?:[A-Za-z0-9_.]*\.)?(?:Attribute|Key|Name|Type|Import|ModuleNotFound)Error(?![A-Za-z0-9_])"
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
    """What the page advises: one paragraph, with code in backticks."""
    titles: str = ""
    """The titles of the page and of the section, a line each."""


def templates(sources: Sources, language: str) -> list[Template]:
    """Return the messages that the pages of a language show, in the order of the list of errors."""
    return [_template(sources, message) for message in errors.messages(sources, language)]


def _template(sources: Sources, message: errors.Message) -> Template:
    place = message.place
    titles = [title(place.page), *([place.heading] if place.anchor else [])]
    return Template(
        message.whole,
        sources.languages.address(place.page.language, place.page.name),
        place.anchor,
        plain(message.remedy),
        "\n".join(dict.fromkeys(plain(one).replace("`", "") for one in titles)),
    )


def plain(markdown: str) -> str:
    """Return a paragraph of Markdown without links and emphasis; code stays in backticks."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", markdown.replace("**", ""))


def rules() -> dict[str, object]:
    """Return what a browser and the package need to match messages."""
    names: tuple[str, ...] = ("RULES", "QUOTED_NAME", "WORD", "NAMED", "QUOTES_TELL", "SENTENCE")
    names += ("READ", "LIMIT", "EXTRA", "NAME", "ALIKE", "ENOUGH", "TELLING")
    return {name: globals()[name] for name in names}

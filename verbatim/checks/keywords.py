"""Each name in a page's keywords is on the page, in its code or in its outputs."""

from __future__ import annotations

import builtins
import functools
import io
import re
import tokenize
from collections.abc import Iterator

from verbatim.book.gather import Book
from verbatim.checks.outputs import shown_text
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: The line of the front matter that holds them.
LINE = re.compile(r"^keywords:.*$", re.MULTILINE)
#: A name that can only be code: `set_to_none`, `GradScaler`. A word in lower case alone may be any word.
NAME = re.compile(r"(?<![\w.])[A-Za-z]*(?:[a-z]_[a-z]|[a-z][A-Z])\w*", re.ASCII)
#: A name with its module, of which a page uses the last part.
TORCH = re.compile(r"(?<![\w.])(?:torch|nn|F|dist)\.[\w.]*\w", re.ASCII)


def check_keywords_answered(book: Book, pages: list[Page]) -> Iterator[Problem]:
    """Yield each keyword with a name of PyTorch, or of another recipe's code, that this page and its code do not have.

    Other words and names of other frameworks need not be on the page. Both languages of a page count as one.
    """

    @functools.cache
    def user(name: str) -> str:
        """Return the first script whose code has a name; nothing if none has."""
        having = (path for path, script in book.scripts.items() if name in script.text and name in _names(script.text))
        return next(having, "")

    texts: dict[str, str] = {}
    for page in pages:
        texts[page.name] = texts.get(page.name, "") + LINE.sub("", page.text)
    for page in pages:
        if not page.scripts or not (found := LINE.search(page.text)):
            continue
        line = page.text.count("\n", 0, found.start()) + 1
        here = (texts[page.name] + "".join(shown_text(book, path) for path in page.scripts)).casefold()
        own = {name: name.rpartition(".")[2] for name in TORCH.findall(found[0])}
        for name, needed in (own | {name: name for name in NAME.findall(found[0])}).items():
            if needed.casefold() not in here and (name in own or user(name)):
                message = f"the keyword `{name}` stands neither on this page nor in its code"
                more = f", or leave it to a page of {user(needed)}" if user(needed) else ", or remove it"
                yield Problem(page.path, line, message, f"answer it here{more}")


@functools.cache
def _names(script: str) -> set[str]:
    """Return the names in a script's code, but for strings, comments and Python's own, such as `ValueError`."""
    tokens = tokenize.generate_tokens(io.StringIO(script).readline)
    found = {token.string for token in tokens if token.type == tokenize.NAME and NAME.fullmatch(token.string)}
    return {name for name in found if not hasattr(builtins, name)}

"""Keywords promise what their page answers: each name in them stands on the page, in its code or in its outputs."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator

from verbatim.book.compare import text_of
from verbatim.book.gather import Book
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.run.script import Script

#: The line of the front matter that holds them.
LINE = re.compile(r"^keywords:.*$", re.MULTILINE)
#: A name as code has it: `set_to_none`, `GradScaler`. A word of small letters alone may be any word.
NAME = re.compile(r"(?<![\w.])[A-Za-z]*(?:[a-z]_[a-z]|[a-z][A-Z])\w*", re.ASCII)
#: A name that says itself whose it is. Its last part is what a page uses.
TORCH = re.compile(r"(?<![\w.])(?:torch|nn|F|dist)\.[\w.]*\w", re.ASCII)


def check_keywords_answered(book: Book, pages: list[Page]) -> Iterator[Problem]:
    """Yield each keyword with a name of PyTorch, or of another recipe's code, that this page and its code do not have.

    Lay words are what keywords are for, and so are names of other frameworks: they may stand nowhere else. Both
    languages of a page count as one.
    """
    used: dict[str, str] = {}
    for path, script in book.scripts.items():
        for name in _names(script):
            used.setdefault(name, path)
    texts: dict[str, str] = {}
    for page in pages:
        texts[page.name] = texts.get(page.name, "") + LINE.sub("", page.text)
    for page in pages:
        if not page.scripts or not (found := LINE.search(page.text)):
            continue
        line = page.text.count("\n", 0, found.start()) + 1
        here = (texts[page.name] + "".join(_said(book, path) for path in page.scripts)).casefold()
        own = {name: name.rpartition(".")[2] for name in TORCH.findall(found[0])}
        others = {name: name for name in NAME.findall(found[0]) if name in used}
        for name, needed in (own | others).items():
            if needed.casefold() not in here:
                message = f"the keyword `{name}` stands neither on this page nor in its code"
                more = f", or leave it to a page of {used[needed]}" if needed in used else ", or remove it"
                yield Problem(page.path, line, message, f"answer it here{more}")


def _names(script: Script) -> Iterator[str]:
    """Yield the names of a script's code; those in strings and comments are words."""
    for token in tokenize.generate_tokens(io.StringIO(script.text).readline):
        if token.type == tokenize.NAME and NAME.fullmatch(token.string):
            yield token.string


def _said(book: Book, path: str) -> str:
    """Return a script and all that it printed."""
    script, result = book.scripts.get(path), book.results.get(path)
    outputs = [output for cell in result.cells for output in cell.outputs] if result else []
    printed = [text_of(output) for output in outputs if output["output_type"] != "display_data"]
    return "\n".join([script.text if script else "", *printed])

"""Each name in a page's keywords is on the page, in its code or in its outputs."""

from __future__ import annotations

import builtins
import functools
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from verbatim.book.gather import Book
from verbatim.checks.outputs import shown_text
from verbatim.memo import Memo, digest
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: The line of the front matter that holds them.
KEYWORDS_LINE = re.compile(r"^keywords:.*$", re.MULTILINE)
#: A name that can only be code: `set_to_none`, `GradScaler`. A word in lower case alone may be any word.
CODE_NAME = re.compile(r"(?<![\w.])[A-Za-z]*(?:[a-z]_[a-z]|[a-z][A-Z])\w*", re.ASCII)
#: A name with its module, of which a page uses the last part.
DOTTED_NAME = re.compile(r"(?<![\w.])(?:torch|nn|F|dist)\.[\w.]*\w", re.ASCII)


@dataclass(frozen=True)
class Unanswered:
    """A name in the keywords of a page that neither the page nor its code has."""

    line: int
    name: str
    needed: str
    """The part of the name that a page uses."""
    own: bool
    """Whether it is PyTorch's, as its module tells."""


def unanswered(book: Book, page: Page, twins: Iterable[Page]) -> Iterator[Unanswered]:
    """Yield the names in the keywords of a page that it does not have. All languages of a page count as one.

    Args:
        book: The scripts and what they printed.
        page: The page.
        twins: The same page in the other languages.
    """
    if not page.scripts or not (keywords := KEYWORDS_LINE.search(page.text)):
        return
    line = page.text.count("\n", 0, keywords.start()) + 1
    texts = [KEYWORDS_LINE.sub("", version.text) for version in (page, *twins)]
    here = "".join([*texts, *(shown_text(book, path) for path in page.scripts)]).casefold()
    own = {name: name.rpartition(".")[2] for name in DOTTED_NAME.findall(keywords[0])}
    for name, needed in (own | {name: name for name in CODE_NAME.findall(keywords[0])}).items():
        if needed.casefold() not in here:
            yield Unanswered(line, name, needed, name in own)


def check_keywords_answered(
    book: Book, named_pages: Iterable[tuple[Page, Iterable[Unanswered]]], memo: Memo
) -> Iterator[Problem]:
    """Yield each keyword with a name of PyTorch, or of another recipe's code, that a page does not have.

    Other words and names of other frameworks need not be on the page.

    Args:
        book: The scripts and what they printed.
        named_pages: Pages, each with its names that are not answered.
        memo: Caches which script has a name.
    """
    missing = [(page, name_in) for page, names in named_pages for name_in in names]
    names = sorted({name for _, name_in in missing for name in (name_in.name, name_in.needed)})
    texts = {path: script.text for path, script in book.scripts.items()}
    users = memo.get("users of names", digest(names, texts), lambda: _users(names, texts))
    for page, name_in in missing:
        if name_in.own or name_in.name in users:
            message = f"the keyword `{name_in.name}` stands neither on this page nor in its code"
            more = (
                f", or leave it to a page of {users[name_in.needed]}" if name_in.needed in users else ", or remove it"
            )
            yield Problem(page.path, name_in.line, message, f"answer it here{more}")


def _users(names: Iterable[str], texts: Mapping[str, str]) -> dict[str, str]:
    """Return name → the first script whose code has it, for those that a script has. `texts`: path → script."""
    having = ((name, path) for name in names for path, text in texts.items() if name in text and name in _names(text))
    paths: dict[str, str] = {}
    for name, path in having:
        paths.setdefault(name, path)
    return paths


@functools.cache
def _names(script: str) -> set[str]:
    """Return the names in a script's code, but for strings, comments and Python's own, such as `ValueError`."""
    tokens = tokenize.generate_tokens(io.StringIO(script).readline)
    names = {token.string for token in tokens if token.type == tokenize.NAME and CODE_NAME.fullmatch(token.string)}
    return {name for name in names if not hasattr(builtins, name)}

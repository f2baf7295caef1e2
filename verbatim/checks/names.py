"""Names of PyTorch in sentences exist: `nn.Liner` is told."""

from __future__ import annotations

import contextlib
import importlib.metadata
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from verbatim.book.gather import Book
from verbatim.checks.outputs import shown_text
from verbatim.lists import api
from verbatim.markdown import CODE_SPAN, prose
from verbatim.memo import Memo, software
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.run import server

#: A name with a dot, below PyTorch or one of its usual abbreviations.
NAME = re.compile(rf"`+ ?(?:with )?(?P<name>(?:torch|{'|'.join(api.ALIASES)})(?:\.[A-Za-z]\w*)+)(?:\(.*\))?:? ?`+")


def check_names(
    book: Book, pages: Iterable[Page], memo: Memo, ask: Callable[[Callable[[Any], Any], Any], Any] = server.ask
) -> Iterator[Problem]:
    """Each name of PyTorch in a sentence is one that it has, or that a script of the page, or what it prints, has, too.

    Args:
        book: The book.
        pages: The pages.
        memo: Caches which names exist.
        ask: Calls a function where PyTorch is imported.
    """
    places = list(_places(book, pages)) if book.project.library.package == "torch" else []
    names = sorted({name for _, _, name in places})
    missing: list[str] = []
    with contextlib.suppress(EOFError, importlib.metadata.PackageNotFoundError):  # there is no PyTorch here
        known = software(__file__, packages=(importlib.metadata.version("torch"),))
        missing = memo.get("missing names", repr(names), lambda: ask(api.missing, names), known) if names else []
    for page, line, name in places:
        if name in missing and name.rpartition(".")[2] not in _elsewhere(book, page):
            hint = "how is it spelt? What only some releases have, an output shows"
            yield Problem(page.path, line, f"PyTorch has no `{name}`", hint)


def _elsewhere(book: Book, page: Page) -> str:
    """Return what the scripts of a page print with other releases."""
    scripts = [book.scripts[name] for name in page.scripts if name in book.scripts]
    return repr([book.ranges(script.path, cell.name) for script in scripts for cell in script.cells])


def _places(book: Book, pages: Iterable[Page]) -> Iterator[tuple[Page, int, str]]:
    """Yield page, line and name, of each that neither the scripts of the page nor their outputs have."""
    for page in pages:
        spans = [
            (number, match["name"])
            for number, line in prose(page.text)
            for span in CODE_SPAN.finditer(line)
            if (match := NAME.fullmatch(span[0]))
        ]
        said = "\n".join(shown_text(book, script) for script in page.scripts) if spans else ""
        yield from ((page, number, name) for number, name in spans if name.rpartition(".")[2] not in said)

"""Messages on pages are printed: below a heading that names an error, one; and what a sentence quotes. Pure."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from verbatim.book.gather import Book
from verbatim.checks.exemptions import FORM
from verbatim.checks.outputs import shown_text
from verbatim.lists.places import Place, Sources
from verbatim.markdown import CODE_SPAN, prose
from verbatim.memo import Memo, digest
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: An error about a name, of a module of PyTorch or of the script.
MISSING = re.compile(r"(?:module 'torch[\w.]*' has no attribute|name) '(?P<name>\w+)'")
#: How a heading begins that names a message.
NAMED = re.compile(r"(?:Error|Warning|报错|警告)[:：]\s*(?P<message>.*)")
#: A message in what is printed.
PRINTED = re.compile(r"Error|Warning|Exception")
#: Between parts of a message, or behind it.
PARTS = re.compile(r"…|\.{3}|[;；,，、（(]")
#: The shortest part of a message that is looked for.
PART = 8
#: A quotation after a word that says whose it is.
QUOTED = re.compile(
    r"(?:\b(?:errors?|raises?|raised|complains|fails with|messages?|warns|warnings?|PyTorch (?:\w+ )?says)\b|"
    r"报错?|抛出|提示|警告)[^“”.。；;]{0,40}“(?P<text>[^”\u3400-\u9fff]*)”",
    re.IGNORECASE,
)
#: A quotation of fewer words may name anything.
WORDS = 4


def check_named(sources: Sources, pages: Iterable[Page]) -> Iterator[Problem]:
    """Below a heading that names an error or a warning is a cell that shows one."""
    for page in pages:
        named = [(heading, match) for heading in page.headings if (match := NAMED.match(heading.text))]
        places = sources.places_on(page) if named else []
        for heading, match in named:
            ends = (one.line for one in page.headings if one.line > heading.line and one.level <= heading.level)
            end = next(ends, math.inf)
            lost = any(heading.line < one.line < end and one.script not in sources.book.scripts for one in page.embeds)
            own = [place for place in places if heading.line < place.embed.line < end]
            if not lost and not any(_shows(sources, place, match["message"]) for place in own):
                hint = 'embed the cell that shows it, with raises="…" or warns="…"; else name what the section is about'
                message = f"the heading names a message, and nothing below it prints one: `{heading.text}`"
                yield Problem(page.path, heading.line, message, hint)


def _shows(sources: Sources, place: Place, message: str) -> bool:
    """Whether a cell shows a message, or may: where nobody has run it, nothing is known."""
    cell, book = place.cell, sources.book
    if cell.raises or cell.warns or cell.says or (cell.needs and not sources.outputs(place)):
        return True
    text = f"{sources.outputs(place)}{book.ranges(place.script.path, cell.name)}"
    return bool(PRINTED.search(text)) or any(part in text for part in _parts(message))


def check_slips(book: Book, pages: Iterable[Page]) -> Iterator[Problem]:
    """A name that a cell is to show as missing is one that a page of it speaks of: else its author mistyped it."""
    pages = list(pages)
    for path, script in book.scripts.items():
        for cell in script.cells:
            ran = book.results[path].cell(cell.name) if cell.raises and path in book.results else None
            errors = (one["evalue"] for one in ran.outputs if one["output_type"] == "error") if ran else ()
            for name in (match["name"] for error in errors if (match := MISSING.match(error))):
                if not any(name in _named(page) for page in pages if path in page.scripts):
                    message = f"cell `{cell.name}` fails because of `{name}`, and no page of it speaks of that name"
                    yield Problem(path, cell.line, message, "a slip? mend it; else say on the page what is missing")


def _named(page: Page) -> set[str]:
    """Return the words of a page's headings and code spans."""
    spans = [match[0] for _, line in prose(page.text) for match in CODE_SPAN.finditer(line)]
    return set(re.findall(r"\w+", " ".join([*spans, *(heading.text for heading in page.headings)])))


def quoted(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and text of what the sentences of a page quote as a message."""
    for number, line in prose(page.text):
        for text in (match["text"] for match in QUOTED.finditer(line)):
            if len(re.findall(r"[A-Za-z]{2,}", text)) >= WORDS:
                yield number, text


def check_quoted(book: Book, found: Iterable[tuple[Page, Iterable[tuple[int, str]]]], memo: Memo) -> Iterator[Problem]:
    """What a sentence quotes as a message stands in an output or a script of the book, in whatever release.

    Args:
        book: The scripts and what they printed.
        found: Pages, each with what is `quoted` on it.
        memo: Caches which texts nothing prints.
    """
    places = [(page, number, text) for page, texts in found for number, text in texts]
    texts = sorted({text for _, _, text in places})
    unprinted = memo.get("quoted", digest(texts, *map(book.shown, book.scripts)), lambda: _unprinted(book, texts))
    for page, number, text in places:
        if text in unprinted:
            message = f"“{text}” is quoted as a message, and nothing in the book prints it"
            hint = f"quote it as it is printed, with … for what is left out, or show the cell; {FORM}"
            yield Problem(page.path, number, message, hint)


def _unprinted(book: Book, texts: Iterable[str]) -> list[str]:
    """Return the texts that no script of the book has or prints, in whatever release."""
    releases = (f"{book.ranges(path, cell.name)}" for path, script in book.scripts.items() for cell in script.cells)
    printed = _flat("\n".join([*(shown_text(book, path) for path in book.scripts), *releases]))
    return [text for text in texts if not all(part in printed for part in _parts(text))]


def _parts(message: str) -> list[str]:
    """Return the parts of a message that may stand in an output; several words, so that none is there by chance."""
    return [part for one in PARTS.split(message) if len(part := _flat(one).strip(" .:")) >= PART]


def _flat(text: str) -> str:
    """Return a text on one line, whether it is one or the notation of one."""
    return re.sub(r"(?:\\n|\s)+", " ", text.replace("\\'", "'"))

"""Messages on pages are printed: below a heading that names an error, one; and what a sentence quotes. Pure."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from verbatim.book.compare import text_of
from verbatim.book.gather import Book
from verbatim.checks.exemptions import FORM
from verbatim.checks.outputs import shown_text
from verbatim.lists.places import Place, Sources
from verbatim.markdown import CODE_SPAN, prose
from verbatim.memo import Memo, digest
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: An error about a name, of a module of PyTorch or of the script.
MISSING_NAME = re.compile(r"(?:module 'torch[\w.]*' has no attribute|name) '(?P<name>\w+)'")
#: How a heading begins that names a message.
MESSAGE_HEADING = re.compile(r"(?:Error|Warning|报错|警告)[:：]\s*(?P<message>.*)")
#: A message in what is printed.
PRINTED_MESSAGE = re.compile(r"Error|Warning|Exception")
#: Between parts of a message, or behind it.
PART_BORDER = re.compile(r"…|\.{3}|[;；,，、（(]")
#: The shortest part of a message that is looked for.
PART_CHARACTERS = 8
#: A word that says whose a quotation is, and what stands between them.
SAYS = (
    r"(?:\b(?:errors?|raises?|raised|complains|fails with|messages?|warns|warnings?|PyTorch (?:\w+ )?says)\b|"
    r"报错?|抛出|提示|警告)[^“”`.。；;]{0,40}"
)
#: A quotation after such a word.
QUOTATION = re.compile(SAYS + r"“(?P<text>[^”\u3400-\u9fff]*)”", re.IGNORECASE)
#: What stands before a code span that is such a quotation.
QUOTATION_START = re.compile(f"{SAYS}$", re.IGNORECASE)
#: A code span with the class of a message is a quotation wherever it stands.
CLASSED_SPAN = re.compile(r"(?:torch\.)?\w*(?:Error|Warning): (?P<text>\S.*)")
#: A code span with one of these is code, and no message.
CODE_MARK = re.compile(
    r"[=\[{}\u3400-\u9fff]|--|^\(|^[\w.]+\(|^(?:assert|class|def|except|for|from|if|import|pip|python|raise|return|with)\b"
)
#: A script's path → on one line, what it has and prints, what is recorded of it, and what other releases print.
Printed = Callable[[str], str]
#: A quotation of fewer words may name anything.
FEWEST_WORDS = 4
#: English words within a Chinese heading are the message's own.
ENGLISH_WORDS = re.compile(r"[\x20-\x7e‘’]+")
#: A word of a message, and not a number, which a heading may leave out.
MESSAGE_WORD = re.compile(r"[a-z_0-9]*[a-z_][a-z_0-9]*")
#: As many words of a heading are a quotation.
RUN_WORDS = 3
#: How far apart two words of it may be printed, in characters.
NEAR_CHARACTERS = 200


def check_named(sources: Sources, pages: Iterable[Page]) -> Iterator[Problem]:
    """Below a heading that names an error or a warning is a cell that shows one."""
    for page in pages:
        named = [(heading, match) for heading in page.headings if (match := MESSAGE_HEADING.match(heading.text))]
        places = sources.places_on(page) if named else []
        for heading, match in named:
            ends = (below.line for below in page.headings if below.line > heading.line and below.level <= heading.level)
            end = next(ends, math.inf)
            lost = any(
                heading.line < embed.line < end and embed.script not in sources.book.scripts for embed in page.embeds
            )
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
    return bool(PRINTED_MESSAGE.search(text)) or any(part in text for part in _parts(message))


def check_missing_names(book: Book, pages: Iterable[Page]) -> Iterator[Problem]:
    """If a cell fails because a name is unknown, some page that shows the cell mentions the name: else it is a typo."""
    pages = list(pages)
    for path, script in book.scripts.items():
        for cell in script.cells:
            ran = book.display_results[path].cell(cell.name) if cell.raises and path in book.display_results else None
            errors = (output["evalue"] for output in ran.outputs if output["output_type"] == "error") if ran else ()
            for name in (match["name"] for error in errors if (match := MISSING_NAME.match(error))):
                if not any(name in _named(page) for page in pages if path in page.scripts):
                    message = f"cell `{cell.name}` fails because of `{name}`, and no page of it speaks of that name"
                    yield Problem(path, cell.line, message, "a slip? mend it; else say on the page what is missing")


def _named(page: Page) -> set[str]:
    """Return the words of a page's headings and code spans."""
    spans = [match[0] for _, line in prose(page.text) for match in CODE_SPAN.finditer(line)]
    return set(re.findall(r"\w+", " ".join([*spans, *(heading.text for heading in page.headings)])))


def quoted(page: Page) -> Iterator[tuple[int, str]]:
    """Yield line and text of what the sentences of a page quote as a message."""
    yield from ((number, text) for number, line in prose(page.text) for text in _quotations(line))


def _quotations(line: str) -> Iterator[str]:
    """Yield the messages that a line quotes, in quotation marks or in code."""
    quoted = [match["text"] for match in QUOTATION.finditer(line)]
    row = line.lstrip().startswith("|")  # of a table, which may list what nobody here can print
    for span in CODE_SPAN.finditer(line) if not row else ():
        text = span[0].strip("` ")
        if match := CLASSED_SPAN.fullmatch(text):
            yield match["text"]
        elif not CODE_MARK.search(text) and QUOTATION_START.search(CODE_SPAN.sub("", line[: span.start()])):
            quoted.append(text)
    yield from (text for text in quoted if len(re.findall(r"[A-Za-z]{2,}", text)) >= FEWEST_WORDS)


def check_quoted(
    book: Book, quoting_pages: Iterable[tuple[Page, Iterable[tuple[int, str]]]], printed: Printed, memo: Memo
) -> Iterator[Problem]:
    """What a sentence quotes as a message stands in an output or a script of the book, in whatever release.

    Args:
        book: The scripts and what they printed.
        quoting_pages: Pages, each with what is `quoted` on it.
        printed: As `printed_by` returns it.
        memo: Caches which texts nothing prints.
    """
    places = [(page, number, text) for page, texts in quoting_pages for number, text in texts]
    texts = sorted({text for _, _, text in places})
    unprinted = memo.get(
        "quoted", digest(texts, *map(book.display_hash, book.scripts)), lambda: _unprinted(book, texts, printed)
    )
    for page, number, text in places:
        if text in unprinted:
            message = f"“{text}” is quoted as a message, and nothing in the book prints it"
            hint = f"quote it as it is printed, with … for what is left out, or show the cell; {FORM}"
            yield Problem(page.path, number, message, hint)


def _unprinted(book: Book, texts: Iterable[str], printed: Printed) -> list[str]:
    """Return the texts that no script of the book has or prints, in whatever release."""
    everything = " ".join(map(printed, book.scripts))
    return [text for text in texts if not all(part in everything for part in _parts(text))]


def printed_by(book: Book) -> Printed:
    """Return a function that puts together all that is known of a script, once."""

    @functools.cache
    def printed(path: str) -> str:
        cells = [cell.name for cell in book.scripts[path].cells]
        recorded = [text_of(output) for name in cells for output in _outputs(book, path, name)]
        return _flat("\n".join([shown_text(book, path), *recorded, *(f"{book.ranges(path, name)}" for name in cells)]))

    return printed


def _outputs(book: Book, path: str, cell: str) -> tuple[dict[str, Any], ...]:
    """Return the recorded outputs of a cell; nothing where there is no record of it."""
    recorded = book.recorded(path, cell)
    return recorded[1].outputs if recorded else ()


def check_headings(book: Book, pages: Iterable[Page], printed: Printed, memo: Memo) -> Iterator[Problem]:
    """A heading that names a message says it in the words that are printed; it may leave some out.

    Which words are the message's, the Chinese heading tells by its language; the English heading has the same words.

    Args:
        book: The scripts and what they printed.
        pages: The pages.
        printed: As `printed_by` returns it.
        memo: Caches which words nothing prints.
    """
    pages = list(pages)
    english = {
        (page.name, heading.id): (page, heading) for page in pages if page.language == "en" for heading in page.headings
    }
    named = [
        (page, heading, run.strip(), " ".join(words))
        for page in pages
        if page.language == "zh"
        for heading in page.headings
        if (match := MESSAGE_HEADING.match(heading.text))
        for run in ENGLISH_WORDS.findall(match["message"])
        if len(words := MESSAGE_WORD.findall(run.lower())) >= RUN_WORDS
    ]
    said = {words: page.scripts for page, _, _, words in named}
    shown = map(book.display_hash, book.scripts)
    strange = memo.get("headings", digest(said, *shown), lambda: _out_of_order(book, said, printed)) if named else []
    for page, heading, run, message_words in named:
        if message_words in strange and not any(_unknown(book, path) for path in page.scripts):
            message = f"the heading names a message that nothing in the book prints: `{run}`"
            yield Problem(page.path, heading.line, message, "write the words that are printed; some may be left out")
        other, twin = english.get((page.name, heading.id), (page, heading))
        if message_words not in " ".join(MESSAGE_WORD.findall(twin.text.lower())):
            message = f"the heading does not name the message that {page.path}:{heading.line} names: `{run}`"
            yield Problem(other.path, twin.line, message, "both name it in the words that are printed")


def _unknown(book: Book, path: str) -> bool:
    """Whether a script cannot be read, or has a cell that nobody has run yet."""
    script = book.scripts.get(path)
    cells = [cell for cell in script.cells if cell.needs] if script else []
    return script is None or any(not _outputs(book, path, cell.name) for cell in cells)


def _out_of_order(book: Book, said: Mapping[str, Sequence[str]], printed: Printed) -> list[str]:
    """Return the texts whose words no script prints in this order, near to each other.

    Args:
        book: The scripts and what they printed.
        said: Text → the scripts that most likely print it.
        printed: As `printed_by` returns it.
    """

    @functools.cache
    def lower(path: str) -> tuple[str, set[str]]:
        text = printed(path).lower() if path in book.scripts else ""
        return text, {*re.findall("[a-z0-9]+", text)}

    def prints(path: str, text: str) -> bool:
        there, words = lower(path)
        return words.issuperset(re.findall("[a-z0-9]+", text)) and _in_order(text.split(), there)

    return [text for text, likely in said.items() if not any(prints(path, text) for path in (*likely, *book.scripts))]


def _in_order(words: list[str], text: str) -> bool:
    """Whether words stand in a text in this order, at most `NEAR_CHARACTERS` characters between two."""
    ends: list[int] = []
    for number, word in enumerate(words):
        places = [match.span() for match in re.finditer(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", text)]
        ends = [
            end for start, end in places if not number or any(0 <= start - end_of <= NEAR_CHARACTERS for end_of in ends)
        ]
    return bool(ends)


def _parts(message: str) -> list[str]:
    """Return the parts of a message that may stand in an output; several words, so that none is there by chance."""
    return [part for piece in PART_BORDER.split(message) if len(part := _flat(piece).strip(" .:")) >= PART_CHARACTERS]


def _flat(text: str) -> str:
    """Return a text on one line, whether it is one or the notation of one."""
    return re.sub(r"(?:\\n|\s)+", " ", text.replace("\\'", "'"))
